"""The strong player in the air: the value of attacks, less that of the enemy fighters' answer (R4).

Its bombers stay out of their reach. If nothing is worth flying it waits for the enemy to come nearer, or to
stand down: then it flies without any answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

from pbem.core.requests import Orders, accepts
from pbem.games.rommel.players import tactics_air
from pbem.games.rommel.players.air_blows import ENOUGH, Blow, Blows, Way
from pbem.games.rommel.players.sensible import together
from pbem.games.rommel.players.tactics import chance, prize
from pbem.games.rommel.rules import weather
from pbem.games.rommel.rules.air import bombing, flights, landing
from pbem.games.rommel.rules.chances import hits, survives
from pbem.games.rommel.rules.offers import offers
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import AXIS, other

AIRCRAFT = 6.0
"""The value of an aircraft in combat factors: air superiority wins nearly every game."""
SURE = 0.8
"""The chance to win at which the enemy sends one fighter instead of two."""
LIKELY = 0.5
"""The chance of survival above which an enemy fighter counts."""

Places: TypeAlias = Mapping[str, str]
"""The hexes of the side's own aircraft."""
Alive: TypeAlias = Mapping[str, float]
"""The chances that the enemy's fighters have survived."""


def in_the_air(ask: Question) -> Orders:
    """The flights, bombs and dogfights that are worth it; otherwise a pass, or standing down."""
    state = ask.state
    war = AirWar(ask)
    orders = together(ask, war.wanted())
    if orders == [{"pass": True}] and not war.may_wait:
        orders = [{"stand_down": True}]
    if landing.now(state) or orders == [{"stand_down": True}]:
        orders = [*orders, *tactics_air.landings(state, ask.seat, orders)]
    return orders if accepts(ask.read, orders) else next(offers(ask))


def worth(state: State, blow: Blow, spent: frozenset[str]) -> float:
    """The expected value of an attack, in combat factors, if those guns have fired before it."""
    through = list[float]()
    for way in blow.ways:  # R4.4: each gun fires once in a sub-turn, at the first aircraft
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
        wins = won(state, here, blow.target)
        total += share * AIRCRAFT * (wins - len(here) * (1 - wins) - (len(came) - len(here)))
    return total


def won(state: State, names: Sequence[str], target: str) -> float:
    """R6.2: the chance that aircraft, if there are any, win a dogfight against one."""
    factors = sum(map(state.combat, names))
    return chance(factors, state.combat(target)) if factors else 0.0


