"""A mail to be sent: from text and bytes to a MIME message, all of it ASCII.

Names, subjects and addresses come from game files and so from strangers. Nothing written here can become
another header or another recipient: a value that is not printable is refused, an address must be one plain
address, and everything that is not plain ASCII is encoded (RFC 2047). No value is parsed here, since the
standard library's parser would decode what a stranger has encoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from email.charset import QP, Charset
from email.header import Header
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.mime.text import MIMEText
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import sha256

from msgspec import Struct

from pbem.base.limits import HEADER_CHARACTERS
from pbem.errors import MailError
from pbem.texts import LANGUAGES, Texts

tr = Texts("pbem")

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_LOCAL}@{_LABEL}(?:\.{_LABEL})*")
_MAX_ADDRESS = 254  # RFC 5321, 4.5.3.1.3, less the angle brackets
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9.]{1,60}@[A-Za-z0-9.]{1,60}>")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MAX_WORD = 50
_READS, _PARTS = "X-Pbem-Reads", "parts"
_WANTS = "X-Pbem-Wants"
_GAME_ID = re.compile(r"[0-9a-f]{64}")
_WANTED = "Accept-Language"
_MAX_LANGUAGES = 10
_ID_DIGITS, _BOUNDARY_DIGITS = 16, 6
_BOUNDARY = "=_"  # occurs neither in quoted-printable nor in base64 (RFC 2045, 6.7)


class Address(Struct, frozen=True):
    """One mail address such as `anna@example.org`, and the name that goes with it, if any."""

    address: str
    name: str = ""


class OutgoingMail(Struct, frozen=True, kw_only=True):
    """A mail with one recipient and at most one attachment (an empty name: none), a game file or a `.txt`.

    `html` says the same as `body`, for programs that show HTML, and refers to `picture`, a PNG, by its
    `content_id`; both can be empty. Without a sender, the player's mail program fills it in. `date` has a
    time zone; message ids are in angle brackets. `automatic`: nobody has read it before it is sent (RFC 3834,
    5). `unsent`: it is for a mail program, which opens it as a draft. `languages` are those of its text, and
    `wanted` is the one in which its sender wants replies (RFC 3282). `wants` is the id of a game that the
    sender asks to be resent: all of it, or the newer entries.
    """

    sender: Address | None
    recipient: Address
    subject: str
    body: str
    attachment_name: str
    attachment: bytes
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    date: datetime
    html: str = ""
    picture: bytes = b""
    automatic: bool = False
    unsent: bool = False
    languages: tuple[str, ...] = ()
    wanted: str = ""
    wants: str = ""


def check_address(text: str) -> str:
    """The text, if it is one plain address. Raises `MailError`.

    Names, comments, quoted parts, lists and letters beyond ASCII are refused: each is a way to reach somebody
    other than the reader sees.
    """
    if len(text) > _MAX_ADDRESS or not _ADDRESS.fullmatch(text):
        shown = repr(text[:_MAX_ADDRESS])
        raise MailError(tr("{found} is not a mail address such as anna@example.org", found=shown))
    return text


def to_bytes(outgoing: OutgoingMail) -> bytes:
    """The mail as a message with CRLF line ends. Equal mails give equal bytes.

    Raises `MailError` for a value that could be read as more than it is.
    """
    boundary = _BOUNDARY + _message_id(outgoing.message_id)[1:].split("@")[0][:_BOUNDARY_DIGITS]
    message = MIMEMultipart("mixed", boundary=boundary)
    for name, value in _headers(outgoing):
        message[name] = value  # type: ignore[assignment]  # compat32 takes a Header; typeshed says text
    message.attach(_text_and_html(outgoing, boundary) if outgoing.html else _text_part(outgoing.body))
    if outgoing.attachment_name:
        message.attach(_attachment_part(outgoing.attachment_name, outgoing.attachment))
    for part in list(message.walk())[1:]:
        del part["MIME-Version"]  # a part has none (RFC 2045, 4)
    return message.as_bytes(policy=compat32.clone(linesep="\r\n"))


def content_id(picture: bytes) -> str:
    """The id by which HTML refers to a picture in the same mail (RFC 2392); each picture has its own."""
    return f"{sha256(picture).hexdigest()[:_ID_DIGITS]}@pbem.invalid"


def attaches_a_game(data: bytes) -> bool:
    """Whether a whole game is attached to a message that `to_bytes` has written."""
    return b"\r\nContent-Type: application/yaml" in data


def reads_parts(message: Message) -> bool:
    """Whether a mail is from a program that can read parts of a log, as pbem can (FORMAT 10)."""
    return str(message.get(_READS, "")).strip() == _PARTS


def language_wanted(message: Message) -> str:
    """The first of our languages in which a mail's sender wants replies; empty if they name none.

    This is not its Content-Language, which is the reader's.
    """
    languages = str(message.get(_WANTED, ""))[:HEADER_CHARACTERS].lower().split(",")[:_MAX_LANGUAGES]
    tags = (re.split(r"[-;]", language.strip())[0] for language in languages)
    return next((tag for tag in tags if tag in LANGUAGES), "")


def game_wanted(message: Message) -> str:
    """The id of the game that a mail's sender asks to be resent; empty if there is none."""
    value = str(message.get(_WANTS, "")).strip()
    return value if _GAME_ID.fullmatch(value) else ""


