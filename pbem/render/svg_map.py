"""The map as SVG without its counters: layout, ground, roads, zones, numbers and names; and hexes' marks.

A flat-topped hex is 100 wide and 86 high, a counter 58 by 58, in whole numbers throughout, so that a drawing
is short and looks the same everywhere. x grows to the east, y to the south; hexes, counters and shapes are
drawn around their own centre. A hex has its number at the top and its name at the bottom, and a counter
covers the middle, so the shapes that distinguish terrains are also at the sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias, get_args

from pbem.core.legend import Cell, Legend, Scenery, Sign
from pbem.render.svg_style import escape, svg_text, svg_use

HEX_RADIUS, HALF_HEIGHT = 50, 43
"""The distance from the centre of a hex to its east and west corners, and to its north and south sides."""

COLUMN_STRIDE, HEX_HEIGHT = 75, 86
"""The distance from one column to the next, and from one row to the next."""

Point: TypeAlias = tuple[int, int]

HEX_CORNERS: tuple[Point, ...] = ((50, 0), (25, 43), (-25, 43), (-50, 0), (-25, -43), (25, -43))
"""The corners of a hex, clockwise from the east."""

COUNTER_SCALES = {1: 1.0, 2: 0.72, 3: 0.56, 4: 0.56}
"""The scale of the counters in a hex, by the number drawn."""

COUNTER_PLACES: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-21, 0), (21, 0)),
    3: ((-17, -16), (17, -16), (0, 17)),
    4: ((-17, -16), (17, -16), (-17, 17), (17, 17)),
}
"""The places of the counters in a hex, relative to its centre, which keep its number and name legible."""

MAX_COUNTERS = 4
"""The most counters drawn in a hex."""


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
    """The point half-way: between the centres of neighbours, the middle of their common side."""
    return (first[0] + second[0]) // 2, (first[1] + second[1]) // 2


def common_sides(legend: Legend) -> Iterator[tuple[Cell, Cell, Point, Point]]:
    """Every side shared by two hexes of the map: both hexes, and the ends of the side."""
    at = {hex_centre(legend, cell): cell for cell in legend.cells}
    for (x, y), cell in at.items():
        for (cx, cy), (dx, dy) in pairwise(HEX_CORNERS[:4]):  # the south-east, south and south-west sides
            other = at.get((x + cx + dx, y + cy + dy))
            if other:
                yield cell, other, (x + cx, y + cy), (x + dx, y + dy)


def _discs(style: str, *discs: tuple[int, int, int]) -> str:
    return "".join(f'<circle class="{style}" cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in discs)


def _blocks(*blocks: tuple[int, int, int, int]) -> str:
    d = "".join(f"M{x} {y}h{w}v{h}h-{w}z" for x, y, w, h in blocks)
    return f'<path class="house" d="{d}"/>'


def _mines(*places: Point) -> str:
    d = "".join(f"M{x - 6} {y}h12M{x} {y - 6}v12M{x - 4} {y - 4}l8 8M{x - 4} {y + 4}l8-8" for x, y in places)
    return f'<path class="mine" d="{d}"/>' + _discs("mine", *((x, y, 3) for x, y in places))


_TREES = (
    (-35, -8, 7), (-24, -24, 7), (22, -25, 7), (36, -9, 8), (-38, 6, 6), (37, 9, 7),
    (-28, 22, 8), (28, 22, 8), (-13, 30, 7), (13, 31, 7),
    (-9, -14, 8), (11, -9, 8), (-17, 4, 8), (2, 9, 8), (19, 8, 7),
)  # fmt: skip
_HAMLET = (
    (-36, -10, 10, 7), (-30, 12, 8, 9), (26, -14, 8, 9), (28, 12, 9, 7),
    (-6, -10, 9, 7), (4, 6, 8, 8),
)  # fmt: skip
_TOWN = (
    (-40, -8, 8, 14), (-30, -24, 12, 8), (-30, -12, 8, 10), (-31, 8, 10, 8), (-24, 24, 12, 8),
    (-14, -14, 12, 8), (-16, 0, 9, 12), (-4, -2, 10, 7), (-4, 10, 8, 8), (4, -16, 10, 9), (12, 0, 8, 12),
    (16, -26, 10, 8), (26, -14, 9, 10), (26, 2, 12, 7), (24, 14, 8, 10), (10, 26, 12, 7),
)  # fmt: skip

_SAND = ((-30, -14, 2), (-12, 26, 2), (18, -22, 2), (33, 8, 2), (4, 4, 2), (-24, 18, 1), (28, 24, 1))
_BELT = ((-36, 0), (36, 0), (-21, -20), (21, -20), (-21, 21), (21, 21), (0, -6), (0, 9))
_LANE = ((-36, 0), (36, 0))

_HEIGHTS = (
    "M-40-2Q-34-30-6-30T38-8Q40 26 6 31T-40-2z"
    "M-30-2Q-24-22-4-22T28-6Q28 18 4 22T-30-2z"
    "M-18-2Q-14-13-2-13T16-4Q16 9 2 12T-18-2z"
)
_WAVES = "M-30-16q5-6 10 0t10 0 10 0M8-2q5-6 10 0t10 0M-34 8q5-6 10 0t10 0M-8 26q5-6 10 0t10 0 10 0"
_SLOPES = "M-34-12l-4 10M-20-26l-4 10M-8-8l-4 10M18-26l-4 10M32-12l-4 10M8 6l-4 10M-24 10l-4 10M26 12l-4 10"
_ARROW = "M-14-34v68M14-34v68M0 26v-48l-7 9M0-22l7 9"

GROUND: dict[Scenery, tuple[str, str]] = {
    "plain": ("plain", ""),
    "field": ("field", ""),
    "desert": ("desert", _discs("dots", *_SAND)),
    "woods": ("woods", _discs("tree", *_TREES)),
    "village": ("built", _blocks(*_HAMLET)),
    "city": ("built", _blocks(*_TOWN)),
    "hill": ("hill", f'<path class="contour" d="{_HEIGHTS}"/>'),
    "water": ("water", f'<path class="wave" d="{_WAVES}"/>'),
    "depression": ("low", f'<path class="hatch" d="{_SLOPES}"/>'),
    "mines": ("desert", _mines(*_BELT)),
    "cleared": ("desert", f'{_mines(*_LANE)}<path class="hatch" d="{_ARROW}"/>'),
}
"""For each kind of scenery, its colour and the shapes on it."""

_STAR = "M0-10 2.9-3.1 10.4-2.6 4.6 2.2 6.5 9.4 0 5.4-6.5 9.4-4.6 2.2-10.4-2.6-2.9-3.1z"
_PLANE = "M0-8q2 1 1 5l6 3v2l-6-1v4l2 2h-6l2-2v-4l-6 1v-2l6-3q-1-4 1-5z"
_RAMPART = "M-36-15v-21h21M15-36h21v21M36 15v21h-21M-15 36h-21v-21"

SIGNS: dict[Sign, str] = {
    "star": f'<path class="sign star" d="{_STAR}"/>',
    "village": '<path class="sign" d="M-9 8v-10l9-8 9 8v10z"/><path class="signed" d="M-2 8v-7h4v7z"/>',
    "airfield": f'<circle class="sign" r="9"/><path class="signed" d="{_PLANE}"/>',
    "fort": f'<path class="rampart" d="{_RAMPART}"/>',
    "no supply": '<circle class="alarm" r="9"/><path class="crossed" d="M-4-4 4 4M4-4-4 4"/>',
    "under fire": '<path class="fire" d="M-8-8 8 8M8-8-8 8M0-11v22M-11 0h22"/>',
}
"""The shapes of marks, 20 wide; the ramparts of a fort surround the counter in it."""


HEX_OUTLINE = "M" + " ".join(f"{x} {y}" for x, y in HEX_CORNERS) + "z"
"""The path of a hex around 0, 0."""

_WEST, _EAST, _SOUTH_EAST, _SOUTH_WEST = (-38, 0), (38, 0), (23, 27), (-23, 27)


def ground_defs(legend: Legend) -> str:
    """The drawings of the legend's terrains, with ids `t0`, `t1` and so on, for the `<defs>`."""
    symbols = []
    for number, terrain in enumerate(legend.terrain):
        colour, picture = GROUND[scenery(legend, terrain)]
        picture = picture or _texture(legend, terrain)
        symbols.append(
            f'<g id="t{number}"><path class="hex" fill="var(--{colour})" d="{HEX_OUTLINE}"/>{picture}</g>'
        )
    return "\n".join(symbols)


