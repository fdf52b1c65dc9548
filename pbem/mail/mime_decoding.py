"""Decoding MIME: transfer encodings, charsets, HTML and headers.

The standard library's parsers were not made for hostile input: they raise a `RecursionError` for a thousand
brackets, a `LookupError` for a charset, a `TypeError` for half a parameter. So every header is read here, and
one they cannot cope with counts as empty. An error in an encoding costs some letters, never the mail.
"""

from __future__ import annotations

import html
import re
from binascii import Error, a2b_base64, a2b_qp, a2b_uu
from collections.abc import Callable
from contextlib import suppress
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import getaddresses
from io import BytesIO
from typing import TypeVar

from pbem.base.limits import FILE_BYTES, HEADER_CHARACTERS
from pbem.errors import PbemError

UU_BEGIN = rb"begin [0-7]{3,4} "
"""The beginning of the line before uuencoded lines; the file name comes next."""

_FOREIGN = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
_UU_BEGIN = re.compile(UU_BEGIN)


def decode_transfer(data: bytes, encoding: str) -> bytes:
    """The content of a part with this `Content-Transfer-Encoding`, in lower case."""
    match encoding:
        case "base64":
            return decode_loose_base64(data)
        case "quoted-printable":
            return a2b_qp(data)
        case "x-uuencode" | "uuencode" | "uue" | "x-uue":
            return decode_uuencode(data)
    return data


def decode_loose_base64(letters: bytes) -> bytes:
    """The data in base64, up to its end or where it is cut off; foreign characters are skipped."""
    digits = letters.translate(None, _FOREIGN).partition(b"=")[0]
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]  # a single letter decodes to nothing
    return a2b_base64(digits + b"=" * (-len(digits) % 4))


def decode_uuencode(data: bytes) -> bytes:
    """The file between the lines `begin` and `end`, or up to where it is cut off; empty without `begin`."""
    decoded, begun = bytearray(), False
    for line in (line.rstrip(b"\r\n") for line in BytesIO(data)):
        if not begun:
            begun = _UU_BEGIN.match(line) is not None
        elif line == b"end" or len(decoded) > FILE_BYTES:  # a cut line counts as the bytes it announces
            break
        else:
            decoded += _decode_uu_line(line)
    return bytes(decoded)


def _decode_uu_line(line: bytes) -> bytes:
    """The bytes of a line, whose first letter gives their number; some programs append a checksum."""
    size = (line[0] - 32) & 63 if line else 0
    for candidate in (line, line[: 1 + (size + 2) // 3 * 4]):
        with suppress(Error):
            return a2b_uu(candidate)
    return b""


_CHARSET = re.compile(
    r"(?:iso-8859-|windows-|cp)\d{1,5}|iso-2022-\w{2,9}|koi8-[ru]|gb\w{1,9}|big5|euc-\w{2}|shift_jis|utf-(?:7|16|32)\w*",
    re.IGNORECASE,
)
"""The charsets used in mails. Python knows others, but some of its codecs are slow, or are not charsets."""
_BLOCK = re.compile(r"(?i)</?(?:br|div|p|li|tr|h[1-6]|blockquote|pre|table)\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")
_LONG_REFERENCE = re.compile(r"(?i)&#x?[0-9a-f]{9,};?")
"""A character reference in HTML whose number is above every character, and slow to convert."""


def decode_charset(data: bytes, charset: str = "") -> str:
    """Decode bytes: valid UTF-8, and what looks like UTF-16, as such, whatever charset is claimed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if data[1:8:2].count(0) == 4:
        return data.decode("utf-16-le", "replace")
    if b"\x1b" not in data:  # ISO 2022 is all ASCII, and switches charsets with an escape
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    try:
        return data.decode(charset if _CHARSET.fullmatch(charset) else "cp1252", "replace")
    except LookupError:
        return data.decode("cp1252", "replace")


def decode_raw_words(words: str) -> str:
    """The unencoded text of a header, in which the parser left raw bytes for letters beyond ASCII."""
    try:
        return words if words.isascii() else decode_charset(words.encode("latin-1"))
    except UnicodeEncodeError:
        return words


def unflow(text: str, *, delete_blanks: bool) -> str:
    """Undo `format=flowed` (RFC 3676): a line that ends in a space continues on the next."""
    text = re.sub(r"^ ", "", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    text = re.sub(r"^(>++)(?=[^ \n])", r"\1 ", text, flags=re.MULTILINE)
    blank = "" if delete_blanks else " "
    return re.sub(r"(?<!^--)(?<=[^>\n]) \n(?:>++ )?", blank, text, flags=re.MULTILINE)


def html_to_text(page: str) -> str:
    """The text of an HTML page: each `br` and block begins a line, entities are decoded."""
    if not re.search(r"(?i)<pre\b", page):
        page = "\r".join(line.strip(" \t\r") for line in page.split("\n"))
    page = _BLOCK.sub("\n", page)
    text = html.unescape(_LONG_REFERENCE.sub("\ufffd", _TAG.sub("", page)))
    return text.replace("\n\r", "\n").replace("\r\n", "\n").replace("\r", " ")


_Read = TypeVar("_Read")


def read_or_default(read: Callable[[], _Read], otherwise: _Read) -> _Read:
    """The result of `read`, which parses a stranger's header; `otherwise` if the library's parser fails."""
    try:
        return read()
    except PbemError:
        raise
    except Exception:
        return otherwise


def parse_headers(data: bytes) -> Message:
    """A mail with only its headers; without any if they cannot be parsed."""
    parser = BytesHeaderParser(policy=compat32)
    return read_or_default(lambda: parser.parsebytes(data), Message(policy=compat32))


def header(message: Message, name: str) -> str:
    """A header as plain text, empty if there is none."""
    text = _limit_length(message.get(name, ""))
    return " ".join(read_or_default(lambda: _decode_words(text), text).split())


def _decode_words(text: str) -> str:
    """A header whose encoded words are decoded (RFC 2047)."""
    parts = decode_header(text)
    return "".join(
        decode_raw_words(part) if isinstance(part, str) else decode_charset(part, charset or "")
        for part, charset in parts
    )


def addresses(message: Message, name: str) -> tuple[str, ...]:
    """The addresses in all headers of that name."""
    values = [_limit_length(value) for value in message.get_all(name, [])]
    pairs: list[tuple[str, str]] = read_or_default(lambda: getaddresses(values), [])
    return tuple(address for _, address in pairs if address)


def content_type(part: Message) -> str:
    """The type of a part, such as `text/html`."""
    return read_or_default(part.get_content_type, "text/plain")


def transfer_encoding(part: Message) -> str:
    """The transfer encoding of a part, in lower case."""
    return _limit_length(part.get("Content-Transfer-Encoding", "")).strip().lower()


def type_parameter(part: Message, name: str) -> str:
    """A parameter of a part's type, in lower case; empty if there is none, or a broken one."""
    return read_or_default(lambda: str(part.get_param(name, "")).lower(), "")


def attachment_name(part: Message) -> str:
    """The name of the attached file, if the part is one."""
    name = read_or_default(lambda: decode_raw_words(str(part.get_filename() or "")), "")
    return " ".join(name.split())[:HEADER_CHARACTERS]


def _limit_length(value: object) -> str:
    return read_or_default(lambda: str(value), "")[:HEADER_CHARACTERS]
