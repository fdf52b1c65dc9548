"""The layout of a drawing: a flat-topped hex is 100 wide and 86 high, a counter 58 by 58.

Whole numbers throughout, so that a drawing is short and looks the same everywhere. x grows to the east, y to
the south; a hex and a counter are drawn around their own middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from pbem.core.legend import Cell, Legend

HEX_RADIUS, HALF_HEIGHT = 50, 43
"""Distances from the centre of a hex to its corners east and west, and to its sides north and south."""

COLUMN_STRIDE, HEX_HEIGHT = 75, 86
"""Distances from one column to the next, and from one row to the next."""

Point: TypeAlias = tuple[int, int]

HEX_CORNERS: tuple[Point, ...] = ((50, 0), (25, 43), (-25, 43), (-50, 0), (-25, -43), (25, -43))
"""The corners of a hex, clockwise from the east."""

COUNTER_SCALES = {1: 1.0, 2: 0.72, 3: 0.56, 4: 0.56}
"""The scale of the counters in a hex, by how many are drawn."""

COUNTER_PLACES: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-21, 0), (21, 0)),
    3: ((-17, -16), (17, -16), (0, 17)),
    4: ((-17, -16), (17, -16), (-17, 17), (17, 17)),
}
"""The places of the counters in a hex, relative to its centre; its number and name stay legible."""

MAX_COUNTERS = 4
"""The most counters that are drawn in a hex."""


def hex_centre(legend: Legend, cell: Cell) -> Point:
    """The centre of a hex; the map's north-west corner is 0, 0."""
    return (
        HEX_RADIUS + COLUMN_STRIDE * cell.column,
        HALF_HEIGHT + HEX_HEIGHT * cell.row + HALF_HEIGHT * legend.lowered(cell.column),
    )


def map_size(legend: Legend) -> Point:
    """The width and the height of the map."""
    lowered = any(legend.lowered(column) for column in range(legend.columns))
    return COLUMN_STRIDE * legend.columns + HEX_RADIUS // 2, HEX_HEIGHT * legend.rows + HALF_HEIGHT * lowered


def midpoint(first: Point, second: Point) -> Point:
    """The point half-way; between the centres of neighbours, the middle of their common side."""
    return (first[0] + second[0]) // 2, (first[1] + second[1]) // 2


def common_sides(legend: Legend) -> Iterator[tuple[Cell, Cell, Point, Point]]:
    """Every side that two hexes of the map share: both hexes, and the side's ends."""
    at = {hex_centre(legend, cell): cell for cell in legend.cells}
    for (x, y), cell in at.items():
        for (cx, cy), (dx, dy) in pairwise(HEX_CORNERS[:4]):  # the sides in the south-east, south, south-west
            other = at.get((x + cx + dx, y + cy + dy))
            if other:
                yield cell, other, (x + cx, y + cy), (x + dx, y + dy)
