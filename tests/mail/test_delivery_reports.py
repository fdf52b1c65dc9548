"""Delivery reports are told from other mails, and what they say is read; automatic mails as well."""

from __future__ import annotations

import pytest

from pbem.mail.delivery_reports import DeliveryReport, is_automatic, parse_delivery_report
from pbem.mail.parse_mail import parse_message, unsearched_mail
from support.bounces import NO_SUCH_USER, delivery_report, exim_warning, qmail_report

ID = f"<{'0f' * 16}.{'a1' * 8}@pbem.invalid>"
SENT = f"From: anna@example.org\r\nMessage-ID: {ID}\r\nSubject: x\r\n\r\nA game at 550 o'clock\r\n".encode()


def report_in(data: bytes) -> DeliveryReport | None:
    return parse_delivery_report(data, unsearched_mail(data, "a mail").message)


class TestForPrograms:
    """RFC 3464: which mail, whether it failed, and why."""

    @pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers"])
    def test_failed(self, kind: str) -> None:
        assert report_in(delivery_report(SENT, kind=kind)) == DeliveryReport(
            (ID,), False, "550 5.1.1 no such user"
        )

    def test_delayed(self) -> None:
        found = report_in(
            delivery_report(SENT, action="Delayed (will try again)", diagnostic="smtp; 451 later")
        )
        assert found == DeliveryReport((ID,), True, "451 later")

    @pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
    def test_all_is_well(self, action: str) -> None:
        assert report_in(delivery_report(SENT, action=action)) == DeliveryReport(())

    def test_of_two_recipients_the_worse_counts(self) -> None:
        """An address that leads to two people; the last of them is the only one who has it."""
        more = f"Action: failed\r\nDiagnostic-Code: {NO_SUCH_USER}\r\n\r\n"
        found = report_in(delivery_report(SENT, action="delivered", more=more))
        assert found == DeliveryReport((ID,), False, "550 5.1.1 no such user")

    def test_a_folded_diagnostic(self) -> None:
        found = report_in(delivery_report(SENT, diagnostic="smtp;550-5.1.1 no such\r\n user \x1b[2J here"))
        assert found == DeliveryReport((ID,), False, "550-5.1.1 no such user ?[2J here")

    def test_a_folded_message_id(self) -> None:
        found = report_in(delivery_report(SENT.replace(b"Message-ID: ", b"Message-ID:\r\n ")))
        assert found is not None
        assert found.ids == (ID,)

    def test_a_status_alone(self) -> None:
        found = report_in(delivery_report(SENT, diagnostic=""))
        assert found == DeliveryReport((ID,), False, "5.1.1")

    def test_many_ids(self) -> None:
        """Whoever writes a million of them has them all looked up otherwise."""
        found = report_in(
            delivery_report(SENT + b"".join(b"Message-ID: <%d@b.example>\r\n" % n for n in range(1000)))
        )
        assert found is not None
        assert found.ids[0] == ID
        assert len(found.ids) == 10

    def test_what_is_no_report_of_delivery(self) -> None:
        """A receipt that a mail was displayed (RFC 8098) is a report too."""
        receipt = delivery_report(SENT).replace(
            b"message/delivery-status", b"message/disposition-notification"
        )
        assert report_in(receipt) == DeliveryReport(())


class TestForPeople:
    def test_qmail(self) -> None:
        found = report_in(qmail_report(SENT))
        assert found == DeliveryReport((ID,), False, "Sorry, no mailbox here by that name. (#5.1.1)")

    def test_exim(self) -> None:
        found = report_in(exim_warning(SENT))
        assert found == DeliveryReport((ID,), True, "host mx.example.org: 451 4.7.1 greylisted")


@pytest.mark.parametrize(
    "data",
    [
        SENT,
        b"From: bruno@example.org\r\n\r\n> Message-ID: " + ID.encode() + b"\r\n550 no such user\r\n",
        b"Return-Path: <>\r\nSubject: I am away\r\nIn-Reply-To: "
        + ID.encode()
        + b"\r\n\r\nBack on 5 May\r\n",
        b"Return-Path: <>\r\n\r\nMessage-ID: " + ID.encode() + b"\r\n550 stands only in what is quoted\r\n",
        b"Content-Type: multipart/report",
        b"",
        b"\0" * 100,
    ],
)
def test_what_is_no_report(data: bytes) -> None:
    assert report_in(data) is None


@pytest.mark.parametrize(
    ("headers", "automatic"),
    [
        ("Auto-Submitted: auto-replied", True),
        ("Auto-Submitted: Auto-Generated; owner-email=a@example.org", True),
        ("Auto-Submitted: (cron) auto-generated", True),
        ("Auto-Submitted: no", False),
        ("Auto-Submitted: No (by hand)", False),
        ("Auto-Submitted:", False),
        ("Return-Path: <>", True),
        ("Return-Path: <anna@example.org>", False),
        ("From: MAILER-DAEMON@example.org (Mail Delivery)", True),
        ("From: Anna <anna@example.org>", False),
    ],
)
def test_automatic_mails(headers: str, automatic: bool) -> None:
    assert is_automatic(parse_message(f"{headers}\r\nSubject: x\r\n\r\nHello\r\n".encode())) is automatic
