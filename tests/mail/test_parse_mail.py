"""Mails: charsets, headers, bounds; and nothing that anybody sends raises anything but `MailError`."""

from __future__ import annotations

from base64 import encodebytes
from email.message import Message

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.corpus.make import GAME, zipped
from mail.test_mail_outline import private_mails
from pbem.base.limits import MAIL_BYTES, TYPE_BYTES
from pbem.errors import MailError
from pbem.mail.archives import tnef_attachments
from pbem.mail.games_in_text import Candidate
from pbem.mail.mime_decoding import decode_charset, header
from pbem.mail.parse_mail import (
    describe_parts,
    find_in_bytes,
    find_in_message,
    may_hold_a_game,
    parse_mail,
    parse_message,
)
from support.mail_clients import attachment, multipart, text_part, tnef, whole_mail

FILE = "pbem: 1\nlog:\n  - n: 0\n    say: è\n"
PIECES = [
    *(
        "From: a\n",
        "Content-Type: ",
        "multipart/mixed; boundary=b\n",
        "text/html\n",
        "message/rfc822\n",
        "\n",
    ),
    *("Content-Transfer-Encoding: ", "base64\n", "quoted-printable\n", "x-uuencode\n", "--b\n", "--b--\n"),
    *(
        "Content-Disposition: attachment; filename*=",
        "utf-8''%ff.eml\n",
        "=?x?q?=ff?=",
        "charset=punycode",
        "\xff",
    ),
    *(
        "pbem: 1\n",
        "<br>&#0;<",
        "begin 644 a\n",
        "winmail.dat",
        "application/ms-tnef; name=",
        "cGJlbTogMQo=\n",
    ),
]


def found(data: bytes) -> list[bytes]:
    return [candidate.data for candidate in find_in_message(parse_message(data)).candidates]


class TestSearch:
    def test_attachments_come_first(self) -> None:
        data = whole_mail(multipart(text_part("pbem: 1\nlog: [text]\n"), attachment(FILE.encode())))
        assert found(data) == [FILE.encode(), FILE.encode(), *[b"pbem: 1\nlog: [text]"] * 2]

    def test_kinds(self) -> None:
        message = parse_message(whole_mail(multipart(text_part("x"), attachment(b"", name="a.jpg"))))
        assert describe_parts(message) == '"text/plain", "a.jpg"'

    @pytest.mark.thorough
    def test_deeper_than_any_mail(self) -> None:
        part = "x"
        for level in range(3000):
            part = f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n{part}"
        with pytest.raises(MailError, match="too deep"):
            parse_message(part.encode())

    def test_larger_than_any_mail(self) -> None:
        with pytest.raises(MailError, match="more than"):
            parse_message(bytes(MAIL_BYTES + 1))

    @pytest.mark.parametrize("before", [b"", b"A: b\n", b"A: b\r", b"A: b\r\n"])
    def test_a_type_longer_than_any(self, before: bytes) -> None:
        with pytest.raises(MailError, match="an attachment's header has more than"):
            parse_message(before + b"Content-Type: text/plain" + b"; a=b" * TYPE_BYTES + b"\n\n")

    def test_a_mail_within_that_cannot_be_read(self) -> None:
        """It is told, and the game beside it is found."""
        within = b"Content-Type: text/plain" + b"; a=b" * TYPE_BYTES + b"\n\npbem: 1\n"
        found = parse_mail(
            whole_mail(multipart(attachment(within, name="a.eml"), attachment(GAME))), "here"
        ).finding
        assert {one.data for one in found.candidates} == {GAME}
        assert ["an attachment's header" in str(one) for one in found.faults] == [True]
        assert not found.ended

    def test_a_long_line_that_speaks_of_a_type(self) -> None:
        parse_message(b"Subject: x\n\n<meta content-type: " + b"x" * TYPE_BYTES)

    @given(st.lists(st.sampled_from(PIECES), max_size=25))
    def test_anything(self, pieces: list[str]) -> None:
        data = ("From: x\n" + "".join(pieces)).encode("latin-1")
        assert not parse_mail(data, "here").finding.candidates or may_hold_a_game(data)

    @given(st.binary(max_size=200))
    def test_any_bytes(self, data: bytes) -> None:
        find_in_bytes(b"pbem" + data, "here")
        list(tnef_attachments(tnef(b"x")[:6] + data))


