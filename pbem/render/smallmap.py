"""The map of small hexes, each two characters wide and two lines high."""

from __future__ import annotations

from typing import TypeAlias

from pbem.core.legend import Cell, Legend, Piece
from pbem.render.hexmap import kind_letter
from pbem.render.sheet import Canvas, Ink, side_ink
from pbem.render.window import FIGURES_KEY
from pbem.render.words import WIDTH

SMALL_STRIDE, SMALL_HEIGHT = 2, 2

RULER = 3
"""The columns of a row number with a blank; the lines of column numbers above the map with a blank line."""

COLUMN_NUMBER_LINES = RULER - 1
"""The lines of column numbers without the blank line."""

OPEN_SIGN = "."
"""The sign of a terrain without texture."""

Signs: TypeAlias = list[tuple[str, Ink]]
"""The signs in a line of a hex, the most important first; those that do not fit are left out."""


def small_map(legend: Legend, width: int = WIDTH) -> Canvas:
    r"""The map in small hexes, with rulers, on a canvas of its own. Raises ValueError if wider than `width`.

    The upper line of a hex shows its content, the lower line what is above it, and the space left in both
    the links to the south and the east:

           01  03
             02  04

        01 .\ /.          0101 open ground and a link; 0301 the same
             T*| ~  01    0201 a counter T and the mark *; 0401 sea
        02 #   i          0102 mines; 0302 a counter i of another side
           F2.   .  02    0102 two counters F above; 0202 and 0402 open ground

    Column numbers stand above and below the map, row numbers on its left for the upper columns and on its
    right for the lower ones. The first side's counters are capitals, the others' small letters.
    """
    needed = SMALL_STRIDE * legend.columns + 2 * RULER
    if needed > width:
        raise ValueError(f"{legend.columns} columns of hexes need {needed} characters; at most {width} fit")
    canvas = Canvas(needed, RULER + SMALL_HEIGHT * legend.rows + RULER)
    cells = {cell.number: cell for cell in legend.cells}
    for first, second in legend.links:
        _draw_link(canvas, legend, cells[first], cells[second])
    for cell in legend.cells:
        _write_rulers(canvas, legend, cell)
        _write_cell(canvas, legend, cell)
    return canvas


def small_map_lines(legend: Legend) -> list[str]:
    """The lines of the map without the ruler below it."""
    return small_map(legend).lines(colour=False)[:-RULER]


def _small_hex_corner(legend: Legend, cell: Cell) -> tuple[int, int]:
    """Where the upper line of a hex begins on the canvas."""
    return RULER + SMALL_STRIDE * cell.column, RULER + SMALL_HEIGHT * cell.row + legend.lowered(cell.column)


def _draw_link(canvas: Canvas, legend: Legend, first: Cell, second: Cell) -> None:
    """Draw the link between two neighbours, with a character for each direction."""
    west, east = sorted((first, second), key=lambda cell: (cell.column, cell.row))
    x, y = _small_hex_corner(legend, west)
    if west.column == east.column:
        canvas.write(x, y + 1, "|")
    elif _small_hex_corner(legend, east)[1] > y:
        canvas.write(x + 1, y, "\\")
    else:
        canvas.write(x + 1, y - 1, "/")


def _write_rulers(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Write the column number above and below a column, at its first hex, and the row number beside a row."""
    x, y = _small_hex_corner(legend, cell)
    lower = legend.lowered(cell.column)
    if cell.row == 0:
        canvas.write(x, lower, cell.number[:-2])
        canvas.write(x, RULER + SMALL_HEIGHT * legend.rows + 1 + lower, cell.number[-4:-2])
    canvas.write(RULER + SMALL_STRIDE * legend.columns + 1 if lower else 0, y, cell.number[-2:])


def _write_cell(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Write what is in a hex, over its links.

    The last digit of its reach goes into the upper line, or into the lower one if the hex has a counter.
    """
    x, y = _small_hex_corner(legend, cell)
    above = [piece for piece in cell.pieces if piece.layer in legend.layers[1:]]
    ground = [piece for piece in cell.pieces if piece not in above]
    stack, reach = _stack_signs(legend, ground), [(cell.reach[-1:], Ink.MARK)]
    features = [(cell.marks, Ink.MARK), (legend.small_sign(cell.terrain), Ink.PLAIN)]
    upper = [*(stack or reach), *features]
    lower = [*(reach if stack else []), *_stack_signs(legend, above)]
    _write_line(canvas, x, y, upper if any(text for text, _ in upper) else [(OPEN_SIGN, Ink.PLAIN)])
    _write_line(canvas, x, y + 1, lower)


def _stack_signs(legend: Legend, pieces: list[Piece]) -> Signs:
    """The letter of the first counter, and the number of counters if there are more.

    While hexes show figures of reach, the number is a plus, since a neighbour's figure might stand beside it.
    """
    if not pieces:
        return []
    first, ink = pieces[0], side_ink(legend, pieces[0].side)
    sign = kind_letter(legend, first.kind)
    signs = [(sign if first.side == next(iter(legend.sides)) else sign.lower(), ink)]
    more = "+" if FIGURES_KEY in legend.marks else str(len(pieces))
    return signs if len(pieces) == 1 else [*signs, (more, ink)]


def _write_line(canvas: Canvas, x: int, y: int, signs: Signs) -> None:
    """Write signs from a place on, clipped to the hex."""
    line = [(character, ink) for text, ink in signs for character in text]
    for (character, ink), at in zip(line[:SMALL_STRIDE], range(x, x + SMALL_STRIDE), strict=False):
        canvas.write(at, y, character, ink)
