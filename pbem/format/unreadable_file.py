"""Describe, for a player, a file that is not a game, or a game without its end.

The YAML reader names the place of a fault, which helps programmers. Players want to know what the file is: a
picture, a letter, a game cut short by their mail program.
"""

from __future__ import annotations

import re
from io import StringIO

from pbem.base.limits import FILE_BYTES
from pbem.errors import FileError
from pbem.format.yaml_text import Plain, trim_line_ends
from pbem.messages import Messages, Said

tr = Messages("pbem")

_GAME = re.compile(rb"""^(?:\xef\xbb\xbf)?[ {]*+["']?pbem["']?[ ]*+:[ ]*+[0-9]""", re.MULTILINE)
"""The key that every game file has, and hardly any other file."""

_BEFORE_THE_LOG = {"pbem", "after", "status", "board"}

_WORD = re.compile(r"""[^\s"']+""")

_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!")


def describe_unreadable(data: bytes, fault: FileError, read: Plain) -> Said:
    """What a player should know about a file with this fault, or an empty text if the fault itself says it.

    `read` is the file's content, if its YAML could be read.
    """
    if len(data) > FILE_BYTES:
        return ""
    if not _GAME.search(data):
        return _describe_no_game(data)
    if _lacks_its_end(read) if fault.at is None else _is_cut(data, *fault.at):
        return tr("the end of this file is missing: ask for it again")
    return ""


def _describe_no_game(data: bytes) -> Said:
    """The message that a file is not a game, and what it seems to be instead."""
    if not data.strip():
        return tr("this is not a game: the file is empty")
    if data.startswith(_PICTURES):
        return tr("this is a picture, not a game")
    if data.startswith(b"%PDF"):
        return tr("this is a PDF, not a game")
    if data.startswith(_ARCHIVES):
        return tr("this is an archive, not a game: unpack it first")
    if b"\0" in data or "\ufffd" in data.decode(errors="replace"):
        return tr("this is not a game: it is not UTF-8 text")
    return tr("this is not a game: it has no line 'pbem: 1'")


def _is_cut(data: bytes, line: int, column: int) -> bool:
    """Whether a file was cut off at a fault: nothing follows it, or only the rest of a word.

    If the last line is complete, the word itself is the fault.
    """
    text = StringIO(trim_line_ends(data).decode(errors="replace").removeprefix("\ufeff"))
    for _ in range(line):
        text.readline()
    rest, ended, others = text.read()[column:].partition("\n")
    return not others.strip("\n") and (not rest or (not ended and _WORD.fullmatch(rest) is not None))


def _lacks_its_end(read: Plain) -> bool:
    """Whether the content has no log, or its last entry no signature.

    As files are written, the log is the last key (FORMAT 3), and the signature the last key of an entry.
    """
    if not isinstance(read, dict) or read.get("pbem") != 1:
        return False
    if "log" not in read:
        return _BEFORE_THE_LOG.issuperset(read)
    log = read["log"]
    if not isinstance(log, list) or not log:
        return False
    return not (isinstance(log[-1], dict) and "sig" in log[-1])
