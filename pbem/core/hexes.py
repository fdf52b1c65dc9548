"""Hexes, neighbours, distance, lines: integers only. Only `Grid` knows printed hex numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import prod
from typing import Literal, NamedTuple

from msgspec import Struct


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
    """The number of steps from `a` to `b`; 0 for the same hex, 1 for neighbours."""
    q, r = a.q - b.q, a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


def between(a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """The hexes that the straight line between two centres passes through, ends excluded, in order from `a`.

    Each item is one hex that the line crosses, or the two hexes whose common side it runs along. A line that
    only touches a corner of a hex does not pass through it.
    """
    passed = _hexes_passed(Hex(b.q - a.q, b.r - a.r))
    return tuple(tuple(Hex(a.q + at.q, a.r + at.r) for at in item) for item in passed)


@lru_cache(maxsize=1024)
def _hexes_passed(end: Hex) -> tuple[tuple[Hex, ...], ...]:
    """`between` for the line from hex 0, 0 to `end`: hexes that share a segment of the line form one item."""
    passed: dict[tuple[int, int], list[Hex]] = {}
    for at in _box(end):
        stretch = _stretch(end, at)
        if stretch is not None and at not in (Hex(0, 0), end):
            passed.setdefault(stretch, []).append(at)
    return tuple(tuple(passed[stretch]) for stretch in sorted(passed))


def _box(end: Hex) -> Iterator[Hex]:
    """Every hex that the line from hex 0, 0 to `end` could pass through, in a fixed order."""
    for q in range(min(0, end.q) - 1, max(0, end.q) + 2):
        for r in range(min(0, end.r) - 1, max(0, end.r) + 2):
            yield Hex(q, r)


def _stretch(end: Hex, at: Hex) -> tuple[int, int] | None:
    """Where the line from hex 0, 0 to `end` enters and leaves hex `at`, sides included; None if it misses.

    A hex is the area where the three differences of the cube coordinates, measured from its centre, are
    between -1 and 1. Along the line each is `slope * t - offset`, with t from 0 to 1. Multiplied by the
    product of the slopes, every t where one of them is -1 or 1 is a whole number.
    """
    slopes, offsets = _differences(end), _differences(at)
    scale = prod(abs(slope) for slope in slopes if slope)
    first, last = 0, scale
    for slope, offset in zip(slopes, offsets, strict=True):
        if slope:
            enters, leaves = sorted(((offset - 1) * scale // slope, (offset + 1) * scale // slope))
            first, last = max(first, enters), min(last, leaves)
        elif abs(offset) > 1:
            return None
    return (first, last) if first < last else None


def _differences(at: Hex) -> tuple[int, int, int]:
    """The differences q - r, r - s, s - q of a hex's cube coordinates."""
    s = -at.q - at.r
    return at.q - at.r, at.r - s, s - at.q


class Grid(Struct, frozen=True, dict=True):
    """A printed hex map of flat-topped hexes: numbers CCRR, column then row, rows counted from the north.

    `lower` says which columns sit half a hex further south: `even` or `odd`.
    """

    first_column: int
    last_column: int
    first_row: int
    last_row: int
    lower: Literal["even", "odd"]

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Every hex number on the map, by column, then row."""
        return tuple(self._hexes)

    def __contains__(self, number: object) -> bool:
        """Whether the map has a hex of that number."""
        return number in self._hexes

    def hex_at(self, number: str) -> Hex:
        """The hex with that number. Raises `KeyError` if it is not on the map."""
        return self._hexes[number]

    def number(self, at: Hex) -> str | None:
        """The number of a hex, or None off the map."""
        return self._numbers.get(at)

    def column(self, number: str) -> int:
        """The column of a hex number on the map."""
        return self.first_column + self._hexes[number].q

    def row(self, number: str) -> int:
        """The row of a hex number on the map."""
        return self._hexes[number].r + self._slant(self.column(number))

    def adjacent(self, number: str) -> tuple[str, ...]:
        """The neighbours of a hex that are on the map, clockwise from north."""
        return self._adjacent[number]

    def distance(self, a: str, b: str) -> int:
        """The number of steps from one hex to another."""
        return distance(self._hexes[a], self._hexes[b])

    def within(self, number: str, steps: int) -> frozenset[str]:
        """The hexes on the map at most `steps` away, including the hex itself."""
        found = self._within.get((number, steps))
        if found is None:
            q, r = self._hexes[number]
            around = [
                (q + east, r + south)
                for east in range(-steps, steps + 1)
                for south in range(max(-steps, -steps - east), min(steps, steps - east) + 1)
            ]
            found = frozenset(self._numbers[at] for at in around if at in self._numbers)
            self._within[number, steps] = found
        return found

    @cached_property
    def _within(self) -> dict[tuple[str, int], frozenset[str]]:
        """The cache of `within`."""
        return {}

    @cached_property
    def _hexes(self) -> dict[str, Hex]:
        return {
            f"{column:02}{row:02}": Hex(column - self.first_column, row - self._slant(column))
            for column in range(self.first_column, self.last_column + 1)
            for row in range(self.first_row, self.last_row + 1)
        }

    def _slant(self, column: int) -> int:
        """How many whole hexes the `r` axis, which slopes down to the east, has dropped at a column."""
        return (column + 1) // 2 if self.lower == "even" else column // 2

    @cached_property
    def _numbers(self) -> dict[Hex, str]:
        return {at: number for number, at in self._hexes.items()}

    @cached_property
    def _adjacent(self) -> dict[str, tuple[str, ...]]:
        return {
            number: tuple(self._numbers[near] for near in neighbours(at) if near in self._numbers)
            for number, at in self._hexes.items()
        }
