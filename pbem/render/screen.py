"""A position fitted into a screen of any size, around the hexes where things happen.

Where there is room the map has lists beside it; else it is cut around the focus, drawn in small hexes, or
left out for lists by hex. Lists are of the counters on the drawn part of the map.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import NamedTuple, TypeAlias

from pbem.core.legend import Cell, Legend
from pbem.core.requests import Plain, texts
from pbem.render import hexmap, smallmap
from pbem.render.hexmap import letter
from pbem.render.roster import nearest, short_margins
from pbem.render.sheet import Ink, Sheet
from pbem.render.window import FIGURES, SIGNS, block
from pbem.render.words import WIDTH, listed

LIST, GAP = 30, 2
"""The least width of the lists beside a map, and the blanks between the two."""

NARROW, LOW = 50, 8
"""A screen of fewer columns, or of fewer lines, has no map, but lists alone."""


Line: TypeAlias = tuple[str, Ink]
"""A line of a list, with its colour."""


class Scale(NamedTuple):
    """A way to draw a map: what each column and row of hexes takes, and what the edges take beside them."""

    stride: int
    height: int
    sides: int
    ends: int

    def width(self, legend: Legend) -> int:
        """How wide the map is."""
        return self.stride * legend.columns + self.sides

    def lines(self, legend: Legend) -> int:
        """How high the map is."""
        return self.height * legend.rows + self.ends


LARGE = Scale(hexmap.STRIDE, hexmap.HEIGHT, 3, 1 + hexmap.HEIGHT // 2)
SMALL = Scale(smallmap.STRIDE, smallmap.HEIGHT, 2 * smallmap.RULER, smallmap.NUMBERS + 1)


class Box(NamedTuple):
    """A part of the screen: where its first line begins, and how much fits."""

    x: int
    y: int
    width: int
    height: int

    def beside(self, width: int) -> Box:
        """What is left on the right of what is so wide, behind a gap."""
        return Box(self.x + width + GAP, self.y, self.width - width - GAP, self.height)

    def below(self, height: int) -> Box:
        """What is left below so many lines."""
        return Box(self.x, self.y + height, self.width, self.height - height)


class Shown(NamedTuple):
    """How the map is shown: its scale, the part that is drawn, and whether the lists stand beside it.

    Without a scale there are lists alone, of the whole map.
    """

    scale: Scale | None
    part: Legend
    beside: bool


class Drawn(NamedTuple):
    """A position as it fits: its lines, and whether all of it is in them, the map and every counter."""

    lines: list[str]
    whole: bool


def screen(
    legend: Legend,
    width: int,
    height: int,
    focus: Collection[str] = (),
    first: Collection[str] = (),
    *,
    colour: bool = False,
) -> Drawn:
    """The position in ASCII lines, no more than `height`, none wider than `width` (at least 20).

    `focus` are the hexes that are wanted most, by their numbers; without any, all with counters. Those of
    `first` come before all others. `colour` adds SGR escapes, which take no width. What is left out is said
    in the lists.
    """
    wanted = [cell for cell in legend.cells if cell.number in focus or cell.number in first]
    wanted = wanted or [cell for cell in legend.cells if cell.pieces] or list(legend.cells)
    foremost = [cell for cell in wanted if cell.number in first]
    sheet = Sheet(width, height)
    tracks = [f"{name}: {value}" for name, value in legend.figures]
    top = "\n".join(listed("", " | ", tracks, width)).split("\n")[: max(height // 4, 1)]
    for y, line in enumerate(top):
        sheet.write(0, y, line)
    box = Box(0, len(top), width, height - len(top))
    shown = _shown(legend, wanted, foremost, box)
    if shown.scale:
        _draw(sheet, shown.scale, shown.part, box.y)
        beside, below = box.beside(shown.scale.width(shown.part)), box.below(shown.scale.lines(shown.part))
        box = beside if shown.beside else below
    whole = _write_lists(sheet, box, legend, shown, foremost or wanted)
    lines = sheet.lines(colour)
    while lines and not lines[-1]:
        lines.pop()
    return Drawn(lines, whole)


def mentioned(legend: Legend, told: Plain) -> list[str]:
    """The hexes that plain data, such as orders or the facts of events, name, themselves or by a counter.

    They make the focus of a screen.
    """
    names = set(texts(told))
    return [
        cell.number
        for cell in legend.cells
        if cell.number in names or any(piece.name in names for piece in cell.pieces)
    ]


def _shown(legend: Legend, wanted: list[Cell], foremost: list[Cell], box: Box) -> Shown:
    """The first way that has all the hexes wanted, or else the most: of the foremost, then of all.

    Large hexes from the one edge to the other need no others than the foremost.
    """
    lists_alone = Shown(None, legend, False)
    if box.width < NARROW or box.height < LOW:
        return lists_alone
    ways = [(LARGE, True)] if box.width >= WIDTH else []
    found = []
    for scale, beside in [*ways, (SMALL, True), (SMALL, False)]:
        room = box.width - (LIST + GAP if beside else 0)
        columns = min((room - scale.sides) // scale.stride, legend.columns)
        rows = min((box.height - scale.ends) // scale.height, legend.rows)
        if rows > 1 or rows == legend.rows:
            found.append(Shown(scale, _around(legend, foremost or wanted, columns, rows), beside))

    def worth(shown: Shown) -> tuple[int, int]:
        broad = shown.scale is LARGE and shown.part.columns == legend.columns and foremost
        return _held(shown.part, foremost), len(wanted) if broad else _held(shown.part, wanted)

    return max(found, key=worth, default=lists_alone)


def _held(part: Legend, wanted: list[Cell]) -> int:
    """How many of the hexes wanted are on a part of the map."""
    inside = {cell.number for cell in part.cells}
    return sum(cell.number in inside for cell in wanted)


def _around(legend: Legend, wanted: list[Cell], columns: int, rows: int) -> Legend:
    """So many columns and rows of the map, where they hold the most hexes wanted, best in their middle."""
    places = [(cell.column, cell.row) for cell in wanted]
    east, south = map(max, zip(*places, strict=True))
    left, top = map(min, zip(*places, strict=True))

    def worth(corner: tuple[int, int]) -> tuple[int, int]:
        west, north = corner
        held = sum(west <= column < west + columns and north <= row < north + rows for column, row in places)
        aside = abs(2 * west + columns - 1 - left - east) + abs(2 * north + rows - 1 - top - south)
        return held, -aside

    corners = product(range(legend.columns - columns + 1), range(legend.rows - rows + 1))
    west, north = max(corners, key=worth)
    return block(legend, range(west, west + columns), range(north, north + rows))


def _draw(sheet: Sheet, scale: Scale, part: Legend, y: int) -> None:
    """Draw a part of the map; of small hexes without the lower ruler."""
    width, lines = scale.width(part), scale.lines(part)
    if scale is LARGE:
        sheet.paste(0, y, hexmap.hexmap(part, width), 0, lines)
        return
    drawn = smallmap.smallmap(part, width)
    sheet.paste(0, y, drawn, 0, smallmap.NUMBERS)
    first = smallmap.RULER  # the line before it is blank
    sheet.paste(0, y + smallmap.NUMBERS, drawn, first, first + lines - smallmap.NUMBERS)


def _write_lists(sheet: Sheet, box: Box, legend: Legend, shown: Shown, wanted: list[Cell]) -> bool:
    """Write counters of what is shown, then those off the map, then the key, in columns one beside another.

    Lines that find no room are counted; of the key stands what has room, a third of it at least. Returns
    whether nothing but some of the key is left out.
    """
    if box.height == 0:
        return False
    number = max(box.width // (LIST + GAP), 1)
    stride = box.width // number
    beyond = _beyond(legend, shown) if box.height * number > 2 else []
    width = stride if number == 1 else stride - GAP
    numbers = {cell.number for cell in wanted}
    near = [cell for cell in shown.part.cells if cell.number in numbers]  # in the places of the part
    entries = [*nearest(shown.part, near, width), *_plain(short_margins(legend, width))]
    lines = [(line, ink) for text, ink in entries for line in text.split("\n")]
    room = box.height * number - len(beyond)
    key = [*beyond, *_plain(_key(shown, width, max(room - len(lines), room // 3)))]
    room += len(beyond)
    whole = not beyond and len(lines) <= room - len(key)
    if len(lines) > room - len(key):
        last = room - len(key) - 1
        lines[last:] = _plain([f"({len(lines) - last} lines more)"])
    for index, (line, ink) in enumerate([*lines, *key]):
        sheet.write(box.x + stride * (index // box.height), box.y + index % box.height, line, ink)
    return whole


def _beyond(legend: Legend, shown: Shown) -> list[Line]:
    """That a part of the map is not drawn, in which directions it lies, and how many counters are there."""
    if not shown.scale:
        return _plain(["(no room for a map)"])
    inside = {cell.number for cell in shown.part.cells}
    outside = [cell for cell in legend.cells if cell.number not in inside]
    if not outside:
        return []
    drawn = [cell for cell in legend.cells if cell.number in inside]
    columns, rows = [cell.column for cell in drawn], [cell.row for cell in drawn]
    beyond = {
        "N": any(cell.row < min(rows) for cell in outside),
        "E": any(cell.column > max(columns) for cell in outside),
        "S": any(cell.row > max(rows) for cell in outside),
        "W": any(cell.column < min(columns) for cell in outside),
    }
    counters = sum(len(cell.pieces) for cell in outside)
    where = " ".join(direction for direction, there in beyond.items() if there)
    return _plain([f"(map cut {where}: {counters} more)"])


def _key(shown: Shown, width: int, room: int) -> list[str]:
    """What figures, letters, marks and textures mean, as far as there is room.

    Where no map is drawn, also which hexes have them.
    """
    lines: list[str] = []
    for title, separator, items in _meanings(shown):
        item = "\n".join(listed(title, separator, items, width)).split("\n") if items else []
        if len(lines) + len(item) <= room:
            lines += item
    return lines


def _meanings(shown: Shown) -> Iterator[tuple[str, str, list[str]]]:
    """The items of the key, the first ones most wanted: what begins each, what parts it, and its parts."""
    part = shown.part
    figures = {mark: meaning for mark, meaning in part.marks.items() if mark in (FIGURES, SIGNS)}
    marks = {mark: meaning for mark, meaning in part.marks.items() if mark not in figures}
    yield from _marks_meanings(shown, figures)
    kinds = dict.fromkeys(piece.kind for cell in part.cells for piece in cell.pieces)
    letters = [f"{letter(part, kind)} {kind}" for kind in kinds]
    if letters and shown.scale:
        capitals = f"capitals {next(iter(part.sides.values()))}"
        letters.append(capitals if shown.scale is SMALL else f"small: {part.reduced}")
    yield "", ", ", letters
    yield from _marks_meanings(shown, marks)
    if shown.scale:
        for name, (_, meaning) in part.terrain.items():
            if name in part.textures:
                yield f"{part.textures[name]} ", "", [meaning]


def _marks_meanings(shown: Shown, marks: dict[str, str]) -> Iterator[tuple[str, str, list[str]]]:
    for mark, meaning in marks.items():
        if shown.scale:
            yield f"{mark} ", "", [meaning]
        else:
            yield f"{meaning}: ", ", ", _places(shown.part, mark)


def _places(legend: Legend, mark: str) -> list[str]:
    """The hexes that have a mark, or for the figures each hex with its own."""
    if mark in (FIGURES, SIGNS):
        return [f"{cell.number} {cell.reach}" for cell in legend.cells if cell.reach]
    return [cell.number for cell in legend.cells if mark in cell.marks]


def _plain(lines: list[str]) -> list[Line]:
    """Lines in plain ink, without line ends in them."""
    return [(line, Ink.PLAIN) for text in lines for line in text.split("\n")]
