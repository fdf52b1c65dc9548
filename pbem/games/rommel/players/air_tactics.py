"""Attacks from the air, each on the least dangerous approach, flights towards later ones, landings (R4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.core.paths import Path
from pbem.core.requests import Orders
from pbem.games.rommel.players.outlook import prize
from pbem.games.rommel.rules import air, flights, weather
from pbem.games.rommel.rules.combat import hit_chance
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import MOST_ON_AN_AIRFIELD, other_side

WORTH_FLYING = 0.3
"""The least value of an attack worth flying."""
MOST_FIGHTERS = 2
"""The most fighters that attack one aircraft together."""


class Approach(Struct, frozen=True):
    """An aircraft's way to a hex: the path, empty if it is there, and the guns that may fire at it."""

    name: str
    at: str
    path: Path
    guns: frozenset[str]


ApproachKey: TypeAlias = Callable[[Approach], Any]
"""A sort key for approaches: the lowest is best."""
QuietTest: TypeAlias = Callable[[str], bool]
"""A test whether an aircraft in a hex is safe from everything but guns."""


class AirAttack(Struct, frozen=True):
    """An attack on one enemy: a bomb from one aircraft, or a dogfight by those that make these approaches."""

    target: str
    ways: tuple[Approach, ...]
    bomb: bool = False

    @property
    def units(self) -> tuple[str, ...]:
        """The attacking aircraft."""
        return tuple([way.name for way in self.ways])

    @property
    def orders(self) -> Orders:
        """The orders for the flights, and the attack after them."""
        flown: Orders = [{"fly": way.name, "path": list(way.path)} for way in self.ways if way.path]
        if self.bomb:
            return [*flown, {"bomb": self.ways[0].name}]
        return [*flown, {"dogfight": list(self.units), "on": [self.target]}]

    def goes_with(self, other: AirAttack) -> bool:
        """Whether both attacks are possible together, on different targets."""
        return self.target != other.target and not set(self.units) & set(other.units)


class AirOptions:
    """The attacks a side can make from the air, now or in a later sub-turn."""

    def __init__(self, state: State, seat: str) -> None:
        self.state = state
        self.seat = seat
        self.left = state.setting.options.air_subturns - state.subturn
        """How many sub-turns follow this one."""
        self.enemies = state.air_force(other_side(seat))
        self.reach = cache(partial(flights.reach, state))

    def all(self, dread: ApproachKey) -> Iterator[AirAttack]:
        """The dogfights of one or two fighters, on the best approach to each target, and the bombs."""
        own, kind = self.state.air_force(self.seat), self.state.kind
        yield from self._dogfights([name for name in own if kind(name) == "fighter"], dread)
        for name in own:
            if kind(name) == "bomber":
                yield from self._bomb_attacks(name)

    def _bomb_attacks(self, name: str) -> Iterator[AirAttack]:
        ground, enemies = self.state.ground, self.state.army(other_side(self.seat))
        for way in self._approaches(name, map(self.state.at, enemies)):
            if not flights.zone(self.state, self.seat, way.at):
                yield AirAttack(ground[way.at], (way,), bomb=True)

    def _dogfights(self, fighters: list[str], dread: ApproachKey) -> Iterator[AirAttack]:
        adjacent = self.state.setting.grid.adjacent
        around = {target: adjacent(self.state.at(target)) for target in self.enemies}
        hexes = list(dict.fromkeys(at for near in around.values() for at in near))
        ways = {name: sorted(self._approaches(name, hexes), key=dread) for name in fighters}
        for target, near in around.items():
            able = {name: [way for way in ways[name] if way.at in near] for name in fighters}
            for number in range(1, MOST_FIGHTERS + 1):
                for group in combinations([name for name in fighters if able[name]], number):
                    yield from self._dogfight(target, [able[name] for name in group])

    @staticmethod
    def _dogfight(target: str, open_ways: Sequence[Sequence[Approach]]) -> Iterator[AirAttack]:
        """The dogfight of several fighters, each from its own hex; nothing if there is no hex for one."""
        taken: list[Approach] = []
        for ways in open_ways:
            hexes = [each.at for each in taken]
            way = next((way for way in ways if way.at not in hexes), None)
            if way is None:
                return
            taken.append(way)
        yield AirAttack(target, tuple(taken))

    def _approaches(self, name: str, hexes: Iterable[str]) -> Iterator[Approach]:
        """The approaches of an aircraft to those of `hexes` that it can reach or is in."""
        state, distance = self.state, self.state.setting.grid.distance
        here, most = state.at(name), weather.flight_range(self.state, name)
        for at in hexes:
            path = () if at == here else self.reach(name).get(at) if distance(here, at) <= most else None
            if path is not None:
                yield Approach(name, at, path, frozenset(flights.guns_on_path(state, name, path or (at,))))

    def bombing_hexes(self, name: str, quiet: QuietTest) -> dict[str, float]:
        """The hexes of land units that a bomber could bomb later, each with the value of a bomb."""
        state = self.state
        worth = {
            state.at(foe): float(hit_chance(air.bombing_faces(state, foe))) * prize(state, foe)
            for foe in state.army(other_side(self.seat))
        }
        return {
            at: each
            for at, each in worth.items()
            if each >= WORTH_FLYING and quiet(at) and not flights.guns_on_path(state, name, (at,))
        }

    def safe_hexes(self, name: str, quiet: QuietTest) -> list[str]:
        """The hexes in reach where nothing threatens an aircraft, and to which no gun does on the way."""
        return [
            at
            for at, path in self.reach(name).items()
            if quiet(at) and not flights.guns_on_path(self.state, name, path)
        ]

    def advance(self, name: str, goals: Mapping[str, float], quiet: QuietTest) -> tuple[str, str] | None:
        """R4.1: the safe hex nearest to a goal that can be attacked in a later sub-turn, and that goal."""
        distance, here = self.state.setting.grid.distance, self.state.at(name)
        most = weather.flight_range(self.state, name)
        later = [at for at in goals if most < distance(here, at) <= most * (self.left + 1)]
        safe = self.safe_hexes(name, quiet) if later else []
        pairs = [(distance(at, goal), -goals[goal], at, goal) for at in safe for goal in later]
        if not pairs:
            return None
        far, _, best, goal = min(pairs)
        return (best, goal) if far <= most * self.left else None


