"""A position as a PNG: a small map for a mail, drawn pixel by pixel, or a drawing converted by resvg.

`map_to_png` needs no font and no library. It makes about 10 kB, at twice the resolution a phone shows. Hexes
are squares in columns, every other column half a square lower, each with its number and the names of its
counters (`map_png_key`). There are only a few flat colours, one for all counters of a side, so rows of pixels
are alike and compress well. Letters are three by five dots.

`svg_to_png` needs resvg, from the extra `picture`.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from pbem.core.legend import Cell, Colour, Legend, Piece
from pbem.errors import PbemError
from pbem.render.ascii_map import key_line
from pbem.render.svg_map import GROUND, scenery
from pbem.render.svg_style import CARDBOARD, LIGHT, resolve_colours
from pbem.texts import Texts

tr = Texts("pbem")


GLYPH_COLUMNS = 3
"""The width of a character in pixels."""

_GLYPHS = {
    " ": "00000", "!": "22202", '"': "55000", "#": "57575", "$": "36236", "%": "51245", "&": "25256",
    "'": "22000", "(": "12221", ")": "42224", "*": "05250", "+": "02720", ",": "00024", "-": "00700",
    ".": "00002", "/": "11244", "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711",
    "5": "74717", "6": "74757", "7": "71111", "8": "75757", "9": "75717", ":": "02020", ";": "02024",
    "<": "12421", "=": "07070", ">": "42124", "?": "71202", "@": "25743", "A": "25755", "B": "65656",
    "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755", "I": "72227",
    "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "25552", "P": "65644",
    "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775",
    "X": "55255", "Y": "55222", "Z": "71247", "[": "64446", "\\": "44211", "]": "31113", "^": "25000",
    "_": "00007", "`": "42000", "{": "32623", "|": "22222", "}": "62326", "~": "03600",
}  # fmt: skip
_UNKNOWN_GLYPH = "77777"


def glyph(character: str) -> tuple[int, ...]:
    """The rows of a character from the top, as bits; small letters are drawn as capitals."""
    return tuple(map(int, _GLYPHS.get(character.upper(), _UNKNOWN_GLYPH)))


HEX_PIXELS = 96
"""The side of a hex's square in pixels."""

_STRIPS, _STRIP_PIXELS, _NUMBER_PIXELS = 3, 26, 17
"""How many counters fit in a hex, and in pixels the height of each and of the hex's number above them."""

_DEFAULT_COLOURS: tuple[Colour, Colour] = ("red", "blue")
"""The colours of sides without one in the legend; they stand out from every terrain."""

_MAX_PACKED_COLOURS = 16
"""The most colours that let a pixel fit in half a byte."""


def map_to_png(legend: Legend) -> bytes:
    """The map as the bytes of a PNG."""
    wide, high = map_png_width(legend), HEX_PIXELS * legend.rows + HEX_PIXELS // 2
    bitmap = _Bitmap(wide, high, LIGHT["paper"])
    places = {cell.number: (cell, *_hex_corner(legend, cell)) for cell in legend.cells}
    for cell, x, y in places.values():
        colour, sign = _ground_colour(legend, cell.terrain)
        bitmap.fill(x, y, HEX_PIXELS, HEX_PIXELS, colour)
        bitmap.write(x + HEX_PIXELS - 16, y + HEX_PIXELS - 24, sign, LIGHT["ink"], 3)
    for start, end in (*legend.roads, *legend.links):
        bitmap.line(_hex_middle(*places[start][1:]), _hex_middle(*places[end][1:]), LIGHT["kerb"])
    for cell, x, y in places.values():
        _draw_cell(bitmap, legend, cell, x, y)
    return bitmap.encode()


def map_png_width(legend: Legend) -> int:
    """The width of the picture in pixels."""
    return HEX_PIXELS * legend.columns


