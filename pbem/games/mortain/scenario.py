"""Scenario files: the map and the counters as data, checked, and turned into a `Setting`.

`Scenario` and the structs above it are the shape of the file; `schemas/mortain-scenario.schema.json`
says the same to other programs. Each value says whether it is known and from which source.
"""

from __future__ import annotations

import json
from collections import Counter as Tally
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

import msgspec

from pbem.core.hexes import Grid
from pbem.core.requests import Plain
from pbem.core.shipped import data_of, text_of
from pbem.errors import FileError
from pbem.games.mortain.setting import GERMAN, US, Counter, Factors, Kind, Options, Setting
from pbem.games.mortain.words import RESERVED

SHIPPED: tuple[str, ...] = ("mortain",)
"""Names of the scenarios in `data/`."""

ROOM = 3
"""How many hexes the five units of the set-up need, two to a hex."""

Problem: TypeAlias = tuple[str, str]
"""A path such as `scenario.units.17StuG.full[0]`, and what was found there and expected."""

Terrain = Literal["clear", "woods", "village", "city", "hill"]
Number = Annotated[int, msgspec.Meta(ge=0, le=99, description="a whole number from 0 to 99")]
Factor = Annotated[int, msgspec.Meta(ge=0, le=20, description="a whole number from 0 to 20")]
Modifier = Annotated[int, msgspec.Meta(ge=-9, le=9, description="a whole number from -9 to 9")]
Turn = Annotated[int, msgspec.Meta(ge=1, le=99, description="a turn from 1 to 99")]
Name = Annotated[
    str,
    msgspec.Meta(
        pattern=r"\A[a-z][a-z0-9-]{0,31}\Z",
        description="a name of at most 32 small letters, digits and hyphens that begins with a letter",
    ),
]
Line = Annotated[str, msgspec.Meta(max_length=60, description="a text of at most 60 characters")]
Text = Annotated[str, msgspec.Meta(max_length=1000, description="a text of at most 1000 characters")]


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mapping of the file; a key that it does not have is refused."""


class Sourced(Struct, frozen=True, kw_only=True):
    """Whether a value is known, follows from what is known, or is ours; and a key of the table of sources."""

    status: Literal["known", "inferred", "reconstruction"]
    source: Line
    note: Text = ""


class Strength(Sourced, frozen=True, kw_only=True):
    """Of a support attack (M6.3)."""

    value: Factor


class Support(Struct, frozen=True, kw_only=True):
    """Both support attacks."""

    artillery: Strength
    air: Strength


class TerrainModifier(Sourced, frozen=True, kw_only=True):
    """What a terrain adds to the card (M5.5)."""

    value: Modifier


class Modifiers(Struct, frozen=True, kw_only=True):
    """The modifier of each terrain."""

    clear: TerrainModifier
    woods: TerrainModifier
    village: TerrainModifier
    city: TerrainModifier
    hill: TerrainModifier


class Place(Sourced, frozen=True, kw_only=True):
    """A hex that is not like the others, or has a name."""

    terrain: Terrain
    label: Line = ""


class Road(Sourced, frozen=True, kw_only=True):
    """A road, hex by hex. It is drawn and has no effect."""

    name: Line
    hexes: list[str]


class Map(Sourced, frozen=True, kw_only=True):
    """The hex grid and what lies in it. `columns` and `rows` are the first and the last."""

    columns: tuple[Number, Number]
    rows: tuple[Number, Number]
    lower: Literal["even", "odd"]
    otherwise: Terrain
    hexes: dict[str, Place]
    roads: list[Road] = []
    modifiers: Modifiers

    def grid(self) -> Grid:
        """The grid alone."""
        return Grid(*self.columns, *self.rows, self.lower)


class Printed(Sourced, frozen=True, kw_only=True):
    """A counter (M1.1): two faces of [anti-tank, anti-infantry]."""

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
    units: dict[str, Printed]
    support: Support
    sources: dict[str, Text]


def text(name: str) -> str:
    """Return a scenario that comes with the program as its file. Raises `FileError` for another name."""
    return text_of("pbem.games.mortain", _known(name))


def shipped(name: str) -> Plain:
    """Return the data of a scenario that comes with the program. Raises `FileError` for another name."""
    return data_of("pbem.games.mortain", _known(name))


def _known(name: str) -> str:
    if name not in SHIPPED:
        raise FileError(f"found {_found(name)}, expected one of {', '.join(SHIPPED)}", where="scenario.name")
    return name


def read(data: Plain, options: Options) -> Setting:
    """Turn a scenario into a setting. Raises `FileError` with the path of the first thing wrong."""
    try:
        scenario = msgspec.convert(data, Scenario)
    except msgspec.ValidationError:
        path, problem = next(_shape(data, Scenario, "scenario"))
        raise FileError(problem, where=path) from None
    return _setting(msgspec.json.encode(scenario), options)


@lru_cache(maxsize=4)
def _setting(packed: bytes, options: Options) -> Setting:
    """The one setting of all games with this scenario and these options: what follows is worked out once."""
    scenario = msgspec.json.decode(packed, type=Scenario)
    for path, problem in _meaning(scenario):
        raise FileError(problem, where=path)
    grid, hexes = scenario.map.grid(), scenario.map.hexes
    plain, modifiers = scenario.map.otherwise, scenario.map.modifiers
    return Setting(
        options=options,
        counters={name: _counter(name, unit) for name, unit in scenario.units.items()},
        grid=grid,
        terrain={at: hexes[at].terrain if at in hexes else plain for at in grid.numbers},
        labels={at: place.label for at, place in hexes.items() if place.label},
        modifiers={name: getattr(modifiers, name).value for name in modifiers.__struct_fields__},
        artillery=scenario.support.artillery.value,
        air=scenario.support.air.value,
    )


def check(data: Plain) -> list[str]:
    """List all that is wrong with a scenario, each with its path: first its shape, then what it means."""
    return [f"{path}: {problem}" for path, problem in _problems(data)]


def _counter(name: str, unit: Printed) -> Counter:
    """Make the printed counter of a unit."""
    full, reduced = Factors(*unit.full), Factors(*unit.reduced)
    return Counter(name, unit.side, unit.kind, full, reduced, unit.starts, unit.arrives, unit.tiger)


def _problems(data: Plain) -> Iterator[Problem]:
    """Find what is wrong. Meaning is looked at only where the shape is right."""
    try:
        scenario = msgspec.convert(data, Scenario)
    except msgspec.ValidationError:
        yield from _shape(data, Scenario, "scenario")
    else:
        yield from _meaning(scenario)


# The shape of the file.


def _shape(value: Plain, kind: Any, path: str) -> Iterator[Problem]:
    """Compare plain data with a type, down to the last value: msgspec names only the first fault."""
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _fields(value, kind, path)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            yield from _shape(item, inner[1], _inside(path, key))
    elif origin is list and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _shape(item, inner[0], f"{path}[{number}]")
    elif origin is tuple and isinstance(value, list) and len(value) == len(inner):
        for number, item in enumerate(value):
            yield from _shape(item, inner[number], f"{path}[{number}]")
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            yield path, f"found {_found(value)}, expected {_expected(kind)}"


def _fields(value: Plain, kind: type[Struct], path: str) -> Iterator[Problem]:
    """Compare a mapping with a struct: unknown keys, missing keys, and what each key holds."""
    if not isinstance(value, dict):
        yield path, f"found {_found(value)}, expected a mapping"
        return
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            yield _inside(path, key), f"found an unknown key, expected one of {', '.join(fields)}"
    for name, field in fields.items():
        if name in value:
            yield from _shape(value[name], field.type, _inside(path, name))
        elif field.required:
            yield _inside(path, name), "found nothing, expected a value here"


def _expected(kind: Any) -> str:
    """Say what a value of this type looks like."""
    if get_origin(kind) is Annotated:
        meta = kind.__metadata__[0]
        return str(meta.description)
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if get_origin(kind) is tuple:
        return f"a list of two, each {_expected(get_args(kind)[0])}"
    names = {dict: "a mapping", list: "a list", str: "a text", bool: "true or false"}
    return names[get_origin(kind) or kind]


def _found(value: Plain) -> str:
    """Show a value in a message: on one line, in ASCII, and short."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _inside(path: str, key: str) -> str:
    """The path of a key of a mapping; one that is no plain word stands in quotation marks."""
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return f"{path}.{key}" if plain else f"{path}[{_found(key)}]"


