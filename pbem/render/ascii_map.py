"""The map in ASCII, with large or small flat-topped hexes, and excerpts of it.

`crop_around`, `crop_block`, `keep_layer`, `put_groups_first` and `mark_reach` derive one `Legend` from
another; drawings use them too.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from itertools import groupby
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from pbem.core.hexes import distance
from pbem.core.legend import Cell, Legend, Piece
from pbem.render.safe_text import WIDTH, cut, drawn_text, keeps_accents
from pbem.texts import Texts

tr = Texts("pbem")


class Ink(Enum):
    """The colour of a character; the value is the parameter of its SGR escape sequence."""

    PLAIN = "0"
    FIRST = "36"
    SECOND = "33"
    THIRD = "35"
    MARK = "31"


SIDE_INKS = (Ink.FIRST, Ink.SECOND, Ink.THIRD)


class Canvas:
    """A rectangle of characters, at first all spaces; 0, 0 is the top left."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [[(" ", Ink.PLAIN)] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, ink: Ink = Ink.PLAIN) -> None:
        """Write text at column `x` of line `y`, over the content there, clipped at the end of the line."""
        row = self._rows[y]
        plain = drawn_text(text)[: len(row) - x]
        row[x : x + len(plain)] = [(character, ink) for character in plain]

    def paste(self, x: int, y: int, other: Canvas, first: int, last: int) -> None:
        """Copy the lines from `first` up to and excluding `last` of another canvas over the content."""
        for row, pasted in zip(self._rows[y:], other._rows[first:last], strict=False):
            row[x : x + len(pasted)] = pasted

    def lines(self, colour: bool) -> list[str]:
        """The lines without trailing spaces; `colour` adds SGR escapes around all text not in plain ink."""
        plain = ["".join(character for character, _ in row).rstrip() for row in self._rows]
        if not colour:
            return plain
        return [_colour_row(row[: len(line)]) for row, line in zip(self._rows, plain, strict=True)]


def side_ink(legend: Legend, side: str) -> Ink:
    """The ink of a side."""
    return SIDE_INKS[list(legend.sides).index(side) % len(SIDE_INKS)]


def _colour_row(row: list[tuple[str, Ink]]) -> str:
    runs = [
        (ink, "".join(character for character, _ in run)) for ink, run in groupby(row, lambda cell: cell[1])
    ]
    return "".join(text if ink is Ink.PLAIN else f"\x1b[{ink.value}m{text}\x1b[0m" for ink, text in runs)


LARGE_STRIDE, LARGE_HEIGHT = 8, 6
"""The columns from one large hex to the next, and the lines of a hex."""
MAX_LARGE_COLUMNS = (WIDTH - 3) // LARGE_STRIDE
"""How many columns of large hexes fit in a line."""

LARGE_OUTLINE = (
    (3, "_____"),
    (2, "/     \\"),
    (1, "/       \\"),
    (0, "/         \\"),
    (0, "\\         /"),
    (1, "\\       /"),
    (2, "\\_____/"),
)
"""The lines of a hex from its top, each after the column where it begins."""

EDGE_WIDTH = 5
"""The width of the text in the first and last line of a hex."""

BODY_LINES = ((2, 7), (1, 9), (1, 9), (2, 7))
"""The column and width of the four lines between number and terrain, from the outline's third."""


class HexLine(NamedTuple):
    """A line in a hex: text that can be cut, a tail that cannot, and the ink."""

    text: str
    tail: str = ""
    ink: Ink = Ink.PLAIN

    def fit(self, width: int) -> str:
        """The text, cut if necessary, and its tail, with a space between them if there is room."""
        if keeps_accents():
            return self._fit_screen(width)
        gap = " " if self.tail and len(self.text) + 1 + len(self.tail) <= width else ""
        return cut(drawn_text(self.text), width - len(gap + self.tail)) + gap + self.tail

    def _fit_screen(self, width: int) -> str:
        """A counter's name keeps its number, and its letter goes before the name is cut."""
        text = drawn_text(self.text)
        for name in (text, _shorten(text, width - 1 - len(self.tail))):
            for gap in (" ", "") if self.tail else ("",):
                if len(name + gap + self.tail) <= width:
                    return name + gap + self.tail
        return cut(text, width)


_NUMBERED = re.compile(r"([^\W\d_]{3,})(-\w{1,2})")
"""A counter's name that is a word with a number, such as `Crusader-2`."""


def _shorten(name: str, width: int) -> str:
    """A counter's name, shortened before its number; unchanged if it has none."""
    found = _NUMBERED.fullmatch(name)
    return found[1][: width - len(found[2])] + found[2] if found else name


