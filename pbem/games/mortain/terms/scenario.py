"""Scenario files: the map and the counters as data, checked, and turned into a `Setting`."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import msgspec

from pbem.core.maps import Road
from pbem.core.requests import Plain
from pbem.core.scenarios import Scenarios
from pbem.games.mortain.terms.playable import problems
from pbem.games.mortain.terms.printed import PrintedCounter, Scenario
from pbem.games.mortain.terms.setting import PACKAGE, Counter, Factors, Options, Setting

SCENARIOS = Scenarios(PACKAGE, ("mortain",), Scenario, problems)
"""The scenarios that ship, with the shape and the checks of a player's own."""


def read(data: Plain, options: Options) -> Setting:
    """Make a setting of a scenario. Raises `FileError` with the path of the first problem."""
    return _make_setting(msgspec.json.encode(SCENARIOS.read(data)), options)


@lru_cache(maxsize=4)
def _make_setting(packed: bytes, options: Options) -> Setting:
    """The setting that all games with this scenario and these options share, so that it is computed once."""
    scenario = msgspec.json.decode(packed, type=Scenario)
    SCENARIOS.look(scenario)
    grid, hexes = scenario.map.grid(), scenario.map.hexes
    plain, modifiers = scenario.map.otherwise, scenario.map.modifiers
    return Setting(
        options=options,
        counters={name: _make_counter(name, unit) for name, unit in scenario.units.items()},
        grid=grid,
        terrain={at: hexes[at].terrain if at in hexes else plain for at in grid.numbers},
        labels={at: place.label for at, place in hexes.items() if place.label},
        modifiers={name: getattr(modifiers, name).value for name in modifiers.__struct_fields__},
        artillery=scenario.support.artillery.value,
        air=scenario.support.air.value,
        roads=_road_links(scenario.map.roads),
    )


def _road_links(roads: list[Road]) -> tuple[tuple[str, str], ...]:
    """The pairs of hexes that roads connect, each once, the lower number first."""
    return tuple(dict.fromkeys((min(a, b), max(a, b)) for road in roads for a, b in pairwise(road.hexes)))


def _make_counter(name: str, unit: PrintedCounter) -> Counter:
    """Make the counter of a unit as printed."""
    full, reduced = Factors(*unit.full), Factors(*unit.reduced)
    return Counter(name, unit.side, unit.kind, full, reduced, unit.starts, unit.arrives, unit.tiger)
