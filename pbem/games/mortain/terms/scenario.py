"""Scenario files: their shape, further checks, and the `Setting` made from one.

Everything printed on the map and on the counters is data. `schemas/mortain-scenario.schema.json` describes
the shape for other programs. Each value says whether it is known and from which source. A scenario that
passes the checks can be set up and played to its end.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from pbem.base.validation import key_path
from pbem.core import maps
from pbem.core.maps import Factor, Frame, Road
from pbem.core.requests import Plain
from pbem.core.scenarios import Scenarios
from pbem.core.sentences import joined
from pbem.core.shape import Line, Name, Problem, Sourced, Struct, Text, unsourced
from pbem.games.mortain.terms.setting import GERMAN, PACKAGE, US, Counter, Factors, Kind, Options, Setting
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")


Terrain = Literal["clear", "woods", "village", "city", "hill"]
Modifier = Annotated[int, msgspec.Meta(ge=-9, le=9)]
Turn = Annotated[int, msgspec.Meta(ge=1, le=99, description="a turn number, 1 to 99", extra={"tr": tr})]


class Strength(Sourced, frozen=True, kw_only=True):
    """The strength of a support attack (M6.3)."""

    value: Factor


class Support(Struct, frozen=True, kw_only=True):
    """Both support attacks."""

    artillery: Strength
    air: Strength


class TerrainModifier(Sourced, frozen=True, kw_only=True):
    """The number that a terrain adds to the card (M5.5)."""

    value: Modifier


class Modifiers(Struct, frozen=True, kw_only=True):
    """The modifier of each terrain."""

    clear: TerrainModifier
    woods: TerrainModifier
    village: TerrainModifier
    city: TerrainModifier
    hill: TerrainModifier


class PrintedHex(Sourced, frozen=True, kw_only=True):
    """A hex with a name, or with terrain other than the default."""

    terrain: Terrain
    label: Line = ""


class Map(Frame, frozen=True, kw_only=True):
    """The hex grid and what is in it. Roads are drawn but have no effect."""

    otherwise: Terrain
    hexes: dict[str, PrintedHex]
    roads: list[Road] = msgspec.field(default_factory=list)
    modifiers: Modifiers


class PrintedCounter(Sourced, frozen=True, kw_only=True):
    """A counter (M1.1): two faces, each [anti-tank, anti-infantry]."""

    side: Literal["us", "german"]
    kind: Kind
    starts: Literal["map", "west", "east"]
    arrives: Turn
    full: tuple[Factor, Factor]
    reduced: tuple[Factor, Factor]
    tiger: bool = False


class Scenario(Struct, frozen=True, kw_only=True):
    """A whole scenario file."""

    name: Name
    title: Line
    map: Map
    units: dict[str, PrintedCounter]
    support: Support
    sources: dict[str, Text]


COLUMNS, ROWS = (2, 9), (1, 9)
"""The smallest and largest number, for a map that fits on a page."""

ROOM = 3
"""How many hexes the five units of the set-up need, two to a hex."""

LONGEST_NAME = 8

AT, FACES, TO = RESERVED = ("at", "faces", "to")
"""Prepositions and keywords of orders: no unit may have such a name."""


def problems(scenario: Scenario) -> Iterator[Problem]:
    """The faults of a scenario with a valid shape."""
    yield from maps.frame(scenario.map, COLUMNS, ROWS)
    yield from _room_problems(scenario.map)
    yield from _hex_problems(scenario.map)
    yield from maps.names(scenario.units, LONGEST_NAME, RESERVED)
    yield from _count_problems(scenario.units)
    yield from _arrival_problems(scenario.units)
    yield from unsourced(scenario, scenario.sources, "scenario")


def _room_problems(map_: Map) -> Iterator[Problem]:
    """M2.1: there must be room for the five units of the set-up."""
    (first, last), (top, bottom) = map_.columns, map_.rows
    room = (last - first) * (bottom - top + 1)
    if 0 <= room < ROOM:
        problem = tr(
            "hexes outside the easternmost column: {found}; the five units need at least {least} (M2.1)",
            found=room,
            least=ROOM,
        )
        yield "scenario.map", problem


def _hex_problems(map_: Map) -> Iterator[Problem]:
    """Hexes must be on the map, and a road must lead from each hex to an adjacent one."""
    grid = map_.grid()
    wrong = partial(maps.off_the_map, grid=grid)
    for at in map_.hexes:
        if problem := wrong(at):
            yield key_path("scenario.map.hexes", at), problem
    yield from maps.roads(map_.roads, grid, wrong)


def _count_problems(units: dict[str, PrintedCounter]) -> Iterator[Problem]:
    """M1.1, M2.2: there must be eight units on each side, five US units on the map, one German Tiger."""
    found: collections.Counter[tuple[str, str]] = collections.Counter(
        (unit.side, unit.starts) for unit in units.values()
    )
    on_map, west, east = found[US, "map"], found[US, "west"], found[GERMAN, "east"]
    path = "scenario.units"
    if on_map != 5:
        yield path, tr("five US units must start on the map, not {found} (M1.1)", found=on_map)
    if west != 3:
        yield path, tr("three US units must start in the west, not {found} (M1.1)", found=west)
    if east != 8:
        yield path, tr("eight German units must start in the east, not {found} (M1.1)", found=east)
    tigers = [unit.side for unit in units.values() if unit.tiger]
    if tigers != [GERMAN]:
        number, key = len(tigers), "tiger: true"
        yield (
            path,
            tr(
                "exactly one unit may have {key}, a German one; units that have it: {found} (M3.7)",
                found=number,
                key=key,
            ),
        )


def _arrival_problems(units: dict[str, PrintedCounter]) -> Iterator[Problem]:
    """M2.2, M4.4: faults in where and when each side arrives."""
    for name, unit in units.items():
        path = key_path("scenario.units", name)
        edges = ("map", "west") if unit.side == US else ("east",)
        if unit.starts not in edges:
            expected = joined(edges, "or")
            problem = tr("must be {expected}, not {found} (M2.1, M2.2)", found=unit.starts, expected=expected)
            yield f"{path}.starts", problem
        turn = 2 if unit.starts == "west" else 1
        if unit.arrives != turn:
            problem = tr("must be {expected}, not {found} (M4.4)", found=unit.arrives, expected=turn)
            yield f"{path}.arrives", problem


SCENARIOS = Scenarios(PACKAGE, ("mortain",), Scenario, problems)
"""The shipped scenarios, with the shape and checks for players' own."""


def read(data: Plain, options: Options) -> Setting:
    """Make a setting from a scenario. Raises `FileError` with the path of the first fault."""
    return _make_setting(msgspec.json.encode(SCENARIOS.read(data)), options)


@lru_cache(maxsize=4)
def _make_setting(packed: bytes, options: Options) -> Setting:
    """The setting for a scenario and options, computed once for all games that share them."""
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
    """The pairs of hexes connected by roads, each once, the lower number first."""
    return tuple(dict.fromkeys((min(a, b), max(a, b)) for road in roads for a, b in pairwise(road.hexes)))


def _make_counter(name: str, unit: PrintedCounter) -> Counter:
    """The counter of a unit, from its data."""
    full, reduced = Factors(*unit.full), Factors(*unit.reduced)
    return Counter(name, unit.side, unit.kind, full, reduced, unit.starts, unit.arrives, unit.tiger)
