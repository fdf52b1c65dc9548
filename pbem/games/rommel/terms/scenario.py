"""Scenario files: their shape, further checks, and the `Setting` made from one.

Everything printed on the board and on the counters is data. `schemas/rommel-scenario.schema.json` describes
the shape for other programs. Each value says whether it is known and from which source. A scenario that
passes the checks can be set up and played to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

import msgspec

from pbem.base.validation import key_path, quote_value
from pbem.core import maps
from pbem.core.maps import Factor, Frame, Road
from pbem.core.requests import Plain
from pbem.core.scenarios import Scenarios
from pbem.core.sentences import joined
from pbem.core.shape import Line, Name, Problem, Sourced, Struct, Text, unsourced
from pbem.games.rommel.terms import setting
from pbem.games.rommel.terms.setting import (
    AIRCRAFT,
    ALLIED,
    AXIS,
    FACES,
    FIRST_COUNTERS,
    FLAK_RANGE,
    MOST_ON_AN_AIRFIELD,
    PACKAGE,
    RESERVED,
    SEATS,
    SUPPLY_RADIUS,
    Counter,
    Kind,
    Nation,
    Options,
    Setting,
    Target,
)
from pbem.messages import Messages, Said

tr = Messages("pbem.games.rommel")


SIDE_OF_NATION: dict[Nation, str] = {
    "german": AXIS,
    "italian": AXIS,
    "british": ALLIED,
    "commonwealth": ALLIED,
    "greek": ALLIED,
    "french": ALLIED,
}
"""The side of each nation."""

Stars = Annotated[int, msgspec.Meta(ge=0, le=3)]
Range = Annotated[int, msgspec.Meta(ge=1, le=9)]
Face = Annotated[
    int, msgspec.Meta(ge=2, le=5, description="a face of the die, from 2 to 5", extra={"tr": tr})
]
Faces = Annotated[
    list[Face],
    msgspec.Meta(min_length=1, description="one or more faces of the die, from 2 to 5", extra={"tr": tr}),
]
Radius = Annotated[int, msgspec.Meta(ge=1, le=99)]
Side = Literal["allied", "axis"]


class Area(Sourced, frozen=True, kw_only=True):
    """Hexes in blocks: rectangles of columns and rows, from the north-west hex to the south-east hex."""

    blocks: list[tuple[str, str]]

    def hexes(self) -> frozenset[str]:
        """Every hex of the blocks. A file can name one hex in a million blocks, so each is made only once."""
        columns: dict[tuple[str, str], set[int]] = {}
        for first, last in self.blocks:
            columns.setdefault((first[:2], last[:2]), set()).update(range(int(first[2:]), int(last[2:]) + 1))
        return frozenset(
            f"{column:02}{row:02}"
            for (west, east), rows in columns.items()
            for column in range(int(west), int(east) + 1)
            for row in rows
        )


class Zones(Struct, frozen=True, kw_only=True):
    """The areas where each side sets up (R2); hexes that are not land do not count."""

    axis: Area
    allied: Area


class Point(Sourced, frozen=True, kw_only=True):
    """A victory point (R8.1)."""

    name: Line


class PrintedHex(Sourced, frozen=True, kw_only=True):
    """A village or an airfield of a side."""

    name: Line
    side: Side


class Ground(NamedTuple):
    """The land hexes, those with mines, and those in each side's zone."""

    land: frozenset[str]
    mines: frozenset[str]
    zones: Mapping[str, frozenset[str]]


class Map(Frame, frozen=True, kw_only=True, dict=True):
    """The hex grid and what is in it. Each step of a road is a road link (R5.3)."""

    land: Area
    mines: Area
    zones: Zones
    victory_points: dict[str, Point]
    villages: dict[str, PrintedHex]
    airfields: dict[str, PrintedHex]
    roads: list[Road]

    @cached_property
    def ground(self) -> Ground:
        """The areas, restricted to land. The blocks must be on the map."""
        land = self.land.hexes()
        axis, allied = (land & zone.hexes() for zone in (self.zones.axis, self.zones.allied))
        return Ground(land, land & self.mines.hexes(), {AXIS: axis, ALLIED: allied})


class Weathers(Sourced, frozen=True, kw_only=True):
    """The weather for each face of the die (R3.1)."""

    dust: list[Face]
    storm: list[Face]
    clear: list[Face]