def exposed_hexes(state: State, seat: str) -> dict[str, float]:
    """The hexes where the enemy's bombers may bomb a side next, each with the value of a bomb."""
    enemy, distance = other_side(seat), state.setting.grid.distance
    theirs, exposed = AirOptions(state, enemy), dict[str, float]()
    for name in state.air_force(enemy):
        if state.kind(name) == "bomber":
            most = weather.flight_range(state, name)
            hexes = theirs.bombing_hexes(name, lambda at: True)
            exposed.update({at: hexes[at] for at in hexes if distance(state.at(name), at) <= most})
    return exposed


def landing_orders(state: State, seat: str, orders: Orders) -> Orders:
    """R4.6: fighters land where enemy bombers can come, the others on the nearest airfield with room."""
    places = {order["fly"]: order["path"][-1] for order in orders if "fly" in order}
    at = {name: places.get(name, state.at(name)) for name in state.air_force(seat)}
    room = dict.fromkeys(air.open_airfields(state, seat), MOST_ON_AN_AIRFIELD)
    covered = {field: _bombed_hexes_near(state, seat, field) for field in room}
    land: dict[str, str] = {}

    def merit(name: str, field: str) -> tuple[int, int]:
        cover = covered[field] if state.kind(name) == "fighter" else 0
        return cover, -state.setting.grid.distance(at[name], field)

    for name in sorted(at, key=lambda name: state.kind(name) != "fighter"):
        fields = [field for field in room if room[field]]
        if not fields:
            break
        best = max(fields, key=lambda field: merit(name, field))
        room[best] -= 1
        if best != at[name]:
            land[name] = best
    return [{"land": land}] if land else []


def _bombed_hexes_near(state: State, seat: str, field: str) -> int:
    """How many land units in an enemy bomber's reach a fighter can reach from an airfield."""
    distance, enemy = state.setting.grid.distance, other_side(seat)
    bombers = [name for name in state.air_force(enemy) if state.kind(name) == "bomber"]
    fighters = [name for name in state.air_force(seat) if state.kind(name) == "fighter"]
    most = max((state.movement(name) for name in fighters), default=0)
    army = [state.at(name) for name in state.army(seat)]
    near = [at for at in army if distance(field, at) <= most]
    return sum(any(distance(state.at(name), at) <= state.movement(name) for name in bombers) for at in near)
