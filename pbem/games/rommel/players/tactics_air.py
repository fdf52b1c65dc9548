"""The sensible player in the air: dogfights and bombs that are worth the guns on the way (R4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from typing import TypeAlias

from msgspec import Struct

from pbem.core.paths import Path
from pbem.core.requests import Orders, Plain
from pbem.games.rommel.players.tactics import chance, loss, prize
from pbem.games.rommel.rules import weather
from pbem.games.rommel.rules.air import bombing, flights, landing
from pbem.games.rommel.rules.chances import hits, survives
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import MOST_ON_AN_AIRFIELD, other

ENOUGH = 0.3
"""The least worth of an attack that is flown."""
TOGETHER = 2
"""The most fighters that attack one aircraft together."""


class Sortie(Struct, frozen=True):
    """Flights with the attack at their end, what it is worth, who flies and against whom."""

    worth: float
    orders: tuple[Plain, ...]
    units: tuple[str, ...]
    target: str

    def goes_with(self, other: Sortie) -> bool:
        """Whether both can be flown, and have different targets."""
        return self.target != other.target and not any(name in other.units for name in self.units)


class Approach(Struct, frozen=True):
    """The approach of an aircraft to a hex: the orders for it, and the chance to come through (R4.4)."""

    name: str
    to: str
    path: tuple[str, ...]
    through: float

    @property
    def orders(self) -> tuple[Plain, ...]:
        """The flight, if there is any."""
        return ({"fly": self.name, "path": list(self.path)},) if self.path else ()


Approaches: TypeAlias = Mapping[str, Sequence[Approach]]
"""By aircraft: its ways to where it could attack something."""
Reach: TypeAlias = Callable[[str], Mapping[str, Path]]
"""The reach of an aircraft: the hexes it may fly to now, each with the best path."""


def sorties(state: State, seat: str) -> list[Orders]:
    """The flights with their bombs and dogfights that are worth flying, the best first."""
    reach: Reach = cache(partial(flights.reach, state))
    approaches = {name: _approaches(state, name, reach) for name in state.air_force(seat)}
    found = [*_hunts(state, seat, approaches), *_raids(state, seat, approaches)]
    chosen: list[Sortie] = []
    for sortie in sorted(found, key=lambda sortie: -sortie.worth):
        if sortie.worth >= ENOUGH and all(sortie.goes_with(other) for other in chosen):
            chosen.append(sortie)
    busy = {name for sortie in chosen for name in sortie.units}
    return [*(list(sortie.orders) for sortie in chosen), *_advances(state, seat, busy, reach)]


def _advances(state: State, seat: str, busy: set[str], reach: Reach) -> Iterator[Orders]:
    """Flights of idle bombers, out of reach of guns, towards what a later sub-turn may bomb (R4.1)."""
    left = state.setting.options.air_subturns - state.subturn
    for name in state.air_force(seat):
        if left and state.kind(name) == "bomber" and name not in busy:
            path = _advance(state, name, left, reach)
            if path:
                yield [{"fly": name, "path": list(path)}]


def _advance(state: State, name: str, left: int, reach: Reach) -> tuple[str, ...]:
    """The path to the hex out of reach of guns that is nearest to an enemy that no gun guards; or none."""
    grid, most = state.setting.grid, weather.flight(state, name)
    here, seat, ground = state.at(name), state.side(name), state.ground
    worth = {
        at: float(hits(bombing.hits(state, target))) * prize(state, target)
        for at, target in ground.items()
        if state.side(target) != seat and most < grid.distance(here, at) <= most * (left + 1)
    }
    goals = [
        at
        for at in worth
        if worth[at] >= ENOUGH and not flights.guns(state, name, (at,)) and not flights.zone(state, seat, at)
    ]
    if not goals:
        return ()
    safe = {
        at: path
        for at, path in reach(name).items()
        if not flights.zone(state, seat, at) and not flights.guns(state, name, path)
    }
    pairs = [(grid.distance(at, goal), -worth[goal], at) for at in safe for goal in goals]
    best = min(pairs, default=None)
    return safe[best[2]] if best is not None and best[0] <= most * left else ()


def _hunts(state: State, seat: str, approaches: Approaches) -> Iterator[Sortie]:
    """Attacks by one or two fighters on an enemy aircraft."""
    fighters = [name for name in approaches if state.kind(name) == "fighter"]
    for target in state.air_force(other(seat)):
        near = state.setting.grid.adjacent(state.at(target))
        ways = {name: [way for way in approaches[name] if way.to in near] for name in fighters}
        able = [name for name in fighters if ways[name]]
        for number in range(1, TOGETHER + 1):
            for group in combinations(able, number):
                yield from _hunt(state, target, [ways[name] for name in group])


def _hunt(state: State, target: str, ways: Sequence[Sequence[Approach]]) -> Iterator[Sortie]:
    """One attack: each fighter comes the safest way to a hex of its own."""
    taken: list[Approach] = []
    for open_ways in ways:
        left = [way for way in open_ways if way.to not in [each.to for each in taken]]
        if not left:
            return
        taken.append(max(left, key=lambda way: way.through))
    names = [way.name for way in taken]
    won = chance(sum(map(state.combat, names)), state.combat(target)) * min(way.through for way in taken)
    risk = sum((1 - won) * loss(state, name) for name in names)
    orders = [order for way in taken for order in way.orders]
    yield Sortie(
        won * prize(state, target) - risk,
        (*orders, {"dogfight": names, "on": [target]}),
        tuple(names),
        target,
    )


def _raids(state: State, seat: str, approaches: Approaches) -> Iterator[Sortie]:
    """Bombs on enemy land units."""
    for name in approaches:
        if state.kind(name) != "bomber":
            continue
        for way in approaches[name]:
            target = state.ground.get(way.to)
            if target is not None and state.side(target) != seat and not flights.zone(state, seat, way.to):
                hit = float(hits(bombing.hits(state, target)))
                worth = way.through * hit * prize(state, target) - (1 - way.through) * loss(state, name)
                yield Sortie(worth, (*way.orders, {"bomb": name}), (name,), target)


def _approaches(state: State, name: str, reach: Reach) -> list[Approach]:
    """The ways of an aircraft to the hexes that it can reach, or is in, and can attack something from."""
    here, grid, most = state.at(name), state.setting.grid, weather.flight(state, name)
    hexes = [at for at in _hexes_to_attack_from(state, name) if grid.distance(here, at) <= most]
    if not hexes:
        return []
    ways: dict[str, tuple[str, ...]] = {**reach(name), here: ()}
    return [
        Approach(name, at, ways[at], float(survives(len(flights.guns(state, name, ways[at] or (here,))))))
        for at in hexes
        if at in ways
    ]


def _hexes_to_attack_from(state: State, name: str) -> list[str]:
    """The hexes of the enemy's land units for a bomber, those beside his aircraft for a fighter."""
    enemy = other(state.side(name))
    if state.kind(name) == "bomber":
        return [state.at(target) for target in state.army(enemy)]
    adjacent = state.setting.grid.adjacent
    return list(dict.fromkeys(at for target in state.air_force(enemy) for at in adjacent(state.at(target))))


def landings(state: State, seat: str, orders: Orders) -> Orders:
    """The landings of aircraft that are not on an open airfield of theirs: on the nearest with room."""
    places = {order["fly"]: order["path"][-1] for order in orders if "fly" in order}
    at = {name: places.get(name, state.at(name)) for name in state.air_force(seat)}
    fields = landing.open_airfields(state, seat)
    room = {field: MOST_ON_AN_AIRFIELD - list(at.values()).count(field) for field in fields}
    land: dict[str, str] = {}
    for name in [name for name in at if at[name] not in fields]:
        free = [field for field in fields if room[field] > 0]
        if free:
            land[name] = min(free, key=lambda field: state.setting.grid.distance(at[name], field))
            room[land[name]] -= 1
    return [{"land": land}] if land else []
