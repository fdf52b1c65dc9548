"""A map as a small picture for a mail: a PNG of one to three kB, which needs no font and no library.

It shows what a map of small hexes shows, in colours where that has small letters and signs (`key`).
Hexes are squares in columns, every other column half a square lower. All lies on one grid, in a few flat
colours, and a side has one colour for all its counters: so rows of pixels are alike, and pack well.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from pbem.core.legend import Cell, Colour, Legend, Piece
from pbem.render.colours import CARDBOARD, LIGHT
from pbem.render.font import GLYPH_COLUMNS, glyph
from pbem.render.hexmap import kind_letter
from pbem.render.scenery import scenery
from pbem.render.terrain import GROUND
from pbem.render.window import key_line
from pbem.texts import Texts

tr = Texts("pbem")

HEX_PIXELS = 16
"""The side of a hex's square in pixels."""

RULER_PIXELS = 10
"""Pixels for column numbers above the map, and for row numbers left of it."""

_DEFAULT_COLOURS: tuple[Colour, Colour] = ("red", "blue")
"""The colours of sides to which the legend gives none; they stand out from every terrain."""

_MAX_PACKED_COLOURS = 16
"""The most colours with which a pixel fits half a byte."""


def map_to_png(legend: Legend) -> bytes:
    """The map as a PNG."""
    wide, high = map_png_width(legend), RULER_PIXELS + HEX_PIXELS * legend.rows + HEX_PIXELS // 2
    bitmap = _Bitmap(wide, high, LIGHT["paper"])
    places = {cell.number: (cell, *_hex_corner(legend, cell)) for cell in legend.cells}
    for cell, x, y in places.values():
        colour, sign = _ground_colour(legend, cell.terrain)
        bitmap.fill(x, y, HEX_PIXELS, HEX_PIXELS, colour)
        bitmap.write(x + 6, y + 6, sign, LIGHT["ink"])
    for start, end in (*legend.roads, *legend.links):
        bitmap.line(_hex_middle(*places[start][1:]), _hex_middle(*places[end][1:]), LIGHT["kerb"])
    for cell, x, y in places.values():
        _write_rulers(bitmap, cell, x, y)
        _draw_cell(bitmap, legend, cell, x, y)
    return bitmap.encode()


def map_png_width(legend: Legend) -> int:
    """The width of the picture in pixels."""
    return RULER_PIXELS + HEX_PIXELS * legend.columns


def map_png_key(legend: Legend) -> Iterator[tuple[str, str]]:
    """The lines of the key: of each its colour, or an empty text, and its text with sign or letter."""
    for side, word in legend.sides.items():
        yield _counter_colours(legend, side)[0], word
    letters = [f"{sign} {legend.called(kind)}" for kind, sign in legend.kinds.items()]
    factors = [tr("factors: {meaning}", meaning=legend.factors)] if legend.factors else []
    yield "", "; ".join([*letters, tr("a stack: its first counter, and how many"), *factors])
    for mark, meaning in legend.marks.items():
        yield "", key_line(mark, meaning)
    for name, (_, meaning) in legend.terrain.items():
        colour, sign = _ground_colour(legend, name)
        yield colour, f"{sign} {meaning}".strip()


def _ground_colour(legend: Legend, terrain: str) -> tuple[str, str]:
    """The colour of a terrain, and its sign if it shares that colour with another."""
    grounds = {name: GROUND[scenery(legend, name)][0] for name in legend.terrain}
    shared = list(grounds.values()).count(grounds[terrain]) > 1
    return LIGHT[grounds[terrain]], legend.small_sign(terrain) if shared else ""


def _counter_colours(legend: Legend, side: str) -> tuple[str, str]:
    """The colours of a side's counters and of the print on them."""
    return CARDBOARD[legend.colours.get(side) or _DEFAULT_COLOURS[list(legend.sides).index(side) % 2]]


def _hex_corner(legend: Legend, cell: Cell) -> tuple[int, int]:
    """The top left corner of a hex's square."""
    lower = HEX_PIXELS // 2 if legend.lowered(cell.column) else 0
    return RULER_PIXELS + HEX_PIXELS * cell.column, RULER_PIXELS + HEX_PIXELS * cell.row + lower


