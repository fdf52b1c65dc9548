"""Open a game wherever it is: in its file, a mail, a mailbox, a folder of mails, a text that was pasted."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.budgets import MAIL_BYTES
from pbem.desk import Desk
from pbem.errors import FileError, VerificationError, judging
from pbem.umpire import Game
from pbem.umpire.facts import file_name

if TYPE_CHECKING:
    from pbem.correspondence.inbox import Verdict


class Opened(Struct, frozen=True):
    """A game that was opened: its bytes, and the file that entries of one's own go to.

    `found` tells where it was read from, if that is not a game file; then the program has named the file, and
    `verdict` is what came of the mail or text.
    """

    game: Game
    data: bytes
    file: Path
    found: str = ""
    verdict: Verdict | None = None


def open_file(desk: Desk, file: Path) -> Opened:
    """The game in a game file; or in a mail, mailbox, Maildir folder or text, or `-`, standard input.

    Raises `FileError`, `VerificationError`, `OverBudget`; `ShelfError` where the shelf cannot be read.
    """
    try:
        data = desk.read(file)
        return Opened(desk.open(data), data, file)
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
    mended = ", the damage done by mail undone" if found.repaired else ""
    where = f"read from {found.place} in {found.label}{mended}"
    return Opened(found.game, found.data, Path(file_name(found.game)), where, found)