def is_by_pbem(message: Message) -> bool:
    """Whether a mail was written by pbem."""
    return _READS in message


def recipient_of(data: bytes) -> str:
    """The recipient's address in a message that `to_bytes` has written."""
    to = BytesHeaderParser(policy=compat32).parsebytes(data)["To"]
    return str(to).rpartition("<")[2].removesuffix(">")


def is_unsent(data: bytes) -> bool:
    """Whether a message that `to_bytes` has written is for a mail program to send."""
    return "X-Unsent" in BytesHeaderParser(policy=compat32).parsebytes(data)


def date_of(data: bytes) -> datetime:
    """The date of a message that `to_bytes` has written."""
    return parsedate_to_datetime(str(BytesHeaderParser(policy=compat32).parsebytes(data)["Date"]))


def _headers(outgoing: OutgoingMail) -> Iterator[tuple[str, Header | str]]:
    if outgoing.sender:
        yield "From", _address_header("From", outgoing.sender)
    yield "To", _address_header("To", outgoing.recipient)
    yield "Subject", _words_header("Subject", outgoing.subject)
    yield "Date", format_datetime(outgoing.date)
    yield "Message-ID", _message_id(outgoing.message_id)
    yield _READS, _PARTS
    if outgoing.languages:
        yield "Content-Language", ", ".join(outgoing.languages)
    if outgoing.wanted:
        yield _WANTED, outgoing.wanted
    if outgoing.wants:
        yield _WANTS, outgoing.wants
    if outgoing.in_reply_to:
        yield "In-Reply-To", _message_id(outgoing.in_reply_to)
    if outgoing.references:
        yield "References", " ".join(map(_message_id, outgoing.references))
    if outgoing.automatic:
        yield "Auto-Submitted", "auto-replied"
    if outgoing.unsent:
        yield "X-Unsent", "1"  # Outlook's word for it


def _address_header(header: str, party: Address) -> Header:
    """`name <address>`; the name as a quoted string, or encoded."""
    address = f"<{check_address(party.address)}>"
    if not party.name:
        return Header(address, header_name=header)
    if not _is_plain(header, party.name):
        field = _words_header(header, party.name)
        field.append(address, "us-ascii")
        return field
    quoted = re.sub(r'(["\\])', r"\\\1", party.name)
    return Header(f'"{quoted}" {address}', header_name=header)


def _words_header(header: str, text: str) -> Header:
    """Text in a header, encoded unless it is plain ASCII."""
    return Header(text, "us-ascii" if _is_plain(header, text) else "utf-8", header_name=header)


def _is_plain(header: str, text: str) -> bool:
    """Whether a text can be in a header as it is. Raises `MailError` if it must not be there at all."""
    if not text.isprintable():
        raise MailError(
            tr(
                "{header} has a character that cannot be printed: {found}",
                header=header,
                found=repr(text[:80]),
            )
        )
    encoded_by_a_stranger = "=?" in text
    too_long_to_fold = any(len(word) > _MAX_WORD for word in text.split(" "))
    return text.isascii() and not encoded_by_a_stranger and not too_long_to_fold


def _message_id(text: str) -> str:
    if not _MESSAGE_ID.fullmatch(text):
        shown = repr(text[:80])
        raise MailError(tr("{found} is not a message id such as <1f.2e@example.org>", found=shown))
    return text


def _text_and_html(outgoing: OutgoingMail, boundary: str) -> MIMEMultipart:
    """The text in plain form and as HTML: a mail program shows the last form it supports."""
    both = MIMEMultipart("alternative", boundary=boundary.replace(_BOUNDARY, f"{_BOUNDARY}2"))
    both.attach(_text_part(outgoing.body))
    both.attach(
        _html_and_picture(outgoing, boundary) if outgoing.picture else _text_part(outgoing.html, "html")
    )
    return both


def _html_and_picture(outgoing: OutgoingMail, boundary: str) -> MIMEMultipart:
    """The HTML and the picture it refers to (RFC 2387)."""
    related = MIMEMultipart("related", boundary=boundary.replace(_BOUNDARY, f"{_BOUNDARY}3"))
    related.attach(_text_part(outgoing.html, "html"))
    picture = MIMEImage(outgoing.picture, "png")
    picture["Content-ID"] = f"<{content_id(outgoing.picture)}>"
    picture["Content-Disposition"] = "inline"
    related.attach(picture)
    return related


def _text_part(body: str, kind: str = "plain") -> MIMEText:
    charset = Charset("utf-8")
    charset.body_encoding = QP
    return MIMEText(body, kind, charset)  # type: ignore[arg-type]  # it takes one; typeshed says text


def _attachment_part(name: str, data: bytes) -> MIMENonMultipart:
    """The attachment: a `.txt` as text, ASCII or quoted-printable, which is small; a game file in base64."""
    if not _FILE_NAME.fullmatch(name):
        shown = repr(name[:80])
        raise MailError(tr("{found} is not a file name of letters, digits, '.', '_' and '-'", found=shown))
    part: MIMENonMultipart = MIMEApplication(data, "yaml", name=name)
    if name.endswith(".txt"):
        part = (
            MIMEText(data.decode("ascii"), "plain", "us-ascii")
            if data.isascii()
            else _text_part(data.decode())
        )
        part.set_param("name", name)
    part.add_header("Content-Disposition", "attachment", filename=name)
    return part
