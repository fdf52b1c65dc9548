"""The headers of a mail: everything that the standard library parses in them is parsed here.

Its parsers were not made for hostile input. They raise a `RecursionError` for a thousand brackets, a
`LookupError` for a charset, a `TypeError` for half a parameter. Here a header that is too much for them
counts as empty.
"""

from __future__ import annotations

from collections.abc import Callable
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import getaddresses
from typing import TypeVar

from pbem.base.limits import HEADER_CHARACTERS
from pbem.errors import PbemError
from pbem.mail.decoding import decode_charset, decode_raw_words

_Read = TypeVar("_Read")


def read_or_default(read: Callable[[], _Read], otherwise: _Read) -> _Read:
    """The result of reading a stranger's header; `otherwise` where a foreign parser fails on it."""
    try:
        return read()
    except PbemError:
        raise
    except Exception:
        return otherwise


def parse_headers(data: bytes) -> Message:
    """A mail with its headers alone; without any where they cannot be parsed."""
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
    """The transfer encoding of a part, in small letters."""
    return _limit_length(part.get("Content-Transfer-Encoding", "")).strip().lower()


def type_parameter(part: Message, name: str) -> str:
    """A parameter of a part's type, in small letters; empty if there is none, or a broken one."""
    return read_or_default(lambda: str(part.get_param(name, "")).lower(), "")


def attachment_name(part: Message) -> str:
    """The name of the attached file, if the part is one."""
    name = read_or_default(lambda: decode_raw_words(str(part.get_filename() or "")), "")
    return " ".join(name.split())[:HEADER_CHARACTERS]


def _limit_length(value: object) -> str:
    return read_or_default(lambda: str(value), "")[:HEADER_CHARACTERS]
