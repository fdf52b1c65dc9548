"""The records of the games at home, one file per game; and its read mark and orders in progress.

    home/games/<id of entry 0>/record.json    the record, in the version it names
    home/lock                                 held while any record is changed

A record is written whole: a crash leaves the old one or the new one. It is read and changed under the lock of
the home, so that programs running at the same time do not lose each other's changes. The game store and
backups use the same lock: a signed entry and its record change in one step, and a backup has all games as
they were at one moment.

A home of layout 1 kept the same in one file per kind of fact, which `previous_layout.py` reads. The first
change of any record converts the whole home, game by game. If pbem is killed on the way, each game has either
its old files or its record, and the next change continues. A game whose old files are damaged is left as it
is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import lock_folder, make_folder, read_if_there, write_atomically
from pbem.base.home import LAYOUT, TAKING_OVER, read_layout, save_layout
from pbem.errors import StorageError, newer_version_hint
from pbem.player.store import previous_layout
from pbem.player.store.game_record import NEW_RECORD, VERSION, GameRecord, OrderDraft, ReadMark
from pbem.texts import Texts
from pbem.umpire.game_state import Game

tr = Texts("pbem")


class GameRecords:
    """The records in the folder `home`; games are named by the id of entry 0."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._is_taken_over = False

    def path(self, game: str) -> Path:
        """The path of the record of a game."""
        return self._home / "games" / game / "record.json"

    def read(self, game: str) -> GameRecord:
        """The record of a game as it is now. Raises `StorageError`."""
        record = self._read_own(game)
        if record is None:
            return NEW_RECORD if self._is_current() else previous_layout.read_record(self._home, game)
        return record

    def change(self, game: str, change: Callable[[GameRecord], GameRecord]) -> GameRecord:
        """Change the record of a game under the lock of the home. Returns the new record.

        `change` receives the record as read under the lock, and can raise to leave it unchanged. Raises
        `StorageError`.
        """
        make_folder(self._home)
        with lock_folder(self._home):
            return self.change_locked(game, change)

    def change_locked(self, game: str, change: Callable[[GameRecord], GameRecord]) -> GameRecord:
        """Carry out `change` for a caller that already holds the lock. Raises `StorageError`."""
        before = self.read(game)
        after = change(before)
        if after != before:
            if not self._is_current():
                self._take_over(game)
            self._write(game, after)
        return after

    def _write(self, game: str, record: GameRecord) -> None:
        path = self.path(game)
        make_folder(path.parent)
        text = msgspec.json.format(msgspec.json.encode(record), indent=2)
        write_atomically(path, text + b"\n", private=True)

    def _is_current(self) -> bool:
        """Whether the home has this layout, so that nothing is known of a game without a record."""
        self._is_taken_over = self._is_taken_over or read_layout(self._home) == str(LAYOUT)
        return self._is_taken_over

    def _take_over(self, needed: str) -> None:
        """Replace the old files of each game of an earlier home with its record, with the lock held.

        Raises `StorageError` if the files of the `needed` game are damaged, or if nothing can be written.
        """
        games = previous_layout.list_games(self._home)
        if games:  # first: an older program would think that nothing is known of a game with a record
            save_layout(self._home, TAKING_OVER)
        damaged = False
        for game in games:
            try:
                self._take_over_game(game)
            except StorageError:
                if game == needed:
                    raise
                damaged = True
        if not damaged:
            previous_layout.remove_shared_files(self._home)
            save_layout(self._home)

    def _take_over_game(self, game: str) -> None:
        if self._read_own(game) is None:
            record = previous_layout.read_record(self._home, game)
            if record != NEW_RECORD:
                self._write(game, record)
        previous_layout.remove_own_files(self._home, game)

    def _read_own(self, game: str) -> GameRecord | None:
        """The record in its own file, if it exists. Raises `StorageError`."""
        path = self.path(game)
        if (data := read_if_there(path)) is None:
            return None
        try:
            if msgspec.json.decode(data, type=_Version).version > VERSION:
                problem = tr("{path} was written by a newer pbem", path=path)
                raise StorageError(problem, hint=newer_version_hint())
            return msgspec.json.decode(data, type=GameRecord)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise StorageError(
                tr("{path} is damaged: {reason}", path=path, reason=error), hint=lost_game_hint()
            ) from error


class _Version(Struct, frozen=True):
    """The field that every version of the record has."""

    version: int


def lost_game_hint() -> str:
    """The hint for a damaged file: without its folder the game is new to this home and must be confirmed."""
    return tr(
        "move its folder away, and continue from the newest file you have, or from your mail: pbem mail fetch"
    )


class ReadMarker:
    """The read marks in the folder `home`.

    Only `show` in a terminal, the prompt, a board in front, or a decision the player signs moves a mark; a
    share written automatically hides no news. Looking twice shows the same news twice.
    """

    def __init__(self, home: Path) -> None:
        self._records = GameRecords(home)

    def mark(self, game: str) -> ReadMark:
        """The player's mark in the game with this id. Raises `StorageError`."""
        return self._records.read(game).read

    def save_mark(self, game: Game) -> None:
        """Save that the player has looked at the game as it is now. Raises `StorageError`."""
        head = game.ids[-1]
        if self.mark(game.ids[0]).at == head:
            return
        self._records.change(
            game.ids[0],
            lambda record: (
                record if record.read.at == head else replace(record, read=ReadMark(head, record.read.at))
            ),
        )

    def first_news(self, game: Game) -> int:
        """The number of the first entry that is news to the player; if none is, the first that was last time.

        Raises `StorageError`.
        """
        mark = self.mark(game.ids[0])
        return _number_after(game.ids, mark.before if mark.at == game.ids[-1] else mark.at)


def _number_after(ids: tuple[str, ...], entry: str) -> int:
    """The number of the entry after this one; 0 if the log lacks it, for instance after an undo."""
    return ids.index(entry) + 1 if entry in ids else 0


def draft_of(home: Path, game: Game) -> tuple[str, ...]:
    """The lines of the orders in progress; none if the game has continued since. Raises `StorageError`."""
    draft = GameRecords(home).read(game.ids[0]).draft
    return draft.lines if draft.head == game.ids[-1] else ()


def set_draft(home: Path, game: Game, lines: Sequence[str]) -> None:
    """Save the orders in progress, replacing earlier ones; no lines delete them. Raises `StorageError`.

    The next entry of the game, by either side, ends them, and undoing it does not bring them back.
    """
    typed = tuple(line.encode(errors="replace").decode() for line in lines)  # a terminal can send any byte
    draft = OrderDraft(typed, game.ids[-1]) if typed else OrderDraft()
    GameRecords(home).change(game.ids[0], lambda record: replace(record, draft=draft))
