"""A canvas of characters to write on at any place, rendered as ASCII or with colours for a terminal."""

from __future__ import annotations

from enum import Enum
from itertools import groupby

from pbem.core.legend import Legend
from pbem.render.words import to_ascii


class Ink(Enum):
    """The colour of a character; the value is the parameter of its SGR escape."""

    PLAIN = "0"
    FIRST = "36"
    SECOND = "33"
    THIRD = "35"
    MARK = "31"


SIDE_INKS = (Ink.FIRST, Ink.SECOND, Ink.THIRD)


class Canvas:
    """A rectangle of characters, blank at first; 0, 0 is the top left."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [[(" ", Ink.PLAIN)] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, ink: Ink = Ink.PLAIN) -> None:
        """Write ASCII at column `x` of line `y`, over what is there, clipped at the end of the line."""
        row = self._rows[y]
        plain = to_ascii(text)[: len(row) - x]
        row[x : x + len(plain)] = [(character, ink) for character in plain]

    def paste(self, x: int, y: int, other: Canvas, first: int, last: int) -> None:
        """Copy the lines `first` to `last`, exclusive, of another canvas over what is there."""
        for row, pasted in zip(self._rows[y:], other._rows[first:last], strict=False):
            row[x : x + len(pasted)] = pasted

    def lines(self, colour: bool) -> list[str]:
        """The lines without trailing blanks; `colour` adds SGR escapes around all text not in plain ink."""
        plain = ["".join(character for character, _ in row).rstrip() for row in self._rows]
        if not colour:
            return plain
        return [_colour_row(row[: len(line)]) for row, line in zip(self._rows, plain, strict=True)]


def side_ink(legend: Legend, side: str) -> Ink:
    """The ink of a side."""
    return SIDE_INKS[list(legend.sides).index(side) % len(SIDE_INKS)]


def _colour_row(row: list[tuple[str, Ink]]) -> str:
    runs = [
        (ink, "".join(character for character, _ in run)) for ink, run in groupby(row, lambda cell: cell[1])
    ]
    return "".join(text if ink is Ink.PLAIN else f"\x1b[{ink.value}m{text}\x1b[0m" for ink, text in runs)
