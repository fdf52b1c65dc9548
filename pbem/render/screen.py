"""A position fitted into a screen of any size, around the hexes where something happens.

If there is room, the map has lists beside it; else it is cropped around the focus, drawn in small hexes, or
replaced by lists by hex. Lists show the counters on the drawn part of the map, then the others if there is
room.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, product
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from pbem.core.legend import Cell, Legend
from pbem.core.requests import Plain, texts
from pbem.render import ascii_map
from pbem.render.ascii_map import FIGURES_KEY, SIGNS_KEY, Canvas, Ink, crop_block, key_line, kind_letter
from pbem.render.ascii_picture import (
    list_nearest,
    list_tables,
    name_beside_first,
    name_nearest,
    summarise_margins,
)
from pbem.render.safe_text import WIDTH, drawn_text, format_list, keeping_accents, wrap
from pbem.texts import Texts

tr = Texts("pbem")


LIST_WIDTH, LIST_GAP = 30, 2
"""The least width of lists beside a map, and of the gap between the two."""

MIN_MAP_WIDTH, MIN_MAP_HEIGHT = 50, 8
"""A screen with fewer columns or lines shows only lists."""

MIN_LIST_HEIGHT = 6
"""The least height of lists below a map."""


class Scale(NamedTuple):
    """A scale for drawing a map: the space for each column and row of hexes, and for the edges around."""

    stride: int
    height: int
    sides: int
    ends: int

    def width(self, legend: Legend) -> int:
        """The width of a map, in columns."""
        return self.stride * legend.columns + self.sides

    def lines(self, legend: Legend) -> int:
        """The height of a map, in lines."""
        return self.height * legend.rows + self.ends


LARGE = Scale(ascii_map.LARGE_STRIDE, ascii_map.LARGE_HEIGHT, 3, 1 + ascii_map.LARGE_HEIGHT // 2)
SMALL = Scale(
    ascii_map.SMALL_STRIDE, ascii_map.SMALL_HEIGHT, 2 * ascii_map.RULER, ascii_map.COLUMN_NUMBER_LINES + 1
)


class Box(NamedTuple):
    """A part of the screen: the place of its top left corner, and its size."""

    x: int
    y: int
    width: int
    height: int

    def rest_beside(self, width: int) -> Box:
        """The rest of the box, to the right of this width and a gap."""
        return Box(self.x + width + LIST_GAP, self.y, self.width - width - LIST_GAP, self.height)

    def rest_below(self, height: int) -> Box:
        """The rest of the box below this height."""
        return Box(self.x, self.y + height, self.width, self.height - height)


class MapFit(NamedTuple):
    """How a map fits: its scale, the part to draw, and whether the lists are beside it or below.

    Without a scale there are only lists, of the whole map.
    """

    scale: Scale | None
    part: Legend
    beside: bool

    def shows_whole(self, legend: Legend) -> bool:
        """Whether the whole map is drawn, or there is no map."""
        return not legend.cells or (self.scale is not None and len(self.part.cells) == len(legend.cells))

    def split_cells(self, legend: Legend) -> tuple[list[Cell], list[Cell]]:
        """The hexes inside the drawn part of the map, and those outside."""
        numbers = {cell.number for cell in self.part.cells}
        return (
            [cell for cell in legend.cells if cell.number in numbers],
            [cell for cell in legend.cells if cell.number not in numbers],
        )


def fit_map(legend: Legend, wanted: list[Cell], foremost: list[Cell], box: Box) -> MapFit:
    """The best way to fit the map: with most of the foremost hexes, then with most of the wanted ones.

    Large hexes over the whole width are good enough if they show the foremost hexes, or two thirds of the
    rows; otherwise the whole map is better than less than two thirds of it. The lists go below a map that
    leaves no space beside it. Beside part of a map in small hexes they get half the width, if that costs none
    of the foremost hexes, so that there is room to name what is in a hex.
    """
    lists_alone = MapFit(None, legend, False)
    if box.width < MIN_MAP_WIDTH or box.height < MIN_MAP_HEIGHT:
        return lists_alone

    def fit(scale: Scale, list_width: int) -> MapFit | None:
        """The part of the map beside lists of this width, or above lists; None if not even one row fits."""
        width = box.width - list_width - LIST_GAP if list_width else box.width
        height = box.height if list_width else box.height - MIN_LIST_HEIGHT
        columns = min((width - scale.sides) // scale.stride, legend.columns)
        rows = min((height - scale.ends) // scale.height, legend.rows)
        if rows <= min(1, legend.rows - 1):
            return None
        return MapFit(scale, _best_part(legend, foremost or wanted, columns, rows), list_width > 0)

    def worth(shown: MapFit) -> tuple[int, int, bool]:
        part, broad = shown.part, shown.scale is LARGE and shown.part.columns == legend.columns
        if broad and part.rows * 3 >= legend.rows * 2:
            return len(foremost), len(wanted), True
        inside = len(wanted) if broad and foremost else _count_inside(part, wanted)
        ample = part.columns * part.rows * 3 >= legend.columns * legend.rows * 2
        return _count_inside(part, foremost), inside, broad or ample

    ways = [(LARGE, LIST_WIDTH)] if box.width >= WIDTH else []
    fits = [fit(*way) for way in [*ways, (SMALL, LIST_WIDTH), (SMALL, 0)]]
    best = max(filter(None, fits), key=worth, default=lists_alone)
    narrow = fit(SMALL, max(LIST_WIDTH, (box.width - LIST_GAP) // 2))
    if not narrow or best.scale is not SMALL or best.shows_whole(legend) or not (best.beside or foremost):
        return best
    same = _count_inside(narrow.part, foremost) == _count_inside(best.part, foremost)
    return narrow if same else best


def _count_inside(part: Legend, cells: list[Cell]) -> int:
    """How many of these hexes a part of the map contains."""
    inside = {cell.number for cell in part.cells}
    return sum(cell.number in inside for cell in cells)


def _best_part(legend: Legend, wanted: list[Cell], columns: int, rows: int) -> Legend:
    """The part of this many columns and rows with the most wanted hexes, as central as possible."""
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
    return crop_block(legend, range(west, west + columns), range(north, north + rows))


MIN_COUNTER_LINES = 2
"""How many lines a long key leaves for the lists of counters."""

LEAST_KEY_HEIGHT = 12
"""The least height of lists with a full key; in lower ones counters get half of the lines."""

Line: TypeAlias = tuple[str, Ink]
"""A line of a list, and its ink."""


class Screen(NamedTuple):
    """A position fitted into a screen: its lines, and whether they show the whole map and all counters."""

    lines: list[str]
    whole_map: bool
    whole: bool


class ScreenLayout(NamedTuple):
    """The layout of a position on a screen, before it is drawn.

    `top` are the lines of figures above the map, `figures` those in the lists instead; `box` is what map and
    lists share, and `wanted` are the hexes whose counters come first in the lists.
    """

    legend: Legend
    size: Box
    top: list[str]
    figures: list[str]
    box: Box
    shown: MapFit
    wanted: list[Cell]

    @property
    def whole_map(self) -> bool:
        """Whether the whole map is shown."""
        return self.shown.shows_whole(self.legend)


def draw_screen(
    legend: Legend,
    width: int,
    height: int,
    focus: Collection[str] = (),
    first: Sequence[str] = (),
    *,
    colour: bool = False,
    rest: str = "",
    margins_first: bool = False,
) -> Screen:
    """The position in at most `height` lines, none wider than `width` (at least 20).

    `focus` and `first` are as in `lay_out_screen`. `colour` adds SGR escapes, which take no width. The lists
    say what is left out, and that the command `rest` shows it; with `margins_first` they begin with the
    counters off the map.
    """
    layout = lay_out_screen(legend, width, height, focus, first)
    return draw_layout(layout, colour=colour, rest=rest, margins_first=margins_first)


@keeping_accents()
def lay_out_screen(
    legend: Legend, width: int, height: int, focus: Collection[str] = (), first: Sequence[str] = ()
) -> ScreenLayout:
    """The layout of a position in at most `height` lines, none wider than `width` (at least 20).

    `focus` has the numbers of the hexes to show if possible (default: all with counters). Those in `first`
    take precedence.
    """
    if not legend.cells:
        whole, box = MapFit(None, legend, False), Box(0, 0, width, height)
        return ScreenLayout(legend, box, [], [], box, whole, [])
    wanted = [cell for cell in legend.cells if cell.number in focus or cell.number in first]
    wanted = wanted or [cell for cell in legend.cells if cell.pieces] or list(legend.cells)
    foremost = sorted(
        (cell for cell in wanted if cell.number in first), key=lambda at: first.index(at.number)
    )
    tracks = [f"{name}: {value}" for name, value in legend.figures]
    top = "\n".join(format_list("", " | ", tracks, width)).split("\n")[: max(height // 4, 1)]
    full = Box(0, 0, width, height)
    box = Box(0, len(top), width, height - len(top))
    shown = fit_map(legend, wanted, foremost, box)
    if not shown.shows_whole(legend):
        higher = fit_map(legend, wanted, foremost, full)
        if higher.beside and higher.shows_whole(legend):  # then the figures move into the lists
            shown, box, top = higher, full, []
    return ScreenLayout(legend, full, top, [] if top else tracks, box, shown, foremost or wanted)


@keeping_accents()
def draw_layout(
    layout: ScreenLayout, *, colour: bool = False, rest: str = "", margins_first: bool = False
) -> Screen:
    """Draw a position in this layout; `rest` and `margins_first` are as in `draw_screen`."""
    legend, shown, box = layout.legend, layout.shown, layout.box
    if not legend.cells:
        return _draw_tables(legend, box.width, box.height)
    canvas = Canvas(layout.size.width, layout.size.height)
    for y, line in enumerate(layout.top):
        canvas.write(0, y, line)
    if shown.scale:
        _draw_part(canvas, shown.scale, shown.part, box.y)
        beside, below = (
            box.rest_beside(shown.scale.width(shown.part)),
            box.rest_below(shown.scale.lines(shown.part)),
        )
        box = beside if shown.beside else below
    whole = _write_lists(canvas, box, layout, rest, margins_first=margins_first)
    lines = canvas.lines(colour)
    while lines and not lines[-1]:
        lines.pop()
    return Screen(lines, layout.whole_map, whole)


def _draw_tables(legend: Legend, width: int, height: int) -> Screen:
    """A position without a map: its figures, then its lists, as many lines as fit."""
    figures = format_list("", " | ", [f"{name}: {value}" for name, value in legend.figures], width)
    lines = [
        drawn_text(line) for text in [*figures, *list_tables(legend, width)] for line in text.split("\n")
    ]
    return Screen(lines[:height], len(lines) <= height, len(lines) <= height)


def mentioned_hexes(legend: Legend, data: Plain) -> list[str]:
    """The hexes mentioned in plain data, such as orders or events' facts, directly or by a counter there.

    They make a focus for `draw_screen`.
    """
    names = set(texts(data))
    return [
        cell.number
        for cell in legend.cells
        if cell.number in names or any(piece.name in names for piece in cell.pieces)
    ]


MOST_FOCUS_HEXES = 30
"""The most hexes for a focus from events or orders; more would not locate anything."""


def event_hexes(legend: Legend, facts: Plain, harm: Plain) -> list[str]:
    """The hexes where events happened, for a focus, from their facts.

    If there are too many, only those of `harm`, the facts of hits and losses; none if these are too many as
    well.
    """
    found = (mentioned_hexes(legend, some) for some in (facts, harm))
    return next((hexes for hexes in found if len(hexes) <= MOST_FOCUS_HEXES), [])


def _draw_part(canvas: Canvas, scale: Scale, part: Legend, y: int) -> None:
    """Draw part of the map, in small hexes without the lower ruler."""
    width, lines = scale.width(part), scale.lines(part)
    if scale is LARGE:
        canvas.paste(0, y, ascii_map.large_map(part, width), 0, lines)
        return
    small = ascii_map.small_map(part, width)
    canvas.paste(0, y, small, 0, ascii_map.COLUMN_NUMBER_LINES)
    first = ascii_map.RULER  # after a blank line
    canvas.paste(
        0, y + ascii_map.COLUMN_NUMBER_LINES, small, first, first + lines - ascii_map.COLUMN_NUMBER_LINES
    )


def _write_lists(canvas: Canvas, box: Box, layout: ScreenLayout, rest: str, *, margins_first: bool) -> bool:
    """Write the figures, the counters on and off the map, and the key, in columns side by side.

    Lines that do not fit are counted. The key to what is drawn takes precedence over all but the first lines
    of the lists; the rest of the key is written if it fits. If not all counters fit with their factors, only
    their names are listed by hex. Returns whether nothing but some of the key is left out.
    """
    if box.height == 0:
        return False
    legend, shown = layout.legend, layout.shown
    number = max(box.width // (LIST_WIDTH + LIST_GAP), 1)
    stride = box.width // number
    width = stride if number == 1 else stride - LIST_GAP
    room = box.height * number
    reached = _plain_lines(_reach_key(shown, width))
    first = [*reached, *_plain_lines(format_list("", " | ", layout.figures, width))]
    counters, others = _counter_lines(legend, shown, layout.wanted, width)
    off = _plain_lines(summarise_margins(legend, width))

    def with_margins(counters: list[Line]) -> list[Line]:
        return [*first, *off, *counters] if margins_first else [*first, *counters, *off]

    together = len([*first, *counters, *others, *off]) < room - room // 3
    lines = with_margins([*counters, *(others if together else [])])
    briefly = not together and bool(shown.scale)
    inside, _ = shown.split_cells(legend)
    near = [cell for cell in layout.wanted if cell in inside]
    if briefly:  # every counter's name comes before its factors or the rest of the key
        lines = with_margins(_split_lines(name_nearest(legend, near, width)))
    beyond = _note_cut_part(legend, shown) if room > 2 else []
    room -= len(beyond)
    kept = MIN_COUNTER_LINES if box.height >= LEAST_KEY_HEIGHT else max(room // 2, MIN_COUNTER_LINES)
    most = room - kept - len(reached)
    key = [*beyond, *_plain_lines(_key_lines(shown, width, room - len(lines), most, briefly=briefly))]
    room += len(beyond) - len(key)
    complete = not (beyond or briefly) and len(lines) <= room
    if len(lines) > room:
        if briefly:
            lines = with_margins(_split_lines(name_beside_first(legend, near, width)))
        lines[room - 1 :] = _plain_lines([_count_lines_left(len(lines) - room + 1, rest, width)])
    for index, (line, ink) in enumerate([*lines, *key]):
        canvas.write(box.x + stride * (index // box.height), box.y + index % box.height, line, ink)
    return complete


def _counter_lines(
    legend: Legend, shown: MapFit, wanted: list[Cell], width: int
) -> tuple[list[Line], list[Line]]:
    """The counters on the drawn part, and those elsewhere, hex by hex, nearest to the wanted hexes first."""
    inside, outside = shown.split_cells(legend)
    near = [cell for cell in wanted if cell in inside]
    parts = (replace(legend, cells=tuple(cells)) for cells in (inside, outside))
    ours, others = (_split_lines(list_nearest(part, near, width)) for part in parts)
    return ours, others


def _split_lines(texts: Iterable[Line]) -> list[Line]:
    return [(line, ink) for text, ink in texts for line in text.split("\n")]


def _count_lines_left(number: int, rest: str, width: int) -> str:
    """A line about how many lines are left out, and what shows them if that fits."""
    said = tr.plural("({number} line more)", "({number} lines more)", number)
    told = f"{said[:-1]}: {rest})"
    return told if rest and len(told) <= width else said


def _note_cut_part(legend: Legend, shown: MapFit) -> list[Line]:
    """A note about the directions in which the map is cropped."""
    if not shown.scale:
        return _plain_lines([tr("(no room for a map)")])
    drawn, outside = shown.split_cells(legend)
    if not outside:
        return []
    columns, rows = [cell.column for cell in drawn], [cell.row for cell in drawn]
    beyond = {
        tr.sense("north", "N"): any(cell.row < min(rows) for cell in outside),
        tr.sense("east", "E"): any(cell.column > max(columns) for cell in outside),
        tr.sense("south", "S"): any(cell.row > max(rows) for cell in outside),
        tr.sense("west", "W"): any(cell.column < min(columns) for cell in outside),
    }
    where = " ".join(direction for direction, there in beyond.items() if there)
    return _plain_lines([tr("(map cut {where})", where=where)])


def _key_lines(shown: MapFit, width: int, left: int, most: int, *, briefly: bool) -> list[str]:
    """The key to figures, letters, marks and textures; without a map, also the hexes with them.

    `left` is the number of free lines, `most` the number the key can take from the lists. A key longer than
    `left` omits rules and factors. One longer than `most`, or if `briefly` longer than `left`, has a word or
    two per item, one after another, and leaves the lists a single line.
    """
    items = list(_key_items(shown))
    bare = [(title, separator, [*map(_strip_rule, parts)]) for title, separator, parts in items]
    for every, room in (
        ([*items, *_factor_items(shown)], left),
        (bare, left if briefly else max(left, most)),
    ):
        lines = [line for item in every for line in _item_lines(*item, width)]
        if len(lines) <= room:
            return lines
    if shown.scale:
        brief = [f"{title}{_first_words(part)}" for title, _, parts in bare[1:] for part in parts]
        letters, room = _letter_items(shown, drawn=True), max(left, most + 1)
        packed = _pack_items([*brief, *letters], width)
        return packed if len(packed) <= room else _pack_items([*reversed(letters), *brief], width)[:room]
    while bare and len(lines) > max(left, most):
        bare.pop()
        lines = [line for item in bare for line in _item_lines(*item, width)]
    return lines


def _item_lines(title: str, separator: str, parts: list[str], width: int) -> list[str]:
    return "\n".join(format_list(title, separator, parts, width)).split("\n") if parts else []


def _pack_items(items: list[str], width: int) -> list[str]:
    """Items in few lines, each in the first line with room."""
    lines: list[str] = []
    for item in map(drawn_text, items):
        at = next((n for n, line in enumerate(lines) if len(f"{line}, {item}") <= width), len(lines))
        lines[at:] = [f"{lines[at]}, {item}", *lines[at + 1 :]] if at < len(lines) else [item]
    return [text for line in lines for text in wrap(line, width, indent=2).split("\n")]


def _strip_rule(meaning: str) -> str:
    """A meaning without the number of its rule."""
    return re.sub(r" \([^()]*\)$", "", meaning)


def _first_words(meaning: str) -> str:
    """The first words of a meaning: `mined` from `mined, infantry only`."""
    return re.split(r"[,:] ", meaning, maxsplit=1)[0]


def _key_items(shown: MapFit) -> Iterator[tuple[str, str, list[str]]]:
    """The items of the key, the most important first, each as its title, separator and parts."""
    part = shown.part
    marks = [mark for mark in part.marks if mark not in (FIGURES_KEY, SIGNS_KEY)]
    marks.sort(key=lambda mark: -len(_hexes_with_mark(part, mark)))
    yield "", ", ", _letter_items(shown)
    for mark in marks:
        meaning = part.marks[mark]
        yield (
            (f"{mark} ", "", [meaning])
            if shown.scale
            else (f"{meaning}: ", ", ", _hexes_with_mark(part, mark))
        )
    if shown.scale:
        for name, (_, meaning) in part.terrain.items():
            sign = part.small_sign(name) if shown.scale is SMALL else part.textures.get(name)
            if sign:
                yield f"{sign} ", "", [meaning]
    if shown.scale and part.links and part.link:
        yield "", "", [f"\\ | / {part.link}"]


def _letter_items(shown: MapFit, *, drawn: bool = False) -> list[str]:
    """The meaning of counters' letters and other signs; if `drawn`, only of those in small hexes."""
    part = shown.part
    stacks = [
        [piece for piece in cell.pieces if (piece.layer in part.layers[1:]) == above]
        for cell in part.cells
        for above in (False, True)
    ]
    kinds = dict.fromkeys(piece.kind for pieces in stacks for piece in pieces[: 1 if drawn else None])
    letters = [f"{kind_letter(part, kind)} {part.called(kind)}" for kind in kinds]
    if letters and shown.scale is SMALL:
        letters.append(tr("capitals {meaning}", meaning=next(iter(part.sides.values()))))
        if any(len(pieces) > 1 for pieces in stacks) and FIGURES_KEY not in part.marks:
            letters.append(tr("2: two"))
    elif letters and shown.scale and part.reduced:
        letters.append(tr("small: {meaning}", meaning=part.reduced))
    return letters


