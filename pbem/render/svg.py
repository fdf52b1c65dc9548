"""A position as a drawing, in Scalable Vector Graphics, from the same `Legend` as the ASCII map.

Around the map are the figures, tracks, boxes of counters off the map, and the key. Each such block is markup
that begins at 0, 0, with its height, and is at most as wide as the drawing. A drawing loads nothing: no font,
no picture, no script. Its colours suit a light or dark screen, and printed it takes one sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from pbem.core.legend import Cell, Legend, Margin, Track
from pbem.render.svg_counters import Faces, blank_counter, describe_counter, kind_symbol
from pbem.render.svg_map import (
    COUNTER_PLACES,
    COUNTER_SCALES,
    HEX_OUTLINE,
    MAX_COUNTERS,
    draw_mark,
    draw_marks,
    ground,
    ground_defs,
    hex_centre,
    lines,
    map_size,
)
from pbem.render.svg_style import counter_colour, css_class, escape, style_sheet, svg_text, svg_use
from pbem.texts import Texts

tr = Texts("pbem")


Block: TypeAlias = tuple[str, int]
"""Markup, and its height."""

Item: TypeAlias = tuple[str, int]
"""Markup in a line, and its width."""

LINE_HEIGHT = 26
"""The height of a line of text."""

BOX_SIDE = 34
"""The side of a track's box, also the height of a line of symbols in the key."""

SPACING = 52
"""The distance between counters in a box off the map, where they are slightly smaller than on it."""

MAX_BOXES = 24
"""A track with more boxes is written as a figure."""

_COUNTER_SCALE = 0.84
_SPACE = 12
_LETTER_WIDTH, _BOLD_WIDTH = 10, 11
"""The average width of a letter, plain and bold, in the widest of the fonts."""


def draw_figures(legend: Legend, width: int) -> Block:
    """The tracks, and the figures that have no track."""
    tracks = [track for track in legend.tracks if len(track.boxes) <= MAX_BOXES]
    tracked = {track.name for track in tracks}
    items = [_track_item(track) for track in tracks]
    items += [_text_item(f"{name}: {value}") for name, value in legend.figures if name not in tracked]
    return _flow_items(items, width, BOX_SIDE + 8)


def draw_margins(legend: Legend, faces: Faces, width: int) -> Block:
    """The boxes off the map, each with its title and counters, side by side if they fit."""
    parts, x, y, tallest = [], 0, 0, 0
    for margin in legend.margins:
        markup, wide, tall = _draw_margin(legend, margin, faces, width)
        if x and x + wide > width:
            x, y, tallest = 0, y + tallest + _SPACE, 0
        parts.append(f'<g transform="translate({x} {y})">{markup}</g>')
        x, tallest = x + wide + _SPACE, max(tallest, tall)
    return "\n".join(parts), y + tallest


def draw_key(legend: Legend, width: int) -> Block:
    """The key to terrain, marks and symbols."""
    on_map = {cell.terrain for cell in legend.cells}
    items = [
        (
            svg_use(f"t{number}", 26, 17, 0.38) + svg_text(52, 23, meaning, "words"),
            66 + _LETTER_WIDTH * len(meaning),
        )
        for number, (terrain, (_, meaning)) in enumerate(legend.terrain.items())
        if terrain in on_map
    ]
    for character, meaning in legend.marks.items():
        symbol = f'<g transform="translate(20 17)">{_shrink_mark(legend, character)}</g>'
        items.append((symbol + svg_text(40, 23, meaning, "words"), 56 + _LETTER_WIDTH * len(meaning)))
    if joined := legend.link if legend.links else tr("road") if legend.roads else "":
        symbol = '<path class="kerb" d="M4 17h30"/><path class="road" d="M4 17h30"/>'
        items.append((symbol + svg_text(48, 23, joined, "words"), 62 + _LETTER_WIDTH * len(joined)))
    return _flow_items([*items, *_kind_items(legend)], width, BOX_SIDE)


