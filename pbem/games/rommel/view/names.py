"""The wording of orders, sides, dates and chances, in the player's language."""

from __future__ import annotations

from fractions import Fraction

from pbem.games.rommel.terms import setting as terms
from pbem.games.rommel.terms.setting import ALLIED, AXIS, SIDES
from pbem.texts import Texts, percent

tr = Texts("pbem.games.rommel")

FIRST_DAY = 23
"""The day of October 1942 on which the battle begins, in the rules' text."""

OCTOBER, NOVEMBER, DECEMBER = 31, 30, 31
"""The number of days of each of the last months of 1942."""


def order_text(words: str) -> str:
    """Words of orders in the player's language; names and hexes stay as they are."""
    return str(terms.order_words(words))


def side_name(seat: str) -> str:
    """The name of a side, as in a heading or a list."""
    return str(SIDES[seat].name)


def brief_names() -> dict[str, str]:
    """Shorter words for a hex on a screen, of sides, nationalities and places."""
    nations = {key: str(name) for key, name in terms.nation_names().items()}
    return {
        nations["german"]: tr.sense("in a hex, at most 7 letters", "German"),
        nations["italian"]: tr.sense("in a hex, at most 7 letters", "Italian"),
        nations["british"]: tr.sense("in a hex, at most 7 letters", "British"),
        nations["commonwealth"]: tr.sense("in a hex, at most 7 letters", "C'wlth"),
        nations["greek"]: tr.sense("in a hex, at most 7 letters", "Greek"),
        nations["french"]: tr.sense("in a hex, at most 7 letters", "Free Fr"),
        side_name(AXIS): tr.sense("in a hex, at most 7 letters", "Axis"),
        side_name(ALLIED): tr.sense("in a hex, at most 7 letters", "Allied"),
        str(terms.place_name("Desert strip")): tr.sense("in a hex, at most 9 letters a word", "Desert strip"),
        "Rahman crossroads": tr.sense("in a hex, at most 9 letters a word", "Rahman X-roads"),
    }


def date_of_turn(turn: int) -> str:
    """The date of a turn (R3.1); empty after 1942, beyond the turns of the rules' text."""
    day = FIRST_DAY + turn - 1
    if day <= OCTOBER:
        return tr("{day} October 1942", day=day)
    day -= OCTOBER
    if day <= NOVEMBER:
        return tr("{day} November 1942", day=day)
    day -= NOVEMBER
    return tr("{day} December 1942", day=day) if day <= DECEMBER else ""


def format_chance(exact: Fraction) -> str:
    """A chance as a percentage, and exactly: `68% (17/25)`."""
    return f"{percent(float(exact))} ({exact})"


def amount_of_kind(key: str, number: int) -> str:
    """How many counters of a kind there are; `key` is the legend's (R1.1)."""
    match key:
        case "infantry":
            return tr.plural("{number} infantry", "{number} infantry", number)
        case "parachute":
            return tr.plural("{number} parachute unit", "{number} parachute units", number)
        case "mechanised":
            return tr.plural("{number} mechanised", "{number} mechanised", number)
        case "tank":
            return tr.plural("{number} tank", "{number} tanks", number)
        case "field gun":
            return tr.plural("{number} field gun", "{number} field guns", number)
        case "anti-tank":
            return tr.plural("{number} anti-tank gun", "{number} anti-tank guns", number)
        case "anti-air and anti-tank":
            return tr.plural("{number} mixed gun", "{number} mixed guns", number)
        case "anti-aircraft":
            return tr.plural("{number} anti-aircraft gun", "{number} anti-aircraft guns", number)
        case "supply":
            return tr.plural("{number} supply counter", "{number} supply counters", number)
        case "fortification":
            return tr.plural("{number} fortification", "{number} fortifications", number)
        case "fighter":
            return tr.plural("{number} fighter", "{number} fighters", number)
        case _:
            return tr.plural("{number} bomber", "{number} bombers", number)
