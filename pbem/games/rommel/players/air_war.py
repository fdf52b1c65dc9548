"""A side's part of an air sub-turn: the value of attacks minus that of the enemy fighters' reply (R4).

The weight of that reply is the player's fear. Bombers stay out of reach of enemy fighters; fighters go where
they reach what the enemy may bomb. If nothing is worth flying, the player waits, since the enemy might come
nearer or stand down, and then it flies without a reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import product
from typing import TypeAlias

from pbem.core.requests import Orders, accepts
from pbem.games.rommel.players import air_tactics
from pbem.games.rommel.players.air_tactics import MOST_FIGHTERS, WORTH_FLYING, AirAttack, AirOptions, Approach
from pbem.games.rommel.players.outlook import combat_chance, prize
from pbem.games.rommel.rules import air, flights, weather
from pbem.games.rommel.rules.combat import hit_chance, survival_chance
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import AXIS, other_side

AIRCRAFT = 6.0
"""The value of an aircraft, in combat factors: air superiority wins nearly every game."""
SINGLE_FIGHTER_CHANCE = 0.8
"""The chance to win at which the enemy is expected to send one fighter instead of two."""
LEAST_PRESENCE = 0.5
"""The least chance of survival at which an enemy fighter counts."""

Places: TypeAlias = Mapping[str, str]
"""The hexes of the side's own aircraft."""
Alive: TypeAlias = Mapping[str, float]
"""The chances that the enemy's fighters survived."""


def air_orders(ask: Question, fear: float) -> Orders:
    """The worthwhile flights, bombs and dogfights, or else a pass or standing down."""
    state = ask.state
    war = AirWar(ask, fear)
    orders = combine_orders(ask, war.worthwhile_orders())
    if orders == [{"pass": True}] and not war.may_wait:
        orders = [{"stand_down": True}]
    if air.is_last_subturn(state) or orders == [{"stand_down": True}]:
        orders = [*orders, *air_tactics.landing_orders(state, ask.seat, orders)]
    return orders


def combine_orders(ask: Question, wanted: list[Orders]) -> Orders:
    """Combine orders, in order, as long as the answer stays legal; a pass if nothing can be added."""
    orders: Orders = []
    for each in wanted:
        if accepts(ask.read, [*orders, *each]):
            orders = [*orders, *each]
    return orders or [{"pass": True}]


def attack_worth(state: State, blow: AirAttack, spent: frozenset[str]) -> float:
    """The expected value of an attack, in combat factors, if the guns `spent` have fired before it."""
    through = list[float]()
    for way in blow.ways:  # R4.4: each gun fires once in a sub-turn, at the first aircraft
        through.append(float(survival_chance(len(way.guns - spent))))
        spent |= way.guns
    if blow.bomb:
        hit = float(hit_chance(air.bombing_faces(state, blow.target)))
        return through[0] * hit * prize(state, blow.target) - (1 - through[0]) * AIRCRAFT
    total = 0.0
    for came in product((True, False), repeat=len(through)):
        share = 1.0
        for one, there in zip(through, came, strict=True):
            share *= one if there else 1 - one
        here = [name for name, there in zip(blow.units, came, strict=True) if there]
        wins = dogfight_chance(state, here, blow.target)
        total += share * AIRCRAFT * (wins - len(here) * (1 - wins) - (len(came) - len(here)))
    return total


def dogfight_chance(state: State, names: Sequence[str], target: str) -> float:
    """R6.2: the chance that these aircraft win a dogfight; 0 without any."""
    factors = sum(map(state.combat, names))
    return combat_chance(factors, state.combat(target)) if factors else 0.0


