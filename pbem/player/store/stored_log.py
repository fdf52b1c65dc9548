"""A log as the game store knows it: its bytes, a line for each entry, and where it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pbem.core.sides import Side
from pbem.format.shapes import kind_name
from pbem.texts import Texts
from pbem.umpire.side_names import load_side

tr = Texts("pbem")


class LogLine(Struct, frozen=True):
    """An entry as the store sees it: its id (64 hex digits), the seat that signed it, its kind.

    `key` is that of the seat, where the entry takes one; `rules` are those of the game, `name/version`.
    """

    id: str
    by: str
    kind: str
    key: str = ""
    rules: str = ""

    @property
    def side(self) -> Side:
        """The names of the seat's side."""
        return load_side(self.rules, self.by)

    def __str__(self) -> str:
        return tr("{kind} {entry} of {side}", side=self.side, kind=kind_name(self.kind), entry=self.id[:8])


class Log(Struct, frozen=True):
    """A file that passed verification: its bytes, and a line for each entry (at least entry 0)."""

    data: bytes
    lines: tuple[LogLine, ...]

    @property
    def game(self) -> str:
        """The id of entry 0, which identifies the game."""
        return self.lines[0].id


class StoredGame(Struct, frozen=True):
    """A stored game: its id, the path of its file, and the bytes of that file."""

    game: str
    path: Path
    data: bytes


def ids_of(lines: Sequence[LogLine]) -> list[str]:
    """The ids of entries."""
    return [line.id for line in lines]
