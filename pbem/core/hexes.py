"""Hexes, neighbours, distance, lines: integers only. Printed hex numbers live at the edge, in `Grid`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple


class Hex(NamedTuple):
    """A hex in axial coordinates: `q` counts columns to the east, `r` hexes to the south along a column.

    The third cube coordinate is `-q - r`.
    """

    q: int
    r: int


DIRECTIONS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""The six steps, clockwise from north."""


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around `at`, clockwise from north."""
    return tuple(Hex(at.q + step.q, at.r + step.r) for step in DIRECTIONS)


def distance(a: Hex, b: Hex) -> int:
    """How many steps lead from `a` to `b`; 0 for the same hex, 1 for neighbours."""
    q, r = a.q - b.q, a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


@lru_cache(maxsize=None)
def between(a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """What the straight line between two centres passes, ends excluded, in order from `a`.

    Each item is one hex that the line crosses, or the two hexes along whose common side it runs.
    A line that only touches a corner of a hex does not pass it.
    """
    passed: dict[tuple[int, int], list[Hex]] = {}
    for at in _box(a, b):
        if at in (a, b):
            continue
        span = _overlap(a, b, at)
        if span is not None:
            passed.setdefault(span, []).append(at)
    return tuple(tuple(passed[span]) for span in sorted(passed))


def _box(a: Hex, b: Hex) -> Iterator[Hex]:
    """Every hex that could lie on the line, in a fixed order."""
    for q in range(min(a.q, b.q) - 1, max(a.q, b.q) + 2):
        for r in range(min(a.r, b.r) - 1, max(a.r, b.r) + 2):
            yield Hex(q, r)


def _overlap(a: Hex, b: Hex, at: Hex) -> tuple[int, int] | None:
    """The stretch of the line a-b within hex `at` (its sides included), scaled to integers; None if it has no length.

    A hex is where each difference of two cube coordinates, taken from its centre, is at most 1. Along
    the line such a difference is `f + g*t`, t from 0 to 1, so each gives a stretch of t with rational ends;
    multiplied by 60 * distance they are whole for every line shorter than the scale allows, see below.
    """
    raise NotImplementedError


@dataclass(frozen=True)
class Grid:
    """A printed hex map of flat-topped hexes: numbers CCRR, column then row, rows counted from the north.

    `lower` says which columns sit half a hex further south: `even` or `odd`.
    """

    first_column: int
    last_column: int
    first_row: int
    last_row: int
    lower: str

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Every hex number on the map, by column, then row."""
        return tuple(
            f"{column:02}{row:02}"
            for column in range(self.first_column, self.last_column + 1)
            for row in range(self.first_row, self.last_row + 1)
        )