def ground_id(legend: Legend, cell: Cell) -> str:
    """The id of the drawing of a hex's terrain."""
    return f"t{list(legend.terrain).index(cell.terrain)}"


def scenery(legend: Legend, terrain: str) -> Scenery:
    """The scenery of a terrain: the legend's, else the one of the terrain's own name, else plain."""
    if terrain in legend.scenery:
        return legend.scenery[terrain]
    kind: Scenery
    for kind in get_args(Scenery):
        if kind == terrain:
            return kind
    return "plain"


def _texture(legend: Legend, terrain: str) -> str:
    """The character that fills the hexes of a terrain without scenery."""
    texture = legend.textures.get(terrain, "")
    if not texture or terrain in legend.scenery:
        return ""
    row = " ".join(texture * 4)
    return svg_text(0, -8, row, "texture") + svg_text(0, 18, row, "texture")


def ground(legend: Legend) -> str:
    """The ground of every hex, in the legend's order."""
    return "\n".join(svg_use(ground_id(legend, cell), *hex_centre(legend, cell)) for cell in legend.cells)


def lines(legend: Legend) -> str:
    """The lines over the ground: borders of zones, and roads; then numbers and names."""
    return "\n".join(part for part in (*_borders(legend), *_roads(legend), *_numbers(legend)) if part)