# What the file means.


def _meaning(scenario: Scenario) -> Iterator[Problem]:
    """Find what is wrong with a scenario of the right shape."""
    for look in (_grid, _places, _names, _counts, _arrivals, _sources):
        yield from look(scenario)


def _grid(scenario: Scenario) -> Iterator[Problem]:
    """The map must be one that fits the page and whose columns can be drawn."""
    for name, (first, last), least in (("columns", scenario.map.columns, 2), ("rows", scenario.map.rows, 1)):
        if not least <= last - first + 1 <= 9:
            expected = f"first and last of {least} to 9 {name}"
            yield f"scenario.map.{name}", f"found [{first}, {last}], expected {expected}"
    first, last = scenario.map.columns
    top, bottom = scenario.map.rows
    room = (last - first) * (bottom - top + 1)
    if 0 <= room < ROOM:
        expected = f"at least {ROOM} for the five units (M2.1)"
        yield "scenario.map", f"found {room} hexes outside the easternmost column, expected {expected}"
    if (first % 2 == 0) == (scenario.map.lower == "even"):
        expected = f"the other, so that column {first}, the westernmost, is not a lower one"
        yield "scenario.map.lower", f"found {scenario.map.lower}, expected {expected}"


def _places(scenario: Scenario) -> Iterator[Problem]:
    """Hexes must be on the map, and a road must run from hex to adjacent hex."""
    grid = scenario.map.grid()
    numbers = grid.numbers
    span = f"a hex from {numbers[0]} to {numbers[-1]}" if numbers else "a map"
    for number in scenario.map.hexes:
        if number not in grid:
            yield _inside("scenario.map.hexes", number), f"found {_found(number)}, expected {span}"
    for index, road in enumerate(scenario.map.roads):
        path = f"scenario.map.roads[{index}].hexes"
        strangers = [place for place, number in enumerate(road.hexes) if number not in grid]
        for place in strangers:
            yield f"{path}[{place}]", f"found {_found(road.hexes[place])}, expected {span}"
        if not strangers:
            for place, (a, b) in enumerate(pairwise(road.hexes), start=1):
                if grid.distance(a, b) != 1:
                    yield f"{path}[{place}]", f"found {b}, expected a hex next to {a}"