class Hits(Struct, frozen=True, kw_only=True):
    """The faces that hit each kind of target (R7.1); none for one that may not be fired at."""

    soft: list[Face] = msgspec.field(default_factory=list)
    fort: list[Face] = msgspec.field(default_factory=list)
    one: list[Face] = msgspec.field(default_factory=list)
    two: list[Face] = msgspec.field(default_factory=list)
    three: list[Face] = msgspec.field(default_factory=list)

    def by_target(self) -> dict[Target, tuple[int, ...]]:
        """The targets that may be fired at, with their faces."""
        targets: tuple[Target, ...] = ("soft", "fort", "one", "two", "three")
        return {target: tuple(getattr(self, target)) for target in targets if getattr(self, target)}


class Row(Sourced, frozen=True, kw_only=True):
    """A row of the fire table (R7.1): the range in hexes, and what hits."""

    range: Range
    hits: Hits


class Fire(Struct, frozen=True, kw_only=True):
    """The fire table: tanks of one, two and three asterisks, and the artillery that fires."""

    tank1: Row
    tank2: Row
    tank3: Row
    field: Row
    anti_tank: Row
    mixed: Row


class Bombing(Struct, frozen=True, kw_only=True):
    """The faces with which a bomb hits each kind of target (R4.5), tanks by their asterisks.

    For kinds missing here the option `bomb_hits` applies.
    """

    infantry: Faces = msgspec.field(default_factory=list)
    parachute: Faces = msgspec.field(default_factory=list)
    mechanised: Faces = msgspec.field(default_factory=list)
    field: Faces = msgspec.field(default_factory=list)
    anti_tank: Faces = msgspec.field(default_factory=list)
    mixed: Faces = msgspec.field(default_factory=list)
    anti_aircraft: Faces = msgspec.field(default_factory=list)
    supply: Faces = msgspec.field(default_factory=list)
    tank1: Faces = msgspec.field(default_factory=list)
    tank2: Faces = msgspec.field(default_factory=list)
    tank3: Faces = msgspec.field(default_factory=list)

    def by_row(self) -> dict[str, tuple[int, ...]]:
        """The kinds given, with their faces."""
        return {row: tuple(getattr(self, row)) for row in self.__struct_fields__ if getattr(self, row)}


class PrintedCounter(Sourced, frozen=True, kw_only=True):
    """A counter (R1.1): its factors as [combat, movement]; the last three fields are for tanks (R1.3)."""

    nation: Nation
    kind: Kind
    factors: tuple[Factor, Factor]
    letter: Line = ""
    stars: Stars = 0
    struck: tuple[Factor, Factor] = (0, 0)

    @property
    def side(self) -> str:
        """The side of its nation."""
        return SIDE_OF_NATION[self.nation]


class Scenario(Struct, frozen=True, kw_only=True):
    """A whole scenario file. Defaults are values given in the text of the rules."""

    name: Name
    title: Line
    map: Map
    weather: Weathers
    fire: Fire
    flak_range: Range = FLAK_RANGE
    supply_radius: Radius = SUPPLY_RADIUS
    bombing: Bombing = Bombing()
    units: dict[str, PrintedCounter]
    sources: dict[str, Text]


LONGEST_NAME = 12

COLUMNS, ROWS = (2, 40), (2, 30)
"""The smallest and largest number, so that the map is small enough for play by mail."""

POINTS, VILLAGES = 5, 2
"""R8.1: how many victory points there are, and how many Allied villages."""


def problems(scenario: Scenario) -> Iterator[Problem]:
    """The faults of a scenario with a valid shape. Later checks need a valid map."""
    wrong = [*maps.frame(scenario.map, COLUMNS, ROWS), *_area_problems(scenario.map)]
    yield from wrong
    if not wrong:
        yield from _place_problems(scenario.map)
        not_land = partial(_not_land, map_=scenario.map)
        yield from maps.roads(scenario.map.roads, scenario.map.grid(), not_land)
        yield from _zone_problems(scenario.map)
        yield from _room_problems(scenario)
    yield from maps.names(scenario.units, LONGEST_NAME, RESERVED)
    yield from _unit_problems(scenario)
    yield from _twin_problems(scenario)
    yield from _count_problems(scenario)
    yield from _weather_problems(scenario)
    yield from _fire_table_problems(scenario.fire)
    yield from _bombing_table_problems(scenario.bombing)
    yield from unsourced(scenario, scenario.sources, "scenario")


def _area_problems(map_: Map) -> Iterator[Problem]:
    """Blocks must be on the map, with their first hex to the north-west of their last."""
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
                yield path, _wrong_block_order(first, last)


def _wrong_block_order(first: str, last: str) -> Said:
    return tr("the north-west hex comes first, but {first} is listed before {last}", first=first, last=last)