class AirWar:
    """The plan for one side's part of an air sub-turn."""

    def __init__(self, ask: Question) -> None:
        self.state = state = ask.state
        self.seat = ask.seat
        self.blows = Blows(state, self.seat)
        more = self.blows.left > 0
        answered = other(self.seat) not in state.stood_down and (more or self.seat != AXIS)
        self.fighters = [name for name in self.blows.enemies if state.kind(name) == "fighter" and answered]
        """The enemy fighters that may answer before all aircraft land."""
        self.may_wait = answered and more and bool(self.blows.enemies)
        self.places: Places = {name: state.at(name) for name in state.air_force(self.seat)}
        self.alive: Alive = dict.fromkeys(self.fighters, 1.0)
        self.near = cache(self._near)

    def _near(self, at: str) -> tuple[str, ...]:
        """The enemy's fighters that may attack in a hex, the best first."""
        state, distance = self.state, self.state.setting.grid.distance
        able = [
            name for name in self.fighters if distance(state.at(name), at) <= weather.flight(state, name) + 1
        ]
        return tuple(sorted(able, key=lambda name: -state.combat(name)))

    def _dread(self, way: Way) -> tuple[int, int, int, str]:
        """Sort approaches by guns on the way, fighters that may answer at its end, length, and hex."""
        return len(way.guns), len(self.near(way.at)), len(way.path), way.at

    def wanted(self) -> list[Orders]:
        """The attacks that are worth it, the best first, then flights to better places."""
        open_to_us = list(self.blows.all(self._dread))
        chosen: list[Blow] = []
        spent = frozenset[str]()
        while open_to_us:
            gains = [
                worth(self.state, blow, spent) + self._without(blow) - self._after(blow)
                for blow in open_to_us
            ]
            best = max(range(len(gains)), key=gains.__getitem__)
            if gains[best] < ENOUGH:
                break
            chosen.append(open_to_us[best])
            self.places, self.alive = self._changed(chosen[-1])
            spent = spent.union(*(way.guns for way in chosen[-1].ways))
            open_to_us = [blow for blow in open_to_us if blow.goes_with(chosen[-1])]
        busy = {name for blow in chosen for name in blow.units}
        idle = [name for name in self.places if name not in busy]
        return [*(blow.orders for blow in chosen), *self._better_places(idle)]

    def _changed(self, blow: Blow) -> tuple[Places, Alive]:
        """The own places and enemy chances of survival after an attack."""
        places = {**self.places, **{way.name: way.at for way in blow.ways}}
        left = self.alive.get(blow.target)
        if left is None:
            return places, self.alive
        return places, {**self.alive, blow.target: left * (1 - won(self.state, blow.units, blow.target))}

    def _without(self, blow: Blow) -> float:
        """The value of the enemy's answer if the attackers went somewhere safe instead."""
        others = {name: at for name, at in self.places.items() if name not in blow.units}
        return self._answer(others, self.alive) if self.fighters else 0.0

    def _after(self, blow: Blow) -> float:
        """The value of the enemy's answer after an attack."""
        return self._answer(*self._changed(blow)) if self.fighters else 0.0

    def _answer(self, places: Places, alive: Alive) -> float:
        """What the enemy's fighters are expected to shoot down next: each flies once, where it pays most."""
        risks, coming = list[tuple[float, int]](), set[str]()
        for name, at in places.items():
            foes = [foe for foe in self.near(at) if alive[foe] > LIKELY]
            if foes:
                number = 1 if won(self.state, foes[:1], name) >= SURE else len(foes[:2])
                risks.append((won(self.state, foes[:number], name) / number, number))
                coming.update(foes)
        left, lost = sum(alive[foe] for foe in coming), 0.0
        for each, number in sorted(risks, reverse=True):
            lost += each * min(left, number)
            left = max(left - number, 0.0)
        return lost * AIRCRAFT

    def _better_places(self, idle: Iterable[str]) -> Iterator[Orders]:
        """Flights out of the enemy's reach, or nearer to targets of a later sub-turn."""
        for name in idle:
            threatened = any(self.alive[foe] > LIKELY for foe in self.near(self.places[name]))
            to = self._refuge(name) if threatened else self._approach(name)
            if to is not None:
                self.places = {**self.places, name: to}
                yield [{"fly": name, "path": list(self.blows.reach(name)[to])}]

    def _refuge(self, name: str) -> str | None:
        """The nearest safe hex, if the enemy's answer would then be worth less."""
        here, distance = self.places[name], self.state.setting.grid.distance
        safe = self.blows.safe(name, self._quiet)
        best = min(safe, key=lambda at: (distance(here, at), at), default=here)
        saved = self._answer(self.places, self.alive) - self._answer({**self.places, name: best}, self.alive)
        return best if saved >= ENOUGH / 2 else None

    def _quiet(self, at: str) -> bool:
        """Whether no enemy aircraft can stop an aircraft in a hex, or attack it there."""
        return not self.near(at) and not flights.zone(self.state, self.seat, at)

    def _approach(self, name: str) -> str | None:
        """The safe hex nearest to a target that can be attacked later, but not yet."""
        return self.blows.advance(name, self._targets(name), self._quiet) if self.blows.left else None

    def _targets(self, name: str) -> dict[str, float]:
        """The hexes that an aircraft would attack from or bomb, each with its value."""
        state, adjacent = self.state, self.state.setting.grid.adjacent
        if state.kind(name) == "bomber":
            return self.blows.bombable(name, self._quiet)
        free = not self.fighters
        return {at: AIRCRAFT for foe in self.blows.enemies if free for at in adjacent(state.at(foe))}
