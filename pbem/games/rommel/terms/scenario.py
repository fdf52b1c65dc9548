"""Scenario files: map, counters and tables as data, checked, and turned into a `Setting`."""

from __future__ import annotations

from itertools import pairwise

from pbem.core.requests import Plain
from pbem.core.scenarios import Scenarios
from pbem.games.rommel.terms import setting
from pbem.games.rommel.terms.playable import problems
from pbem.games.rommel.terms.printed import Fire, PrintedCounter, PrintedHex, Row, Scenario, Weathers
from pbem.games.rommel.terms.setting import PACKAGE, SEATS, Counter, Options, Setting

SCENARIOS = Scenarios(PACKAGE, ("alamein",), Scenario, problems)
"""The scenarios that ship, with the shape and the checks of a player's own."""


def read(data: Plain, options: Options) -> Setting:
    """Make a setting of a scenario. Raises `FileError` with the path of the first problem."""
    scenario = SCENARIOS.read(data)
    SCENARIOS.look(scenario)
    map_, ground = scenario.map, scenario.map.ground
    links = [link for road in map_.roads for link in pairwise(road.hexes)]
    return Setting(
        options=options,
        counters={name: _make_counter(name, unit) for name, unit in scenario.units.items()},
        grid=map_.grid(),
        land=ground.land,
        roads=frozenset(links) | frozenset((b, a) for a, b in links),
        villages=_places_by_side(map_.villages),
        airfields=_places_by_side(map_.airfields),
        victory_points={at: point.name for at, point in map_.victory_points.items()},
        mines=ground.mines,
        zones=ground.zones,
        weather=_weather_by_face(scenario.weather),
        fire={name: _make_fire_row(getattr(scenario.fire, name)) for name in Fire.__struct_fields__},
        flak_range=scenario.flak_range,
        supply_radius=scenario.supply_radius,
        bombing=scenario.bombing.by_row(),
    )


def _make_counter(name: str, unit: PrintedCounter) -> Counter:
    """Make the counter of a unit as printed."""
    return Counter(
        name, unit.side, unit.nation, unit.kind, *unit.factors, unit.letter, unit.stars, *unit.struck
    )


def _places_by_side(places: dict[str, PrintedHex]) -> dict[str, dict[str, str]]:
    return {side: {at: place.name for at, place in places.items() if place.side == side} for side in SEATS}


def _weather_by_face(weathers: Weathers) -> dict[int, setting.Weather]:
    words: tuple[setting.Weather, ...] = ("dust", "storm", "clear")
    return {face: word for word in words for face in getattr(weathers, word)}


def _make_fire_row(row: Row) -> setting.FireRow:
    return setting.FireRow(row.range, row.hits.by_target())
