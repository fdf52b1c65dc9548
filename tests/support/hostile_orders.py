"""Plain data and typed words that no honest player sends, and honest ones with one thing spoilt."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from random import Random

from pbem.core.requests import Plain

DEEP, HUGE, WIDE = 100, 5_000, 200

SCALARS: tuple[Plain, ...] = (
    None,
    True,
    False,
    0,
    -1,
    2**53 - 1,
    "",
    " ",
    "pass",
    "1503",
    "\x1b[31m\u202e",
    "\N{GREEK SMALL LETTER ALPHA}" * 41,
    "x" * HUGE,
)

KEYS = (
    *("pass", "place", "move", "to", "at", "fire", "faces", "suppress", "path", "on", "aa", "open"),
    "",
    "x" * 100,
)


def random_plain_data(chooser: Random, depth: int = 3) -> Plain:
    """Random plain data, now and then very deep, long or wide."""
    shape = chooser.randrange(10) if depth else 9
    match shape:
        case 0:
            return _nested(DEEP)
        case 1:
            return [random_plain_data(chooser, 0)] * WIDE
        case 2 | 3 | 4:
            return [random_plain_data(chooser, depth - 1) for _ in range(chooser.randrange(4))]
        case 5 | 6 | 7:
            return {
                chooser.choice(KEYS): random_plain_data(chooser, depth - 1)
                for _ in range(chooser.randrange(1, 4))
            }
        case _:
            return chooser.choice(SCALARS)


def _nested(depth: int) -> Plain:
    nest: Plain = []
    for _ in range(depth):
        nest = [nest]
    return nest


def spoil(data: Plain, words: Sequence[str], chooser: Random) -> Plain:
    """The same data with one thing in it replaced by a word or by anything, left out or doubled."""
    data = deepcopy(data)
    inside = chooser.choice(containers(data))
    other = chooser.choice((chooser.choice(words), chooser.choice(words), random_plain_data(chooser)))
    if isinstance(inside, list):
        at = chooser.randrange(len(inside))
        inside[at : at + 1] = chooser.choice(([], [inside[at]] * 2, [other], [inside[at], other]))
    else:
        key = chooser.choice(list(inside))
        value = inside.pop(key)
        key = chooser.choice((key, key, key, chooser.choice(KEYS)))
        inside.update(chooser.choice(({key: other}, {key: other}, {key: value}, {})))
    return data


def containers(data: Plain) -> list[Plain]:
    """The data itself and every non-empty list and mapping in it."""
    inside = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    found = [data] if inside else []
    return found + [container for item in inside for container in containers(item)]


def words_in(data: Plain) -> list[str]:
    """Every string in the data, including keys, each once and in order."""
    found: dict[str, None] = {}
    for container in containers(data):
        inside = [*container, *container.values()] if isinstance(container, dict) else container
        found.update(dict.fromkeys(item for item in inside if isinstance(item, str)))
    return list(found)


def spoil_text(line: str, chooser: Random) -> str:
    """The same line with a piece of it cut out, doubled, or replaced by other characters."""
    start = chooser.randrange(len(line) + 1)
    end = min(len(line), start + chooser.randrange(4))
    other = chooser.choice(("", line[start:end] * 2, " ", ";", "9", "\x00", "\n", "\N{SNOWMAN}", "zz"))
    return line[:start] + other + line[end:]
