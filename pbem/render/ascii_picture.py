"""The whole picture of a position in ASCII: figures, map, key, and lists of the counters on and off the map.

`picture_contradicts` compares a picture in a file with the position. Each program words its pictures as it
likes (FORMAT 3), so a difference alone proves nothing. But a picture whose key is word for word ours can be
read like ours: then the contents of its map and lists, place by place, and the numbers of its figures are
compared, and nothing else: no words, no labels, no order of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise, takewhile
from typing import TypeVar

from pbem.core.hexes import distance
from pbem.core.legend import Cell, Legend, Margin, Piece
from pbem.core.rulebook import holds
from pbem.render import ascii_map
from pbem.render.ascii_map import Canvas, Ink, counter_letter, key_line, kind_letter, side_ink
from pbem.render.safe_text import WIDTH, columns, cut, drawn_text, format_list, keeps_accents, wrap
from pbem.texts import Texts

tr = Texts("pbem")


MAX_NAMED = 24
"""How many counters in a box off the map are named; more are counted by kind."""

UNWRAPPED_WIDTH = 10**6
"""The width for lines that the caller wraps."""


def list_by_counter(legend: Legend) -> Canvas:
    """The counters on the map, one per line, the sides side by side."""
    return _columns_by_side(legend, {side: _counter_lines(legend, side) for side in legend.sides})


def list_by_kind(legend: Legend) -> Canvas:
    """The counters on the map, grouped by kind, the sides side by side."""
    return _columns_by_side(
        legend, {side: _kind_lines(legend, side, _column_width(legend) - 1) for side in legend.sides}
    )


def list_by_side(legend: Legend) -> Iterator[tuple[str, list[str]]]:
    """For each side its name, and its counters on the map, one line of any length per kind."""
    for side, word in legend.sides.items():
        yield word, _kind_lines(legend, side, UNWRAPPED_WIDTH)


def list_by_hex(legend: Legend) -> list[str]:
    """The hexes that are not empty, with their counters and notes."""
    lines = []
    for cell in legend.cells:
        contents = [*(_describe_in_full(legend, piece) for piece in cell.pieces), *cell.notes]
        if contents:
            lines += format_list(f"{cell.number} ", "; ", [*contents, *cell.asides])
    return lines


def list_nearest(legend: Legend, wanted: Sequence[Cell], width: int) -> list[tuple[str, Ink]]:
    """The counters of each side in short and in its colour, by hex, nearest to the wanted hexes first."""
    lines = []
    for cell in _sort_nearest(legend, wanted):
        for side, word in legend.sides.items():
            counters = [_describe_briefly(legend, piece) for piece in cell.pieces if piece.side == side]
            ink = side_ink(legend, side)
            lines += [(line, ink) for line in format_list(f"{cell.number} {word}: ", ", ", counters, width)]
    return lines


def name_nearest(legend: Legend, wanted: Sequence[Cell], width: int) -> list[tuple[str, Ink]]:
    """The names of each side's counters, by hex, in few lines, the nearest first as in `list_nearest`."""
    nearest = _sort_nearest(legend, wanted)
    return _name_by_side(legend, ((side, nearest) for side in _sides(nearest)), width)


def name_beside_first(legend: Legend, wanted: Sequence[Cell], width: int) -> list[tuple[str, Ink]]:
    """As `name_nearest`, but first with both sides' counters in or adjacent to the wanted hexes."""
    nearest = _sort_nearest(legend, wanted)
    beside = nearest[: sum(min(_distances(legend, cell, wanted), default=0) <= 1 for cell in nearest)]
    beyond = nearest[len(beside) :]
    parts = [(side, cells) for cells in (beside, beyond) for side in _sides(cells)]
    joined = [
        (side, [cell for _, cells in group for cell in cells])
        for side, group in groupby(parts, key=lambda part: part[0])
    ]
    return _name_by_side(legend, joined, width)


def _sides(cells: Iterable[Cell]) -> list[str]:
    """The sides of the counters in these hexes, in their order."""
    return list(dict.fromkeys(piece.side for cell in cells for piece in cell.pieces))


