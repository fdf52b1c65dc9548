"""The contents of the map in lists: by counter, by kind of counter, or by hex."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from pbem.core.hexes import distance
from pbem.core.legend import Cell, Legend, Piece
from pbem.core.rulebook import holds
from pbem.render.hexmap import counter_letter, kind_letter
from pbem.render.sheet import Canvas, Ink, side_ink
from pbem.render.words import WIDTH, cut, format_list, to_ascii
from pbem.texts import Texts

tr = Texts("pbem")

MAX_NAMED = 24
"""The most counters in a box off the map that are named; more are counted by kind."""

UNWRAPPED_WIDTH = 10**6
"""The width of lines that the caller wraps."""


def list_by_counter(legend: Legend) -> Canvas:
    """The counters on the map, one to a line, the sides side by side."""
    return _columns_by_side(legend, {side: _counter_lines(legend, side) for side in legend.sides})


def list_by_kind(legend: Legend) -> Canvas:
    """The counters on the map, grouped by kind, the sides side by side."""
    return _columns_by_side(
        legend, {side: _kind_lines(legend, side, _column_width(legend) - 1) for side in legend.sides}
    )


def list_by_side(legend: Legend) -> Iterator[tuple[str, list[str]]]:
    """For each side its name, and its counters on the map, a line of any length for each kind."""
    for side, word in legend.sides.items():
        yield word, _kind_lines(legend, side, UNWRAPPED_WIDTH)


def list_by_hex(legend: Legend) -> list[str]:
    """The hexes that are not empty, each with its counters and notes."""
    lines = []
    for cell in legend.cells:
        contents = [*(_describe_in_full(legend, piece) for piece in cell.pieces), *cell.notes]
        if contents:
            lines += format_list(f"{cell.number} ", "; ", [*contents, *cell.asides])
    return lines


def list_nearest(legend: Legend, wanted: Sequence[Cell], width: int) -> list[tuple[str, Ink]]:
    """The counters of each side briefly and in its colour, by hex, those nearest to the wanted ones first."""
    middles = [legend.hex_of(cell) for cell in wanted]
    occupied = [cell for cell in legend.cells if cell.pieces]
    occupied.sort(key=lambda cell: min((distance(legend.hex_of(cell), at) for at in middles), default=0))
    lines = []
    for cell in occupied:
        for side, word in legend.sides.items():
            counters = [_describe_briefly(legend, piece) for piece in cell.pieces if piece.side == side]
            ink = side_ink(legend, side)
            lines += [(line, ink) for line in format_list(f"{cell.number} {word}: ", ", ", counters, width)]
    return lines


def list_margins(legend: Legend) -> list[str]:
    """The counters off the map, a list for each box."""
    lines = []
    for margin in legend.margins:
        counters = [
            f"{piece.name} {counter_letter(legend, piece)} {piece.factors}" for piece in margin.pieces
        ]
        lines.extend(format_list(f"{margin.title}: ", ", ", counters))
    return lines


def summarise_margins(legend: Legend, width: int = WIDTH) -> list[str]:
    """The names of the counters off the map; of many, the number of each kind."""
    lines = []
    for margin in legend.margins:
        kinds = [piece.kind for piece in margin.pieces]
        counted = [f"{kinds.count(kind)} {legend.called(kind)}" for kind in dict.fromkeys(kinds)]
        names = [piece.name for piece in margin.pieces]
        lines += format_list(f"{margin.title}: ", ", ", names if len(names) <= MAX_NAMED else counted, width)
    return lines


def explain_key(legend: Legend, words: Sequence[str], width: int = WIDTH) -> list[str]:
    """What the key of the map says about these words, with the hexes to which it applies."""
    lines: list[str] = []
    for meaning, names, where in _key_items(legend):
        if words and where and holds(f"{meaning} {names}", words):
            lines += format_list(tr("On the map: {what}:", what=meaning) + " ", ", ", where, width)
    return lines


def _key_items(legend: Legend) -> Iterator[tuple[str, str, list[str]]]:
    """Each terrain, mark and label of the map: its meaning, its other names, and the hexes with it."""
    cells = legend.cells
    for name, (word, meaning) in legend.terrain.items():
        said = f"{legend.textures.get(name, '')} {meaning}".strip()
        yield said, f"{name} {word}", [cell.number for cell in cells if cell.terrain == name]
    for mark, meaning in legend.marks.items():
        yield f"{mark} {meaning}", "", [cell.number for cell in cells if mark in cell.marks]
    for label in dict.fromkeys(cell.label for cell in cells if cell.label):
        yield label, "", [cell.number for cell in cells if cell.label == label]


def _columns_by_side(legend: Legend, lists: dict[str, list[str]]) -> Canvas:
    """The sides' lists in columns, each under the side's name."""
    width = _column_width(legend)
    columns = {side: [legend.sides[side].upper(), *lines] for side, lines in lists.items()}
    canvas = Canvas(WIDTH, max(map(len, columns.values())))
    for index, (side, lines) in enumerate(columns.items()):
        for y, line in enumerate(lines):
            canvas.write(index * width, y, cut(to_ascii(line), width - 1), side_ink(legend, side))
    return canvas


def _column_width(legend: Legend) -> int:
    """The width of a side's column, with the blank after it."""
    return WIDTH // len(legend.sides)


