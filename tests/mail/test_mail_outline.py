"""Which mails are fetched whole, by what a real Dovecot tells of each: those with a game alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.base.limits import mail_budget
from pbem.mail.imap import Imap
from pbem.mail.mail_outline import MailOutline
from pbem.mail.parse_mail import may_hold_a_game, search_mail, unsearched_mail
from support.mail_provider import MailProvider, give_to_dovecot, run_mail_provider

from .test_imap import account

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))


@pytest.fixture(scope="module")
def office() -> Iterator[MailProvider]:
    with run_mail_provider("anna") as running:
        yield running


def fetched(office: MailProvider, *mails: bytes, at_first: bool = False) -> list[int]:
    """The places of the mails that are fetched, by a later look or the first."""
    office.empty("anna")
    for data in (b"Subject: hi\n\nhi\n", *mails):
        office.deliver("anna", data)
    with Imap(account(office), "INBOX", own="anna@example.org") as box:
        return [int(uid) - 2 for uid, _ in box.since(() if at_first else box.bookmark((), ["1"]))]


def holds_something(data: bytes) -> bool:
    """Whether pbem would have a word to say about a mail if it were fetched."""
    if not may_hold_a_game(data):
        return False
    with mail_budget():
        finding = search_mail(unsearched_mail(data, "")).finding
    return bool(finding.candidates or finding.faults or finding.ended)


def test_every_mail_of_the_corpus_that_holds_a_game(office: MailProvider) -> None:
    mails = [path.read_bytes() for path in CORPUS]
    needed = {place for place, data in enumerate(mails) if holds_something(data)}
    assert len(needed) > 60
    missed = [CORPUS[place].name for place in sorted(needed.difference(fetched(office, *mails)))]
    assert not missed


def private(subject: str, text: str = "See you on Sunday.") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Carla <carla@example.com>", "anna@example.org", subject
    mail.set_content(text)
    return mail


def private_mails() -> list[EmailMessage]:
    letter, page, photo, bill, invitation = map(private, ("hi", "news", "a photo", "a bill", "a meeting"))
    page.add_alternative("<p>Sale!</p>", subtype="html")
    photo.add_attachment(b"\xff\xd8\xff", maintype="image", subtype="jpeg", filename="beach.jpg")
    bill.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="bill.pdf")
    invitation.add_attachment("BEGIN:VCALENDAR", subtype="calendar", filename="meeting.ics")
    return [letter, page, photo, bill, invitation]


def test_private_mails_stay_on_the_server(office: MailProvider) -> None:
    assert fetched(office, *map(bytes, private_mails())) == []


@pytest.mark.parametrize("at_first", [True, False])
def test_what_may_be_meant_for_pbem(at_first: bool, office: MailProvider) -> None:
    pasted = private("our game", "Here it is:\n\npbem: 1\nboard:\n")
    named = private("your move")
    named.add_attachment(b"x", maintype="image", subtype="png", filename="mortain.yaml")
    unnamed = private("your move")
    unnamed.add_attachment(b"x", maintype="application", subtype="octet-stream")
    threaded = private("Re: anything")
    threaded["In-Reply-To"] = "<0123.4567@pbem.invalid>"
    forwarded = private("Fwd: look")
    forwarded.add_attachment(private("[pbem] Mortain"))
    own = private("orders", "pass")
    own.replace_header("From", "Anna <Anna+games@example.org>")
    meant = [pasted, named, unnamed, threaded, forwarded, own]
    mails = [mail for pair in zip([*private_mails(), private("x")], meant, strict=True) for mail in pair]
    assert fetched(office, *map(bytes, mails), at_first=at_first) == [1, 3, 5, 7, 9, 11]


def test_the_next_look_begins_behind_the_last_mail_that_was_left(office: MailProvider) -> None:
    office.empty("anna")
    for mail in [private("[pbem] a"), *private_mails()]:
        office.deliver("anna", bytes(mail))
    with Imap(account(office), "INBOX") as box:
        read = [uid for uid, _ in box.since(())]
        assert read == ["1"]
        assert box.bookmark((), read)[1] == "6"
    with Imap(account(office), "INBOX") as box:
        next(box.since(()))
        assert box.bookmark(("other", "0"), ["1"])[1] == "1", "one stopped at the first"


@pytest.mark.parametrize(
    "structure",
    [
        (),
        (b"text",),
        ([], b"mixed"),
        ([(b"text", b"plain", None)], None),
        (b"application", None, None),
        (None,),
    ],
)
def test_an_odd_structure_stops_nothing(structure: tuple[object, ...]) -> None:
    assert MailOutline(1, b"", structure).may_hold_a_game("")


@pytest.mark.long
def test_a_mailbox_of_a_hundred_thousand_mails(office: MailProvider) -> None:
    """Of which twenty hold a game: these are fetched, and the next look asks for nothing."""
    office.empty("anna")
    others = [bytes(mail) for mail in private_mails()]
    games = [bytes(private("[pbem] Mortain")), bytes(private("our game", "pbem: 1\n"))]
    current, begun, number = office.maildir("anna") / "cur", int(time.time()), 100_000
    places = set(range(7, number, number // 20))
    for place in range(number):
        file = current / f"{begun - number + place}.{place}.here:2,S"
        file.write_bytes(games[place % 2] if place in places else others[place % len(others)])
        give_to_dovecot(file)
    with Imap(account(office), "INBOX") as box:
        read = [uid for uid, _ in box.since(())]
        assert {int(uid) - 1 for uid in read} == places
        bookmark = box.bookmark((), read)
    with Imap(account(office), "INBOX") as box:
        assert len(box.since(bookmark)) == 0
        assert box.bookmark(bookmark, []) == bookmark
