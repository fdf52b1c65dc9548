"""Open a game wherever it is: in its file, a mail, a mailbox, a folder of mails, a text that was pasted.

Where a command takes a game, the word typed for it names, in this order: a file, folder or mailbox that is
there (`FILE#ID`: which game in it), or `-`; a game on the shelf, or else an offer that waits, by four or
more digits with which its id begins; an offer also by what its letter calls the file. Any other word belongs
to the orders, unless it looks like a file's name. See `finding` for the game that is meant where none is
named.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.budgets import MAIL_BYTES
from pbem.desk import Desk
from pbem.errors import FileError, VerificationError, judging
from pbem.texts import Texts
from pbem.umpire import Game

if TYPE_CHECKING:
    from pbem.correspondence.verdict import Verdict

tr = Texts("pbem")

_ID = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)
_CALLED = re.compile(r"[a-z0-9-]+-([0-9a-f]{8})\.yaml")
"""What every letter calls the file of a game (`umpire.facts.file_name`): its id is in the name."""
_FILE_NAME = re.compile(r".*[/\\].*|\S*\.[A-Za-z][A-Za-z0-9]*(#\S*)?|.*\.(?:ya?ml|eml)", re.IGNORECASE)
"""What looks like a file's name, though there is no such file: no order is written so."""


class Opened(Struct, frozen=True):
    """A game that was opened: its bytes, and the file that entries of one's own go to.

    `typed` is how commands name the game. `found` tells where it was read from, if that is not a game file;
    then the program has named the file, and `verdict` is what came of the mail or text.
    """

    game: Game
    data: bytes
    file: Path
    typed: str
    found: str = ""
    verdict: Verdict | None = None


def names_game(desk: Desk, word: str) -> bool:
    """Whether a word is to name a game, rather than to begin the orders. Raises `ShelfError`."""
    return _is_there(word) or by_id(desk, word) or _FILE_NAME.fullmatch(word) is not None


def by_id(desk: Desk, word: str) -> bool:
    """Whether a word is the beginning of the id of a game on the shelf, or an offer. Raises `ShelfError`."""
    digits = word.lower()
    return _ID.fullmatch(word) is not None and bool(desk.shelf.ids(digits) or desk.offers.ids(digits))


def open_game(desk: Desk, word: str) -> Opened:
    """The game that a word names, or that is meant where the word is empty.

    Raises as `open_file` and `finding.find`.
    """
    if not _is_there(word):
        called = _CALLED.fullmatch(word)
        offered = called is not None and bool(desk.offers.ids(called[1]))
        if offered or not _FILE_NAME.fullmatch(word):
            from pbem.correspondence.finding import (
                find,  # here, because a file that is there needs none of it
            )

            return find(desk, called[1] if called else word)
    return open_file(desk, Path(word))


def _is_there(word: str) -> bool:
    """Whether a word is `-`, or names a file or folder that is there."""
    return word == "-" or os.path.exists(word) or os.path.exists(word.partition("#")[0])


def open_file(desk: Desk, file: Path) -> Opened:
    """The game in a game file; or in a mail, mailbox, Maildir folder or text, or `-`, standard input.

    Raises `FileError`, `VerificationError`, `OverBudget`; `ShelfError` where the shelf cannot be read.
    """
    try:
        data = desk.read(file)
        return Opened(desk.open(data), data, file, str(file))
    except (FileError, VerificationError) as error:
        no_game_file = isinstance(error, FileError) or error.step <= 2
        error.__traceback__ = None  # which would hold on to all that was read of the file
        opened = _open_mail(desk, file) if no_game_file else None
        if opened is None:
            raise
        return opened


def _open_mail(desk: Desk, file: Path) -> Opened | None:
    """The game in a mail or the like; None where nothing of that kind is there."""
    from pbem.correspondence.inbox import the_game  # here, because a game file is read sooner without it

    named, _, wanted = (str(file), "", "") if file.exists() else str(file).partition("#")
    source = None if named == "-" else Path(named)
    if source and not source.exists():
        return None
    stdin = b"" if source else sys.stdin.buffer.read(MAIL_BYTES + 1)
    with judging(named):
        found = the_game(desk, source, stdin, wanted)
    if found is None or found.game is None:
        return None
    if found.repaired:
        where = tr(
            "read from {place} in {mail}, the damage done by mail undone", place=found.place, mail=found.label
        )
    else:
        where = tr("read from {place} in {mail}", place=found.place, mail=found.label)
    return Opened(found.game, found.data, desk.place(found.game, Path()), str(file), where, found)