def word_in_hex(legend: Legend, word: str) -> str:
    """The word for a side, a group, a label or a terrain in a hex; on a screen the brief one, if any."""
    return legend.brief.get(word, word) if keeps_accents() else word


def large_map_fits(legend: Legend, width: int = WIDTH) -> bool:
    """Whether the map in large hexes fits the width."""
    return _large_map_width(legend) <= width


def large_map(legend: Legend, width: int = WIDTH) -> Canvas:
    r"""The map in large hexes on a canvas of its own. Raises ValueError if it is wider than `width`.

    A hex is six lines high; its neighbours to the east are 8 characters right, half a hex up or down:

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
    """How many lines lower a column is."""
    return LARGE_HEIGHT // 2 if legend.lowered(column) else 0


def _large_hex_corner(legend: Legend, cell: Cell) -> tuple[int, int]:
    """The top left of the hex's rectangle on the canvas."""
    return LARGE_STRIDE * cell.column, LARGE_HEIGHT * cell.row + _column_shift(legend, cell.column)


def _draw_outline(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Draw the sides of a hex; neighbours draw the same characters on a common side."""
    left, top = _large_hex_corner(legend, cell)
    for y, (x, line) in enumerate(LARGE_OUTLINE, top):
        canvas.write(left + x, y, line)


def _write_edges(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Write number and marks below the upper side, and the reach or terrain on the lower side."""
    left, top = _large_hex_corner(legend, cell)
    text = cut(drawn_text(cell.number + cell.marks), EDGE_WIDTH)
    canvas.write(left + 3, top + 1, text)
    canvas.write(left + 3 + len(cell.number), top + 1, text[len(cell.number) :], Ink.MARK)
    word = word_in_hex(legend, legend.terrain[cell.terrain][0])
    ink = Ink.MARK if cell.reach else Ink.PLAIN
    canvas.write(
        left + 3, top + LARGE_HEIGHT, f"{cut(drawn_text(cell.reach or word), EDGE_WIDTH):_^{EDGE_WIDTH}}", ink
    )


def _write_body(canvas: Canvas, legend: Legend, cell: Cell) -> None:
    """Write side and counters, or the label of an empty hex; fill other lines with the texture."""
    left, top = _large_hex_corner(legend, cell)
    texture = legend.textures.get(cell.terrain, " ")
    lines = [*(_counter_lines(legend, cell) or _label_lines(legend, cell)), *[HexLine("")] * len(BODY_LINES)]
    for y, ((x, width), line) in enumerate(zip(BODY_LINES, lines, strict=False), top + 2):
        text = line.fit(width) or " ".join(texture * (width // 2))
        canvas.write(left + x, y, f"{text:^{width}}", line.ink)


def _counter_lines(legend: Legend, cell: Cell) -> list[HexLine]:
    """Each side's name and its counters, the longest name first because the last line is narrow.

    If all counters of a side belong to one group, the group's name replaces the side's. Counters without a
    line of their own are counted, as in `+2`.
    """
    lines: list[HexLine] = []
    for side, word in legend.sides.items():
        ink = side_ink(legend, side)
        pieces = sorted((p for p in cell.pieces if p.side == side), key=lambda piece: -len(piece.name))
        if pieces:
            groups = {legend.groups.get(piece.group, word) for piece in pieces}
            title = word_in_hex(legend, word if len(groups) > 1 else groups.pop())
            lines.append(HexLine(title.upper(), ink=ink))
        lines.extend(HexLine(piece.name, counter_letter(legend, piece), ink) for piece in pieces)
    if len(lines) > len(BODY_LINES):
        hidden = [line for line in lines[len(BODY_LINES) - 1 :] if line.tail]
        lines[len(BODY_LINES) - 1 :] = [HexLine(f"+{len(hidden)}")]
    return lines


def _label_lines(legend: Legend, cell: Cell) -> list[HexLine]:
    """The label of a hex, from the first wide line on; a long label is broken between words."""
    _, wide = BODY_LINES[1]
    words = textwrap.wrap(
        word_in_hex(legend, cell.label), wide, break_long_words=False, break_on_hyphens=False
    )
    return [HexLine(""), *map(HexLine, words)]


MAX_RADIUS = (MAX_LARGE_COLUMNS - 1) // 2
"""The largest radius of an excerpt whose large hexes fit in a line."""

FIGURES_KEY, SIGNS_KEY = "1 2 3", "in hexes"
"""The keys among a legend's marks that stand for figures in hexes, and for signs other than numbers."""


def explain_change_signs() -> str:
    """The explanation of the signs of `changed_hexes`."""
    return tr("+ arrived, - left, ! changed, x gone")


def key_line(mark: str, meaning: str) -> str:
    """A line of the key: a mark and its meaning."""
    return tr("in hexes: {meaning}", meaning=meaning) if mark == SIGNS_KEY else f"{mark} {meaning}"


def crop_around(legend: Legend, number: str, radius: int) -> Legend:
    """The hexes at most `radius` steps from a hex, clipped at the map's edge, without counters off the map.

    Raises KeyError for a hex that is not on the map.
    """
    centre = {cell.number: cell for cell in legend.cells}[number]
    middle = legend.hex_of(centre)
    return _crop(legend, [cell for cell in legend.cells if distance(legend.hex_of(cell), middle) <= radius])


def crop_block(legend: Legend, columns: range, rows: range) -> Legend:
    """The hexes, at least one, in these columns and rows of the drawing, without counters off the map."""
    return _crop(legend, [cell for cell in legend.cells if cell.column in columns and cell.row in rows])


def busiest_block(legend: Legend, worths: Mapping[str, int], columns: int, rows: int) -> tuple[range, range]:
    """The block of this many columns and rows, for `crop_block`, whose hexes together are worth most.

    `worths` is by hex number; other hexes are worth nothing. Of equal blocks, the most central.
    """
    places = [(cell.column, cell.row, worths[cell.number]) for cell in legend.cells if cell.number in worths]

    def worth(block: tuple[range, range]) -> tuple[int, int]:
        inside = sum(much for column, row, much in places if column in block[0] and row in block[1])
        off_centre = abs(2 * block[0].start + columns - legend.columns) + abs(
            2 * block[1].start + rows - legend.rows
        )
        return inside, -off_centre

    return max(
        (
            (range(west, west + columns), range(north, north + rows))
            for west in range(max(1, legend.columns - columns + 1))
            for north in range(max(1, legend.rows - rows + 1))
        ),
        key=worth,
    )


def hexes_in_contact(legend: Legend) -> list[str]:
    """The numbers of hexes with counters and an enemy in the same or an adjacent hex."""
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
    """The hexes that are different, each with one of the signs of `explain_change_signs`."""
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
    """The legend with the counters of these groups of a side before all others."""

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
    """The legend of these hexes only, with the part of the key they need."""
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
    """The pairs with both hexes inside."""
    return tuple((first, second) for first, second in pairs if first in inside and second in inside)


def _marks_in(cell: Cell) -> str:
    """The marks of a hex and of the counters in it."""
    return cell.marks + "".join(piece.marks for piece in cell.pieces)


def keep_layer(legend: Legend, layer: str) -> Legend:
    """The legend with only the counters of one layer, on and off the map."""
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


SMALL_STRIDE, SMALL_HEIGHT = 2, 2
"""The columns from one small hex to the next, and the lines of a hex."""

RULER = 3
"""The width of a row number with a space, and the height of the column numbers with a blank line."""

COLUMN_NUMBER_LINES = RULER - 1
"""The height of the column numbers without the blank line."""

OPEN_SIGN = "."
"""The sign of a terrain without a texture."""

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

    Column numbers are above and below the map, row numbers on its left for the upper columns and on its right
    for the lower ones. The first side's counters are capitals, the other's small letters.
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
    """The lines of the map, without the ruler below it."""
    return small_map(legend).lines(colour=False)[:-RULER]


def _small_hex_corner(legend: Legend, cell: Cell) -> tuple[int, int]:
    """The place on the canvas where the upper line of a hex begins."""
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
    """Write the content of a hex over its links.

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

    If hexes show figures of reach, a plus replaces the number, which might be next to a neighbour's figure.
    """
    if not pieces:
        return []
    first, ink = pieces[0], side_ink(legend, pieces[0].side)
    sign = kind_letter(legend, first.kind)
    signs = [(sign if first.side == next(iter(legend.sides)) else sign.lower(), ink)]
    more = "+" if FIGURES_KEY in legend.marks else str(len(pieces))
    return signs if len(pieces) == 1 else [*signs, (more, ink)]


def _write_line(canvas: Canvas, x: int, y: int, signs: Signs) -> None:
    """Write signs from this place on, clipped to the hex."""
    line = [(character, ink) for text, ink in signs for character in text]
    for (character, ink), at in zip(line[:SMALL_STRIDE], range(x, x + SMALL_STRIDE), strict=False):
        canvas.write(at, y, character, ink)