def _borders(legend: Legend) -> Iterator[str]:
    """A dashed line around a side's zone, except along impassable hexes such as the sea."""
    border = "".join(
        f"M{a[0]} {a[1]}L{b[0]} {b[1]}"
        for cell, neighbour, a, b in common_sides(legend)
        if cell.zone != neighbour.zone
        and not _is_impassable(legend, cell)
        and not _is_impassable(legend, neighbour)
    )
    if border:
        yield f'<path class="border" d="{border}"/>'


def _is_impassable(legend: Legend, cell: Cell) -> bool:
    return scenery(legend, cell.terrain) in ("water", "depression")


def _roads(legend: Legend) -> Iterator[str]:
    """Roads, curved through the centre of a hex if they join two of its sides, or else ending there.

    A road that would end in a hex at the edge of the map continues to that edge.
    """
    at = {cell.number: hex_centre(legend, cell) for cell in legend.cells}
    ends: dict[str, list[Point]] = {}
    for start, end in (*legend.links, *legend.roads):
        if start in at and end in at:
            ends.setdefault(start, []).append(midpoint(at[start], at[end]))
            ends.setdefault(end, []).append(midpoint(at[start], at[end]))
    centres = set(at.values())
    path = "".join(
        _road_path(at[number], _with_way_out(at[number], met, centres)) for number, met in ends.items()
    )
    if path:
        yield f'<path class="kerb" d="{path}"/><path class="road" d="{path}"/>'


def _with_way_out(centre: Point, ends: list[Point], centres: set[Point]) -> list[Point]:
    """The ends of a road in a hex; if there is one, and no hex beyond the opposite side, that side too."""
    if len(ends) != 1:
        return ends
    (x, y), (side_x, side_y) = centre, ends[0]
    beyond = 3 * x - 2 * side_x, 3 * y - 2 * side_y  # the centre of the hex beyond the opposite side
    near = any(abs(beyond[0] - other_x) < 3 and abs(beyond[1] - other_y) < 3 for other_x, other_y in centres)
    return ends if near else [ends[0], (2 * x - side_x, 2 * y - side_y)]


def _road_path(centre: Point, ends: list[Point]) -> str:
    x, y = centre
    if len(ends) == 2:
        (ax, ay), (bx, by) = ends
        return f"M{ax} {ay}Q{x} {y} {bx} {by}"
    return "".join(f"M{ax} {ay}L{x} {y}" for ax, ay in ends)


def _numbers(legend: Legend) -> Iterator[str]:
    """The number of each hex below its upper side, and its name above the lower one."""
    for cell in legend.cells:
        x, y = hex_centre(legend, cell)
        yield svg_text(x, y - HALF_HEIGHT + 12, cell.number, "number")
        yield _draw_label(x, y + HALF_HEIGHT - 4, cell.label)


MAX_LABEL_WIDTH = 92
"""The most width of a name: it can extend beyond its hex, but not over its neighbours' counters."""

_SURE_TO_FIT = 12
"""A name with this many letters fits that width in any font."""


def _draw_label(x: int, y: int, label: str) -> str:
    """A name, always in the same size; a long one has narrower letters."""
    if len(label) <= _SURE_TO_FIT:
        return svg_text(x, y, label, "label")
    narrow = f'textLength="{MAX_LABEL_WIDTH}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x}" y="{y}" class="label" {narrow}>{escape(label)}</text>'


def draw_marks(legend: Legend, cell: Cell) -> str:
    """The marks of a hex beside its counters, or around them, such as the ramparts of a fort."""
    x, y = hex_centre(legend, cell)
    return "".join(
        f'<g transform="translate({x + dx} {y + dy})">{draw_mark(legend, character)}</g>'
        for character, (dx, dy) in mark_places(legend, cell)
    )


def mark_places(legend: Legend, cell: Cell) -> list[tuple[str, Point]]:
    """Each mark of a hex with its place, relative to the centre."""
    free = iter((_WEST, _EAST, _SOUTH_EAST, _SOUTH_WEST))
    around = {character for character in cell.marks if legend.signs.get(character) == "fort"}
    return [(character, (0, 0) if character in around else next(free, (0, 0))) for character in cell.marks]


def draw_mark(legend: Legend, character: str) -> str:
    """The shape of a mark around 0, 0; if the legend has none, the character itself in a circle."""
    sign = legend.signs.get(character)
    if sign:
        return SIGNS[sign]
    return f'<circle class="sign" r="9"/><text y="5" class="name" font-size="14">{escape(character)}</text>'
