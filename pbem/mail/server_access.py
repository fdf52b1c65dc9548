"""What IMAP and SMTP share: login with a token, verified TLS, and making a server's words safe to print.

A password or token (`secret_store`) is fetched when needed, and appears in no message.
"""

from __future__ import annotations

import re
import ssl
from base64 import b64decode, b64encode
from socket import gaierror

from pbem.base.files import open_regular
from pbem.errors import MailError, system_reason
from pbem.mail.settings import Account
from pbem.messages import Said
from pbem.texts import Texts

tr = Texts("pbem")


def xoauth2_reply(account: Account, token: str) -> str:
    """The reply that logs in with a token: XOAUTH2, as Google and Microsoft define it."""
    return f"user={account.user}\x01auth=Bearer {token}\x01\x01"


_MAX_CHARACTERS = 300
_HIDDEN = "***"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{2,}={0,2}")


def tls_context(account: Account) -> ssl.SSLContext:
    """A TLS context that trusts the system's certificate authorities, or instead the player's own one.

    Raises `MailError` if the player's own cannot be read.
    """
    try:
        if account.ca:
            open_regular(account.ca).close()  # the library would wait for a pipe
        return ssl.create_default_context(cafile=account.ca or None)
    except OSError as error:
        raise MailError(
            tr(
                "cannot read the certificate authority {file}: {why}",
                file=account.ca,
                why=system_reason(error),
            )
        ) from None


def connection_reason(error: OSError) -> Said:
    """Why a server cannot be reached; the usual reasons in the player's language."""
    return tr("no server of this name was found") if isinstance(error, gaierror) else system_reason(error)


def certificate_error(where: str, error: ssl.SSLCertVerificationError) -> MailError:
    """The error for a server without a certificate for its name from a known authority."""
    return MailError(
        tr(
            "the certificate of {server} is not valid: {why}",
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
    """A server's words without the password or token sent to it, in case it repeats that.

    The secret can be there as it is, escaped, in another case, or in base64, as PLAIN, LOGIN and XOAUTH2 send
    it.
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
    """Whether a run of base64 contains a secret, starting anywhere in it."""
    letters = run.rstrip("=").translate(str.maketrans("-_", "+/"))
    starts = (letters[start:] for start in range(4))
    return any(plain in b64decode(each[: len(each) - (len(each) % 4 == 1)] + "==") for each in starts)
