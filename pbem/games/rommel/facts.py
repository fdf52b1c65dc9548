"""How the game's refusals, questions and story put sides, lists and chances into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pbem.games.rommel.setting import ALLIED, AXIS

SIDES = {ALLIED: "Allied", AXIS: "Axis"}


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


def chance(exact: Fraction) -> str:
    """A chance in per cent, and exactly: `68% (17/25)`."""
    return f"{round(100 * exact)}% ({exact})"
