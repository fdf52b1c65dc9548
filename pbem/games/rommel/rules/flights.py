"""R4.2, R4.3, flights: how far, along which paths, and the safest path (R4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from pbem.core.paths import Path, cheapest
from pbem.core.requests import Tell
from pbem.core.sentences import joined
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import flak, weather
from pbem.games.rommel.rules.events import Flies
from pbem.games.rommel.rules.orders import Fly
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import MOST_ON_AN_AIRFIELD
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

Guns: TypeAlias = frozenset[str]
"""Guns that fire at an aircraft on its way."""

MOST_IN_THE_AIR = 3
"""R4.2: how many aircraft of a side may end a flight in one hex."""


def zone(state: State, side: str, at: str) -> tuple[str, ...]:
    """R4.3: the aircraft of the other side in whose zone of control a hex is."""
    sky = state.sky
    there = [name for near in state.setting.grid.adjacent(at) if near in sky for name in sky[near]]
    return tuple([name for name in there if state.side(name) != side]) if there else ()


def other_aircraft(state: State, name: str, at: str) -> tuple[str, ...]:
    """The aircraft of either side in a hex, other than this one."""
    return tuple([found for found in state.sky.get(at, ()) if found != name])


def room(state: State, side: str, at: str) -> int:
    """R4.2: how many aircraft of a side may be in a hex."""
    return MOST_ON_AN_AIRFIELD if at in state.setting.airfields[side] else MOST_IN_THE_AIR


def may_pass(state: State, name: str, at: str) -> bool:
    """R4.2, R4.3: whether an aircraft may fly over a hex and beyond."""
    return not other_aircraft(state, name, at) and not zone(state, state.side(name), at)


def may_stop(state: State, name: str, at: str) -> bool:
    """R4.2: whether an aircraft may end its flight in a hex."""
    side, there = state.side(name), other_aircraft(state, name, at)
    return len(there) < room(state, side, at) and all(state.side(found) == side for found in there)


def steps(state: State, name: str, at: str, length: int) -> Iterator[str]:
    """R4.2, R4.3: the legal next steps from a hex that an aircraft has reached on a path of this length.

    It may stop after each of them, in a zone with a dogfight; a hex where it may not stop it may not fly over
    either.
    """
    if length < weather.flight_range(state, name) and (not length or may_pass(state, name, at)):
        yield from (to for to in state.setting.grid.adjacent(at) if may_stop(state, name, to))


def check(state: State, order: Fly) -> None:
    """R4.2, R4.3: check one flight, apart from the dogfight it might require. Raises `IllegalOrder`."""
    name, path = order.unit, order.path
    if not state.counter(name).flies:
        raise IllegalOrder("R4.2", tr("{unit} is not an aircraft", unit=name))
    _check_length(state, name, path)
    for at, to in zip((state.at(name), *path), path, strict=False):
        if to not in state.setting.grid.adjacent(at):
            facts = tr(
                "{hex} is not adjacent to {before} on the path of {unit}", hex=to, before=at, unit=name
            )
            raise IllegalOrder("R4.2", facts)
    for at in path[:-1]:
        if not may_pass(state, name, at):
            _refuse_passing(state, name, at)
    if not may_stop(state, name, path[-1]):
        there = joined(other_aircraft(state, name, path[-1]))
        facts = tr(
            "{unit} may not end its flight in {hex}, which holds {others}",
            unit=name,
            hex=path[-1],
            others=there,
        )
        raise IllegalOrder("R4.2", facts)


def _check_length(state: State, name: str, path: tuple[str, ...]) -> None:
    """R4.2: check that the path is not too long; cites R3.2 if only dust makes it so."""
    most = weather.flight_range(state, name)
    if len(path) > most:
        rule = "R4.2" if len(path) > state.movement(name) else "R3.2"
        facts = tr.plural(
            "the path of {unit} is {number} hex long; it may fly {most}",
            "the path of {unit} is {number} hexes long; it may fly {most}",
            len(path),
            unit=name,
            most=most,
        )
        raise IllegalOrder(rule, facts)


def _refuse_passing(state: State, name: str, at: str) -> None:
    there = other_aircraft(state, name, at)
    if there:
        facts = tr("{unit} may not pass over {others} in {hex}", unit=name, others=joined(there), hex=at)
        raise IllegalOrder("R4.2", facts)
    enemies = joined(zone(state, state.side(name), at))
    facts = tr(
        "{unit} must stop in {hex}, in the zone of control of {enemies}", unit=name, hex=at, enemies=enemies
    )
    raise IllegalOrder("R4.3", facts)


async def fly(state: State, order: Fly, spent: tuple[str, ...]) -> tuple[State, tuple[str, ...]]:
    """R4.2, R4.4: carry out a flight under fire. Takes and returns `spent`, the guns that have fired."""
    name, path = order.unit, order.path
    await Tell(state, "R4.2", Flies(name, state.at(name), path[-1], list(path)))
    return await flak.fly_under_fire(state, name, path, spent)


def guns_on_path(state: State, name: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """R4.4: the enemy guns that may fire at an aircraft on a path, in the order of their fire."""
    aiming = flak.guns_against(state, name)
    return tuple(
        dict.fromkeys(
            gun
            for at in flak.exposed_hexes(state, name, path)
            for gun in flak.guns_in_range(state, aiming, at)
        )
    )


def reach(state: State, name: str) -> dict[str, Path]:
    """R4.2 to R4.4: every hex but its own that an aircraft may fly to now, each with the best path there.

    The best of the legal paths has the fewest guns, then the fewest hexes, then the lowest hex numbers. A
    flight into an enemy aircraft's zone is legal only with a dogfight.
    """
    start, airfields = state.at(name), state.setting.airfields[state.side(name)]
    best: dict[str, tuple[int, Path]] = {}
    for at, before, met, path in _paths(state, name):
        number = len(before if at in airfields else met)
        if at != start and (at not in best or number < best[at][0]) and may_stop(state, name, at):
            best[at] = number, path
    return {at: path for at, (_, path) in sorted(best.items())}


def _paths(state: State, name: str) -> Iterator[tuple[str, Guns, Guns, Path]]:
    """The paths of an aircraft worth flying, by length, then by hex numbers.

    Each comes with its last hex, the guns in range before that hex, and those including it. A path that
    reaches a hex under all the guns of an earlier path is not continued: it leads nowhere new.
    """
    grid, most, aiming = state.setting.grid, weather.flight_range(state, name), flak.guns_against(state, name)
    followed: dict[str, list[Guns]] = {}

    @cache
    def threats(at: str) -> Guns:
        return frozenset(flak.guns_in_range(state, aiming, at))

    def onward(node: tuple[str, Guns], path: Path) -> Iterator[tuple[str, tuple[str, Guns], int]]:
        at, before = node
        met = before | threats(at) if path else before
        if len(path) == most or any(earlier <= met for earlier in followed.get(at, ())):
            return
        if not path or may_pass(state, name, at):
            followed.setdefault(at, []).append(met)
            for to in grid.adjacent(at):
                yield to, (to, met), 1

    for (at, before), path in cheapest((state.at(name), Guns()), onward):
        yield at, before, before | threats(at), path