class AirWar:
    """The plan for one side's part of an air sub-turn."""

    def __init__(self, ask: Question, fear: float) -> None:
        self.fear = fear
        self.state = state = ask.state
        self.seat = ask.seat
        self.options = AirOptions(state, self.seat)
        more = self.options.left > 0
        answered = other_side(self.seat) not in state.stood_down and (more or self.seat != AXIS)
        self.fighters = [name for name in self.options.enemies if state.kind(name) == "fighter" and answered]
        """The enemy fighters that may answer before all aircraft land."""
        self.may_wait = answered and more and bool(self.options.enemies)
        self.places: Places = {name: state.at(name) for name in state.air_force(self.seat)}
        self.alive: Alive = dict.fromkeys(self.fighters, 1.0)
        self.fighters_near = cache(self._find_fighters_near)
        self._claimed: set[str] = set()
        """The hexes that bombers are to bomb now or later: only one bombs a unit in a sub-turn."""

    def _find_fighters_near(self, at: str, flown: int = 1) -> tuple[str, ...]:
        """The enemy's fighters that could attack in a hex after so many flights, best first."""
        state, distance = self.state, self.state.setting.grid.distance
        able = [
            name
            for name in self.fighters
            if distance(state.at(name), at) <= flown * weather.flight_range(state, name) + 1
        ]
        return tuple(sorted(able, key=lambda name: -state.combat(name)))

    def _approach_key(self, way: Approach) -> tuple[int, int, int, str]:
        """Sort approaches by guns on the way, fighters that could reply at the end, length, and hex."""
        return len(way.guns), len(self.fighters_near(way.at)), len(way.path), way.at

    def worthwhile_orders(self) -> list[Orders]:
        """The worthwhile attacks, best first, then flights to better places."""
        open_to_us = list(self.options.all(self._approach_key))
        chosen: list[AirAttack] = []
        spent = frozenset[str]()
        while open_to_us:
            gains = [
                attack_worth(self.state, blow, spent) + self._answer_without(blow) - self._answer_after(blow)
                for blow in open_to_us
            ]
            best = max(range(len(gains)), key=gains.__getitem__)
            if gains[best] < WORTH_FLYING:
                break
            chosen.append(open_to_us[best])
            self.places, self.alive = self._situation_after(chosen[-1])
            spent = spent.union(*(way.guns for way in chosen[-1].ways))
            open_to_us = [blow for blow in open_to_us if blow.goes_with(chosen[-1])]
        self._claimed.update(blow.ways[0].at for blow in chosen if blow.bomb)
        busy = {name for blow in chosen for name in blow.units}
        idle = [name for name in self.places if name not in busy]
        return [*(blow.orders for blow in chosen), *self._better_places(idle)]

    def _situation_after(self, blow: AirAttack) -> tuple[Places, Alive]:
        """The side's places and the enemy fighters' chances of survival after an attack."""
        places = {**self.places, **{way.name: way.at for way in blow.ways}}
        left = self.alive.get(blow.target)
        if left is None:
            return places, self.alive
        return places, {
            **self.alive,
            blow.target: left * (1 - dogfight_chance(self.state, blow.units, blow.target)),
        }

    def _answer_without(self, blow: AirAttack) -> float:
        """The value of the enemy's reply if the attackers went somewhere safe instead."""
        others = {name: at for name, at in self.places.items() if name not in blow.units}
        return self._answer(others, self.alive) if self.fighters else 0.0

    def _answer_after(self, blow: AirAttack) -> float:
        """The value of the enemy's reply after an attack."""
        return self._answer(*self._situation_after(blow)) if self.fighters else 0.0

    def _answer(self, places: Places, alive: Alive) -> float:
        """The value that enemy fighters should shoot down next: each flies once, where it pays most."""
        risks, coming = list[tuple[float, int]](), set[str]()
        for name, at in places.items():
            foes = [foe for foe in self.fighters_near(at) if alive[foe] > LEAST_PRESENCE]
            if foes:
                number = (
                    1
                    if dogfight_chance(self.state, foes[:1], name) >= SINGLE_FIGHTER_CHANCE
                    else len(foes[:2])
                )
                risks.append((dogfight_chance(self.state, foes[:number], name) / number, number))
                coming.update(foes)
        left, lost = sum(alive[foe] for foe in coming), 0.0
        for each, number in sorted(risks, reverse=True):
            lost += each * min(left, number)
            left = max(left - number, 0.0)
        return self.fear * lost * AIRCRAFT

    def _better_places(self, idle: Iterable[str]) -> Iterator[Orders]:
        """Flights out of the enemy's reach, nearer to later targets, or to where bombs may fall."""
        for name in idle:
            threatened = any(
                self.alive[foe] > LEAST_PRESENCE for foe in self.fighters_near(self.places[name])
            )
            to = self._refuge(name) if threatened else self._advance_hex(name) or self._patrol_hex(name)
            if to is not None:
                self.places = {**self.places, name: to}
                yield [{"fly": name, "path": list(self.options.reach(name)[to])}]

    def _refuge(self, name: str) -> str | None:
        """The nearest safe hex, if the enemy's reply would then be worth less."""
        here, distance = self.places[name], self.state.setting.grid.distance
        safe = self.options.safe_hexes(name, self._is_quiet)
        best = min(safe, key=lambda at: (distance(here, at), at), default=here)
        saved = self._answer(self.places, self.alive) - self._answer({**self.places, name: best}, self.alive)
        return best if saved >= WORTH_FLYING / 2 else None

    def _is_quiet(self, at: str) -> bool:
        """Whether no enemy aircraft can stop an aircraft in a hex, or attack it there."""
        return not self.fighters_near(at) and not flights.zone(self.state, self.seat, at)

    def _stays_quiet(self, at: str) -> bool:
        """Whether a hex is quiet, and no enemy fighter can come near it before a bomber gets there."""
        return self._is_quiet(at) and not self.fighters_near(at, 2)

    def _advance_hex(self, name: str) -> str | None:
        """The safe hex nearest to a target that can be attacked later but not yet; a bomber claims it."""
        found = self.options.advance(name, self._targets(name), self._is_quiet) if self.options.left else None
        if found is None:
            return None
        to, goal = found
        if self.state.kind(name) == "bomber":
            self._claimed.add(goal)
        return to

    def _patrol_hex(self, name: str) -> str | None:
        """The nearest safe hex from which a fighter reaches most of what the enemy may bomb next.

        What another reaches counts half, since two attack together, and what two reach nothing. A fighter
        can answer only if a sub-turn follows (R4.1).
        """
        if self.state.kind(name) != "fighter" or not self.may_wait:
            return None
        here, distance = self.places[name], self.state.setting.grid.distance
        most = weather.flight_range(self.state, name) + 1
        others = [each for each in self.places if each != name and self.state.kind(each) == "fighter"]
        left = dict[str, float]()
        for at, worth in self._exposed.items():
            able = sum(distance(self.places[other], at) <= most for other in others)
            if able < MOST_FIGHTERS:
                left[at] = worth / (1 + able)

        def cover(at: str) -> float:
            return sum(left[each] for each in left if distance(at, each) <= most)

        safe = self.options.safe_hexes(name, self._is_quiet) if left else []
        best = max(safe, key=lambda at: (cover(at), -distance(here, at)), default=here)
        return best if cover(best) - cover(here) >= WORTH_FLYING else None

    @cached_property
    def _exposed(self) -> dict[str, float]:
        """The hexes where the side may be bombed next, each with the value of a bomb."""
        return air_tactics.exposed_hexes(self.state, self.seat)

    def _targets(self, name: str) -> dict[str, float]:
        """The hexes an aircraft would attack from or bomb, each with its value."""
        state, adjacent = self.state, self.state.setting.grid.adjacent
        if state.kind(name) == "bomber":
            hexes = self.options.bombing_hexes(name, self._stays_quiet)
            return {at: worth for at, worth in hexes.items() if at not in self._claimed}
        free = not self.fighters
        return {at: AIRCRAFT for foe in self.options.enemies if free for at in adjacent(state.at(foe))}
