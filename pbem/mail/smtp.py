"""Passing a mail to the player's mail server (SMTP), under verified TLS or not at all."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from pbem.base.interrupts import raise_on_interrupt
from pbem.errors import MailError, RefusedLogin, RefusedMail
from pbem.mail.credentials import fetch_secret
from pbem.mail.outgoing import check_address
from pbem.mail.server_access import (
    certificate_error,
    connection_reason,
    hide_secret,
    one_line,
    tls_context,
    xoauth2_reply,
)
from pbem.mail.settings import Account
from pbem.texts import Texts

tr = Texts("pbem")

SECONDS = 60
"""The seconds that the server may be silent."""

_MY_NAME = "[127.0.0.1]"  # for clients without a name; the computer's name is private


_WAYS = ("PLAIN", "LOGIN", "CRAM-MD5")
"""The login methods with a password, best first: all go through TLS."""


def deliver(
    account: Account,
    sender: str,
    recipient: str,
    data: bytes,
    leaving: Callable[[], None] = lambda: None,
) -> None:
    """Pass one mail to the server for one recipient; `leaving` is called just before any of it is sent.

    Raises `MailError` with the server's words if it was not accepted; `RefusedMail` if it never will be. If
    the connection breaks during the transfer, the server might have the mail all the same; sending the same
    bytes again does no harm.
    """
    addresses = check_address(sender), check_address(recipient)
    with _session(account) as server:
        leaving()
        server.sendmail(*addresses, data)


def try_account(account: Account, shown: str = "") -> None:
    """Log in and out again, with the password `shown` or else with the stored one.

    Raises `MailError` as `deliver`.
    """
    with _session(account, shown):
        pass


@contextmanager
def _session(account: Account, shown: str = "") -> Iterator[smtplib.SMTP]:
    """The server, once logged in. Raises one `MailError` for any failure."""
    shown = shown or fetch_secret(account)
    try:
        with raise_on_interrupt():
            server = _connect(account)
            try:
                _log_in(server, account, shown)
                yield server
            finally:
                _log_out(server)
    except (smtplib.SMTPException, OSError, ValueError) as error:
        raise _describe_failure(account, error, shown) from None


def _connect(account: Account) -> smtplib.SMTP:
    """A connection to a server that has shown a certificate for its name from a known authority."""
    context = tls_context(account)
    if account.security == "tls":
        return smtplib.SMTP_SSL(
            account.host, account.port, local_hostname=_MY_NAME, timeout=SECONDS, context=context
        )
    server = smtplib.SMTP(account.host, account.port, local_hostname=_MY_NAME, timeout=SECONDS)
    try:
        server.starttls(context=context)
    except BaseException:
        server.close()
        raise
    return server


def _log_in(server: smtplib.SMTP, account: Account, shown: str) -> None:
    server.ehlo()
    if not account.by_token:
        offered = server.esmtp_features.get("auth", "").split()
        if ways := [way for way in _WAYS if way in offered]:
            server.esmtp_features["auth"] = ways[0]  # smtplib would try a wrong password with each method
        server.login(account.user, shown)
        return
    if "XOAUTH2" not in server.esmtp_features.get("auth", "").split():
        raise smtplib.SMTPNotSupportedError(tr("it does not offer XOAUTH2"))
    words = xoauth2_reply(account, shown)
    # a server that refuses gives its reason in a challenge, and continues after an empty answer
    server.auth("XOAUTH2", lambda challenge=None: words if challenge is None else "")


def _log_out(server: smtplib.SMTP) -> None:
    """Log out. A mail that was accepted stays accepted, whatever the server replies now."""
    with suppress(smtplib.SMTPException, OSError):
        server.quit()
    server.close()


def _describe_failure(account: Account, error: Exception, shown: str) -> MailError:
    """The one error for any failure, without the password or token that was `shown` to the server."""

    def reply_text(words: bytes | str, code: int | str = "") -> str:
        text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
        return one_line(f"{code} {hide_secret(text, account, shown)}")

    where = f"{account.host}:{account.port}"
    later = tr("try again later: pbem will send the very same mail")
    match error:
        case ssl.SSLCertVerificationError():
            return certificate_error(where, error)
        case smtplib.SMTPAuthenticationError():
            reply = reply_text(error.smtp_error, error.smtp_code)
            return RefusedLogin(
                tr("{server} refuses {user}: {reply}", server=where, user=account.user, reply=reply),
                hint=tr("many providers want an app password; to see what yours wants: pbem mail setup"),
            )
        case smtplib.SMTPRecipientsRefused():
            ((recipient, (code, words)),) = error.recipients.items()
            reply = reply_text(words, code)
            problem = tr(
                "{server} refuses {recipient}: {reply}", server=where, recipient=recipient, reply=reply
            )
            return _refusal(code, problem, later)
        case smtplib.SMTPSenderRefused() | smtplib.SMTPDataError():
            reply = reply_text(error.smtp_error, error.smtp_code)
            return _refusal(error.smtp_code, _say_not_taken(where, reply), later)
        case smtplib.SMTPResponseException():
            return MailError(_say_not_taken(where, reply_text(error.smtp_error, error.smtp_code)), hint=later)
        case UnicodeError():
            return MailError(
                tr(
                    "the user name or the password for {server} has characters that are not ASCII",
                    server=where,
                )
            )
        case OSError() if not isinstance(error, smtplib.SMTPException):
            why = connection_reason(error) if error.strerror else reply_text(str(error))
            return MailError(tr("no connection to {server}: {why}", server=where, why=why), hint=later)
        case _:
            return MailError(_say_not_taken(where, reply_text(str(error))), hint=later)


def _say_not_taken(where: str, reply: str) -> str:
    return tr("{server} does not accept the mail: {reply}", server=where, reply=reply)


def _refusal(code: int, line: str, later: str) -> MailError:
    """The error for a refusal: a reply of 400 is temporary, one of 500 permanent (RFC 5321, 4.2.1)."""
    if code < 500:
        return MailError(line, hint=later)
    return RefusedMail(line, hint=tr("it is permanently rejected"))