def _not_land(number: str, map_: Map) -> Said | None:
    """The fault of a hex that must be land, or None."""
    if number in map_.ground.land:
        return None
    off = maps.off_the_map(number, map_.grid())
    return off or tr("{hex} is not a land hex", hex=number)


def _place_problems(map_: Map) -> Iterator[Problem]:
    """Places must be on land, victory points in the Axis zone, and their numbers those of R8.1."""
    axis = map_.ground.zones[AXIS]
    for name, places in (
        ("victory_points", map_.victory_points),
        ("villages", map_.villages),
        ("airfields", map_.airfields),
    ):
        for at in places:
            problem = _not_land(at, map_)
            if problem is None and name == "victory_points" and at not in axis:
                problem = tr("{hex} must be in the Axis zone (R8.1)", hex=at)
            if problem is not None:
                yield key_path(f"scenario.map.{name}", at), problem
    points = len(map_.victory_points)
    if points != POINTS:
        problem = tr(
            "there must be {expected} victory points, not {number} (R8.1)", number=points, expected=POINTS
        )
        yield "scenario.map.victory_points", problem
    villages = sum(place.side == ALLIED for place in map_.villages.values())
    if villages != VILLAGES:
        problem = tr(
            "there must be {expected} Allied villages, not {number} (R8.1)",
            number=villages,
            expected=VILLAGES,
        )
        yield "scenario.map.villages", problem


def _zone_problems(map_: Map) -> Iterator[Problem]:
    """R2: the zones must not overlap, since the sides place counters unseen by each other."""
    shared = sorted(map_.ground.zones[AXIS] & map_.ground.zones[ALLIED])
    if shared:
        problem = tr("{hex} is in both zones; it may be in only one (R2)", hex=shared[0])
        yield "scenario.map.zones", problem


def _room_problems(scenario: Scenario) -> Iterator[Problem]:
    """R2.4: wherever and in whatever order counters are placed, there must be room for the next one.

    That is certain if there are at least as many hexes that may hold any counter as there are counters,
    fortifications included.
    """
    map_ = scenario.map
    settled = {*map_.victory_points, *map_.villages, *map_.airfields}
    for side, zone in map_.ground.zones.items():
        counters = [unit for unit in scenario.units.values() if unit.side == side]
        ground = sum(unit.kind not in AIRCRAFT for unit in counters)
        room = len(zone - map_.ground.mines - settled)
        if ground > room:
            problem = tr(
                "land counters and fortifications need {least} hexes without mines, victory point, "
                "village or airfield; there are {number} (R2.4)",
                number=room,
                least=ground,
            )
            yield f"scenario.map.zones.{side}", problem
        airfields = sum(place.side == side for place in map_.airfields.values())
        aircraft = len(counters) - ground
        if aircraft > MOST_ON_AN_AIRFIELD * airfields:
            yield "scenario.map.airfields", _too_few_airfields(side, airfields, aircraft)


def _too_few_airfields(side: str, airfields: int, aircraft: int) -> Said:
    """R2.4: say that a side has too few airfields."""
    if side == ALLIED:
        return tr(
            "the {aircraft} Allied aircraft need an airfield for every {most} of them; there are "
            "{number} (R2.4)",
            number=airfields,
            most=MOST_ON_AN_AIRFIELD,
            aircraft=aircraft,
        )
    return tr(
        "the {aircraft} Axis aircraft need an airfield for every {most} of them; there are {number} (R2.4)",
        number=airfields,
        most=MOST_ON_AN_AIRFIELD,
        aircraft=aircraft,
    )


def _unit_problems(scenario: Scenario) -> Iterator[Problem]:
    """Factors must let every combat end, only tanks have striped counters, and forts are the Axis's."""
    for name, unit in scenario.units.items():
        path = key_path("scenario.units", name)
        if unit.kind != "fort" and unit.factors[0] < 1:
            yield f"{path}.factors[0]", _endless_ties()
        if unit.kind == "fort" and unit.side != AXIS:
            yield f"{path}.nation", _not_an_axis_nation(unit.nation)
        if unit.kind in AIRCRAFT and unit.factors[1] < 1:
            yield f"{path}.factors[1]", tr("must be at least 1, not 0 (R4.2)")
        yield from _tank_problems(path, unit)


def _endless_ties() -> Said:
    return tr("must be at least 1, not 0, or ties would never end (R6.3)")


def _not_an_axis_nation(nation: str) -> Said:
    return tr(
        "must be {nations}, not {found} (R2.2)", found=nation, nations=joined(("german", "italian"), "or")
    )


