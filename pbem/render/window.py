"""Parts of a picture, as pictures: the hexes around one, one layer of the counters, the hexes in reach."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.core.hexes import Hex, distance
from pbem.core.legend import Cell, Legend
from pbem.render.hexmap import MOST_COLUMNS

MOST_RADIUS = (MOST_COLUMNS - 1) // 2
"""How many hexes around its centre a window of large hexes shows at most."""


def around(legend: Legend, number: str, radius: int) -> Legend:
    """The hexes within `radius` of one, clipped at the map's edge, without what is off the map.

    Raises KeyError for a hex that is not on the map.
    """
    centre = {cell.number: cell for cell in legend.cells}[number]
    middle = _hex(legend, centre)
    near = [cell for cell in legend.cells if distance(_hex(legend, cell), middle) <= radius]
    seen = {mark for cell in near for mark in _marks(cell)}
    west, north = min(cell.column for cell in near), min(cell.row for cell in near)
    return replace(
        legend,
        columns=max(cell.column for cell in near) - west + 1,
        rows=max(cell.row for cell in near) - north + 1,
        cells=tuple(replace(cell, column=cell.column - west, row=cell.row - north) for cell in near),
        terrain={
            key: words for key, words in legend.terrain.items() if any(key == cell.terrain for cell in near)
        },
        marks={mark: meaning for mark, meaning in legend.marks.items() if mark in seen},
        margins=(),
        first_lower=legend.lowered(west),
    )


def _marks(cell: Cell) -> str:
    """The marks of a hex and of the counters in it."""
    return cell.marks + "".join(piece.marks for piece in cell.pieces)


def only(legend: Legend, layer: str) -> Legend:
    """The counters of one layer, on the map and off it."""
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


def reaching(legend: Legend, reach: Mapping[str, str], meaning: str) -> Legend:
    """The hexes in reach, each with its figure; `meaning` is for the key."""
    return replace(
        legend,
        cells=tuple(replace(cell, reach=reach.get(cell.number, "")) for cell in legend.cells),
        marks={"1 2 3": meaning, **legend.marks},
    )


def _hex(legend: Legend, cell: Cell) -> Hex:
    """A hex in axial coordinates; the axis of `r` runs down to the east."""
    return Hex(cell.column, cell.row - (cell.column + legend.first_lower) // 2)
