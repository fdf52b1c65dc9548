"""The map without its counters: ground, roads, zones, numbers and names; and the marks of hexes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from pbem.core.legend import Cell, Legend, Scenery
from pbem.render.layout import HALF_HEIGHT, HEX_CORNERS, Point, common_sides, hex_centre, midpoint
from pbem.render.markup import escape, svg_text, svg_use
from pbem.render.terrain import GROUND, SIGNS

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
    """What lies over the ground: borders of zones and roads, then numbers and names."""
    return "\n".join(part for part in (*_borders(legend), *_roads(legend), *_numbers(legend)) if part)


def _borders(legend: Legend) -> Iterator[str]:
    """A dashed line where a side's zone ends, except along impassable hexes such as the sea."""
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
    """Roads, bent through the centre of a hex where they join two of its sides, else ending there."""
    at = {cell.number: hex_centre(legend, cell) for cell in legend.cells}
    ends: dict[str, list[Point]] = {}
    for start, end in (*legend.links, *legend.roads):
        if start in at and end in at:
            ends.setdefault(start, []).append(midpoint(at[start], at[end]))
            ends.setdefault(end, []).append(midpoint(at[start], at[end]))
    path = "".join(_road_path(at[number], met) for number, met in ends.items())
    if path:
        yield f'<path class="kerb" d="{path}"/><path class="road" d="{path}"/>'


def _road_path(centre: Point, ends: list[Point]) -> str:
    x, y = centre
    if len(ends) == 2:
        (ax, ay), (bx, by) = ends
        return f"M{ax} {ay}Q{x} {y} {bx} {by}"
    return "".join(f"M{ax} {ay}L{x} {y}" for ax, ay in ends)


def _numbers(legend: Legend) -> Iterator[str]:
    """The number of each hex below its upper side, its name above the lower one."""
    for cell in legend.cells:
        x, y = hex_centre(legend, cell)
        yield svg_text(x, y - HALF_HEIGHT + 12, cell.number, "number")
        yield svg_text(x, y + HALF_HEIGHT - 4, cell.label, "label", size=_label_size(cell.label))


def _label_size(label: str) -> int:
    """The font size of a name: it may extend beyond its hex, but not over its neighbours' counters."""
    return min(13, 120 // max(len(label), 1))


def draw_marks(legend: Legend, cell: Cell) -> str:
    """The marks of a hex beside its counters, or around them, such as the ramparts of a fort."""
    x, y = hex_centre(legend, cell)
    return "".join(
        f'<g transform="translate({x + dx} {y + dy})">{draw_mark(legend, character)}</g>'
        for character, (dx, dy) in mark_places(legend, cell)
    )


def mark_places(legend: Legend, cell: Cell) -> list[tuple[str, Point]]:
    """Each mark of a hex with its place, relative to the hex's centre."""
    free = iter((_WEST, _EAST, _SOUTH_EAST, _SOUTH_WEST))
    around = {character for character in cell.marks if legend.signs.get(character) == "fort"}
    return [(character, (0, 0) if character in around else next(free, (0, 0))) for character in cell.marks]


def draw_mark(legend: Legend, character: str) -> str:
    """The shape of a mark around 0, 0; without one in the legend, the character itself in a circle."""
    sign = legend.signs.get(character)
    if sign:
        return SIGNS[sign]
    return f'<circle class="sign" r="9"/><text y="5" class="name" font-size="14">{escape(character)}</text>'
