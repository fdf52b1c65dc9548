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
from pbem.mail.decoding import decoded, in_plain

_Read = TypeVar("_Read")


def guarded(read: Callable[[], _Read], otherwise: _Read) -> _Read:
    """The result of reading a stranger's header; `otherwise` where a foreign parser fails on it."""
    try:
        return read()
    except PbemError:
        raise
    except Exception:
        return otherwise


def headers_of(data: bytes) -> Message:
    """A mail with its headers alone; without any where they cannot be parsed."""
    parser = BytesHeaderParser(policy=compat32)
    return guarded(lambda: parser.parsebytes(data), Message(policy=compat32))


def header(message: Message, name: str) -> str:
    """A header as plain text, empty if there is none."""
    text = _cut(message.get(name, ""))
    return " ".join(guarded(lambda: _words(text), text).split())


def _words(text: str) -> str:
    """A header whose encoded words are decoded (RFC 2047)."""
    parts = decode_header(text)
    return "".join(
        in_plain(part) if isinstance(part, str) else decoded(part, charset or "") for part, charset in parts
    )


def addresses(message: Message, name: str) -> tuple[str, ...]:
    """The addresses in all headers of that name."""
    values = [_cut(value) for value in message.get_all(name, [])]
    pairs: list[tuple[str, str]] = guarded(lambda: getaddresses(values), [])
    return tuple(address for _, address in pairs if address)


def type_of(part: Message) -> str:
    """The type of a part, such as `text/html`."""
    return guarded(part.get_content_type, "text/plain")


def encoding(part: Message) -> str:
    """The transfer encoding of a part, in small letters."""
    return _cut(part.get("Content-Transfer-Encoding", "")).strip().lower()


def parameter(part: Message, name: str) -> str:
    """A parameter of a part's type, in small letters; empty if there is none, or a broken one."""
    return guarded(lambda: str(part.get_param(name, "")).lower(), "")


def file_name(part: Message) -> str:
    """The name of the attached file, if the part is one."""
    name = guarded(lambda: in_plain(str(part.get_filename() or "")), "")
    return " ".join(name.split())[:HEADER_CHARACTERS]


def _cut(value: object) -> str:
    return guarded(lambda: str(value), "")[:HEADER_CHARACTERS]