def _name_by_side(
    legend: Legend, lists: Iterable[tuple[str, Sequence[Cell]]], width: int
) -> list[tuple[str, Ink]]:
    """The names of a side's counters in these hexes, for each of the lists, in few lines."""
    lines = []
    for side, cells in lists:
        named = ((cell.number, [piece.name for piece in cell.pieces if piece.side == side]) for cell in cells)
        hexes = [" ".join([number, *names]) for number, names in named if names]
        title = f"{legend.sides[side]}: "
        lines += [(line, side_ink(legend, side)) for line in format_list(title, "; ", hexes, width)]
    return lines


def _sort_nearest(legend: Legend, wanted: Sequence[Cell]) -> list[Cell]:
    """The hexes with counters, those nearest to any wanted hex first, then those nearest to the first one."""

    def rank(cell: Cell) -> tuple[int, int]:
        away = _distances(legend, cell, wanted)
        return min(away, default=0), away.index(min(away)) if away else 0

    return sorted((cell for cell in legend.cells if cell.pieces), key=rank)


def _distances(legend: Legend, cell: Cell, wanted: Sequence[Cell]) -> list[int]:
    """The distance from a hex to each of the wanted ones."""
    here = legend.hex_of(cell)
    return [distance(here, legend.hex_of(other)) for other in wanted]


def list_margins(legend: Legend) -> list[str]:
    """The counters off the map, one list per box."""
    lines = []
    for margin in legend.margins:
        counters = [
            f"{piece.name} {counter_letter(legend, piece)} {piece.factors}" for piece in margin.pieces
        ]
        lines.extend(format_list(f"{margin.title}: ", ", ", counters))
    return lines


def summarise_margins(legend: Legend, width: int = WIDTH) -> list[str]:
    """The names of the counters off the map; if there are many, the number of each kind."""
    lines = []
    for margin in legend.margins:
        kinds = [piece.kind for piece in margin.pieces]
        counted = [legend.counted(kind, kinds.count(kind)) for kind in dict.fromkeys(kinds)]
        names = [piece.name for piece in margin.pieces]
        lines += format_list(f"{margin.title}: ", ", ", names if len(names) <= MAX_NAMED else counted, width)
    return lines


def list_tables(legend: Legend, width: int = WIDTH) -> list[str]:
    """The lists that only the reader may see, and those beside the map."""
    lines = []
    for title, items in (*legend.private, *legend.lists):
        lines += format_list(
            f"{drawn_text(title)}: ", "; ", [drawn_text(item) for item in items] or ["-"], width
        )
    return lines


def explain_key(legend: Legend, words: Sequence[str], width: int = WIDTH) -> list[str]:
    """What the map's key says about these words, with the hexes it applies to."""
    lines: list[str] = []
    for meaning, names, where in _key_items(legend):
        if words and where and holds(f"{meaning} {names}", words):
            lines += format_list(tr("On the map: {what}:", what=meaning) + " ", ", ", where, width)
    return lines


def _key_items(legend: Legend) -> Iterator[tuple[str, str, list[str]]]:
    """Each terrain, mark and label of the map: its meaning, its other names, and the hexes with it."""
    cells = legend.cells
    for name, (word, meaning) in legend.terrain.items():
        said = f"{legend.textures.get(name, '')} {meaning}".strip()
        yield said, f"{name} {word}", [cell.number for cell in cells if cell.terrain == name]
    for mark, meaning in legend.marks.items():
        yield f"{mark} {meaning}", "", [cell.number for cell in cells if mark in cell.marks]
    for label in dict.fromkeys(cell.label for cell in cells if cell.label):
        yield label, "", [cell.number for cell in cells if cell.label == label]


