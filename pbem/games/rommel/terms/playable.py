"""What a scenario must mean beyond its shape, so that it can be set up and played to its end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.core import maps
from pbem.core.shape import Problem, unsourced
from pbem.faults import inside, quoted
from pbem.games.rommel.terms.printed import Area, Bombing, Fire, Hits, Map, PrintedCounter, Scenario
from pbem.games.rommel.terms.setting import (
    AIRCRAFT,
    ALLIED,
    AXIS,
    FACES,
    FIRST_COUNTERS,
    MOST_ON_AN_AIRFIELD,
    SEATS,
)
from pbem.games.rommel.terms.typed import RESERVED
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")

LONGEST_NAME = 12

COLUMNS, ROWS = (2, 40), (2, 30)
"""The fewest and the most: not too large to play on by mail."""

POINTS, VILLAGES = 5, 2
"""R8.1: how many victory points there are, and how many Allied villages."""


def problems(scenario: Scenario) -> Iterator[Problem]:
    """Everything wrong with a scenario of the right shape. Later looks want a map that is whole."""
    wrong = [*maps.frame(scenario.map, COLUMNS, ROWS), *_areas(scenario.map)]
    yield from wrong
    if not wrong:
        yield from _places(scenario.map)
        not_land = partial(_not_land, map_=scenario.map)
        yield from maps.roads(scenario.map.roads, scenario.map.grid(), not_land)
        yield from _zones(scenario.map)
        yield from _room(scenario)
    yield from maps.names(scenario.units, LONGEST_NAME, RESERVED)
    yield from _units(scenario)
    yield from _counts(scenario)
    yield from _weather(scenario)
    yield from _hits(scenario.fire)
    yield from _bombing(scenario.bombing)
    yield from unsourced(scenario, scenario.sources, "scenario")


def _areas(map_: Map) -> Iterator[Problem]:
    """Blocks must lie on the map, their first hex in the north-west of their last."""
    areas: tuple[tuple[str, Area], ...] = (
        ("land", map_.land),
        ("mines", map_.mines),
        ("zones.axis", map_.zones.axis),
        ("zones.allied", map_.zones.allied),
    )
    grid = map_.grid()
    for name, area in areas:
        for number, (first, last) in enumerate(area.blocks):
            path = f"scenario.map.{name}.blocks[{number}]"
            strangers = [maps.off_the_map(at, grid) for at in (first, last)]
            yield from ((f"{path}[{n}]", wrong) for n, wrong in enumerate(strangers) if wrong)
            if not any(strangers) and (first[:2] > last[:2] or first[2:] > last[2:]):
                yield path, f"found {first} before {last}, expected the north-west hex first"


def _not_land(number: str, map_: Map) -> str | None:
    """What is wrong with a hex that must be land."""
    if number in map_.ground.land:
        return None
    return maps.off_the_map(number, map_.grid()) or f"found {number}, expected a hex of the land"


def _places(map_: Map) -> Iterator[Problem]:
    """Places are on land, the victory points in the Axis zone, and there are as many as R8.1 has."""
    axis = map_.ground.zones[AXIS]
    for name, places in (
        ("victory_points", map_.victory_points),
        ("villages", map_.villages),
        ("airfields", map_.airfields),
    ):
        for at in places:
            problem = _not_land(at, map_)
            if problem is None and name == "victory_points" and at not in axis:
                problem = f"found {at}, expected a hex of the Axis zone (R8.1)"
            if problem is not None:
                yield inside(f"scenario.map.{name}", at), problem
    if len(map_.victory_points) != POINTS:
        points = len(map_.victory_points)
        yield "scenario.map.victory_points", f"found {points} victory points, expected {POINTS} (R8.1)"
    villages = sum(place.side == ALLIED for place in map_.villages.values())
    if villages != VILLAGES:
        yield "scenario.map.villages", f"found {villages} Allied villages, expected {VILLAGES} (R8.1)"


def _zones(map_: Map) -> Iterator[Problem]:
    """R2: what one side places unseen must not meet what the other does."""
    shared = sorted(map_.ground.zones[AXIS] & map_.ground.zones[ALLIED])
    if shared:
        yield "scenario.map.zones", f"found {shared[0]} in both zones, expected it in one (R2)"


def _room(scenario: Scenario) -> Iterator[Problem]:
    """R2.4: wherever counters are put, one by one, there is room for the next.

    That is certain if every counter, fortifications too, finds a hex of its own that may hold any of them.
    """
    map_ = scenario.map
    settled = {*map_.victory_points, *map_.villages, *map_.airfields}
    for side, zone in map_.ground.zones.items():
        counters = [unit for unit in scenario.units.values() if unit.side == side]
        ground = sum(unit.kind not in AIRCRAFT for unit in counters)
        room = len(zone - map_.ground.mines - settled)
        if ground > room:
            expected = f"at least {ground}, one for each land counter and fortification (R2.4)"
            yield (
                f"scenario.map.zones.{side}",
                f"found {room} hexes without mines, victory point, village and airfield, expected {expected}",
            )
        airfields = sum(place.side == side for place in map_.airfields.values())
        aircraft = len(counters) - ground
        if aircraft > MOST_ON_AN_AIRFIELD * airfields:
            expected = f"one for every {MOST_ON_AN_AIRFIELD} of the {aircraft} aircraft (R2.4)"
            yield "scenario.map.airfields", f"found {airfields} airfields of the {side}, expected {expected}"


def _units(scenario: Scenario) -> Iterator[Problem]:
    """Factors with which every combat ends, striped counters for tanks alone, fortifications of the Axis."""
    for name, unit in scenario.units.items():
        path = inside("scenario.units", name)
        if unit.kind != "fort" and unit.factors[0] < 1:
            yield f"{path}.factors[0]", "found 0, expected at least 1, or equal products never end (R6.3)"
        if unit.kind == "fort" and unit.side != AXIS:
            yield f"{path}.nation", f"found {unit.nation}, expected german or italian (R2.2)"
        if unit.kind in AIRCRAFT and unit.factors[1] < 1:
            yield f"{path}.factors[1]", "found 0, expected at least 1 (R4.2)"
        yield from _tank(path, unit)


def _tank(path: str, unit: PrintedCounter) -> Iterator[Problem]:
    """R1.1, R1.3: a tank has a letter, asterisks and a striped counter; nothing else has."""
    if unit.kind != "tank":
        for name, value, none in (
            ("letter", unit.letter, ""),
            ("stars", unit.stars, 0),
            ("struck", list(unit.struck), [0, 0]),
        ):
            if value != none:
                yield f"{path}.{name}", f"found {quoted(value)}, expected it with a tank only (R1.1)"
        return
    if not (len(unit.letter) == 1 and unit.letter.isascii() and unit.letter.isalpha()):
        yield f"{path}.letter", f"found {quoted(unit.letter)}, expected one letter for a tank (R1.1)"
    if unit.stars < 1:
        yield f"{path}.stars", "found 0, expected 1 to 3 for a tank (R1.1)"
    if unit.struck[0] < 1:
        yield f"{path}.struck[0]", "found 0, expected at least 1, or equal products never end (R6.3)"


def _counts(scenario: Scenario) -> Iterator[Problem]:
    """R2.1 to R2.3: each question of the set-up places something. R5.4: each side has supply."""
    units = scenario.units.values()
    for side in SEATS:
        if not any(unit.kind == "supply" and unit.side == side for unit in units):
            yield "scenario.units", f"found no supply of the {side}, expected some (R5.4)"
    first = sum(unit.side == AXIS and unit.kind not in ("supply", "fort", *AIRCRAFT) for unit in units)
    if first < FIRST_COUNTERS:
        expected = f"at least {FIRST_COUNTERS} (R2.1)"
        yield "scenario.units", f"found {first} Axis land counters that are no supply, expected {expected}"
    land = sum(unit.side == ALLIED and unit.kind not in AIRCRAFT for unit in units)
    if land <= FIRST_COUNTERS:
        expected = f"more than the {FIRST_COUNTERS} placed last (R2.3)"
        yield "scenario.units", f"found {land} Allied land counters, expected {expected}"


def _weather(scenario: Scenario) -> Iterator[Problem]:
    """R3.1: every face of the die brings one weather."""
    weathers = scenario.weather
    brought = (*weathers.dust, *weathers.storm, *weathers.clear)
    for face in sorted(set(FACES)):
        if brought.count(face) != 1:
            number = brought.count(face)
            yield "scenario.weather", f"found face {face} in {number} lists, expected it in one (R3.1)"


def _hits(fire: Fire) -> Iterator[Problem]:
    """R7.1: an entry of the fire table lists different faces."""
    for row in Fire.__struct_fields__:
        for target in Hits.__struct_fields__:
            faces = getattr(getattr(fire, row).hits, target)
            if len(set(faces)) < len(faces):
                path = f"scenario.fire.{row}.hits.{target}"
                yield path, f"found {faces}, expected each face once (R7.1)"


def _bombing(bombing: Bombing) -> Iterator[Problem]:
    """R4.5: so does an entry of the bombing table."""
    for row, faces in bombing.by_row().items():
        if len(set(faces)) < len(faces):
            yield f"scenario.bombing.{row}", f"found {list(faces)}, expected each face once (R4.5)"
