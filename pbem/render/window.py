"""Changed legends of a position: excerpts, hexes in reach of a unit, a commander's counters first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from pbem.core.hexes import distance
from pbem.core.legend import Cell, Legend, Piece
from pbem.render.hexmap import MAX_LARGE_COLUMNS
from pbem.texts import Texts

tr = Texts("pbem")

MAX_RADIUS = (MAX_LARGE_COLUMNS - 1) // 2
"""The largest radius of an excerpt that fits a line in large hexes."""

FIGURES_KEY, SIGNS_KEY = "1 2 3", "in hexes"
"""The legend's keys, among its marks, for the figures in hexes, and for signs that are no numbers."""


def explain_change_signs() -> str:
    """The explanation of the signs of `changed_hexes`."""
    return tr("+ came, - left, ! changed, x gone")


def key_line(mark: str, meaning: str) -> str:
    """A line of the key: a mark and its meaning."""
    return tr("in hexes: {meaning}", meaning=meaning) if mark == SIGNS_KEY else f"{mark} {meaning}"


def crop_around(legend: Legend, number: str, radius: int) -> Legend:
    """The hexes within `radius` of a hex, clipped at the map's edge, without counters off the map.

    Raises KeyError for a hex that is not on the map.
    """
    centre = {cell.number: cell for cell in legend.cells}[number]
    middle = legend.hex_of(centre)
    return _crop(legend, [cell for cell in legend.cells if distance(legend.hex_of(cell), middle) <= radius])


def crop_block(legend: Legend, columns: range, rows: range) -> Legend:
    """The hexes, at least one, in these columns and rows of the drawing, without counters off the map."""
    return _crop(legend, [cell for cell in legend.cells if cell.column in columns and cell.row in rows])


def shrink_block(
    legend: Legend, wanted: Mapping[str, int], sizes: Iterable[tuple[int, int]]
) -> Iterator[tuple[range, range]]:
    """Ever smaller blocks of a map, for `crop_block`, down to each of `sizes` in turn, in columns and rows.

    Each block is the one before without the edge that is worth least for its length. `wanted` gives the worth
    of hexes by their numbers; others are worth nothing.
    """
    columns, rows = range(legend.columns), range(legend.rows)
    worths = [(cell.column, cell.row, wanted[cell.number]) for cell in legend.cells if cell.number in wanted]

    def worth(edge: tuple[range, range]) -> tuple[float, int]:
        size = len(edge[0]) * len(edge[1])
        return sum(much for column, row, much in worths if column in edge[0] and row in edge[1]) / size, -size

    for least_columns, least_rows in sizes:
        while True:
            edges = [(columns[:1], rows), (columns[-1:], rows)] if len(columns) > least_columns else []
            edges += [(columns, rows[:1]), (columns, rows[-1:])] if len(rows) > least_rows else []
            if not edges:
                break
            upright, level = min(edges, key=worth)
            if level == rows:
                columns = _drop_end(columns, upright)
            else:
                rows = _drop_end(rows, level)
            yield columns, rows


def _drop_end(all_of_it: range, end: range) -> range:
    return all_of_it[1:] if end[0] == all_of_it[0] else all_of_it[:-1]


def hexes_in_contact(legend: Legend) -> list[str]:
    """The numbers of hexes with counters that have an enemy's in them or beside them."""
    occupied = [
        (cell.number, legend.hex_of(cell), {piece.side for piece in cell.pieces}) for cell in legend.cells
    ]
    occupied = [entry for entry in occupied if entry[2]]
    return [
        number
        for number, at, sides in occupied
        if any(distance(at, near) <= 1 and len(sides | others) > 1 for _, near, others in occupied)
    ]


def changed_hexes(before: Legend, after: Legend) -> dict[str, str]:
    """The hexes that differ, each with a sign that `explain_change_signs` explains."""
    then, now = (
        {piece.name: (cell.number, piece) for cell in legend.cells for piece in cell.pieces}
        for legend in (before, after)
    )
    signs: dict[str, str] = {}
    for name, (number, _) in then.items():
        if name in now and now[name][0] != number:
            signs[number] = "-"
    for name, (number, piece) in now.items():
        if name not in then or then[name][0] != number:
            signs[number] = "+"
        elif then[name][1] != piece:
            signs.setdefault(number, "!")
    signs.update({number: "x" for name, (number, _) in then.items() if name not in now})
    return signs


def put_groups_first(legend: Legend, side: str, groups: Collection[str]) -> Legend:
    """The legend with the counters of some groups of a side before all others."""

    def sort_pieces(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        return tuple(sorted(pieces, key=lambda piece: not (piece.side == side and piece.group in groups)))

    named = sorted(legend.groups, key=lambda group: group not in groups)
    return replace(
        legend,
        cells=tuple(replace(cell, pieces=sort_pieces(cell.pieces)) for cell in legend.cells),
        margins=tuple(replace(margin, pieces=sort_pieces(margin.pieces)) for margin in legend.margins),
        groups={group: legend.groups[group] for group in named},
    )


def _crop(legend: Legend, cells: list[Cell]) -> Legend:
    """The legend of these hexes alone, with the part of the key that they need."""
    seen = {mark for cell in cells for mark in _marks_in(cell)}
    if any(cell.reach for cell in cells):
        seen.update((FIGURES_KEY, SIGNS_KEY))
    inside = {cell.number for cell in cells}
    west, north = min(cell.column for cell in cells), min(cell.row for cell in cells)
    return replace(
        legend,
        columns=max(cell.column for cell in cells) - west + 1,
        rows=max(cell.row for cell in cells) - north + 1,
        cells=tuple(replace(cell, column=cell.column - west, row=cell.row - north) for cell in cells),
        terrain={
            key: words for key, words in legend.terrain.items() if any(key == cell.terrain for cell in cells)
        },
        marks={mark: meaning for mark, meaning in legend.marks.items() if mark in seen},
        margins=(),
        links=_pairs_inside(legend.links, inside),
        roads=_pairs_inside(legend.roads, inside),
        first_lower=legend.lowered(west),
    )


def _pairs_inside(pairs: Iterable[tuple[str, str]], inside: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of which both hexes are inside."""
    return tuple((first, second) for first, second in pairs if first in inside and second in inside)


def _marks_in(cell: Cell) -> str:
    """The marks of a hex and of the counters in it."""
    return cell.marks + "".join(piece.marks for piece in cell.pieces)


def keep_layer(legend: Legend, layer: str) -> Legend:
    """The legend with the counters of one layer alone, on the map and off it."""
    return replace(
        legend,
        cells=tuple(
            replace(cell, pieces=tuple(piece for piece in cell.pieces if piece.layer == layer))
            for cell in legend.cells
        ),
        margins=tuple(
            replace(margin, pieces=tuple(piece for piece in margin.pieces if piece.layer == layer))
            for margin in legend.margins
        ),
        layers=(layer,),
    )


def mark_reach(legend: Legend, reach: Mapping[str, str], meaning: str) -> Legend:
    """The legend with a figure or sign in each hex of `reach`; `meaning` goes into the key."""
    key = FIGURES_KEY if any(figure.isdigit() for figure in reach.values()) else SIGNS_KEY
    return replace(
        legend,
        cells=tuple(replace(cell, reach=reach.get(cell.number, "")) for cell in legend.cells),
        marks={key: meaning, **legend.marks},
    )
