"""The whole picture of a position: figures, map, key, and every counter on the map and off it."""

from __future__ import annotations

from pbem.core.legend import Cell, Legend, Margin
from pbem.render import hexmap, roster, smallmap
from pbem.render.window import key_line
from pbem.render.words import format_list
from pbem.texts import Texts

tr = Texts("pbem")

_MAX_SMALL_WIDTH = 86
"""The width of 40 columns of small hexes, the most in a player's own scenario; 36 fit a line."""


def ascii_picture(legend: Legend, *, colour: bool = False) -> str:
    """The position in ASCII, 78 columns wide; `colour` adds SGR escapes for a terminal.

    Hexes are large where they fit, else small; a map of more than 36 columns is wider. Raises ValueError
    if it has too many columns even so.
    """
    return join_parts(picture_parts(legend, colour=colour))


def picture_parts(legend: Legend, *, colour: bool = False) -> list[list[str]]:
    """The parts of `ascii_picture` in lines: figures, map, key and lists. Raises ValueError as it does."""
    return [
        _figure_lines(legend),
        *(_large_parts if hexmap.large_map_fits(legend) else _small_parts)(legend, colour),
    ]


def small_picture_parts(legend: Legend) -> list[str]:
    """Figures, map, key and lists with small hexes, even if large ones would fit. Raises ValueError."""
    return ["\n".join(lines) for lines in (_figure_lines(legend), *_small_parts(legend, False))]


def join_parts(parts: list[list[str]]) -> str:
    """The picture made of these parts."""
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _large_parts(legend: Legend, colour: bool) -> list[list[str]]:
    """Map, key and lists; where hexes have notes or asides, they are listed by hex, else by counter."""
    if any(cell.notes or cell.asides for cell in legend.cells):
        below = roster.list_by_hex(legend)
    else:
        below = roster.list_by_counter(legend).lines(colour)
    return [
        _strip_blank_lines(hexmap.large_map(legend).lines(colour)),
        [*_pieces_key(legend), *_marks_key(legend), *_terrain_key(legend)],
        [*below, *roster.list_margins(legend)],
    ]


def _small_parts(legend: Legend, colour: bool) -> list[list[str]]:
    """Map, key and lists; counters are listed by kind, because there are many."""
    return [
        smallmap.small_map(legend, _MAX_SMALL_WIDTH).lines(colour),
        [*_letters_key(legend), *_marks_key(legend), *_signs_key(legend)],
        [*roster.list_by_kind(legend).lines(colour), *roster.summarise_margins(legend)],
    ]


def _strip_blank_lines(lines: list[str]) -> list[str]:
    """The lines without blank ones at the beginning and the end."""
    return "\n".join(lines).strip("\n").split("\n")


def _figure_lines(legend: Legend) -> list[str]:
    return format_list("", " | ", [f"{name}: {value}" for name, value in legend.figures])


def _pieces_key(legend: Legend) -> list[str]:
    """The key to the letters and the factors of the counters."""
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    kinds = dict.fromkeys(piece.kind for place in places for piece in place.pieces)
    items = [f"{hexmap.kind_letter(legend, kind)} {legend.called(kind)}" for kind in kinds]
    if items and legend.reduced:
        items.append(tr("small letter: {meaning}", meaning=legend.reduced))
    if legend.factors:
        items.append(tr("factors: {meaning}", meaning=legend.factors))
    return format_list(tr("Counters:") + " ", "; ", items)


def _letters_key(legend: Legend) -> list[str]:
    """The key to the letters of small hexes, and to the sides."""
    first, *others = legend.sides.values()
    items = [
        tr("capitals: {meaning}", meaning=first),
        tr("small letters: {meaning}", meaning=", ".join(others)),
    ]
    items += [f"{letter} {legend.called(kind)}" for kind, letter in legend.kinds.items()]
    items += [tr("{layer}: a line lower", layer=layer) for layer in legend.layers[1:]]
    items += [tr("a stack: its first counter, and how many")]
    items += [tr("factors: {meaning}", meaning=legend.factors)] if legend.factors else []
    return format_list(tr("Counters:") + " ", "; ", items)


def _marks_key(legend: Legend) -> list[str]:
    return format_list(tr("Marks:") + " ", "; ", [key_line(*each) for each in legend.marks.items()])


def _terrain_key(legend: Legend) -> list[str]:
    """The effect of each terrain, after its texture, or after its name where it has none."""
    items = [
        f"{legend.textures.get(name) or word or tr('blank')} {meaning}"
        for name, (word, meaning) in legend.terrain.items()
    ]
    return format_list(tr("Terrain:") + " ", "; ", items)


def _signs_key(legend: Legend) -> list[str]:
    """The key to the signs of empty small hexes and to the lines between them."""
    items = [
        f"{legend.small_sign(name) or smallmap.OPEN_SIGN} {meaning}"
        for name, (_, meaning) in legend.terrain.items()
    ]
    items += [f"\\ | / {legend.link}"] if legend.links else []
    return format_list(tr("Terrain:") + " ", "; ", items)
