"""Fits a map into a screen: the part that is shown, its scale, and the place of the lists."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from pbem.core.legend import Cell, Legend
from pbem.render import hexmap, smallmap
from pbem.render.window import crop_block
from pbem.render.words import WIDTH

LIST_WIDTH, LIST_GAP = 30, 2
"""The least width of lists beside a map, and the gap between them."""

MIN_MAP_WIDTH, MIN_MAP_HEIGHT = 50, 8
"""A screen of fewer columns or lines shows lists alone."""

MIN_LIST_HEIGHT = 6
"""The least height of lists below a map."""


class Scale(NamedTuple):
    """A way to draw a map: the space for each column and row of hexes, and for the edges around them."""

    stride: int
    height: int
    sides: int
    ends: int

    def width(self, legend: Legend) -> int:
        """The width of a map."""
        return self.stride * legend.columns + self.sides

    def lines(self, legend: Legend) -> int:
        """The height of a map."""
        return self.height * legend.rows + self.ends


LARGE = Scale(hexmap.LARGE_STRIDE, hexmap.LARGE_HEIGHT, 3, 1 + hexmap.LARGE_HEIGHT // 2)
SMALL = Scale(
    smallmap.SMALL_STRIDE, smallmap.SMALL_HEIGHT, 2 * smallmap.RULER, smallmap.COLUMN_NUMBER_LINES + 1
)


class Box(NamedTuple):
    """A part of the screen: the place of its top left corner, and its size."""

    x: int
    y: int
    width: int
    height: int

    def rest_beside(self, width: int) -> Box:
        """What remains on the right of this width and a gap."""
        return Box(self.x + width + LIST_GAP, self.y, self.width - width - LIST_GAP, self.height)

    def rest_below(self, height: int) -> Box:
        """What remains below this height."""
        return Box(self.x, self.y + height, self.width, self.height - height)


class MapFit(NamedTuple):
    """How a map fits: its scale, the part that is drawn, and whether the lists stand beside it or below.

    Without a scale there are only lists, of the whole map.
    """

    scale: Scale | None
    part: Legend
    beside: bool

    def shows_whole(self, legend: Legend) -> bool:
        """Whether the whole map is drawn."""
        return self.scale is not None and len(self.part.cells) == len(legend.cells)

    def split_cells(self, legend: Legend) -> tuple[list[Cell], list[Cell]]:
        """The hexes of the map inside the part that is drawn, and those outside."""
        numbers = {cell.number for cell in self.part.cells}
        return (
            [cell for cell in legend.cells if cell.number in numbers],
            [cell for cell in legend.cells if cell.number not in numbers],
        )


def fit_map(legend: Legend, wanted: list[Cell], foremost: list[Cell], box: Box) -> MapFit:
    """The best way to fit the map: with most of the foremost hexes, then with most of the wanted ones.

    Large hexes over the whole width are good enough with the foremost hexes alone, and with two thirds of the
    rows even without them. The lists go below a map that leaves no space beside it.
    """
    lists_alone = MapFit(None, legend, False)
    if box.width < MIN_MAP_WIDTH or box.height < MIN_MAP_HEIGHT:
        return lists_alone
    ways = [(LARGE, True)] if box.width >= WIDTH else []
    fits = []
    for scale, beside in [*ways, (SMALL, True), (SMALL, False)]:
        width, height = (
            (box.width - LIST_WIDTH - LIST_GAP, box.height)
            if beside
            else (box.width, box.height - MIN_LIST_HEIGHT)
        )
        columns = min((width - scale.sides) // scale.stride, legend.columns)
        rows = min((height - scale.ends) // scale.height, legend.rows)
        if rows > 1 or rows == legend.rows:
            fits.append(MapFit(scale, _best_part(legend, foremost or wanted, columns, rows), beside))

    def worth(shown: MapFit) -> tuple[int, int]:
        part, broad = shown.part, shown.scale is LARGE and shown.part.columns == legend.columns
        if broad and part.rows * 3 >= legend.rows * 2:
            return len(foremost), len(wanted)
        return _count_inside(part, foremost), len(wanted) if broad and foremost else _count_inside(
            part, wanted
        )

    return max(fits, key=worth, default=lists_alone)


def _count_inside(part: Legend, cells: list[Cell]) -> int:
    """How many of these hexes are in a part of the map."""
    inside = {cell.number for cell in part.cells}
    return sum(cell.number in inside for cell in cells)


def _best_part(legend: Legend, wanted: list[Cell], columns: int, rows: int) -> Legend:
    """The part of this many columns and rows with the most wanted hexes, as central as possible."""
    places = [(cell.column, cell.row) for cell in wanted]
    east, south = map(max, zip(*places, strict=True))
    left, top = map(min, zip(*places, strict=True))

    def worth(corner: tuple[int, int]) -> tuple[int, int]:
        west, north = corner
        held = sum(west <= column < west + columns and north <= row < north + rows for column, row in places)
        aside = abs(2 * west + columns - 1 - left - east) + abs(2 * north + rows - 1 - top - south)
        return held, -aside

    corners = product(range(legend.columns - columns + 1), range(legend.rows - rows + 1))
    west, north = max(corners, key=worth)
    return crop_block(legend, range(west, west + columns), range(north, north + rows))
