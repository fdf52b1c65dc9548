"""How refusals put numbers and names into words; the view does it likewise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 hex`, `4 hexes`, `2 units`."""
    ending = "" if number == 1 else "es" if noun.endswith("x") else "s"
    return f"{number} {noun}{ending}"


def listed(names: Iterable[str]) -> str:
    """Names with commas between them."""
    return ", ".join(names)


def joined(names: Sequence[object], last: str = "and") -> str:
    """Names as in a sentence: `20-Aus, 24-Aus and 26-Aus`."""
    *first, end = map(str, names)
    return f"{listed(first)} {last} {end}" if first else end
