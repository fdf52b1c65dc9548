"""Read an ASCII picture as far as ours goes: does it contradict the position?

Each program words its pictures as it likes (FORMAT 3), so two that differ prove nothing. A picture whose key
is ours, word for word, can be read as ours: then the contents of its map and lists, place by place, are
compared, and the numbers of its figures; nothing else is: no words, no labels, no order of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import TypeVar

from pbem.core.legend import Legend, Piece
from pbem.render import hexmap
from pbem.render.words import cut, to_ascii

_Key = TypeVar("_Key")

_FACE = r" +[^\W\d_] +\d+-\d+ +"
"""What may stand between a counter's name and its hex: letter and factors."""


def picture_contradicts(lines: Sequence[str], ours: Sequence[Sequence[str]], legend: Legend) -> bool | None:
    """Whether a picture shows a counter or a figure differently from ours; None if its key is not ours.

    `ours` are the parts of our own picture of the legend. A picture that contradicts nothing may still
    differ in what is not read here.
    """
    figures, drawn, key, lists = ours
    below = next(
        (end for start, end in _blocks(lines) if _sorted_words(lines[start:end]) == _sorted_words(key)), None
    )
    if below is None:
        return None
    top = next((n for n in range(below) if lines[n] == drawn[0]), below)
    names = [to_ascii(piece.name) for piece in _all_pieces(legend)]
    spots = _names_at if hexmap.large_map_fits(legend) else _letters_at
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
    """The numbers in the figures at the top of a picture, by the names of the figures."""
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
    _, widest = hexmap.BODY_LINES[1]
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
    """The counters in lists by name and the number of the hex that follows on the line.

    The value is the face, letter and factors, if nothing else stands between the two.
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
