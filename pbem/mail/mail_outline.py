"""What a folder says about its mails before they are read: their number, the bookmark, and the outline of
each.

An outline is what a server knows of a mail besides its text, and shows whether the mail might contain a game.

Only such a mail is fetched whole. Of every other mail in the folder, pbem asks for no more than the size,
five header fields, and the types and names of the parts (BODYSTRUCTURE, RFC 3501).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

Bookmark = tuple[str, ...]
"""The point up to which a folder has been read, as strings only the folder understands; empty: unread."""


class Mails(Iterator[tuple[str, bytes]]):
    """An iterator over mails of a folder, each with its key; its length is their number."""

    def __init__(self, number: int, mails: Iterator[tuple[str, bytes]]) -> None:
        self._number = number
        self._mails = mails

    def __len__(self) -> int:
        return self._number

    def __next__(self) -> tuple[str, bytes]:
        return next(self._mails)


OUTLINE_ITEMS = (
    "RFC822.SIZE",
    "BODYSTRUCTURE",
    "BODY.PEEK[HEADER.FIELDS (FROM SUBJECT MESSAGE-ID IN-REPLY-TO REFERENCES)]",
)
"""The items requested by FETCH."""

_HEADER = b"BODY[HEADER.FIELDS"
_HARMLESS = re.compile(
    r"(?:image|audio|video|font)/"
    r"|text/(?:plain|html|calendar|x-amp-html|x-vcard|vcard|css|rtf)$"
    r"|application/(?:pdf|ics|rtf|msword|vnd[.].*|(?:x-)?pkcs7-signature|pgp-signature|pgp-keys)$"
)
"""Types of parts in which nobody sends a game: pictures, documents; and text, which the server searches.

Types that programs use for any attachment, above all `application/octet-stream`, are not among them.
"""

_NAMED = re.compile(
    r"\.(?:ya?ml|pbem|txt|eml|msg|mbox|zip|gz|tgz|bz2|xz|7z|tar|rar|dat|bin|md|csv|json)(?:\.\w{1,5})?$"
)
"""Names that programs, people and archives give a game file, whatever its stated type."""


_NAME = re.compile(rb"(?:file)?name\b", re.IGNORECASE)


def is_harmless(kind: str, names: Iterable[str]) -> bool:
    """Whether nobody sends a game in a part of this type with these names, all in lower case."""
    return bool(_HARMLESS.match(kind)) and not any(map(_NAMED.search, names))


class MailOutline(Struct, frozen=True):
    """The size, the header fields and the structure of a mail, as `imapclient` gives them."""

    size: int
    headers: bytes
    structure: Any

    @classmethod
    def of(cls, fetched: dict[bytes, Any]) -> MailOutline:
        """The outline in a FETCH reply about a mail."""
        headers = next((value for key, value in fetched.items() if key.startswith(_HEADER)), b"")
        return cls(fetched.get(b"RFC822.SIZE", 0), headers or b"", fetched.get(b"BODYSTRUCTURE", ()))

    def may_hold_a_game(self, own: str) -> bool:
        """Whether to fetch the mail: it names pbem, is from the `own` address, or has a suitable part.

        It says nothing about a mail that only has text: the server searches that.
        """
        headers = self.headers.lower()
        if b"pbem" in headers or _is_from(headers, own):
            return True
        return any(map(_may_be_game, _parts_of(self.structure)))


def _is_from(headers: bytes, own: str) -> bool:
    """Whether the sender is the address `own`, with or without a tag."""
    name, _, domain = own.casefold().encode().partition(b"@")
    sender = re.search(rb"^from:[^\n]*(?:\n[ \t][^\n]*)*", headers, re.MULTILINE)
    pattern = re.escape(name) + rb"(?:\+[^@\s]*)?@" + re.escape(domain)
    return bool(own and sender and re.search(pattern, sender[0]))


def _parts_of(structure: Any) -> Iterator[Any]:
    """The leaf parts of a structure; a multipart that should have more is given by its type's name.

    A multipart with fewer than two parts has lost the others, or its boundary; its name is empty then.
    """
    if not structure or not isinstance(structure[0], list):
        yield structure
        return
    parts, *fields = structure
    yield fields[0] if fields and len(parts) > 1 else b""
    for part in parts:
        yield from _parts_of(part)


def _may_be_game(part: Any) -> bool:
    """Whether a part might contain a game, by its type and names."""
    if isinstance(part, bytes):
        return part.lower() in (b"", b"digest", b"encrypted", b"report")
    if not isinstance(part, tuple):
        return True
    kind = b"/".join(word for word in part[:2] if isinstance(word, bytes)).decode("latin-1").lower()
    return not is_harmless(kind, (value.decode("latin-1").lower() for value in _names_in(part[2:])))


def _names_in(fields: Any) -> Iterator[bytes]:
    """The names in the parameters of a part's type and disposition, in whatever encoding."""
    for field, value in zip(fields, [*fields[1:], b""], strict=True):
        if isinstance(field, tuple):
            yield from _names_in(field)
        elif isinstance(field, bytes) and _NAME.match(field) and isinstance(value, bytes):
            yield value