def map_png_key(legend: Legend) -> Iterator[tuple[str, str]]:
    """The lines of the key, each as its colour or an empty text, and its text with sign or letter."""
    for side, word in legend.sides.items():
        yield _counter_colours(legend, side)[0], word
    letters = [f"{sign} {legend.called(kind)}" for kind, sign in legend.kinds.items()]
    factors = [tr("factors: {meaning}", meaning=legend.factors)] if legend.factors else []
    if words := "; ".join([*letters, *factors]):
        yield "", words
    if legend.reduced:
        yield LIGHT["alarm"], tr("below a name: {meaning}", meaning=legend.reduced)
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
    """The colours of a side's counters, and of the print on them."""
    return CARDBOARD[legend.colours.get(side) or _DEFAULT_COLOURS[list(legend.sides).index(side) % 2]]


def _hex_corner(legend: Legend, cell: Cell) -> tuple[int, int]:
    """The top left corner of a hex's square."""
    lower = HEX_PIXELS // 2 if legend.lowered(cell.column) else 0
    return HEX_PIXELS * cell.column, HEX_PIXELS * cell.row + lower


def _hex_middle(x: int, y: int) -> tuple[int, int]:
    return x + HEX_PIXELS // 2, y + HEX_PIXELS // 2


def _draw_cell(bitmap: _Bitmap, legend: Legend, cell: Cell, x: int, y: int) -> None:
    """Draw a hex's number and marks, and below them a strip for each counter, the lowest layer first.

    If there are more counters than strips, the last strip says how many.
    """
    bitmap.frame(x, y, HEX_PIXELS, LIGHT["kerb"])
    bitmap.write(x + 4, y + 4, cell.number, LIGHT["ink"], 2)
    bitmap.write(x + HEX_PIXELS - 20, y + 3, cell.marks[:2], LIGHT["alarm"], 2)
    pieces = _from_lowest_layer(legend, cell.pieces)
    more = len(pieces) - _STRIPS + 1 if len(pieces) > _STRIPS else 0
    for place, piece in enumerate(pieces[: len(pieces) - more]):
        _draw_strip(bitmap, legend, piece, x + 2, y + _NUMBER_PIXELS + place * _STRIP_PIXELS)
    if more:
        low = y + _NUMBER_PIXELS + (_STRIPS - 1) * _STRIP_PIXELS
        bitmap.write(x + 6, low + 4, f"+{more}", LIGHT["ink"], 3)