def _factor_items(shown: MapFit) -> Iterator[tuple[str, str, list[str]]]:
    """The key to the factors of counters, if any are shown."""
    part = shown.part
    if part.factors and any(cell.pieces for cell in part.cells):
        yield "", "", [tr("factors: {meaning}", meaning=part.factors)]


def _reach_key(shown: MapFit, width: int) -> list[str]:
    """The key to the figures or signs in hexes; without a map, also the hexes with them."""
    part = shown.part
    headings = [
        key_line(mark, meaning) for mark, meaning in part.marks.items() if mark in (FIGURES_KEY, SIGNS_KEY)
    ]
    lines = [wrap(line, width, indent=2) for line in headings]
    for sign in sorted({cell.reach for cell in part.cells if cell.reach and not shown.scale}):
        lines += format_list(
            f"{sign}: ", ", ", _hex_runs(cell.number for cell in part.cells if cell.reach == sign), width
        )
    return lines


def _hex_runs(numbers: Iterable[str]) -> list[str]:
    """Hexes, with consecutive numbers joined, such as `1403-1405`."""
    rows = groupby(enumerate(numbers), lambda pair: int(pair[1]) - pair[0])
    runs = [[number for _, number in run] for _, run in rows]
    return [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def _hexes_with_mark(legend: Legend, mark: str) -> list[str]:
    """The hexes that have a mark, or a counter with it."""
    return [
        cell.number
        for cell in legend.cells
        if mark in cell.marks or any(mark in piece.marks for piece in cell.pieces)
    ]


def _plain_lines(lines: list[str]) -> list[Line]:
    """The texts, split into lines, in plain ink."""
    return [(line, Ink.PLAIN) for text in lines for line in text.split("\n")]
