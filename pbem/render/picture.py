"""The whole picture of a position: figures, map, key, and every counter on the map and off it."""

from __future__ import annotations

from pbem.core.legend import Cell, Legend, Margin
from pbem.render.hexmap import hexmap, side_ink, sign
from pbem.render.sheet import Sheet
from pbem.render.words import WIDTH, ascii_only, cut, wrap


def board(legend: Legend, *, colour: bool = False) -> str:
    """The position in plain ASCII, at most 78 columns wide; `colour` adds SGR escapes for a terminal.

    Raises ValueError if the map has more columns of hexes than fit.
    """
    parts = (
        _figures(legend),
        hexmap(legend).lines(colour),
        [*_pieces_key(legend), *_marks_key(legend), *_terrain_key(legend)],
        [*_roster(legend).lines(colour), *_margins(legend)],
    )
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _list(title: str, separator: str, items: list[str]) -> list[str]:
    """The title and the items in lines, each item whole where it fits; nothing without items."""
    if not items:
        return []
    lines = [title + items[0]]
    for item in items[1:]:
        joined = lines[-1] + separator + item
        if len(joined) <= WIDTH:
            lines[-1] = joined
        else:
            lines.append("  " + item)
    return [wrap(ascii_only(line), indent=2) for line in lines]


def _figures(legend: Legend) -> list[str]:
    return _list("", " | ", [f"{name}: {value}" for name, value in legend.figures])


def _pieces_key(legend: Legend) -> list[str]:
    """What the letters and the factors of the counters mean."""
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    kinds = dict.fromkeys(piece.kind for place in places for piece in place.pieces)
    items = [f"{kind[:1].upper()} {kind}" for kind in kinds]
    if items:
        items.append("small letter: reduced face")
    if legend.factors:
        items.append(f"factors: {legend.factors}")
    return _list("Counters: ", "; ", items)


def _marks_key(legend: Legend) -> list[str]:
    return _list("Marks: ", "; ", [f"{mark} {meaning}" for mark, meaning in legend.marks.items()])


def _terrain_key(legend: Legend) -> list[str]:
    """What each terrain does, after its texture, or its word where it has no texture."""
    items = [
        f"{legend.textures.get(name) or word or 'blank'} {meaning}"
        for name, (word, meaning) in legend.terrain.items()
    ]
    return _list("Terrain: ", "; ", items)


def _roster(legend: Legend) -> Sheet:
    """The counters on the map with their factors, one side beside the other."""
    width = WIDTH // len(legend.sides)
    columns = {side: [word.upper(), *_on_map(legend, side)] for side, word in legend.sides.items()}
    sheet = Sheet(WIDTH, max(map(len, columns.values())))
    for index, (side, lines) in enumerate(columns.items()):
        for y, line in enumerate(lines):
            sheet.write(index * width, y, cut(line, width - 1), side_ink(legend, side))
    return sheet


def _on_map(legend: Legend, side: str) -> list[str]:
    """A line for each counter of the side: name, letter, factors, hex and the hex's label."""
    return [
        f"{piece.name:8} {sign(piece)} {piece.factors:>5}  {cell.number} {cell.label}"
        for cell in legend.cells
        for piece in cell.pieces
        if piece.side == side
    ] or ["none on the map"]


def _margins(legend: Legend) -> list[str]:
    """The counters off the map, a list for each place that holds some."""
    lines = []
    for margin in legend.margins:
        counters = [f"{piece.name} {sign(piece)} {piece.factors}" for piece in margin.pieces]
        lines.extend(_list(f"{margin.title}: ", ", ", counters))
    return lines
