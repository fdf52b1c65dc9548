"""The names of the sides, of everything printed on counters and map, and of the weather."""

from __future__ import annotations

from pbem.core.sides import Side
from pbem.games.rommel.terms.setting import ALLIED, AXIS, Weather
from pbem.messages import Messages, Said

tr = Messages("pbem.games.rommel")

SIDES = {
    AXIS: Side(name=tr("Axis"), the=tr("the Axis"), of=tr("of the Axis"), to=tr("to the Axis")),
    ALLIED: Side(
        name=tr("Allied"),
        the=tr("the Allies"),
        of=tr("of the Allies"),
        to=tr("to the Allies"),
        many=True,
    ),
}
"""The name of each side as it stands in sentences (R2.1, R2.2)."""


def kind_name(of: str) -> Said:
    """R1.1: the name of a type of counters."""
    match of:
        case "infantry":
            return tr("infantry")
        case "parachute":
            return tr("parachute")
        case "mechanised":
            return tr("mechanised")
        case "tank":
            return tr("tank")
        case "field":
            return tr("field gun")
        case "anti_tank":
            return tr("anti-tank")
        case "mixed":
            return tr("anti-air and anti-tank")
        case "anti_aircraft":
            return tr("anti-aircraft")
        case "supply":
            return tr("supply")
        case "fort":
            return tr("fortification")
        case "fighter":
            return tr("fighter")
        case "bomber":
            return tr("bomber")
    raise AssertionError(of)


def weather_name(today: Weather) -> Said:
    """R3.1: the name of a weather."""
    match today:
        case "dust":
            return tr("dust")
        case "storm":
            return tr("storm")
        case "clear":
            return tr.sense("of the weather", "clear")


def nation_names() -> dict[str, Said]:
    """R9.1: the names of the nationalities, each of which may have a commander of its own."""
    return {
        "german": tr("German"),
        "italian": tr("Italian"),
        "british": tr("British"),
        "commonwealth": tr("Commonwealth"),
        "greek": tr("Greek"),
        "french": tr("Free French"),
    }


def place_name(name: str) -> Said:
    """A name on the map. One of those in `data/alamein.yaml` is a description, and translated."""
    return tr("Desert strip") if name == "Desert strip" else name
