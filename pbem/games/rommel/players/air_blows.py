"""Attacks from the air, with all that they may cost, and whatever could be attacked next (R4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations, product

from msgspec import Struct

from pbem.core.paths import Path
from pbem.core.requests import Orders
from pbem.games.rommel.players.tactics import chance, prize
from pbem.games.rommel.players.tactics_air import TOGETHER
from pbem.games.rommel.rules import weather
from pbem.games.rommel.rules.air import bombing, flights
from pbem.games.rommel.rules.chances import hits, survives
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import other

AIRCRAFT = 6.0
"""The worth of an aircraft in combat factors: who rules the air wins nearly every game."""


class Way(Struct, frozen=True):
    """The way of an aircraft to a hex: the path, empty where it is already, and the guns that it meets."""

    name: str
    at: str
    path: Path
    guns: frozenset[str]


class Blow(Struct, frozen=True):
    """An attack on one enemy: a bomb of one aircraft, or a dogfight of those that come these ways."""

    target: str
    ways: tuple[Way, ...]
    bomb: bool = False

    @property
    def units(self) -> tuple[str, ...]:
        """The aircraft that attack."""
        return tuple([way.name for way in self.ways])

    @property
    def orders(self) -> Orders:
        """The flights and the attack at their end."""
        flown: Orders = [{"fly": way.name, "path": list(way.path)} for way in self.ways if way.path]
        if self.bomb:
            return [*flown, {"bomb": self.ways[0].name}]
        return [*flown, {"dogfight": list(self.units), "on": [self.target]}]

    def goes_with(self, other: Blow) -> bool:
        """Whether both can be struck, and have different targets."""
        return self.target != other.target and not set(self.units) & set(other.units)


class Blows:
    """The attacks that a side can make from the air now."""

    def __init__(self, state: State, seat: str) -> None:
        self.state = state
        self.seat = seat
        self.enemies = state.air_force(other(seat))
        self.reach = cache(partial(flights.reach, state))
        self._around = {name: frozenset(state.setting.grid.adjacent(state.at(name))) for name in self.enemies}

    def all(self, fear: dict[str, int]) -> Iterator[Blow]:
        """The bombs, and the dogfights of one or two fighters, by the way least to be feared to each target.

        `fear` is the number of enemies that may answer at a hex, 0 where it is not told.
        """
        state = self.state
        fighters = []
        for name in state.air_force(self.seat):
            if state.kind(name) == "bomber":
                yield from self._bombs(name)
            else:
                fighters.append(name)
        near = frozenset[str]().union(*self._around.values())
        ways = {name: list(self._ways(name, near)) for name in fighters}
        for name in fighters:
            ways[name].sort(key=lambda way: (len(way.guns), fear.get(way.at, 0), len(way.path)))
        for target in self.enemies:
            able = {name: [way for way in ways[name] if way.at in self._around[target]] for name in fighters}
            for number in range(1, TOGETHER + 1):
                for group in combinations([name for name in fighters if able[name]], number):
                    yield from self._dogfight(target, [able[name] for name in group])

    @staticmethod
    def _dogfight(target: str, open_ways: Sequence[Sequence[Way]]) -> Iterator[Blow]:
        """The dogfight of several, each from a hex of its own."""
        taken: list[Way] = []
        for ways in open_ways:
            hexes = [each.at for each in taken]
            way = next((way for way in ways if way.at not in hexes), None)
            if way is None:
                return
            taken.append(way)
        yield Blow(target, tuple(taken))

    def _bombs(self, name: str) -> Iterator[Blow]:
        ground, enemies = self.state.ground, self.state.army(other(self.seat))
        for way in self._ways(name, [self.state.at(target) for target in enemies]):
            if not flights.zone(self.state, self.seat, way.at):
                yield Blow(ground[way.at], (way,), bomb=True)

    def _ways(self, name: str, hexes: Iterable[str]) -> Iterator[Way]:
        """The ways of an aircraft to those of some hexes that it can reach, or is in."""
        state, distance = self.state, self.state.setting.grid.distance
        here, most = state.at(name), weather.flight(self.state, name)
        for at in sorted(hexes):
            path = () if at == here else self.reach(name).get(at) if distance(here, at) <= most else None
            if path is not None:
                yield Way(name, at, path, frozenset(flights.guns(state, name, path or (at,))))

    def worth(self, blow: Blow, spent: frozenset[str]) -> float:
        """The worth of an attack on the average, in combat factors, if those guns have fired before it."""
        state, through = self.state, list[float]()
        for way in blow.ways:  # R4.4: each gun fires once in a sub-turn, at the first who comes
            through.append(float(survives(len(way.guns - spent))))
            spent |= way.guns
        if blow.bomb:
            hit = float(hits(bombing.hits(state, blow.target)))
            return through[0] * hit * prize(state, blow.target) - (1 - through[0]) * AIRCRAFT
        total = 0.0
        for came in product((True, False), repeat=len(through)):
            share = 1.0
            for one, there in zip(through, came, strict=True):
                share *= one if there else 1 - one
            here = [name for name, there in zip(blow.units, came, strict=True) if there]
            won = self.won(here, blow.target)
            total += share * AIRCRAFT * (won - len(here) * (1 - won) - (len(came) - len(here)))
        return total

    def won(self, names: Sequence[str], target: str) -> float:
        """R6.2: the chance that aircraft, if there are any, win a dogfight against one."""
        factors = sum(map(self.state.combat, names))
        return chance(factors, self.state.combat(target)) if factors else 0.0