def _columns_by_side(legend: Legend, lists: dict[str, list[str]]) -> Canvas:
    """The sides' lists in columns, each under the side's name."""
    width = _column_width(legend)
    below = {
        side: [part for line in (legend.sides[side].upper(), *lines) for part in _fit_column(line, width - 1)]
        for side, lines in lists.items()
    }
    canvas = Canvas(WIDTH, max(map(len, below.values())))
    for index, (side, lines) in enumerate(below.items()):
        for y, line in enumerate(lines):
            canvas.write(index * width, y, line, side_ink(legend, side))
    return canvas


def _fit_column(line: str, width: int) -> list[str]:
    """A line of a side's column, cut; on a screen it loses blanks and is then broken."""
    line = drawn_text(line)
    if not keeps_accents():
        return [cut(line, width)]
    return [line] if columns(line) <= width else wrap(" ".join(line.split()), width, 4).split("\n")


def _column_width(legend: Legend) -> int:
    """The width of a side's column, with the space after it."""
    return WIDTH // len(legend.sides)


def _counters_with_hexes(legend: Legend, side: str) -> list[tuple[Piece, str]]:
    """The counters of a side on the map with their hexes."""
    return [(piece, cell.number) for cell in legend.cells for piece in cell.pieces if piece.side == side]


def _counter_lines(legend: Legend, side: str) -> list[str]:
    """A line for each counter of a side: name, letter, factors, hex, and the label of the hex."""
    labels = {cell.number: cell.label for cell in legend.cells}
    return [
        f"{piece.name:8} {counter_letter(legend, piece)} {piece.factors:>5}  {number} {labels[number]}"
        for piece, number in _counters_with_hexes(legend, side)
    ] or [tr("none on the map")]


def _kind_lines(legend: Legend, side: str, width: int) -> list[str]:
    """The counters of a side, arranged by group, kind and factors, with their hexes and marks."""
    lines = []
    in_order = sorted(_counters_with_hexes(legend, side), key=lambda placed: _sort_key(legend, placed[0]))
    for group, members in groupby(in_order, lambda placed: placed[0].group):
        if group in legend.groups:
            lines.append(legend.groups[group])
        for same, alike in groupby(members, lambda placed: _describe_face(legend, placed[0])):
            places = [f"{piece.name} {number}{piece.marks}" for piece, number in alike]
            listing = format_list(f"{same}: ", ", ", places, width)
            lines += "\n".join(listing).split("\n")
    return lines or [tr("none on the map")]


def _sort_key(legend: Legend, piece: Piece) -> tuple[int, int, str, bool, str, str]:
    """The sort key for the counters of a side."""
    group, kind = _index_of(legend.groups, piece.group), _index_of(legend.kinds, piece.kind)
    return group, kind, piece.kind, piece.reduced, piece.factors, piece.name


def _index_of(keys: Iterable[str], key: str) -> int:
    """The index of a key, or the number of keys if it is not one of them."""
    known = list(keys)
    return known.index(key) if key in known else len(known)


def _describe_face(legend: Legend, piece: Piece) -> str:
    """Kind and factors of a counter, in short."""
    reduced = f" {legend.reduced}" if piece.reduced else ""
    return f"{kind_letter(legend, piece.kind)} {piece.factors}{reduced}"


def _describe_briefly(legend: Legend, piece: Piece) -> str:
    """A counter in short: name, letter, factors, marks, and whether it is reduced."""
    reduced = legend.briefly or legend.reduced if piece.reduced else ""
    words = [piece.name, kind_letter(legend, piece.kind), piece.factors + piece.marks, reduced]
    return " ".join(word for word in words if word)


def _describe_in_full(legend: Legend, piece: Piece) -> str:
    """A counter with everything on it, its side and its group."""
    words = [legend.sides[piece.side], f"{piece.name},", legend.called(piece.kind), piece.factors]
    words[2:2] = [legend.groups[piece.group]] if piece.group in legend.groups else []
    words += [legend.reduced] if piece.reduced else []
    return " ".join([*words, *piece.marks])


_MAX_SMALL_WIDTH = 86
"""The width of 40 columns of small hexes, the most in a player's own scenario; 36 fit in a line."""


