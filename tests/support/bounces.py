"""Delivery reports as mail servers write them: machine-readable (RFC 3464), and in prose."""

from __future__ import annotations

SERVER = "Mail Delivery System <MAILER-DAEMON@mx.example.org>"
NO_SUCH_USER = "smtp; 550 5.1.1 no such user"


def delivery_report(
    returned: bytes,
    *,
    action: str = "failed",
    diagnostic: str = NO_SUCH_USER,
    kind: str = "message/rfc822",
    more: str = "",
) -> bytes:
    """A report on a mail, which is returned whole (`kind`: as what), or only its headers."""
    if kind == "text/rfc822-headers":
        returned = returned.partition(b"\r\n\r\n")[0] + b"\r\n"
    head = (
        f"Return-Path: <>\r\nFrom: {SERVER}\r\nTo: anna@example.org\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\nMessage-ID: <1.2@mx.example.org>\r\n"
        "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="r"\r\n\r\n'
        "--r\r\nContent-Type: text/plain\r\n\r\nI'm sorry to have to inform you...\r\n\r\n"
        "--r\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.org\r\nArrival-Date: Sat, 1 Aug 2026 12:00:00 +0000\r\n\r\n"
        f"{more}"
        "Final-Recipient: rfc822; somebody@example.org\r\n"
        f"Action: {action}\r\nStatus: 5.1.1\r\nDiagnostic-Code: {diagnostic}\r\n\r\n"
        f"--r\r\nContent-Type: {kind}\r\n\r\n"
    )
    return head.encode() + returned + b"\r\n--r--\r\n"


def qmail_report(returned: bytes) -> bytes:
    """A report in prose, as qmail writes it."""
    head = (
        "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org\nTo: anna@example.org\n"
        "Subject: failure notice\nMessage-ID: <3.4@mx.example.org>\n\n"
        "Hi. This is the qmail-send program at mx.example.org.\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\n"
        "This is a permanent error; I've given up. Sorry it didn't work out.\n\n"
        "<bruno@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n\nReturn-Path: <anna@example.org>\n"
    )
    return head.encode() + returned.replace(b"\r\n", b"\n")


def exim_warning(returned: bytes) -> bytes:
    """A warning in prose, as older versions of Exim write it, with only the headers."""
    head = (
        "From: Mail Delivery System <Mailer-Daemon@mx.example.org>\nTo: anna@example.org\n"
        "Subject: Warning: message 1kT-0 delayed 24 hours\nAuto-Submitted: auto-replied\n\n"
        "This message was created automatically by mail delivery software.\n"
        "A message that you sent has not yet been delivered to one or more of its recipients.\n\n"
        "  bruno@example.org\n    host mx.example.org: 451 4.7.1 greylisted\n\n"
        "------ This is a copy of the message's headers. ------\n\n"
    )
    return head.encode() + returned.partition(b"\r\n\r\n")[0].replace(b"\r\n", b"\n") + b"\n"
