"""How refusals, outcomes and stories put numbers and lists into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SPELT = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
"""The numbers that may stand as words."""


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 hex`, `4 hexes`, `2 units`."""
    ending = "" if number == 1 else "es" if noun.endswith("x") else "s"
    return f"{number} {noun}{ending}"


def spelt(number: int, noun: str) -> str:
    """The same with a small number as a word: `one unit`, `three units`, `12 units`."""
    figures, nouns = counted(number, noun).split(" ", 1)
    return f"{SPELT[number] if number < len(SPELT) else figures} {nouns}"


def listed(names: Iterable[str]) -> str:
    """Names with commas between them."""
    return ", ".join(names)


def joined(names: Sequence[object], last: str = "and") -> str:
    """Names as in a sentence: `DF, D and 37SS`."""
    *first, end = map(str, names)
    return f"{listed(first)} {last} {end}" if first else end