def _counters_with_hexes(legend: Legend, side: str) -> list[tuple[Piece, str]]:
    """The counters of a side on the map with their hexes."""
    return [(piece, cell.number) for cell in legend.cells for piece in cell.pieces if piece.side == side]


def _counter_lines(legend: Legend, side: str) -> list[str]:
    """A line for each counter of a side: name, letter, factors, hex and the hex's label."""
    labels = {cell.number: cell.label for cell in legend.cells}
    return [
        f"{piece.name:8} {counter_letter(legend, piece)} {piece.factors:>5}  {number} {labels[number]}"
        for piece, number in _counters_with_hexes(legend, side)
    ] or [tr("none on the map")]


def _kind_lines(legend: Legend, side: str, width: int) -> list[str]:
    """The counters of a side, grouped by group, kind and factors, with their hexes and marks."""
    lines = []
    in_order = sorted(_counters_with_hexes(legend, side), key=lambda placed: _sort_key(legend, placed[0]))
    for group, members in groupby(in_order, lambda placed: placed[0].group):
        if group in legend.groups:
            lines.append(legend.groups[group])
        for same, alike in groupby(members, lambda placed: _describe_face(legend, placed[0])):
            places = [f"{piece.name} {number}{piece.marks}" for piece, number in alike]
            listing = format_list(f"{same}: ", ", ", places, width)
            lines += "\n".join(listing).split("\n")
    return lines or [tr("none on the map")]


def _sort_key(legend: Legend, piece: Piece) -> tuple[int, int, str, bool, str, str]:
    """The sort key for the counters of a side."""
    group, kind = _index_of(legend.groups, piece.group), _index_of(legend.kinds, piece.kind)
    return group, kind, piece.kind, piece.reduced, piece.factors, piece.name


def _index_of(keys: Iterable[str], key: str) -> int:
    """The index of a key, or the number of keys if it is not one of them."""
    known = list(keys)
    return known.index(key) if key in known else len(known)


def _describe_face(legend: Legend, piece: Piece) -> str:
    """Kind and factors of a counter, briefly."""
    reduced = f" {legend.reduced}" if piece.reduced else ""
    return f"{kind_letter(legend, piece.kind)} {piece.factors}{reduced}"


def _describe_briefly(legend: Legend, piece: Piece) -> str:
    """A counter's name, letter, factors and marks, and whether it is reduced."""
    reduced = legend.briefly or legend.reduced if piece.reduced else ""
    words = [piece.name, kind_letter(legend, piece.kind), piece.factors + piece.marks, reduced]
    return " ".join(word for word in words if word)


def _describe_in_full(legend: Legend, piece: Piece) -> str:
    """A counter with everything on it, its side and its group."""
    words = [legend.sides[piece.side], f"{piece.name},", legend.called(piece.kind), piece.factors]
    words[2:2] = [legend.groups[piece.group]] if piece.group in legend.groups else []
    words += [legend.reduced] if piece.reduced else []
    return " ".join([*words, *piece.marks])