def ascii_picture(legend: Legend, *, colour: bool = False) -> str:
    """The position in ASCII, 78 columns wide; `colour` adds SGR escapes for a terminal.

    Hexes are large if they fit, else small; a map of more than 36 columns makes it wider, and one of more
    than 40 raises ValueError.
    """
    return join_parts(picture_parts(legend, colour=colour))


def picture_parts(legend: Legend, *, colour: bool = False) -> list[list[str]]:
    """The parts of `ascii_picture` in lines: figures, map, key and lists. Raises ValueError, as it does."""
    if not legend.cells:
        return [_figure_lines(legend), [], [], list_tables(legend)]
    return [
        _figure_lines(legend),
        *(_large_parts if ascii_map.large_map_fits(legend) else _small_parts)(legend, colour),
    ]


def small_picture_parts(legend: Legend) -> list[str]:
    """Figures, map, key and lists with small hexes, even if large ones would fit. Raises ValueError.

    Without a map, the parts for map and key are empty.
    """
    if not legend.cells:
        return ["\n".join(lines) for lines in picture_parts(legend)]
    return ["\n".join(lines) for lines in (_figure_lines(legend), *_small_parts(legend, False))]


def join_parts(parts: list[list[str]]) -> str:
    """The picture made of these parts."""
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _large_parts(legend: Legend, colour: bool) -> list[list[str]]:
    """Map, key and lists: by hex if hexes have notes or asides, else by counter."""
    if any(cell.notes or cell.asides for cell in legend.cells):
        below = list_by_hex(legend)
    else:
        below = list_by_counter(legend).lines(colour)
    return [
        _strip_blank_lines(ascii_map.large_map(legend).lines(colour)),
        [*_pieces_key(legend), *_marks_key(legend), *_terrain_key(legend)],
        [*below, *list_margins(legend)],
    ]


def _small_parts(legend: Legend, colour: bool) -> list[list[str]]:
    """Map, key and lists: by kind, because there are many counters."""
    return [
        ascii_map.small_map(legend, _MAX_SMALL_WIDTH).lines(colour),
        [*_letters_key(legend), *_marks_key(legend), *_signs_key(legend)],
        [*list_by_kind(legend).lines(colour), *summarise_margins(legend)],
    ]


def _strip_blank_lines(lines: list[str]) -> list[str]:
    """The lines without blank ones at either end."""
    return "\n".join(lines).strip("\n").split("\n")


def _figure_lines(legend: Legend) -> list[str]:
    return format_list("", " | ", [f"{name}: {value}" for name, value in legend.figures])


def _pieces_key(legend: Legend) -> list[str]:
    """The key to the letters and the factors of the counters."""
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    kinds = dict.fromkeys(piece.kind for place in places for piece in place.pieces)
    items = [f"{ascii_map.kind_letter(legend, kind)} {legend.called(kind)}" for kind in kinds]
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
    """The effect of each terrain, after its texture, or after its name if it has none."""
    items = [
        f"{legend.textures.get(name) or word or tr('blank')} {meaning}"
        for name, (word, meaning) in legend.terrain.items()
    ]
    return format_list(tr("Terrain:") + " ", "; ", items)


def _signs_key(legend: Legend) -> list[str]:
    """The key to the signs of empty small hexes and to the lines between them."""
    items = [
        f"{legend.small_sign(name) or ascii_map.OPEN_SIGN} {meaning}"
        for name, (_, meaning) in legend.terrain.items()
    ]
    items += [f"\\ | / {legend.link}"] if legend.links else []
    return format_list(tr("Terrain:") + " ", "; ", items)


_Key = TypeVar("_Key")

_FACE = r" +[^\W\d_] +\d+-\d+ +"
"""What can come between a counter's name and its hex: letter and factors."""


