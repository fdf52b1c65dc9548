"""What the shelf knows of a log: its bytes, a line for each entry, and where it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pbem.journal.shapes import kind_called
from pbem.texts import Texts

tr = Texts("pbem")


class LogLine(Struct, frozen=True):
    """What the shelf sees of an entry: its id (64 hex digits), the seat that signed it, its kind.

    And the `key` of the seat, where the entry takes one.
    """

    id: str
    by: str
    kind: str
    key: str = ""

    def __str__(self) -> str:
        return tr("{seat} {kind} {entry}", seat=self.by, kind=kind_called(self.kind), entry=self.id[:8])


class Log(Struct, frozen=True):
    """A file that passed verification: its bytes, and a line for each entry (at least entry 0)."""

    data: bytes
    lines: tuple[LogLine, ...]

    @property
    def game(self) -> str:
        """The id of entry 0, by which a game is known."""
        return self.lines[0].id


class Kept(Struct, frozen=True):
    """A game on the shelf: its id, where its file is, and the bytes of that file."""

    game: str
    path: Path
    data: bytes


def ids_of(lines: Sequence[LogLine]) -> list[str]:
    """The ids of entries."""
    return [line.id for line in lines]
