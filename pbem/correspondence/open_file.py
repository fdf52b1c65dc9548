"""Open a game wherever it is: in its file, a mail, a mailbox, a folder of mails, or a pasted text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.base.interrupts import raise_on_interrupt
from pbem.base.limits import MAIL_BYTES
from pbem.errors import FileError, VerificationError, unforeseen_as_file_error
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts
from pbem.umpire.game_state import Game

if TYPE_CHECKING:
    from pbem.correspondence.verdict import Verdict

tr = Texts("pbem")


class OpenedGame(Struct, frozen=True):
    """An opened game: its bytes, and the file for the player's own entries.

    `typed` is how commands name the game. `source` says where it was read from, if that is not a game file;
    pbem has then chosen the file name, and `verdict` is that on the game in the mail or text.
    """

    game: Game
    data: bytes
    file: Path
    typed: str
    source: str = ""
    verdict: Verdict | None = None


def open_file(player: LocalPlayer, file: Path) -> OpenedGame:
    """Open the game in a game file; or in a mail, mailbox, Maildir folder or text; `-` is standard input.

    Raises `FileError`, `VerificationError`, `OverBudget`; `StorageError` if the game store cannot be read.
    """
    data = b""
    try:
        data = player.read(file)
        if data.startswith(b"pbem:") or not _holds_mails(data):
            return OpenedGame(player.open(data), data, file, str(file))
        failure = None
    except (FileError, VerificationError) as error:
        if isinstance(error, VerificationError) and error.step > 2:
            raise
        failure = error.with_traceback(None)  # a traceback would keep everything read from the file alive
    if opened := _open_mail(player, file):
        return opened
    if failure:
        raise failure
    return OpenedGame(player.open(data), data, file, str(file))


def _holds_mails(data: bytes) -> bool:
    from pbem.mail.parse_mail import holds_mails  # 24 ms, and a game file does not need it

    return holds_mails(data)


def _open_mail(player: LocalPlayer, file: Path) -> OpenedGame | None:
    """The game in a mail or the like; None if there is none."""
    from pbem.correspondence.examiner import Examiner  # 45 ms, and a game file does not need it

    name, _, wanted = (str(file), "", "") if file.exists() else str(file).partition("#")
    source = None if name == "-" else Path(name)
    if source and not source.exists():
        return None
    with raise_on_interrupt():
        stdin = b"" if source else sys.stdin.buffer.read(MAIL_BYTES + 1)
    with unforeseen_as_file_error(name), Examiner(player.home) as examiner:
        verdict = examiner.find_one_game(source, stdin, wanted)
    if verdict is None or verdict.game is None:
        return None
    if verdict.repaired:
        where = tr(
            "read from {place} in {mail}, with the damage done by mail repaired",
            place=verdict.place,
            mail=verdict.label,
        )
    else:
        where = tr("read from {place} in {mail}", place=verdict.place, mail=verdict.label)
    return OpenedGame(
        verdict.game, verdict.data, player.game_path(verdict.game, Path()), str(file), where, verdict
    )
