"""The map of large flat-topped hexes, with words and counters inside."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from pbem.core.legend import Cell, Legend, Piece
from pbem.render.sheet import Canvas, Ink, side_ink
from pbem.render.words import WIDTH, cut, to_ascii

LARGE_STRIDE, LARGE_HEIGHT = 8, 6
MAX_LARGE_COLUMNS = (WIDTH - 3) // LARGE_STRIDE
"""How many columns of large hexes fit a line."""

LARGE_OUTLINE = (
    (3, "_____"),
    (2, "/     \\"),
    (1, "/       \\"),
    (0, "/         \\"),
    (0, "\\         /"),
    (1, "\\       /"),
    (2, "\\_____/"),
)
"""The lines of a hex from its top, each with the column where it begins."""

EDGE_WIDTH = 5
"""The width of the text in the first and last line of a hex."""

BODY_LINES = ((2, 7), (1, 9), (1, 9), (2, 7))
"""The four lines between number and terrain, from the outline's third: the column of each, and its width."""


class HexLine(NamedTuple):
    """A line in a hex: text that may be cut, a tail that may not, and the ink."""

    text: str
    tail: str = ""
    ink: Ink = Ink.PLAIN

    def fit(self, width: int) -> str:
        """The text, cut if necessary, and its tail, with a space between them if there is room."""
        gap = " " if self.tail and len(self.text) + 1 + len(self.tail) <= width else ""
        return cut(to_ascii(self.text), width - len(gap + self.tail)) + gap + self.tail


def large_map_fits(legend: Legend, width: int = WIDTH) -> bool:
    """Whether the map fits the width in large hexes."""
    return _large_map_width(legend) <= width


def large_map(legend: Legend, width: int = WIDTH) -> Canvas:
    r"""The map in large hexes on a canvas of its own. Raises ValueError if it is wider than `width`.

    A hex is six lines high; its neighbours to the east lie 8 characters right, half a hex up and down:

           _____
          /1403!\         number and marks
         /GERMAN \        side
        / 2SS-A T \       counters: name, then the initial of the kind, small on the reduced face
        \  DF i   /
         \ # # # /        lines without words show the texture of the terrain
          \city_/         terrain
    """
    if not large_map_fits(legend, width):
        needed = f"{legend.columns} columns of hexes need {_large_map_width(legend)} characters"
        raise ValueError(f"{needed}; at most {width} fit")
    lowest = max(_column_shift(legend, column) for column in range(legend.columns))
    canvas = Canvas(_large_map_width(legend), LARGE_HEIGHT * legend.rows + 1 + lowest)
    for cell in legend.cells:
        _draw_outline(canvas, legend, cell)
    for cell in legend.cells:
        _write_edges(canvas, legend, cell)
        _write_body(canvas, legend, cell)
    return canvas


def kind_letter(legend: Legend, kind: str) -> str:
    """The capital letter of a kind of counter: the legend's, else the kind's initial."""
    return legend.kinds.get(kind, legend.called(kind)[:1].upper())


def counter_letter(legend: Legend, piece: Piece) -> str:
    """The letter of a counter's kind: a capital on the full face, a small letter on the reduced face."""
    capital = kind_letter(legend, piece.kind)
    return capital.lower() if piece.reduced else capital


def _large_map_width(legend: Legend) -> int:
    return LARGE_STRIDE * legend.columns + 3


def _column_shift(legend: Legend, column: int) -> int:
    """By how many lines a column is lowered."""
    return LARGE_HEIGHT // 2 if legend.lowered(column) else 0


def _large_hex_corner(legend: Legend, cell: Cell) -> tuple[int, int]:
    """The top left of the hex's rectangle on the canvas."""
    return LARGE_STRIDE * cell.column, LARGE_HEIGHT * cell.row + _column_shift(legend, cell.column)


def _draw_outline(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Draw the sides of the hex; neighbours draw the same characters on a common side."""
    left, top = _large_hex_corner(legend, cell)
    for y, (x, line) in enumerate(LARGE_OUTLINE, top):
        canvas.write(left + x, y, line)


def _write_edges(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Write number and marks below the upper side, and the reach or else the terrain on the lower side."""
    left, top = _large_hex_corner(legend, cell)
    text = cut(to_ascii(cell.number + cell.marks), EDGE_WIDTH)
    canvas.write(left + 3, top + 1, text)
    canvas.write(left + 3 + len(cell.number), top + 1, text[len(cell.number) :], Ink.MARK)
    word, _ = legend.terrain[cell.terrain]
    ink = Ink.MARK if cell.reach else Ink.PLAIN
    canvas.write(
        left + 3, top + LARGE_HEIGHT, f"{cut(to_ascii(cell.reach or word), EDGE_WIDTH):_^{EDGE_WIDTH}}", ink
    )


def _write_body(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Write side and counters, or the label of an empty hex; fill other lines with the texture."""
    left, top = _large_hex_corner(legend, cell)
    texture = legend.textures.get(cell.terrain, " ")
    lines = [*(_counter_lines(legend, cell) or _label_lines(cell)), *[HexLine("")] * len(BODY_LINES)]
    for y, ((x, width), line) in enumerate(zip(BODY_LINES, lines, strict=False), top + 2):
        text = line.fit(width) or " ".join(texture * (width // 2))
        canvas.write(left + x, y, f"{text:^{width}}", line.ink)


def _counter_lines(legend: Legend, cell: Cell) -> list[HexLine]:
    """Each side's name and its counters, the longest name first because the last line is narrow.

    Where all counters of a side belong to one group, the group's name replaces the side's. Counters for which
    there is no line are counted, such as `+2`.
    """
    lines: list[HexLine] = []
    for side, word in legend.sides.items():
        ink = side_ink(legend, side)
        pieces = sorted((p for p in cell.pieces if p.side == side), key=lambda piece: -len(piece.name))
        if pieces:
            groups = {legend.groups.get(piece.group, word) for piece in pieces}
            lines.append(HexLine((word if len(groups) > 1 else groups.pop()).upper(), ink=ink))
        lines.extend(HexLine(piece.name, counter_letter(legend, piece), ink) for piece in pieces)
    if len(lines) > len(BODY_LINES):
        hidden = [line for line in lines[len(BODY_LINES) - 1 :] if line.tail]
        lines[len(BODY_LINES) - 1 :] = [HexLine(f"+{len(hidden)}")]
    return lines


def _label_lines(cell: Cell) -> list[HexLine]:
    """The label of a hex, from the first wide line on; a long one is broken between words."""
    _, wide = BODY_LINES[1]
    words = textwrap.wrap(cell.label, wide, break_long_words=False, break_on_hyphens=False)
    return [HexLine(""), *map(HexLine, words)]
