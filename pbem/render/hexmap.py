"""The map of large flat-topped hexes, with words and counters inside."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from pbem.core.legend import Cell, Legend, Piece
from pbem.render.sheet import Ink, Sheet, side_ink
from pbem.render.words import WIDTH, ascii_only, cut

STRIDE, HEIGHT = 8, 6
MOST_COLUMNS = (WIDTH - 3) // STRIDE
"""How many columns of large hexes fit a line."""

OUTLINE = (
    (3, "_____"),
    (2, "/     \\"),
    (1, "/       \\"),
    (0, "/         \\"),
    (0, "\\         /"),
    (1, "\\       /"),
    (2, "\\_____/"),
)
"""The lines of a hex from its top, each with the column where it begins."""

EDGE = 5
"""The width of the text in the first and last line of a hex."""

BODY = ((2, 7), (1, 9), (1, 9), (2, 7))
"""The four lines between number and terrain, from the outline's third: the column of each, and its width."""


class HexLine(NamedTuple):
    """A line in a hex: text that may be cut, a tail that may not, and the ink."""

    text: str
    tail: str = ""
    ink: Ink = Ink.PLAIN

    def fit(self, width: int) -> str:
        """The text, cut if necessary, and its tail, with a space between them if there is room."""
        gap = " " if self.tail and len(self.text) + 1 + len(self.tail) <= width else ""
        return cut(ascii_only(self.text), width - len(gap + self.tail)) + gap + self.tail


def fits(legend: Legend, width: int = WIDTH) -> bool:
    """Whether the map fits the width in large hexes."""
    return _width(legend) <= width


def hexmap(legend: Legend, width: int = WIDTH) -> Sheet:
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
    if not fits(legend, width):
        needed = f"{legend.columns} columns of hexes need {_width(legend)} characters"
        raise ValueError(f"{needed}; at most {width} fit")
    lowest = max(_shift(legend, column) for column in range(legend.columns))
    canvas = Sheet(_width(legend), HEIGHT * legend.rows + 1 + lowest)
    for cell in legend.cells:
        _draw_outline(canvas, legend, cell)
    for cell in legend.cells:
        _write_edges(canvas, legend, cell)
        _write_body(canvas, legend, cell)
    return canvas


def letter(legend: Legend, kind: str) -> str:
    """The capital letter of a kind of counter: the legend's, else the kind's initial."""
    return legend.kinds.get(kind, legend.called(kind)[:1].upper())


def sign(legend: Legend, piece: Piece) -> str:
    """The letter of a counter's kind: a capital on the full face, a small letter on the reduced face."""
    capital = letter(legend, piece.kind)
    return capital.lower() if piece.reduced else capital


def _width(legend: Legend) -> int:
    return STRIDE * legend.columns + 3


def _shift(legend: Legend, column: int) -> int:
    """By how many lines a column is lowered."""
    return HEIGHT // 2 if legend.lowered(column) else 0


def _corner(legend: Legend, cell: Cell) -> tuple[int, int]:
    """The top left of the hex's rectangle on the canvas."""
    return STRIDE * cell.column, HEIGHT * cell.row + _shift(legend, cell.column)


def _draw_outline(canvas: Sheet, legend: Legend, cell: Cell) -> None:
    """Draw the sides of the hex; neighbours draw the same characters on a common side."""
    left, top = _corner(legend, cell)
    for y, (x, line) in enumerate(OUTLINE, top):
        canvas.write(left + x, y, line)


def _write_edges(canvas: Sheet, legend: Legend, cell: Cell) -> None:
    """Write number and marks below the upper side, and the reach or else the terrain on the lower side."""
    left, top = _corner(legend, cell)
    text = cut(ascii_only(cell.number + cell.marks), EDGE)
    canvas.write(left + 3, top + 1, text)
    canvas.write(left + 3 + len(cell.number), top + 1, text[len(cell.number) :], Ink.MARK)
    word, _ = legend.terrain[cell.terrain]
    ink = Ink.MARK if cell.reach else Ink.PLAIN
    canvas.write(left + 3, top + HEIGHT, f"{cut(ascii_only(cell.reach or word), EDGE):_^{EDGE}}", ink)


def _write_body(canvas: Sheet, legend: Legend, cell: Cell) -> None:
    """Write side and counters, or the label of an empty hex; fill other lines with the texture."""
    left, top = _corner(legend, cell)
    texture = legend.textures.get(cell.terrain, " ")
    lines = [*(_stack(legend, cell) or _label(cell)), *[HexLine("")] * len(BODY)]
    for y, ((x, width), line) in enumerate(zip(BODY, lines, strict=False), top + 2):
        text = line.fit(width) or " ".join(texture * (width // 2))
        canvas.write(left + x, y, f"{text:^{width}}", line.ink)


def _stack(legend: Legend, cell: Cell) -> list[HexLine]:
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
        lines.extend(HexLine(piece.name, sign(legend, piece), ink) for piece in pieces)
    if len(lines) > len(BODY):
        hidden = [line for line in lines[len(BODY) - 1 :] if line.tail]
        lines[len(BODY) - 1 :] = [HexLine(f"+{len(hidden)}")]
    return lines


def _label(cell: Cell) -> list[HexLine]:
    """The label of a hex, from the first wide line on; a long one is broken between words."""
    _, wide = BODY[1]
    words = textwrap.wrap(cell.label, wide, break_long_words=False, break_on_hyphens=False)
    return [HexLine(""), *map(HexLine, words)]
