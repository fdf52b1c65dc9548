"""What the mail servers have in common: whom they must be vouched for by, and how their words are shown."""

from __future__ import annotations

import ssl

from pbem.errors import MailError
from pbem.mail.config import Account
from pbem.texts import Texts

tr = Texts("pbem")

_MOST_WORDS = 300


def trusting(account: Account) -> ssl.SSLContext:
    """The system's certificate authorities, or the player's own one instead.

    Raises `MailError` if the player's cannot be read.
    """
    try:
        return ssl.create_default_context(cafile=account.ca or None)
    except OSError as error:
        raise MailError(
            tr("cannot read the certificate authority {file}: {why}", file=account.ca, why=error.strerror)
        ) from None


def distrusted(where: str, error: ssl.SSLCertVerificationError) -> MailError:
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
    """A server's words on one line, harmless, and not too many."""
    shown = "".join(character if character.isprintable() else "?" for character in " ".join(words.split()))
    return shown[:_MOST_WORDS].rstrip(".")