def _kind_items(legend: Legend) -> Iterator[Item]:
    """The symbols of the kinds of counters, the colours of their sides and nations, and the factors."""
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    pieces = [piece for place in places for piece in place.pieces]
    for kind in sorted(dict.fromkeys(piece.kind for piece in pieces), key=_kind_order(legend)):
        symbol = kind_symbol(legend, kind, "c-white", "c-white-ink")
        blank = '<path class="c-white" d="M-21-16h42v32h-42z"/><path class="rim" d="M-21-16h42v32h-42z"/>'
        markup = f'<g transform="translate(23 17)">{blank}{symbol}</g>'
        name = legend.called(kind)
        yield markup + svg_text(54, 23, name, "words"), 72 + _LETTER_WIDTH * len(name)
    for side, group in dict.fromkeys((piece.side, piece.group) for piece in pieces):
        whose = legend.groups.get(group) or (legend.sides[side] if group not in legend.colours else "")
        if whose:
            fill = css_class(counter_colour(legend, side, group))
            markup = f'<g transform="translate(20 17)scale(.5)">{blank_counter(legend, side, fill)}</g>'
            yield markup + svg_text(42, 23, whose, "words"), 64 + _LETTER_WIDTH * len(whose)
    if any(piece.reduced for piece in pieces):
        yield _text_item(tr("striped: {meaning}", meaning=legend.reduced))
    if legend.factors:
        yield _text_item(tr("factors: {meaning}", meaning=legend.factors))


def _kind_order(legend: Legend) -> Callable[[str], int]:
    """The legend's order of kinds, then any others in order of appearance."""
    listed = list(legend.kinds)
    return lambda kind: listed.index(kind) if kind in listed else len(listed)


def _shrink_mark(legend: Legend, character: str) -> str:
    markup = draw_mark(legend, character)
    return f'<g transform="scale(.38)">{markup}</g>' if legend.signs.get(character) == "fort" else markup


def _text_item(line: str) -> Item:
    return svg_text(0, 23, line, "words"), 26 + _LETTER_WIDTH * len(line)


