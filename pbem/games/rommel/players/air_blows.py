"""Attacks from the air, each by the ways least to be dreaded, and flights towards later ones (R4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.core.paths import Path
from pbem.core.requests import Orders
from pbem.games.rommel.players.tactics import prize
from pbem.games.rommel.rules import weather
from pbem.games.rommel.rules.air import bombing, flights
from pbem.games.rommel.rules.chances import hits
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import other

ENOUGH = 0.3
"""The least value of an attack worth flying."""
TOGETHER = 2
"""The most fighters that attack one aircraft together."""


class Way(Struct, frozen=True):
    """How an aircraft gets to a hex: the path, empty if it is there, and the guns that may fire at it."""

    name: str
    at: str
    path: Path
    guns: frozenset[str]


Dread: TypeAlias = Callable[[Way], Any]
"""A sort key for approaches: the lowest is the best."""
Quiet: TypeAlias = Callable[[str], bool]
"""A test whether an aircraft in a hex is safe from all but guns."""


class Blow(Struct, frozen=True):
    """An attack on one enemy: a bomb of one aircraft, or a dogfight of those that make these approaches."""

    target: str
    ways: tuple[Way, ...]
    bomb: bool = False

    @property
    def units(self) -> tuple[str, ...]:
        """The aircraft that attack."""
        return tuple([way.name for way in self.ways])

    @property
    def orders(self) -> Orders:
        """The flights, and the attack after them."""
        flown: Orders = [{"fly": way.name, "path": list(way.path)} for way in self.ways if way.path]
        if self.bomb:
            return [*flown, {"bomb": self.ways[0].name}]
        return [*flown, {"dogfight": list(self.units), "on": [self.target]}]

    def goes_with(self, other: Blow) -> bool:
        """Whether both attacks are possible together, on different targets."""
        return self.target != other.target and not set(self.units) & set(other.units)


class Blows:
    """The attacks that a side can make from the air, now or in a later sub-turn."""

    def __init__(self, state: State, seat: str) -> None:
        self.state = state
        self.seat = seat
        self.left = state.setting.options.air_subturns - state.subturn
        """How many sub-turns follow this one."""
        self.enemies = state.air_force(other(seat))
        self.reach = cache(partial(flights.reach, state))

    def all(self, dread: Dread) -> Iterator[Blow]:
        """The dogfights of one or two fighters, by the best approach to each target, and the bombs."""
        own, kind = self.state.air_force(self.seat), self.state.kind
        yield from self._dogfights([name for name in own if kind(name) == "fighter"], dread)
        for name in own:
            if kind(name) == "bomber":
                yield from self._bombs(name)

    def _bombs(self, name: str) -> Iterator[Blow]:
        ground, enemies = self.state.ground, self.state.army(other(self.seat))
        for way in self._ways(name, map(self.state.at, enemies)):
            if not flights.zone(self.state, self.seat, way.at):
                yield Blow(ground[way.at], (way,), bomb=True)

    def _dogfights(self, fighters: list[str], dread: Dread) -> Iterator[Blow]:
        adjacent = self.state.setting.grid.adjacent
        around = {target: adjacent(self.state.at(target)) for target in self.enemies}
        hexes = list(dict.fromkeys(at for near in around.values() for at in near))
        ways = {name: sorted(self._ways(name, hexes), key=dread) for name in fighters}
        for target, near in around.items():
            able = {name: [way for way in ways[name] if way.at in near] for name in fighters}
            for number in range(1, TOGETHER + 1):
                for group in combinations([name for name in fighters if able[name]], number):
                    yield from self._dogfight(target, [able[name] for name in group])

    @staticmethod
    def _dogfight(target: str, open_ways: Sequence[Sequence[Way]]) -> Iterator[Blow]:
        """The dogfight of several fighters, each from a hex of its own; nothing if there is none for one."""
        taken: list[Way] = []
        for ways in open_ways:
            hexes = [each.at for each in taken]
            way = next((way for way in ways if way.at not in hexes), None)
            if way is None:
                return
            taken.append(way)
        yield Blow(target, tuple(taken))

    def _ways(self, name: str, hexes: Iterable[str]) -> Iterator[Way]:
        """The approaches of an aircraft to those of some hexes that it can reach, or is in."""
        state, distance = self.state, self.state.setting.grid.distance
        here, most = state.at(name), weather.flight(self.state, name)
        for at in hexes:
            path = () if at == here else self.reach(name).get(at) if distance(here, at) <= most else None
            if path is not None:
                yield Way(name, at, path, frozenset(flights.guns(state, name, path or (at,))))

    def bombable(self, name: str, quiet: Quiet) -> dict[str, float]:
        """The hexes of land units that a bomber may later bomb, each with the value of a bomb."""
        state = self.state
        worth = {
            state.at(foe): float(hits(bombing.hits(state, foe))) * prize(state, foe)
            for foe in state.army(other(self.seat))
        }
        return {
            at: each
            for at, each in worth.items()
            if each >= ENOUGH and quiet(at) and not flights.guns(state, name, (at,))
        }

    def safe(self, name: str, quiet: Quiet) -> list[str]:
        """The hexes in reach where nothing threatens an aircraft, and no gun on the way."""
        return [
            at
            for at, path in self.reach(name).items()
            if quiet(at) and not flights.guns(self.state, name, path)
        ]

    def advance(self, name: str, goals: Mapping[str, float], quiet: Quiet) -> str | None:
        """R4.1: the safe hex nearest to a goal that an aircraft can attack in a later sub-turn."""
        distance, here = self.state.setting.grid.distance, self.state.at(name)
        most = weather.flight(self.state, name)
        later = [at for at in goals if most < distance(here, at) <= most * (self.left + 1)]
        safe = self.safe(name, quiet) if later else []
        pairs = [(distance(at, goal), -goals[goal], at) for at in safe for goal in later]
        far, _, best = min(pairs, default=(0, 0.0, None))
        return best if far <= most * self.left else None
