"""How the game's refusals, questions and story put sides, lists and chances into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pbem.games.rommel.setting import ALLIED, AXIS

SIDES = {ALLIED: "Allied", AXIS: "Axis"}


MONTHS = (("October", 31), ("November", 30), ("December", 31))
"""The rest of 1942, with the days of each month."""

FIRST_DAY = 23
"""The day of October 1942 on which the battle begins, by the text."""


def date(turn: int) -> str:
    """The day that a turn is (R3.1); empty after 1942, where no game of the text comes."""
    day = FIRST_DAY + turn - 1
    for month, days in MONTHS:
        if day <= days:
            return f"{day} {month} 1942"
        day -= days
    return ""


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
