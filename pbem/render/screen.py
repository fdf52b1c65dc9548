"""A position fitted into a screen of any size, around the hexes where things happen.

Where there is room the map has lists beside it; else it is cut around the focus, drawn in small hexes, or
left out for lists by hex. Lists are of the counters on the drawn part of the map, and of the others where
they have room.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from pbem.core.legend import Cell, Legend
from pbem.core.requests import Plain, texts
from pbem.render import hexmap, smallmap
from pbem.render.fitting import GAP, LARGE, LIST, SMALL, Box, Scale, Shown, fitted
from pbem.render.hexmap import letter
from pbem.render.roster import nearest, short_margins
from pbem.render.sheet import Ink, Sheet
from pbem.render.window import FIGURES, SIGNS, headed
from pbem.render.words import ascii_only, listed, wrap
from pbem.texts import Texts

tr = Texts("pbem")

LEAST = 2
"""The lines that a long key leaves to the lists of counters."""

Line: TypeAlias = tuple[str, Ink]
"""A line of a list, and its ink."""


class Drawn(NamedTuple):
    """A position fitted into a screen: its lines, and whether they show the whole map, and all counters."""

    lines: list[str]
    whole_map: bool
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
    """The position in at most `height` lines of ASCII, none wider than `width` (at least 20).

    `focus` has the numbers of the hexes to show if possible; without any, all with counters. Those in `first`
    take precedence. `colour` adds SGR escapes, which take no width. The lists say what is left out.
    """
    wanted = [cell for cell in legend.cells if cell.number in focus or cell.number in first]
    wanted = wanted or [cell for cell in legend.cells if cell.pieces] or list(legend.cells)
    foremost = [cell for cell in wanted if cell.number in first]
    canvas = Sheet(width, height)
    tracks = [f"{name}: {value}" for name, value in legend.figures]
    top = "\n".join(listed("", " | ", tracks, width)).split("\n")[: max(height // 4, 1)]
    box = Box(0, len(top), width, height - len(top))
    shown, full = fitted(legend, wanted, foremost, box), Box(0, 0, width, height)
    if not shown.whole_of(legend):
        higher = fitted(legend, wanted, foremost, full)
        if higher.beside and higher.whole_of(legend):  # then the figures go into the lists
            shown, box, top = higher, full, []
    for y, line in enumerate(top):
        canvas.write(0, y, line)
    if shown.scale:
        _draw(canvas, shown.scale, shown.part, box.y)
        beside, below = box.beside(shown.scale.width(shown.part)), box.below(shown.scale.lines(shown.part))
        box = beside if shown.beside else below
    whole = _write_lists(canvas, box, legend, shown, foremost or wanted, [] if top else tracks)
    lines = canvas.lines(colour)
    while lines and not lines[-1]:
        lines.pop()
    return Drawn(lines, shown.whole_of(legend), whole)


def mentioned(legend: Legend, data: Plain) -> list[str]:
    """The hexes named in plain data, such as orders or the facts of events, directly or by a counter there.

    They make a focus for `draw_screen`.
    """
    names = set(texts(data))
    return [
        cell.number
        for cell in legend.cells
        if cell.number in names or any(piece.name in names for piece in cell.pieces)
    ]


def _draw(canvas: Sheet, scale: Scale, part: Legend, y: int) -> None:
    """Draw a part of the map; in small hexes without the lower ruler."""
    width, lines = scale.width(part), scale.lines(part)
    if scale is LARGE:
        canvas.paste(0, y, hexmap.hexmap(part, width), 0, lines)
        return
    small = smallmap.smallmap(part, width)
    canvas.paste(0, y, small, 0, smallmap.NUMBERS)
    first = smallmap.RULER  # the line before is blank
    canvas.paste(0, y + smallmap.NUMBERS, small, first, first + lines - smallmap.NUMBERS)


def _write_lists(
    canvas: Sheet, box: Box, legend: Legend, shown: Shown, wanted: list[Cell], tracks: list[str]
) -> bool:
    """Write the figures, the counters on the map and off it, and the key, in columns side by side.

    Lines that do not fit are counted. The key to what is drawn takes precedence over all but the first lines
    of the lists; the rest of the key is written if it fits. Counters on the part of the map that is cut off
    are counted unless all of them fit. Returns whether nothing is left out but some of the key.
    """
    if box.height == 0:
        return False
    number = max(box.width // (LIST + GAP), 1)
    stride = box.width // number
    width = stride if number == 1 else stride - GAP
    room = box.height * number
    reached = _plain(_reached(shown, width))
    first = [*reached, *_plain(listed("", " | ", tracks, width))]
    counters, others = _counters(legend, shown, wanted, width)
    off = _plain(short_margins(legend, width))
    together = len([*first, *counters, *others, *off]) < room - room // 3
    lines = [*first, *counters, *(others if together else []), *off]
    beyond = _beyond(legend, shown, counted=not together) if room > 2 else []
    room -= len(beyond)
    key = [*beyond, *_plain(_key(shown, width, room - len(lines), room - LEAST - len(reached)))]
    room += len(beyond) - len(key)
    complete = not beyond and len(lines) <= room
    if len(lines) > room:
        lines[room - 1 :] = _plain(
            [tr.plural("({number} line more)", "({number} lines more)", len(lines) - room + 1)]
        )
    for index, (line, ink) in enumerate([*lines, *key]):
        canvas.write(box.x + stride * (index // box.height), box.y + index % box.height, line, ink)
    return complete


def _counters(legend: Legend, shown: Shown, wanted: list[Cell], width: int) -> tuple[list[Line], list[Line]]:
    """The counters on the part shown, and those elsewhere, hex by hex, nearest to the wanted hexes first."""
    inside, outside = shown.parted(legend)
    near = [cell for cell in wanted if cell in inside]
    parts = (replace(legend, cells=tuple(cells)) for cells in (inside, outside))
    ours, others = (
        [(line, ink) for text, ink in nearest(part, near, width) for line in text.split("\n")]
        for part in parts
    )
    return ours, others


def _beyond(legend: Legend, shown: Shown, *, counted: bool) -> list[Line]:
    """A note in which directions the map is cut, and how many counters are there."""
    if not shown.scale:
        return _plain([tr("(no room for a map)")])
    drawn, outside = shown.parted(legend)
    if not outside:
        return []
    columns, rows = [cell.column for cell in drawn], [cell.row for cell in drawn]
    beyond = {
        tr.sense("north", "N"): any(cell.row < min(rows) for cell in outside),
        tr.sense("east", "E"): any(cell.column > max(columns) for cell in outside),
        tr.sense("south", "S"): any(cell.row > max(rows) for cell in outside),
        tr.sense("west", "W"): any(cell.column < min(columns) for cell in outside),
    }
    counters = sum(len(cell.pieces) for cell in outside)
    where = " ".join(direction for direction, there in beyond.items() if there)
    if not counted or not counters:
        return _plain([tr("(map cut {where})", where=where)])
    return _plain(
        [
            tr.plural(
                "(map cut {where}: {number} more)", "(map cut {where}: {number} more)", counters, where=where
            )
        ]
    )


def _key(shown: Shown, width: int, left: int, most: int) -> list[str]:
    """The key to figures, letters, marks and textures; without a map, also the hexes that have them.

    `left` is the number of lines that are free, `most` the number that the key may take from the lists. A key
    longer than `left` omits rules and factors; one longer than `most` has a word or two for each item, one
    after the other, and leaves the lists a single line.
    """
    items = list(_meanings(shown))
    bare = [(title, separator, [*map(_bare, parts)]) for title, separator, parts in items]
    for every, room in (([*items, *_factors(shown)], left), (bare, max(left, most))):
        lines = [line for item in every for line in _item(*item, width)]
        if len(lines) <= room:
            return lines
    if shown.scale:
        brief = [f"{title}{_brief(part)}" for title, _, parts in bare[1:] for part in parts]
        return _packed([*brief, *_letters(shown, drawn=True)], width)[: max(left, most + 1)]
    while bare and len(lines) > max(left, most):
        bare.pop()
        lines = [line for item in bare for line in _item(*item, width)]
    return lines


def _item(title: str, separator: str, parts: list[str], width: int) -> list[str]:
    return "\n".join(listed(title, separator, parts, width)).split("\n") if parts else []


def _packed(items: list[str], width: int) -> list[str]:
    """Items in few lines, each in the first line where it fits."""
    lines: list[str] = []
    for item in map(ascii_only, items):
        at = next((n for n, line in enumerate(lines) if len(f"{line}, {item}") <= width), len(lines))
        lines[at:] = [f"{lines[at]}, {item}", *lines[at + 1 :]] if at < len(lines) else [item]
    return [text for line in lines for text in wrap(line, width, indent=2).split("\n")]


def _bare(meaning: str) -> str:
    """A meaning without the number of its rule."""
    return re.sub(r" \([^()]*\)$", "", meaning)


def _brief(meaning: str) -> str:
    """The first words of a meaning: `mined` of `mined, for infantry alone`."""
    return re.split(r"[,:] ", meaning, maxsplit=1)[0]


def _meanings(shown: Shown) -> Iterator[tuple[str, str, list[str]]]:
    """The items of the key, the most important first: for each its title, its separator and its parts."""
    part = shown.part
    marks = [mark for mark in part.marks if mark not in (FIGURES, SIGNS)]
    marks.sort(key=lambda mark: -len(_places(part, mark)))
    yield "", ", ", _letters(shown)
    for mark in marks:
        meaning = part.marks[mark]
        yield (f"{mark} ", "", [meaning]) if shown.scale else (f"{meaning}: ", ", ", _places(part, mark))
    if shown.scale:
        for name, (_, meaning) in part.terrain.items():
            sign = part.small_sign(name) if shown.scale is SMALL else part.textures.get(name)
            if sign:
                yield f"{sign} ", "", [meaning]
    if shown.scale and part.links and part.link:
        yield "", "", [f"\\ | / {part.link}"]


def _letters(shown: Shown, *, drawn: bool = False) -> list[str]:
    """The meaning of counters' letters and other signs; with `drawn`, only of those that small hexes show."""
    part = shown.part
    stacks = [
        [piece for piece in cell.pieces if (piece.layer in part.layers[1:]) == above]
        for cell in part.cells
        for above in (False, True)
    ]
    kinds = dict.fromkeys(piece.kind for pieces in stacks for piece in pieces[: 1 if drawn else None])
    letters = [f"{letter(part, kind)} {part.called(kind)}" for kind in kinds]
    if letters and shown.scale is SMALL:
        letters.append(tr("capitals {meaning}", meaning=next(iter(part.sides.values()))))
        if any(len(pieces) > 1 for pieces in stacks) and FIGURES not in part.marks:
            letters.append(tr("2: two"))
    elif letters and shown.scale and part.reduced:
        letters.append(tr("small: {meaning}", meaning=part.reduced))
    return letters


