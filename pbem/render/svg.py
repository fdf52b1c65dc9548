"""A position as a drawing: the same `Legend` as the ASCII map, in Scalable Vector Graphics.

A drawing loads nothing: no font, no picture, no script. Its colours follow a light or a dark screen, and on
paper it takes one sheet.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.legend import Cell, Legend
from pbem.render import surround
from pbem.render.colours import style_sheet
from pbem.render.counters import Faces, describe_counter
from pbem.render.layout import COUNTER_PLACES, COUNTER_SCALES, MAX_COUNTERS, hex_centre, map_size
from pbem.render.markup import escape, svg_text, svg_use
from pbem.render.scenery import HEX_OUTLINE, draw_marks, ground, ground_defs, lines
from pbem.texts import Texts

tr = Texts("pbem")

EDGE, GAP, TITLE = 24, 20, 44
"""The space around the drawing, between its parts, and for its title."""

MIN_WIDTH = 900
"""The least width of a drawing, which its surroundings need; a small map is drawn larger."""


def svg_picture(legend: Legend, title: str) -> str:
    """The whole picture of a position as an SVG file: title, tracks, map, boxes off the map, and the key."""
    faces = Faces()
    wide, high = map_size(legend)
    width = max(wide, MIN_WIDTH)
    larger = round(width / wide, 3)
    map_ = f'<g transform="scale({larger})">{ground(legend)}\n{lines(legend)}\n{position(legend, faces)}</g>'
    blocks = [
        (svg_text(0, 28, title, "title"), TITLE),
        surround.draw_figures(legend, width),
        (map_, round(high * larger)),
        surround.draw_margins(legend, faces, width),
        surround.draw_key(legend, width),
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
    """The map without counters, some of its hexes tinted, for a page that has the drawings' style sheet.

    `tints` gives hexes, by their numbers, a strength of colour from 0 to 1 and a figure to show.
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
    """The marks of a hex and its counters, as many as fit; the rest are counted."""
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
    """The whole SVG file; printed, the drawing fills one sheet, turned so that it is largest."""
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
