"""Scenario files: map, counters and tables as data, checked, and turned into a `Setting`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from pbem.core.requests import Plain
from pbem.core.shape import Problem, faults, found
from pbem.core.shipped import data_of, text_of
from pbem.errors import FileError
from pbem.games.rommel.terms import playable, setting
from pbem.games.rommel.terms.printed import Fire, Place, PrintedCounter, Row, Scenario, Weathers
from pbem.games.rommel.terms.setting import SEATS, Counter, Options, Setting

SHIPPED: tuple[str, ...] = ("alamein",)
"""Names of the scenarios in `data/`."""


def text(name: str) -> str:
    """Return a scenario that comes with the program as its file. Raises `FileError` for another name."""
    return text_of("pbem.games.rommel", _known(name))


def shipped(name: str) -> Plain:
    """Return the data of a scenario that comes with the program. Raises `FileError` for another name."""
    return data_of("pbem.games.rommel", _known(name))


def _known(name: str) -> str:
    if name not in SHIPPED:
        raise FileError(f"found {found(name)}, expected one of {', '.join(SHIPPED)}", where="scenario.name")
    return name


def check(data: Plain) -> list[str]:
    """List all that is wrong with a scenario, each with its path: first its shape, then what it means."""
    return [f"{path}: {problem}" for path, problem in _problems(data, _shaped(data))]


def read(data: Plain, options: Options) -> Setting:
    """Turn a scenario into a setting. Raises `FileError` with the path of the first thing wrong."""
    scenario = _shaped(data)
    for path, problem in _problems(data, scenario):
        raise FileError(problem, where=path)
    assert scenario is not None
    map_, ground = scenario.map, scenario.map.ground
    links = [link for road in map_.roads for link in pairwise(road.hexes)]
    return Setting(
        options=options,
        counters={name: _counter(name, unit) for name, unit in scenario.units.items()},
        grid=map_.grid(),
        land=ground.land,
        roads=frozenset(links) | frozenset((b, a) for a, b in links),
        villages=_by_side(map_.villages),
        airfields=_by_side(map_.airfields),
        victory_points={at: point.name for at, point in map_.victory_points.items()},
        mines=ground.mines,
        zones=ground.zones,
        weather=_weather(scenario.weather),
        fire={name: _fire(getattr(scenario.fire, name)) for name in Fire.__struct_fields__},
        flak_range=scenario.flak_range,
        supply_radius=scenario.supply_radius,
        bombing=scenario.bombing.by_row(),
    )


def _shaped(data: Plain) -> Scenario | None:
    """The scenario that data are; None if they have another shape."""
    try:
        return msgspec.convert(data, Scenario)
    except msgspec.ValidationError:
        return None


def _problems(data: Plain, scenario: Scenario | None) -> Iterator[Problem]:
    """Find what is wrong. Meaning is looked at only where the shape is right."""
    if scenario is None:
        yield from faults(data, Scenario, "scenario")
    else:
        yield from playable.problems(scenario)


def _counter(name: str, unit: PrintedCounter) -> Counter:
    """Make the printed counter of a unit."""
    return Counter(
        name, unit.side, unit.nation, unit.kind, *unit.factors, unit.letter, unit.stars, *unit.struck
    )


def _by_side(places: dict[str, Place]) -> dict[str, dict[str, str]]:
    return {side: {at: place.name for at, place in places.items() if place.side == side} for side in SEATS}


def _weather(weathers: Weathers) -> dict[int, setting.Weather]:
    words: tuple[setting.Weather, ...] = ("dust", "storm", "clear")
    return {face: word for word in words for face in getattr(weathers, word)}


def _fire(row: Row) -> setting.Fire:
    return setting.Fire(row.range, row.hits.by_target())
