"""The secret for a mail server: a password or a token, from the player's command or the system's keyring.

It is fetched when needed, never written into a file of ours, and appears in no message.
"""

from __future__ import annotations

import subprocess
import sys

from pbem.errors import MailError
from pbem.mail.config import Account
from pbem.render.words import quote_path
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