def _draw_strip(bitmap: _Bitmap, legend: Legend, piece: Piece, x: int, y: int) -> None:
    """Draw a counter: a strip in its side's colour, its name as large as fits, a line below if reduced."""
    card, ink = _counter_colours(legend, piece.side)
    wide, high = HEX_PIXELS - 4, _STRIP_PIXELS - 2
    bitmap.fill(x, y, wide, high, LIGHT["ink"])
    bitmap.fill(x + 1, y + 1, wide - 2, high - 2, card)
    fitting = (size for size in (4, 3) if size * (GLYPH_COLUMNS + 1) * len(piece.name) <= wide)
    size = next(fitting, 2)
    name = piece.name[: wide // (size * (GLYPH_COLUMNS + 1))]
    bitmap.write(x + 2, y + (high - 5 * size) // 2, name, ink, size)
    if piece.reduced:
        bitmap.fill(x, y + high - 2, wide, 2, LIGHT["alarm"])


def _from_lowest_layer(legend: Legend, pieces: Iterable[Piece]) -> list[Piece]:
    """The counters in the order in which they are shown."""
    layers = {name: number for number, name in enumerate(legend.layers)}
    return sorted(pieces, key=lambda piece: layers.get(piece.layer, 0))


class _Bitmap:
    """A picture in palette colours, each given as hexadecimal digits such as `#fbfaf5`."""

    def __init__(self, width: int, height: int, paper: str) -> None:
        self.width = width
        self._colours = {paper: 0}
        self._rows = [bytearray(width) for _ in range(height)]

    def fill(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """Fill a rectangle, clipped to the picture."""
        ink, width = self._colour_index(colour), max(0, min(width, self.width - x))
        for row in self._rows[y : y + height]:
            row[x : x + width] = bytes([ink]) * width

    def frame(self, x: int, y: int, side: int, colour: str) -> None:
        """Draw the left and upper edge of a square, one pixel wide."""
        self.fill(x, y, side, 1, colour)
        self.fill(x, y, 1, side, colour)

    def line(self, start: tuple[int, int], end: tuple[int, int], colour: str) -> None:
        """Draw a line one pixel wide."""
        ink, (x, y) = self._colour_index(colour), start
        across, down = end[0] - x, end[1] - y
        steps = max(abs(across), abs(down), 1)
        for step in range(steps + 1):
            self._rows[y + down * step // steps][x + across * step // steps] = ink

    def write(self, x: int, y: int, text: str, colour: str, size: int = 1) -> None:
        """Write characters whose dots are `size` pixels wide and high."""
        for at, character in enumerate(text):
            for row, bits in enumerate(glyph(character)):
                for column in range(GLYPH_COLUMNS):
                    if bits >> (GLYPH_COLUMNS - 1 - column) & 1:
                        left = x + size * ((GLYPH_COLUMNS + 1) * at + column)
                        self.fill(left, y + size * row, size, size, colour)

    def encode(self) -> bytes:
        """The bytes of the file (W3C, PNG specification, third edition)."""
        depth = 4 if len(self._colours) <= _MAX_PACKED_COLOURS else 8
        lines = b"".join(b"\0" + _pack_row(row, depth) for row in self._rows)
        head = struct.pack(">IIBBBBB", self.width, len(self._rows), depth, 3, 0, 0, 0)
        palette = b"".join(bytes.fromhex(colour[1:]) for colour in self._colours)
        chunks = [(b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunk(*chunk) for chunk in chunks)

    def _colour_index(self, colour: str) -> int:
        """The index of a colour in the palette; a new colour is added."""
        return self._colours.setdefault(colour, len(self._colours))


def _pack_row(row: bytearray, depth: int) -> bytes:
    """The bytes of a row: one byte or half a byte per pixel."""
    if depth == 8:
        return bytes(row)
    return bytes(left << 4 | right for left, right in zip(row[::2], [*row[1::2], 0], strict=False))


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG: length, type, data and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


FONT_FAMILIES = ("Arial", "Helvetica", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Segoe UI")
"""Font families to try: every ordinary computer has one of them."""

_FONT_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<text y="9" font-size="9" font-family="{}">{}</text></svg>'
)


def svg_to_png(svg: str, width: int) -> bytes:
    """The drawing in its light colours, `width` pixels wide.

    Raises `PbemError` if resvg is not installed, or finds no font and would leave out every word.
    """
    try:
        from resvg_py import svg_to_bytes  # here, because it is an extra
    except ImportError:
        hint = tr(
            "to install it, type {pip} in the folder of pbem, or {pipx}. Or write a .svg file",
            pip="pip install '.[picture]'",
            pipx="pipx inject pbem resvg-py",
        )
        raise PbemError(tr("a PNG needs the package resvg-py, which is not installed"), hint=hint) from None
    for family in FONT_FAMILIES:
        if svg_to_bytes(svg_string=_FONT_PROBE.format(family, "M")) != svg_to_bytes(
            svg_string=_FONT_PROBE.format(family, "")
        ):
            return bytes(svg_to_bytes(svg_string=resolve_colours(svg), width=width, sans_serif_family=family))
    fonts = ", ".join(FONT_FAMILIES)
    problem = tr("a PNG cannot show text here, because none of the fonts {fonts} is installed", fonts=fonts)
    raise PbemError(problem, hint=tr("install one of them, or write a .svg file"))