def picture_contradicts(lines: Sequence[str], ours: Sequence[Sequence[str]], legend: Legend) -> bool | None:
    """Whether a picture shows a counter or a figure differently from ours; None if its key is not ours.

    `ours` are the parts of our own picture of the legend. A picture that contradicts nothing can still be
    different in other ways.
    """
    figures, drawn, key, lists = ours
    if not key:
        return None
    below = next(
        (end for start, end in _blocks(lines) if _sorted_words(lines[start:end]) == _sorted_words(key)), None
    )
    if below is None:
        return None
    top = next((n for n in range(below) if lines[n] == drawn[0]), below)
    names = [drawn_text(piece.name) for piece in _all_pieces(legend)]
    spots = _names_at if ascii_map.large_map_fits(legend) else _letters_at
    if not _agree(_figure_numbers(lines), _figure_numbers(figures)):
        return True
    if top < below and spots(lines[top : top + len(drawn)], names) != spots(drawn, names):
        return True
    shown, right = _parse_lists(lines[below:], legend, names), _parse_lists(lists, legend, names)
    return shown.keys() != right.keys() or not _agree(shown, right)


def _agree(theirs: Mapping[_Key, str], ours: Mapping[_Key, str]) -> bool:
    """Whether two pictures have the same words for everything that both mention."""
    both = ((text.split(), ours.get(at, "").split()) for at, text in theirs.items())
    return all(
        their_words == our_words for their_words, our_words in both if len(their_words) == len(our_words)
    )


def _figure_numbers(lines: Sequence[str]) -> dict[str, str]:
    """The numbers in the figures at the top of a picture, by name of the figure."""
    first = takewhile(bool, lines)
    named = (figure.partition(":") for figure in " | ".join(first).split("|"))
    return {name.strip(): " ".join(re.findall(r"\d+", value)) for name, _, value in named}


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """For each block between blank lines, its first line and the line after it."""
    blank = [-1, *(n for n, line in enumerate(lines) if not line), len(lines)]
    return ((before + 1, after) for before, after in pairwise(blank))


def _sorted_words(lines: Sequence[str]) -> list[str]:
    """The words of a key, sorted, since their order depends on the order of counters on the map."""
    return sorted(re.findall(r"[^\s;]+", "\n".join(lines)))


def _all_pieces(legend: Legend) -> Iterator[Piece]:
    for pieces in (*(cell.pieces for cell in legend.cells), *(margin.pieces for margin in legend.margins)):
        yield from pieces


def _names_at(lines: Sequence[str], names: Sequence[str]) -> set[tuple[int, int, str]]:
    """The names of counters on a map of large hexes, by line and column; a cut name ends with `~`."""
    _, widest = ascii_map.BODY_LINES[1]
    word = re.compile(_pattern_for(cut(name, width) for name in names for width in range(2, widest + 1)))
    return {(y, match.start(), match[0]) for y, line in enumerate(lines) for match in word.finditer(line)}


def _pattern_for(names: Iterable[str]) -> str:
    """A pattern for these names as whole words, the longest first."""
    known = sorted(map(re.escape, set(names)), key=len, reverse=True)
    return rf"(?<![^\W_]|-)(?:{'|'.join(known)})(?![^\W_]|-)"


def _letters_at(lines: Sequence[str], names: Sequence[str]) -> set[tuple[int, int, str]]:
    """Letters and digits on a map of small hexes, by line and column: its counters, and its rulers."""
    return {
        (y, x, character)
        for y, line in enumerate(lines)
        for x, character in enumerate(line)
        if character.isalnum()
    }


def _parse_lists(lines: Sequence[str], legend: Legend, names: Sequence[str]) -> dict[tuple[str, str], str]:
    """The counters in lists, by name and the number of the hex that follows on the line.

    The value is face, letter and factors, if nothing else is between name and number.
    """
    numbers = {cell.number for cell in legend.cells}
    word = re.compile(rf"({_pattern_for(names)})|(?<![\w-])(\d+)(?![\w-])")
    between = re.compile(_FACE)
    listed: dict[tuple[str, str], str] = {}
    for line in lines:
        name = None
        for match in word.finditer(line):
            if match[1]:
                name = match
            elif name and match[2] in numbers:
                face = between.fullmatch(line, name.end(), match.start())
                listed[name[1], match[2]] = " ".join(face[0].split()) if face else ""
                name = None
    return listed
