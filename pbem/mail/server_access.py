"""What IMAP and SMTP have in common: passwords and tokens, verified TLS, and a server's words made safe.

A password or token comes from the player's command or the system's keyring. It is fetched when needed, never
written into a file of ours, and appears in no message.
"""

from __future__ import annotations

import re
import ssl
import subprocess
import sys
from base64 import b64decode, b64encode

from pbem.base.files import open_regular
from pbem.errors import MailError
from pbem.mail.settings import Account
from pbem.render.safe_text import quote_path
from pbem.texts import Texts

tr = Texts("pbem")


SECONDS = 30
"""The seconds that a command may take: the player may have to unlock something first."""

SERVICE = "pbem"
"""The service under which the keyring has the passwords."""


INSTALL = f"{quote_path(sys.executable)} -m pip install keyring"
"""The command that installs the keyring for pbem."""


def fetch_secret(account: Account) -> str:
    """The password of an account, or its token. Raises `MailError` if there is none."""
    if account.auth == "xoauth2":
        return _run_secret_command("token_command", account.token_command)
    if account.password_command:
        return _run_secret_command("password_command", account.password_command)
    return _read_keyring(account.keyring_user)


def xoauth2_reply(account: Account, token: str) -> str:
    """The reply that logs in by token in place of a password: XOAUTH2, as Google and Microsoft define it."""
    return f"user={account.user}\x01auth=Bearer {token}\x01\x01"


def save_password(account: Account, password: str) -> None:
    """Save an account's password in the system's keyring. Raises `MailError` where there is no keyring."""
    try:
        import keyring  # here, as below

        keyring.set_password(SERVICE, account.keyring_user, password)
    except ImportError:
        raise MailError(
            tr("there is no keyring here: it needs the extra pbem[keyring]"),
            hint=tr("{command}, and begin again", command=INSTALL),
        ) from None
    except Exception as error:  # as below
        raise MailError(
            tr("the system's keyring does not take it: {fault}", fault=type(error).__name__)
        ) from None


def _run_secret_command(key: str, words: list[str]) -> str:
    """The first line that the command prints; it runs without a shell, and its other output is dropped."""
    name = f"{key} {quote_path(words[0])}"  # its other words may be secret
    hint = tr("type the command of your config.yaml yourself to see what it says")
    try:
        process = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
        first_line = b"".join(process.stdout.splitlines()[:1]).decode()
    except subprocess.TimeoutExpired:
        raise MailError(
            tr("{command} took longer than {number} seconds", command=name, number=SECONDS), hint=hint
        ) from None
    except OSError as error:
        raise MailError(
            tr("{command} cannot be run: {why}", command=name, why=error.strerror or error)
        ) from None
    except UnicodeDecodeError:
        raise MailError(
            tr("{command} printed something that is not UTF-8 text", command=name), hint=hint
        ) from None
    if process.returncode:
        raise MailError(
            tr("{command} failed with exit code {code}", command=name, code=process.returncode), hint=hint
        )
    if not first_line and key == "token_command":
        raise MailError(tr("{command} printed no token in its first line", command=name), hint=hint)
    if not first_line:
        raise MailError(tr("{command} printed no password in its first line", command=name), hint=hint)
    return first_line


def _read_keyring(user: str) -> str:
    """The user's secret in the system's keyring."""
    try:
        import keyring  # here, because it is an extra, and looks for keyrings as soon as it is imported
    except ImportError:
        raise MailError(
            tr(
                "there is no password for {user}: the system's keyring needs the extra pbem[keyring]",
                user=user,
            ),
            hint=tr("{command}, or name a password_command in config.yaml", command=INSTALL),
        ) from None
    try:
        password = keyring.get_password(SERVICE, user)
    except Exception as error:  # a keyring is another program, and each raises what it likes
        raise MailError(
            tr("the system's keyring cannot be read: {fault}", fault=type(error).__name__),
            hint=tr("unlock it, or name a password_command in config.yaml"),
        ) from None
    if not password:
        raise MailError(
            tr("the system's keyring has no password for {user}", user=user),
            hint=tr("type: pbem mail setup"),
        )
    return password


_MAX_CHARACTERS = 300
_HIDDEN = "***"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{2,}={0,2}")


def tls_context(account: Account) -> ssl.SSLContext:
    """The TLS context that trusts the system's certificate authorities, or the player's own one instead.

    Raises `MailError` if the player's cannot be read.
    """
    try:
        if account.ca:
            open_regular(account.ca).close()  # the library would wait for a pipe
        return ssl.create_default_context(cafile=account.ca or None)
    except OSError as error:
        raise MailError(
            tr("cannot read the certificate authority {file}: {why}", file=account.ca, why=error.strerror)
        ) from None


def certificate_error(where: str, error: ssl.SSLCertVerificationError) -> MailError:
    """The error for a server that shows no certificate for its name from a known authority."""
    return MailError(
        tr(
            "the certificate of {server} does not hold: {why}",
            server=where,
            why=one_line(error.verify_message),
        ),
        hint=tr("nothing was sent, not even your password"),
    )


def one_line(words: str) -> str:
    """A server's words on one line: printable, and of limited length."""
    printable = "".join(
        character if character.isprintable() else "?" for character in " ".join(words.split())
    )
    return printable[:_MAX_CHARACTERS].rstrip(".")


def hide_secret(words: str, account: Account, shown: str) -> str:
    """A server's words without the password or token that was sent to it, should it repeat that.

    It may be there as it is, escaped, in another case, or in base64, as PLAIN, LOGIN and XOAUTH2 send it.
    """
    if not shown:
        return words
    plain = shown.encode()
    sent = (plain, f"\0{account.user}\0{shown}".encode(), xoauth2_reply(account, shown).encode())
    forms = [
        shown,
        re.sub(r'(["\\])', r"\\\1", shown),
        repr(plain)[2:-1],
        *(b64encode(reply).decode() for reply in sent),
    ]
    for form in sorted(forms, key=len, reverse=True):
        words = re.sub(re.escape(form), _HIDDEN, words, flags=re.IGNORECASE)
    return _BASE64.sub(lambda run: _HIDDEN if _holds_secret(run[0], plain) else run[0], words)


def _holds_secret(run: str, plain: bytes) -> bool:
    """Whether a run of base64 holds a secret, wherever in it that begins."""
    letters = run.rstrip("=").translate(str.maketrans("-_", "+/"))
    starts = (letters[start:] for start in range(4))
    return any(plain in b64decode(each[: len(each) - (len(each) % 4 == 1)] + "==") for each in starts)
