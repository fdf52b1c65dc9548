"""The checks of a scenario beyond its shape: that it can be set up and played to its end."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from functools import partial

from pbem.base.validation import key_path
from pbem.core import maps
from pbem.core.sentences import joined
from pbem.core.shape import Problem, unsourced
from pbem.games.mortain.terms.printed import Map, PrintedCounter, Scenario
from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")

COLUMNS, ROWS = (2, 9), (1, 9)
"""The fewest and the most that fit on a page."""

ROOM = 3
"""How many hexes the five units of the set-up need, two to a hex."""

LONGEST_NAME = 8

AT, FACES, TO = RESERVED = ("at", "faces", "to")
"""Prepositions and keywords of orders: no unit may have such a name."""


def problems(scenario: Scenario) -> Iterator[Problem]:
    """Everything wrong with a scenario whose shape is valid."""
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
    """M1.1, M2.2: eight units a side, five US on the map, one German Tiger."""
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
                "{key} is for exactly one unit, a German one; units that have it: {found} (M3.7)",
                found=number,
                key=key,
            ),
        )


def _arrival_problems(units: dict[str, PrintedCounter]) -> Iterator[Problem]:
    """M2.2, M4.4: where and when each side arrives."""
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