def _tank_problems(path: str, unit: PrintedCounter) -> Iterator[Problem]:
    """R1.1, R1.3: a tank must have a letter, asterisks and a striped counter, and nothing else may."""
    if unit.kind != "tank":
        for name, value, none in (
            ("letter", unit.letter, ""),
            ("stars", unit.stars, 0),
            ("struck", list(unit.struck), [0, 0]),
        ):
            if value != none:
                problem = tr("only a tank may have this: {found} (R1.1)", found=quote_value(value))
                yield f"{path}.{name}", problem
        return
    if not (len(unit.letter) == 1 and unit.letter.isascii() and unit.letter.isalpha()):
        problem = tr("a tank has one letter, not {found} (R1.1)", found=quote_value(unit.letter))
        yield f"{path}.letter", problem
    if unit.stars < 1:
        yield f"{path}.stars", tr("must be 1 to 3 for a tank, not 0 (R1.1)")
    if unit.struck[0] < 1:
        yield f"{path}.struck[0]", _endless_ties()


def _twin_problems(scenario: Scenario) -> Iterator[Problem]:
    """R1.1: tanks of one nationality (their colour) and letter must have the same striped counter."""
    firsts: dict[tuple[str, str], str] = {}
    for name, unit in scenario.units.items():
        if unit.kind != "tank" or not unit.letter or unit.struck[0] < 1:
            continue
        first = firsts.setdefault((unit.nation, unit.letter), name)
        twin = scenario.units[first].struck
        if unit.struck != twin:
            problem = tr(
                "{found} here, but {twin} for {unit}: tanks of one nationality and letter have the "
                "same struck twin (R1.1)",
                found=list(unit.struck),
                twin=list(twin),
                unit=first,
            )
            yield f"{key_path('scenario.units', name)}.struck", problem


def _count_problems(scenario: Scenario) -> Iterator[Problem]:
    """R2.1 to R2.3: each placement must have counters. R5.4: each side must have supply."""
    units = scenario.units.values()
    for side in SEATS:
        if not any(unit.kind == "supply" and unit.side == side for unit in units):
            yield "scenario.units", _no_supply_unit(side)
    first = sum(unit.side == AXIS and unit.kind not in ("supply", "fort", *AIRCRAFT) for unit in units)
    if first < FIRST_COUNTERS:
        problem = tr(
            "the Axis needs at least {least} land counters besides supply, not {number} (R2.1)",
            number=first,
            least=FIRST_COUNTERS,
        )
        yield "scenario.units", problem
    land = sum(unit.side == ALLIED and unit.kind not in AIRCRAFT for unit in units)
    if land <= FIRST_COUNTERS:
        problem = tr(
            "the Allies must have more than {last} land counters, not {number}: the last {last} are placed "
            "apart (R2.3)",
            number=land,
            last=FIRST_COUNTERS,
        )
        yield "scenario.units", problem


def _no_supply_unit(side: str) -> Said:
    if side == ALLIED:
        return tr("the Allies need at least one supply counter (R5.4)")
    return tr("the Axis needs at least one supply counter (R5.4)")


def _weather_problems(scenario: Scenario) -> Iterator[Problem]:
    """R3.1: every face of the die must mean one weather."""
    weathers = scenario.weather
    brought = (*weathers.dust, *weathers.storm, *weathers.clear)
    for face in sorted(set(FACES)):
        if brought.count(face) != 1:
            number = brought.count(face)
            problem = tr(
                "face {face} must be in exactly one list, not in {number} (R3.1)", face=face, number=number
            )
            yield "scenario.weather", problem


def _fire_table_problems(fire: Fire) -> Iterator[Problem]:
    """R7.1: an entry of the fire table must list different faces."""
    for row in Fire.__struct_fields__:
        for target in Hits.__struct_fields__:
            faces = getattr(getattr(fire, row).hits, target)
            if len(set(faces)) < len(faces):
                path = f"scenario.fire.{row}.hits.{target}"
                yield (
                    path,
                    tr("a face may be named only once, not as in {faces} (R7.1)", faces=quote_value(faces)),
                )


def _bombing_table_problems(bombing: Bombing) -> Iterator[Problem]:
    """R4.5: an entry of the bombing table must list different faces."""
    for row, faces in bombing.by_row().items():
        if len(set(faces)) < len(faces):
            problem = tr("a face may be named only once, not as in {faces} (R4.5)", faces=quote_value(faces))
            yield f"scenario.bombing.{row}", problem


SCENARIOS = Scenarios(PACKAGE, ("alamein",), Scenario, problems)
"""The shipped scenarios, with the shape and checks for players' own."""


def read(data: Plain, options: Options) -> Setting:
    """Make a setting from a scenario. Raises `FileError` with the path of the first fault."""
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
    """The counter of a unit, from its data."""
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