def _hex_middle(x: int, y: int) -> tuple[int, int]:
    return x + HEX_PIXELS // 2, y + HEX_PIXELS // 2


def _write_rulers(bitmap: _Bitmap, cell: Cell, x: int, y: int) -> None:
    """Write a column's number above its first hex, and a row's number left of its first hex."""
    if cell.row == 0:
        bitmap.write(x + 4, 2, cell.number[-4:-2], LIGHT["ink"])
    if cell.column == 0:
        bitmap.write(1, y + 6, cell.number[-2:], LIGHT["ink"])


def _draw_cell(bitmap: _Bitmap, legend: Legend, cell: Cell, x: int, y: int) -> None:
    """Draw the top counter of a hex, the number of counters if there are more, and the hex's marks."""
    if not cell.pieces:
        bitmap.write(x + 6, y + 6, cell.marks[:2], LIGHT["alarm"])
        return
    first = _top_counter(legend, cell.pieces)
    card, ink = _counter_colours(legend, first.side)
    bitmap.fill(x + 1, y + 1, HEX_PIXELS - 2, HEX_PIXELS - 2, card)
    bitmap.write(x + 3, y + 3, kind_letter(legend, first.kind), ink, 2)
    bitmap.write(x + 11, y + 2, cell.marks[:1], ink)
    bitmap.write(x + 11, y + 9, str(len(cell.pieces)) if len(cell.pieces) > 1 else "", ink)


def _top_counter(legend: Legend, pieces: Iterable[Piece]) -> Piece:
    """The counter that is shown: the first of the lowest layer."""
    layers = {name: number for number, name in enumerate(legend.layers)}
    return min(pieces, key=lambda piece: layers.get(piece.layer, 0))


class _Bitmap:
    """A picture of palette colours, each given by hexadecimal digits such as `#fbfaf5`."""

    def __init__(self, width: int, height: int, paper: str) -> None:
        self.width = width
        self._colours = {paper: 0}
        self._rows = [bytearray(width) for _ in range(height)]

    def fill(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """Fill a rectangle, clipped to the picture."""
        ink, width = self._colour_index(colour), max(0, min(width, self.width - x))
        for row in self._rows[y : y + height]:
            row[x : x + width] = bytes([ink]) * width

    def line(self, start: tuple[int, int], end: tuple[int, int], colour: str) -> None:
        """Draw a line one pixel wide."""
        ink, (x, y) = self._colour_index(colour), start
        across, down = end[0] - x, end[1] - y
        steps = max(abs(across), abs(down), 1)
        for step in range(steps + 1):
            self._rows[y + down * step // steps][x + across * step // steps] = ink

    def write(self, x: int, y: int, text: str, colour: str, size: int = 1) -> None:
        """Write characters, each of whose pixels is `size` wide and high."""
        for at, character in enumerate(text):
            for row, bits in enumerate(glyph(character)):
                for column in range(GLYPH_COLUMNS):
                    if bits >> (GLYPH_COLUMNS - 1 - column) & 1:
                        left = x + size * ((GLYPH_COLUMNS + 1) * at + column)
                        self.fill(left, y + size * row, size, size, colour)

    def encode(self) -> bytes:
        """The encoded file (W3C, PNG specification, third edition)."""
        depth = 4 if len(self._colours) <= _MAX_PACKED_COLOURS else 8
        lines = b"".join(b"\0" + _pack_row(row, depth) for row in self._rows)
        head = struct.pack(">IIBBBBB", self.width, len(self._rows), depth, 3, 0, 0, 0)
        palette = b"".join(bytes.fromhex(colour[1:]) for colour in self._colours)
        chunks = [(b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunk(*chunk) for chunk in chunks)

    def _colour_index(self, colour: str) -> int:
        """The index of a colour in the palette, which it is added to if it is new."""
        return self._colours.setdefault(colour, len(self._colours))


def _pack_row(row: bytearray, depth: int) -> bytes:
    """The bytes of a row: one or half a byte for each pixel."""
    if depth == 8:
        return bytes(row)
    return bytes(left << 4 | right for left, right in zip(row[::2], [*row[1::2], 0], strict=False))


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG: length, type, data and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