def _factors(shown: Shown) -> Iterator[tuple[str, str, list[str]]]:
    """The key to the factors of counters, if any are shown."""
    part = shown.part
    if part.factors and any(cell.pieces for cell in part.cells):
        yield "", "", [tr("factors: {meaning}", meaning=part.factors)]


def _reached(shown: Shown, width: int) -> list[str]:
    """The key to the figures or signs in hexes; without a map, also the hexes that have them."""
    part = shown.part
    headings = [headed(mark, meaning) for mark, meaning in part.marks.items() if mark in (FIGURES, SIGNS)]
    lines = [wrap(line, width, indent=2) for line in headings]
    for sign in sorted({cell.reach for cell in part.cells if cell.reach and not shown.scale}):
        lines += listed(
            f"{sign}: ", ", ", _runs(cell.number for cell in part.cells if cell.reach == sign), width
        )
    return lines


def _runs(numbers: Iterable[str]) -> list[str]:
    """Hexes, with consecutive numbers joined into a run such as `1403-1405`."""
    rows = groupby(enumerate(numbers), lambda pair: int(pair[1]) - pair[0])
    runs = [[number for _, number in run] for _, run in rows]
    return [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def _places(legend: Legend, mark: str) -> list[str]:
    """The hexes with a mark on them or on a counter in them."""
    return [
        cell.number
        for cell in legend.cells
        if mark in cell.marks or any(mark in piece.marks for piece in cell.pieces)
    ]


def _plain(lines: list[str]) -> list[Line]:
    """The texts in plain ink, split into lines."""
    return [(line, Ink.PLAIN) for text in lines for line in text.split("\n")]
