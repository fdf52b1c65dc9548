"""What a scenario must mean beyond its shape, so that it can be set up and played to its end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pbem.core.hexes import Grid
from pbem.core.shape import Problem, found, inside, unsourced
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

LONGEST_NAME = 12
RESERVED = ("at", "bomb", "clear", "dogfight", "down", "on", "to")
"""The small words of the orders: no unit may have such a name."""

MOST_COLUMNS, MOST_ROWS = 40, 30
POINTS, VILLAGES = 5, 2
"""R8.1: how many victory points there are, and how many Allied villages."""


def problems(scenario: Scenario) -> Iterator[Problem]:
    """Everything wrong with a scenario of the right shape. Later looks want a map that is whole."""
    wrong = [*_grid(scenario.map), *_areas(scenario.map)]
    yield from wrong
    if not wrong:
        yield from _places(scenario.map)
        yield from _roads(scenario.map)
        yield from _zones(scenario.map)
        yield from _room(scenario)
    yield from _names(scenario)
    yield from _units(scenario)
    yield from _counts(scenario)
    yield from _weather(scenario)
    yield from _hits(scenario.fire)
    yield from _bombing(scenario.bombing)
    yield from unsourced(scenario, scenario.sources, "scenario")


def _grid(map_: Map) -> Iterator[Problem]:
    """The map must be one whose columns can be drawn, and not too large to play on by mail."""
    for name, (first, last), most in (
        ("columns", map_.columns, MOST_COLUMNS),
        ("rows", map_.rows, MOST_ROWS),
    ):
        if not 2 <= last - first + 1 <= most:
            expected = f"first and last of 2 to {most} {name}"
            yield f"scenario.map.{name}", f"found [{first}, {last}], expected {expected}"
    first, _ = map_.columns
    if (first % 2 == 0) == (map_.lower == "even"):
        expected = f"the other, so that column {first}, the westernmost, is not a lower one"
        yield "scenario.map.lower", f"found {map_.lower}, expected {expected}"


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
            strangers = [index for index, at in enumerate((first, last)) if at not in grid]
            for index in strangers:
                yield f"{path}[{index}]", _off_the_map((first, last)[index], grid)
            if not strangers and (first[:2] > last[:2] or first[2:] > last[2:]):
                yield path, f"found {first} before {last}, expected the north-west hex first"


def _off_the_map(number: str, grid: Grid) -> str:
    numbers = grid.numbers
    span = f"a hex from {numbers[0]} to {numbers[-1]}" if numbers else "a map"
    return f"found {found(number)}, expected {span}"


def _not_land(number: str, map_: Map) -> str | None:
    """What is wrong with a hex that must be land."""
    if number not in map_.grid():
        return _off_the_map(number, map_.grid())
    return None if number in map_.ground.land else f"found {number}, expected a hex of the land"


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


def _roads(map_: Map) -> Iterator[Problem]:
    """A road runs over land from hex to adjacent hex."""
    grid = map_.grid()
    for index, road in enumerate(map_.roads):
        path = f"scenario.map.roads[{index}].hexes"
        strangers = False
        for place, at in enumerate(road.hexes):
            problem = _not_land(at, map_)
            if problem is not None:
                strangers = True
                yield f"{path}[{place}]", problem
        if not strangers:
            for place, (a, b) in enumerate(pairwise(road.hexes), start=1):
                if grid.distance(a, b) != 1:
                    yield f"{path}[{place}]", f"found {b}, expected a hex next to {a}"


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


def _names(scenario: Scenario) -> Iterator[Problem]:
    """Every unit must have a name that can be typed (R10) and is never read as a number."""
    seen: dict[str, str] = {}
    for name in scenario.units:
        path = inside("scenario.units", name)
        letters = name.isascii() and name.replace("-", "").isalnum() and any(c.isalpha() for c in name)
        if not letters or len(name) > LONGEST_NAME or name.startswith("-"):
            expected = f"at most {LONGEST_NAME} letters, digits and hyphens, a letter among them"
            yield path, f"found {found(name)}, expected {expected}, no hyphen in front"
        if name.lower() in RESERVED:
            yield path, f"found {name}, expected a name that is no word of the orders ({', '.join(RESERVED)})"
        if name.lower() in seen:
            yield path, f"found {name}, expected a name that differs from {seen[name.lower()]}"
        seen.setdefault(name.lower(), name)


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
                yield f"{path}.{name}", f"found {found(value)}, expected it with a tank only (R1.1)"
        return
    if not (len(unit.letter) == 1 and unit.letter.isascii() and unit.letter.isalpha()):
        yield f"{path}.letter", f"found {found(unit.letter)}, expected one letter for a tank (R1.1)"
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
