"""The entry up to which the player has looked at each game: everything after it is news to him.

    home/looked.json    by the id of the game: the entry at which he looked last, and at which before that

Moved by a terminal's `show`, the prompt, a board in front, or a decision that he signs, and by nothing else:
a share that is written for him loses no news. Whoever looks twice is told the same twice.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.texts import Texts
from pbem.umpire.game import Game

tr = Texts("pbem")


class ReadMark(Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of the last entries when the player looked, this time and the time before; empty: never."""

    at: str = ""
    before: str = ""


class ReadMarker:
    """The read marks in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = JsonStore(
            home / "looked.json",
            dict[str, ReadMark],
            hint=tr("remove it: what is new is told once more then"),
        )

    def mark(self, game: str) -> ReadMark:
        """His mark in the game with this id. Raises `ShelfError`."""
        return self._store.read().get(game, ReadMark())

    def save_mark(self, game: Game) -> None:
        """Save that he has looked at the game as it stands. Raises `ShelfError`."""
        mark, head = self.mark(game.ids[0]), game.ids[-1]
        if mark.at == head:
            return
        make_folder(self._home)
        with lock_folder(self._home):
            self._store.save(game.ids[0], ReadMark(head, mark.at))

    def first_news(self, game: Game) -> int:
        """The number of the first entry that is news to him; where none is new, the first that was last time.

        Raises `ShelfError`.
        """
        mark = self.mark(game.ids[0])
        return _number_after(game.ids, mark.before if mark.at == game.ids[-1] else mark.at)


def _number_after(ids: tuple[str, ...], entry: str) -> int:
    """The number of the entry after this one; 0 where the log does not have it, as when it was undone."""
    return ids.index(entry) + 1 if entry in ids else 0
