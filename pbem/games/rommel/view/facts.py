"""How sides, days and chances are said."""

from __future__ import annotations

from fractions import Fraction

from pbem.games.rommel.terms.setting import ALLIED, AXIS

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


def chance(exact: Fraction) -> str:
    """A chance in per cent, and exactly: `68% (17/25)`."""
    return f"{round(100 * exact)}% ({exact})"