def _track_item(track: Track) -> Item:
    """The name of a track and its boxes, the one with the marker in black."""
    x = 10 + _BOLD_WIDTH * len(track.name)
    parts = [svg_text(0, 23, track.name, "head")]
    for index, box in enumerate(track.boxes):
        wide = max(BOX_SIDE, 14 + _LETTER_WIDTH * len(box))
        here = index == track.at
        parts.append(f'<path class="{"here" if here else "box"}" d="M{x} 0h{wide}v{BOX_SIDE}h-{wide}z"/>')
        parts.append(svg_text(x + wide // 2, 23, box, "within" if here else "", size=17))
        x += wide
    return "".join(parts), x + 30


def _draw_margin(legend: Legend, margin: Margin, faces: Faces, width: int) -> tuple[str, int, int]:
    """A box with its counters, as many in a row as fit, with its width and height."""
    in_row = max((width - 20) // SPACING, 1)
    counters = []
    for index, piece in enumerate(margin.pieces):
        row, column = divmod(index, in_row)
        x, y = 10 + SPACING // 2 + SPACING * column, LINE_HEIGHT + 4 + SPACING // 2 + SPACING * row
        counters.append(
            svg_use(faces.face_id(legend, piece), x, y, _COUNTER_SCALE, describe_counter(legend, piece))
        )
    rows = -(-len(margin.pieces) // in_row)
    wide, tall = 20 + SPACING * min(len(margin.pieces), in_row), 8 + SPACING * rows
    box = f'<path class="box" d="M0 {LINE_HEIGHT}h{wide}v{tall}h-{wide}z"/>'
    title = svg_text(0, 19, margin.title, "head")
    return title + box + "".join(counters), max(wide, _BOLD_WIDTH * len(margin.title)), LINE_HEIGHT + tall


def _flow_items(items: Iterable[Item], width: int, line: int) -> Block:
    """Items one after another in lines of this height; one that does not fit begins a new line."""
    parts, x, y = [], 0, 0
    for markup, wide in items:
        if x and x + wide > width:
            x, y = 0, y + line
        parts.append(f'<g transform="translate({x} {y})">{markup}</g>')
        x += wide
    return "\n".join(parts), y + line if parts else 0


EDGE, GAP, TITLE = 24, 20, 44
"""The space around the drawing, between its parts, and for its title."""

MIN_WIDTH = 900
"""The least width of a drawing, for what surrounds the map; a small map is enlarged to it."""


def svg_picture(legend: Legend, title: str) -> str:
    """The whole picture of a position as an SVG file: title, tracks, map, boxes off the map, and the key."""
    faces = Faces()
    wide, high = map_size(legend)
    width = max(wide, MIN_WIDTH)
    larger = round(width / wide, 3)
    map_ = f'<g transform="scale({larger})">{ground(legend)}\n{lines(legend)}\n{position(legend, faces)}</g>'
    blocks = [
        (svg_text(0, 28, title, "title"), TITLE),
        draw_figures(legend, width),
        (map_, round(high * larger)),
        draw_margins(legend, faces, width),
        draw_key(legend, width),
    ]
    parts, y = [], EDGE
    for markup, height in blocks:
        if markup:
            parts.append(f'<g transform="translate({EDGE} {y})">{markup}</g>')
            y += height + GAP
    return _svg_file(
        title, width + 2 * EDGE, y - GAP + EDGE, f"{ground_defs(legend)}\n{faces.symbols()}", parts
    )


def tinted_map(legend: Legend, tints: Mapping[str, tuple[float, str]], title: str) -> str:
    """The map without counters and with tinted hexes, for a page with the drawings' style sheet.

    `tints` gives hexes, by number, a strength of colour from 0 to 1 and a figure to show.
    """
    wide, high = map_size(legend)
    shown = "\n".join(
        _draw_tint(legend, cell, *tints[cell.number]) for cell in legend.cells if cell.number in tints
    )
    return (
        f'<svg viewBox="0 0 {wide} {high}" role="img"><title>{escape(title)}</title>'
        f"<defs>\n{ground_defs(legend)}\n</defs>\n{ground(legend)}\n{lines(legend)}\n{shown}</svg>"
    )


def _draw_tint(legend: Legend, cell: Cell, strength: float, figure: str) -> str:
    x, y = hex_centre(legend, cell)
    place = f'transform="translate({x} {y})"'
    tint = f'<path class="alarm" fill-opacity="{strength:.2f}" d="{HEX_OUTLINE}" {place}/>'
    return tint + svg_text(x, y + 6, figure, "name", size=18)


def position(legend: Legend, faces: Faces) -> str:
    """The parts of the map that change from move to move: marks, counters, and hexes in reach."""
    return "\n".join(markup for cell in legend.cells if (markup := _draw_hex(legend, cell, faces)))


def _draw_hex(legend: Legend, cell: Cell, faces: Faces) -> str:
    """The marks of a hex and its counters, as many as fit, and the number of the rest."""
    x, y = hex_centre(legend, cell)
    shown = cell.pieces[:MAX_COUNTERS]
    parts = [draw_marks(legend, cell)]
    for piece, (dx, dy) in zip(shown, COUNTER_PLACES.get(len(shown), ()), strict=False):
        name = tr("{counter}, in {hex}", counter=describe_counter(legend, piece), hex=cell.number)
        parts.append(svg_use(faces.face_id(legend, piece), x + dx, y + dy, COUNTER_SCALES[len(shown)], name))
    if len(cell.pieces) > MAX_COUNTERS:
        rest = cell.pieces[MAX_COUNTERS:]
        more = svg_text(x + 36, y + 25, f"+{len(rest)}", "reached", size=14)
        names = escape("; ".join(describe_counter(legend, piece) for piece in rest))
        circle = f'<circle class="reach" cx="{x + 36}" cy="{y + 20}" r="13"/>'
        parts.append(f"<g><title>{names}</title>{circle}{more}</g>")
    if cell.reach:
        figure = svg_text(x, y + 6, cell.reach, "reached", size=18)
        parts.append(f'<circle class="reach" cx="{x}" cy="{y}" r="15"/>{figure}')
    return "".join(parts)


def _svg_file(title: str, width: int, height: int, defs: str, parts: list[str]) -> str:
    """The whole SVG file; printed, the drawing fills one sheet, turned to be as large as possible."""
    sheet = f"@page{{size:A4 {'landscape' if width > height else 'portrait'};margin:8mm}}"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
            ' aria-labelledby="title">',
            f'<title id="title">{escape(title)}</title>',
            f"<style>{style_sheet()}{sheet}</style>",
            f"<defs>\n{defs}\n</defs>",
            f'<path fill="var(--paper)" d="M0 0h{width}v{height}h-{width}z"/>',
            *parts,
            "</svg>\n",
        )
    )