class TestMayHoldAGame:
    """A mail is passed over unparsed only if nothing in it can be a game."""

    @pytest.mark.parametrize(
        ("encoding", "body"),
        [
            ("quoted-printable", "p=\nbem: 1\n"),
            ("Quoted-Printable", "=70=62=65=6d: 1\n"),
            ("base64", "ICBwYmVtOiAxCg==\n"),
            ("BASE64", "cGJl\nbTogMQo=\n"),
            ("x-uuencode", "begin 644 a\n(<&)E;3H@,0H \n \nend\n"),
        ],
    )
    def test_in_any_encoding(self, encoding: str, body: str) -> None:
        data = f"From: a\nContent-Transfer-Encoding: {encoding}\n\n{body}".encode()
        assert found(data)
        assert may_hold_a_game(data)

    @pytest.mark.parametrize("encoding", ["7bit", "8bit", "quoted-printable"])
    def test_passed_over(self, encoding: str) -> None:
        data = f"From: a\nContent-Transfer-Encoding: {encoding}\n\nThe weather is good=2E=\n\n".encode()
        assert not may_hold_a_game(data)

    def test_pictures_and_documents_are_passed_over(self) -> None:
        for mail in private_mails():
            assert not may_hold_a_game(bytes(mail)), mail

    @pytest.mark.parametrize(
        "attached",
        [
            "Content-Type: application/octet-stream",
            'Content-Type: image/png; name="mortain.yaml"',
            'Content-Type: application/pdf\nContent-Disposition: attachment;\n filename="mortain.yaml.txt"',
            "Content-Type: image/png; name*=utf-8''mortain.yaml",
            'Content-Type: image/png; name="=?utf-8?q?mortain=2Eyaml?="',
            "Content-Type: text/plain; charset=utf-8",
            "X-Nothing: is said of it",
        ],
    )
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_a_part_that_may_be_a_game(self, attached: str, end: str) -> None:
        lines = f"""\
From: a
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: image/png
Content-Transfer-Encoding: base64

iVBORw0K

--x
{attached}
Content-Transfer-Encoding: base64

ICBwYmVtOiAxCg==

--x--
"""
        data = lines.replace("\n", end).encode()
        assert may_hold_a_game(data)
        assert not may_hold_a_game(
            data.replace(attached.replace("\n", end).encode(), b"Content-Type: image/gif")
        )


class TestHeader:
    @pytest.mark.parametrize(
        ("raw", "words"),
        [
            ("=?utf-8?Q?Nicol=C3=B2?= Bianchi", "Nicolò Bianchi"),
            ("=?iso-8859-1?Q?Nicol=F2?=", "Nicolò"),
            ("=?no-charset?Q?Nicol=C3=B2?=", "Nicolò"),
            ("two\n lines", "two lines"),
            ("=?utf-8?B?x?=", "=?utf-8?B?x?="),
        ],
    )
    def test_decoded(self, raw: str, words: str) -> None:
        message = Message()
        message["Subject"] = raw
        assert header(message, "Subject") == words

    def test_none(self) -> None:
        assert header(Message(), "Subject") == ""


class TestDecoded:
    """What the bytes are counts for more than what they are said to be."""

    @pytest.mark.parametrize("charset", ["", "us-ascii", "iso-8859-1", "x-unknown", "punycode", "zlib"])
    def test_utf_8(self, charset: str) -> None:
        assert decode_charset("è perché\n".encode(), charset) == "è perché\n"

    @pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-8-sig"])
    def test_told_by_their_beginning(self, charset: str) -> None:
        assert decode_charset("pbem: è\n".encode(charset)) == "pbem: è\n"

    def test_as_claimed(self) -> None:
        assert decode_charset("è".encode("iso-8859-1"), "iso-8859-1") == "è"
        assert decode_charset("はい".encode("iso-2022-jp"), "iso-2022-jp") == "はい"

    def test_claimed_wrongly(self) -> None:
        assert decode_charset("è".encode("cp1252"), "punycode") == "è"


@pytest.mark.parametrize("name", ['a" on the shelf\x1b[2J\u202e.yaml', "a\rb.yaml"])
def test_the_name_of_a_packed_file_is_quoted(name: str) -> None:
    """Whoever packs it may call it what he likes."""
    place = str(find_zip(zipped((name, GAME))).place)
    assert place.isprintable()
    assert place.startswith('"')
    assert place.count('"') == 4


def find_zip(data: bytes) -> Candidate:
    """The first candidate in a mail with this archive."""
    head = b"Subject: m\nContent-Type: application/zip; name=m.zip\nContent-Transfer-Encoding: base64\n\n"
    return find_in_message(parse_message(head + encodebytes(data))).candidates[0]
