"""Drafts become mails that say what was meant, and nothing that a stranger slipped in."""

from __future__ import annotations

import email
from collections.abc import Callable
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import getaddresses, parseaddr

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.errors import MailError
from pbem.mail.outgoing import (
    Address,
    OutgoingMail,
    attaches_a_game,
    check_address,
    content_id,
    is_unsent,
    reads_parts,
    recipient_of,
    to_bytes,
)

ID = "<" + "0f" * 16 + "." + "a1" * 8 + "@pbem.invalid>"
EARLIER = tuple("<" + f"{n:02}" * 16 + "." + "a1" * 8 + "@pbem.invalid>" for n in range(11))
DRAFT = OutgoingMail(
    sender=Address("anna@example.org", "Anna"),
    recipient=Address("bruno@example.org", "Bruno"),
    subject="[pbem] Stand at Mortain",
    body="Hello Bruno\n",
    attachment_name="mortain-3f2a91bc.yaml",
    attachment=b"pbem: 1\nlog: []\n",
    message_id=ID,
    in_reply_to=EARLIER[-1],
    references=EARLIER,
    date=datetime(2026, 8, 1, 12, 30, tzinfo=UTC),
    languages=("it", "en"),
    wanted="de",
)
HEADERS = [
    "Content-Type",
    "MIME-Version",
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "X-Pbem-Reads",
    "Content-Language",
    "Accept-Language",
    "In-Reply-To",
    "References",
]


def read(outgoing: OutgoingMail) -> EmailMessage:
    """The mail as another program reads it: the standard library's newer parser."""
    return email.message_from_bytes(to_bytes(outgoing), policy=SMTP)


def unfolded(header: str, outgoing: OutgoingMail) -> str:
    return str(email.message_from_bytes(to_bytes(outgoing))[header]).replace("\r\n", "")


def words(header: str, outgoing: OutgoingMail) -> str:
    """What a reader sees of a header, decoded by the older parser."""
    return str(make_header(decode_header(unfolded(header, outgoing))))


def name_in(header: str, outgoing: OutgoingMail) -> str:
    """The name beside the address, decoded by the older parser."""
    return str(make_header(decode_header(parseaddr(unfolded(header, outgoing))[0])))


