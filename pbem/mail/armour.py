"""The armoured block: a game file as lines of letters that survive in the text of a mail.

    -----BEGIN PBEM GAME-----
    lines 41, bytes 12345, sha256 0f3a9c…
    eJztXWtz2zYW…            64 characters of base64 a line, the last may be shorter
    -----END PBEM GAME-----

The base64 holds the file, compressed with zlib. Quote marks, spaces, and broken or joined lines do no harm,
since none of them is base64. The checksum detects any other damage, which is reported.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from io import StringIO
from itertools import islice

from msgspec import Struct

from pbem.base.limits import FILE_BYTES, spend
from pbem.errors import MailError
from pbem.messages import Messages, Said

tr = Messages("pbem")

BEGIN = "-----BEGIN PBEM GAME-----"
END = "-----END PBEM GAME-----"
COLUMNS = 64
DIGITS = 32
"""The number of hexadecimal digits of the checksum."""

_DASHES = "-\u2013\u2014"  # some programs turn two or three hyphens into these
_BEGIN = re.compile(rf"[{_DASHES}]BEGIN PBEM GAME[{_DASHES}]+")
_END = re.compile(rf"[{_DASHES}]END PBEM GAME[{_DASHES}]")
_HEAD = re.compile(r"lines(\d{1,7}),bytes(\d{1,8}),sha256([0-9a-f]{32})")
_QUOTING = re.compile(r"[>|\s]+")


class Block(Struct, frozen=True):
    """The text of an armoured block between its first and last lines; `ended`: the last line was there."""

    text: str
    ended: bool


def enclose(data: bytes) -> str:
    """The bytes of a file as an armoured block, with a newline after its last line."""
    packed = b64encode(zlib.compress(data, 9)).decode("ascii")
    lines = [packed[at : at + COLUMNS] for at in range(0, len(packed), COLUMNS)]
    head = f"lines {len(lines)}, bytes {len(data)}, sha256 {_checksum(data)}"
    return "\n".join([BEGIN, head, *lines, END, ""])


def blocks(text: str) -> Iterator[Block]:
    """Every armoured block in a text; one without an end extends to the next, or to the end of the text."""
    begin = _BEGIN.search(text)
    while begin:
        following = _BEGIN.search(text, begin.end())
        limit = following.start() if following else len(text)
        end = _END.search(text, begin.end(), limit)
        inside = text[begin.end() : end.start() if end else limit].rstrip(_DASHES)
        yield Block(inside, end is not None)
        begin = following


def unpack(block: Block) -> bytes:
    """The file in a block. Raises `MailError`, which describes the damage; `OverBudget`."""
    letters = _QUOTING.sub("", block.text)
    head = _HEAD.match(letters)
    if head is None:
        raise MailError(
            tr(
                "the first line of the encoded block, which gives the number of lines and the "
                "checksum, is damaged"
            )
        )
    data = _decompress(letters[head.end() :], int(head[2]))
    if data is None or _checksum(data) != head[3]:
        raise MailError(_describe_damage(block, int(head[1])))
    return data


def _describe_damage(block: Block, expected: int) -> Said:
    """The damage of a block that does not hold what its first line says."""
    count = sum(1 for _ in _lines(block))
    if not block.ended:
        return tr(
            "the end of this game is missing: only {found} of {expected} lines arrived; ask for it again",
            found=count,
            expected=expected,
        )
    for number, line in enumerate(_lines(block), start=1):
        foreign = re.search(r"[^A-Za-z0-9+/=]", line)
        if foreign:
            return tr(
                "the encoded block is damaged: {found} in line {number} is not base64",
                found=ascii(foreign[0]),
                number=number,
            )
    if count != expected:
        return tr(
            "the encoded block is damaged: it has {found} lines instead of {expected}",
            found=count,
            expected=expected,
        )
    for number, line in enumerate(_lines(block), start=1):
        if len(line) != COLUMNS and number < count:
            return tr(
                "the encoded block is damaged: line {number} has {found} characters instead of {expected}",
                found=len(line),
                number=number,
                expected=COLUMNS,
            )
    return tr("the encoded block is damaged: its checksum does not match its contents")


def _lines(block: Block) -> Iterator[str]:
    """The lines after the one with the checksum, one at a time, since there might be millions."""
    quoted = (line.strip("> |\t\n") for line in StringIO(block.text, newline="\n"))
    return islice((line for line in quoted if line), 1, None)


def _decompress(packed: str, size: int) -> bytes | None:
    """The decompressed data, if they have this size."""
    if size > FILE_BYTES:
        return None
    spend("unpacked bytes", size)
    try:
        data = zlib.decompressobj().decompress(b64decode(packed, validate=True), size + 1)
    except (ValueError, zlib.error):
        return None
    return data if len(data) == size else None


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]