def _names(scenario: Scenario) -> Iterator[Problem]:
    """Every unit must have a name that can be typed (M9) and is never read as a number."""
    seen: dict[str, str] = {}
    for name in scenario.units:
        path = _inside("scenario.units", name)
        letters = name.isascii() and name.replace("-", "").isalnum() and any(c.isalpha() for c in name)
        if not letters or len(name) > 8 or name.startswith("-"):
            expected = "at most 8 letters, digits and hyphens, a letter among them, no hyphen in front"
            yield path, f"found {_found(name)}, expected {expected}"
        if name.lower() in RESERVED:
            yield path, f"found {name}, expected a name that is no word of the orders ({', '.join(RESERVED)})"
        if name.lower() in seen:
            yield path, f"found {name}, expected a name that differs from {seen[name.lower()]}"
        seen.setdefault(name.lower(), name)


def _counts(scenario: Scenario) -> Iterator[Problem]:
    """M1.1, M2.2: eight units a side, five US on the map, one German Tiger."""
    found: Tally[tuple[str, str]] = Tally((unit.side, unit.starts) for unit in scenario.units.values())
    for (side, starts), number, words in (
        ((US, "map"), 5, "US units that start on the map"),
        ((US, "west"), 3, "US units that start in the west"),
        ((GERMAN, "east"), 8, "German units that start in the east"),
    ):
        if found[side, starts] != number:
            yield "scenario.units", f"found {found[side, starts]} {words}, expected {number} (M1.1)"
    tigers = [unit.side for unit in scenario.units.values() if unit.tiger]
    if tigers != [GERMAN]:
        yield "scenario.units", f"found {len(tigers)} units with tiger: true, expected one, a German (M3.7)"


def _arrivals(scenario: Scenario) -> Iterator[Problem]:
    """M2.2, M4.4: where and when each side comes."""
    for name, unit in scenario.units.items():
        path = _inside("scenario.units", name)
        edges = ("map", "west") if unit.side == US else ("east",)
        if unit.starts not in edges:
            yield f"{path}.starts", f"found {unit.starts}, expected {' or '.join(edges)} (M2.1, M2.2)"
        turn = 2 if unit.starts == "west" else 1
        if unit.arrives != turn:
            yield f"{path}.arrives", f"found {unit.arrives}, expected {turn} (M4.4)"


def _sources(scenario: Scenario) -> Iterator[Problem]:
    """Every source must be in the table of sources."""
    known = ", ".join(scenario.sources) or "a source in scenario.sources"
    for path, value in _sourced(scenario, "scenario"):
        if value.source not in scenario.sources:
            yield f"{path}.source", f"found {_found(value.source)}, expected one of {known}"


def _sourced(value: Any, path: str) -> Iterator[tuple[str, Sourced]]:
    """Find every value that has a source."""
    if isinstance(value, Sourced):
        yield path, value
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _sourced(getattr(value, name), _inside(path, name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _sourced(item, _inside(path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _sourced(item, f"{path}[{number}]")