class TestAMailSaysWhatWasMeant:
    def test_headers(self) -> None:
        mail = read(DRAFT)
        assert mail.keys() == HEADERS
        assert mail["From"] == '"Anna" <anna@example.org>' or mail["From"] == "Anna <anna@example.org>"
        assert mail["To"].addresses[0].addr_spec == "bruno@example.org"
        assert mail["Subject"] == "[pbem] Stand at Mortain"
        assert mail["Date"].datetime == DRAFT.date
        assert mail["Message-ID"] == ID
        assert mail["In-Reply-To"] == EARLIER[-1]
        assert mail["References"].split() == list(EARLIER)
        assert (mail["Content-Language"], mail["Accept-Language"]) == ("it, en", "de")

    def test_first_mail_of_a_thread(self) -> None:
        mail = read(replace(DRAFT, in_reply_to="", references=()))
        assert mail.keys() == HEADERS[:-2]

    def test_sent_by_the_program_itself(self) -> None:
        mail = read(replace(DRAFT, automatic=True))
        assert mail.keys() == [*HEADERS, "Auto-Submitted"]
        assert mail["Auto-Submitted"] == "auto-replied"

    def test_for_a_mail_program(self) -> None:
        outgoing = replace(DRAFT, unsent=True)
        assert read(outgoing).keys() == [*HEADERS, "X-Unsent"]
        assert read(outgoing)["X-Unsent"] == "1"
        assert (is_unsent(to_bytes(outgoing)), is_unsent(to_bytes(DRAFT))) == (True, False)
        assert not is_unsent(to_bytes(replace(DRAFT, body="X-Unsent: 1\n")))

    def test_without_sender(self) -> None:
        assert read(replace(DRAFT, sender=None))["From"] is None

    def test_body_and_attachment(self) -> None:
        body = "Böse = \u65e5\u672c\nFrom the east\n.\n" + "x" * 76 + "\n"
        data = bytes(range(256)) * 20
        text, attached = read(replace(DRAFT, body=body, attachment=data)).iter_parts()
        assert isinstance(text, EmailMessage)
        assert isinstance(attached, EmailMessage)
        assert text.get_content().replace("\r\n", "\n") == body
        assert attached.get_content() == data
        assert attached.get_content_type() == "application/yaml"
        assert attached.get_filename() == "mortain-3f2a91bc.yaml"

    def test_html_beside_the_text(self) -> None:
        both, attached = read(replace(DRAFT, html="<p>Hello B\u00f6b</p>\n")).iter_parts()
        assert both.get_content_type() == "multipart/alternative"
        kinds = [(part.get_content_type(), part.get_content().strip()) for part in both.iter_parts()]
        assert kinds == [("text/plain", "Hello Bruno"), ("text/html", "<p>Hello B\u00f6b</p>")]
        assert attached.get_content_type() == "application/yaml"

    def test_a_picture_beside_the_html(self) -> None:
        """It belongs to the HTML, which names it, and to nothing else."""
        named = f'<img src="cid:{content_id(b"PNG")}">'
        both, _ = read(replace(DRAFT, html=named, picture=b"PNG")).iter_parts()
        _, related = both.iter_parts()
        assert related.get_content_type() == "multipart/related"
        page, shown = related.iter_parts()
        assert page.get_content().strip() == named
        assert shown["Content-ID"] == f"<{content_id(b'PNG')}>"
        assert (shown.get_content_type(), shown.get_content_disposition()) == ("image/png", "inline")
        assert shown.get_content() == b"PNG"
        assert content_id(b"PNG") != content_id(b"GIF")

    def test_a_text_is_attached_as_it_is(self) -> None:
        """So that it takes no more room than it has letters."""
        outgoing = replace(DRAFT, attachment_name="mortain-3f2a91bc-7.txt", attachment=b"From here\n.\n")
        _, attached = read(outgoing).iter_parts()
        assert (attached.get_content_type(), attached.get_filename()) == (
            "text/plain",
            outgoing.attachment_name,
        )
        assert attached.get_content().replace("\r\n", "\n") == "From here\n.\n"
        assert b"\r\nFrom here\r\n.\r\n" in to_bytes(outgoing)
        assert attaches_a_game(to_bytes(DRAFT))
        assert not attaches_a_game(to_bytes(outgoing))

    def test_it_says_that_its_program_reads_parts(self) -> None:
        assert reads_parts(email.message_from_bytes(to_bytes(DRAFT)))
        assert not reads_parts(email.message_from_bytes(b"Subject: x\n\nX-Pbem-Reads: parts\n"))

    def test_without_attachment(self) -> None:
        (only,) = read(replace(DRAFT, attachment_name="")).iter_parts()
        assert only.get_content_type() == "text/plain"

    def test_names_and_subject_beyond_ascii(self) -> None:
        name, subject = "Niccolò Forlì \u65e5\u672c" * 5, "Ça va, Jürgen? " * 20
        outgoing = replace(DRAFT, recipient=Address("bruno@example.org", name), subject=subject.strip())
        assert name_in("To", outgoing) == name
        assert words("Subject", outgoing) == subject.strip()

    def test_ascii_in_short_lines_that_end_in_crlf(self) -> None:
        data = to_bytes(replace(DRAFT, subject="é" * 300, body="é" * 300 + "\n"))
        lines = data.split(b"\r\n")
        assert data.isascii()
        assert max(map(len, lines)) <= 78
        assert not any(b"\n" in line or b"\r" in line for line in lines)

    def test_same_draft_same_bytes(self) -> None:
        assert to_bytes(DRAFT) == to_bytes(replace(DRAFT))

    def test_recipient_is_read_back(self) -> None:
        for name in ("", "Bruno", "Ж <eve@example.org>", 'a "b" <c@d.example>', "x" * 64):
            outgoing = replace(DRAFT, recipient=Address("bruno@example.org", name))
            assert recipient_of(to_bytes(outgoing)) == "bruno@example.org"


def in_recipient(text: str) -> OutgoingMail:
    return replace(DRAFT, recipient=Address("bruno@example.org", text))


def in_sender(text: str) -> OutgoingMail:
    return replace(DRAFT, sender=Address("anna@example.org", text))


def in_subject(text: str) -> OutgoingMail:
    return replace(DRAFT, subject=text)


PLACES: dict[Callable[[str], OutgoingMail], str] = {
    in_recipient: "To",
    in_sender: "From",
    in_subject: "Subject",
}


@pytest.mark.parametrize("place", PLACES)
class TestNamesAndSubjectsInjectNothing:
    """What is not printable is refused; all else is seen as it is, and is no header and no recipient."""

    @pytest.mark.parametrize(
        "text",
        [
            "Bruno\r\nBcc: eve@example.org",
            "Bruno\nBcc: eve@example.org",
            "Bruno\rBcc: eve@example.org",
            "Bruno\n\nGet rich",
            "Bruno\x00",
            "Bruno\x0bBcc: eve@example.org",
            "Bruno\x85Bcc: eve@example.org",
            "Bruno\u2028Bcc: eve@example.org",
            "Bruno \u202egro.elpmaxe@eve",
            "Bruno\u200b",
            "Bruno\x1b[2J",
            "Bruno \ud800",
        ],
    )
    def test_refused(self, place: Callable[[str], OutgoingMail], text: str) -> None:
        with pytest.raises(MailError, match="cannot be printed"):
            to_bytes(place(text))

    @pytest.mark.parametrize(
        "text",
        [
            "Bruno, eve@example.org",
            "Bruno <eve@example.org>",
            "Bruno> <eve@example.org>, <",
            'Bruno" <eve@example.org>, "',
            'Bruno\\" <eve@example.org>, \\"',
            "Bruno (Captain)",
            "Bruno; eve@example.org:",
            "=?utf-8?q?Bruno=0D=0ABcc:_eve=40example.org?=",
            "=?utf-8?b?QmNjOiBldmVAZXhhbXBsZS5vcmc=?=",
            "Brünö, <eve@example.org>",
            "Bcc: eve@example.org",
            "x" * 70 + " Bcc: eve@example.org",
        ],
    )
    def test_harmless(self, place: Callable[[str], OutgoingMail], text: str) -> None:
        outgoing = place(text)
        data = to_bytes(outgoing)
        assert [line.partition(b":")[0].decode() for line in header_lines(data)] == HEADERS
        old = email.message_from_bytes(data)
        assert [address for _, address in getaddresses([old["To"]])] == ["bruno@example.org"]
        assert [address for _, address in getaddresses([old["From"]])] == ["anna@example.org"]
        new = read(outgoing)
        assert [one.addr_spec for one in new["To"].addresses] == ["bruno@example.org"]
        assert "=0D" not in new["Subject"] or place is in_subject
        shown = {
            "To": name_in("To", outgoing),
            "From": name_in("From", outgoing),
            "Subject": words("Subject", outgoing),
        }
        assert shown[PLACES[place]] == text


def header_lines(data: bytes) -> list[bytes]:
    """The headers of a mail with their folding undone."""
    return data.partition(b"\r\n\r\n")[0].replace(b"\r\n ", b" ").split(b"\r\n")


@given(st.sampled_from(list(PLACES)), st.text(max_size=64))
def test_any_name_or_subject_is_refused_or_alone(place: Callable[[str], OutgoingMail], text: str) -> None:
    try:
        data = to_bytes(place(text))
    except MailError:
        assert not text.isprintable()
        return
    assert data.isascii()
    assert [line.partition(b":")[0].decode() for line in header_lines(data)] == HEADERS
    assert [found for _, found in getaddresses([str(email.message_from_bytes(data)["To"])])] == [
        "bruno@example.org"
    ]


class TestAddresses:
    @pytest.mark.parametrize(
        "good",
        [
            "anna@example.org",
            "anna.b+pbem@mail.example.co.uk",
            "o'hara@example.org",
            "a@localhost",
            "a_b-c=d@1and1.example",
        ],
    )
    def test_one_plain_address(self, good: str) -> None:
        assert check_address(good) == good

    @pytest.mark.parametrize(
        "bad",
        [
            "",
            "anna",
            "@example.org",
            "anna@",
            "anna@@example.org",
            "anna@example.org, eve@example.org",
            "anna@example.org,eve@example.org",
            "anna@example.org eve@example.org",
            "Anna <anna@example.org>",
            "<anna@example.org>",
            "anna@example.org>",
            "anna@example.org\r\nBcc: eve@example.org",
            "anna@example.org\n",
            "anna@example.org\x00",
            '"anna@home"@example.org',
            "anna(eve)@example.org",
            "anna..b@example.org",
            ".anna@example.org",
            "anna@-example.org",
            "anna@example..org",
            "anna@[127.0.0.1]",
            "anna@exämple.org",
            "änna@example.org",
            "anna@example.org\u202e",
            "anna%eve@example.org@example.net",
            "=?utf-8?q?anna?=@example.org;eve@example.org",
            "a" * 250 + "@example.org",
        ],
    )
    def test_anything_else_is_refused(self, bad: str) -> None:
        with pytest.raises(MailError, match="is not a mail address"):
            check_address(bad)
        for outgoing in (
            replace(DRAFT, recipient=Address(bad)),
            replace(DRAFT, sender=Address(bad, "Anna")),
        ):
            with pytest.raises(MailError, match="is not a mail address"):
                to_bytes(outgoing)


class TestIdsAndFileNames:
    @pytest.mark.parametrize("bad", ["a@b", "<a b@c>", "<a@b>\r\nBcc: eve@example.org", "<a@b> <c@d>", "<>"])
    def test_message_ids(self, bad: str) -> None:
        for outgoing in (
            replace(DRAFT, message_id=bad),
            replace(DRAFT, in_reply_to=bad),
            replace(DRAFT, references=(ID, bad)),
        ):
            with pytest.raises(MailError, match="is not a message id"):
                to_bytes(outgoing)

    @pytest.mark.parametrize(
        "bad", ["a\r\nb.yaml", "../a.yaml", ".a", 'a".yaml', "a;b.yaml", "ä.yaml", "a b", "a\x00"]
    )
    def test_file_names(self, bad: str) -> None:
        with pytest.raises(MailError, match="is not a file name"):
            to_bytes(replace(DRAFT, attachment_name=bad))
