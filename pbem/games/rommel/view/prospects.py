"""The prospects of several attacks in one answer: the exact chance of each, and of each number of successes.

The attacks are carried out in the order written, as the rules do it (R4.4 to R4.6, R6.5, R7.3), but without
throwing: after each attack all possibilities with the same fate of the units that matter later count as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from pbem.games.rommel.rules import combat, fire
from pbem.games.rommel.rules.air import bombing, flak
from pbem.games.rommel.rules.chances import hit_chance, win_chance
from pbem.games.rommel.rules.orders import Answer, Attack, Bomb, Dogfight, Fly, Shot
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import ALLIED, FLAK_HITS


class Prospects(Struct, frozen=True):
    """The chance of each attack, in the order written, and of no success, one, two …

    `lives`: for each aircraft that comes under fire, the chance that it survives (R4.4).
    """

    each: tuple[Fraction, ...]
    together: tuple[Fraction, ...]
    lives: dict[str, Fraction]


class Possibility(NamedTuple):
    """One possible course of events: its chance, the state, the guns spent, the successes so far."""

    chance: Fraction
    state: State
    spent: tuple[str, ...] = ()
    successes: int = 0


AttackStep: TypeAlias = Callable[[Possibility], Iterable[Possibility]]
"""An attack or a gun's fire: from one possibility to all that it may lead to."""


def combat_prospects(state: State, attacks: Sequence[Attack]) -> Prospects:
    """R6.5: combats on the ground."""
    return _ground_prospects(state, [(_combat_step(one), (*one.units, *one.on)) for one in attacks])


def shot_prospects(state: State, shots: Sequence[Shot]) -> Prospects:
    """R7.3: fire, in which each shot keeps the faces with which it was declared."""
    acts = [(_shot_step(one, fire.hitting_faces(state, one.unit, one.at)), (one.at,)) for one in shots]
    return _ground_prospects(state, acts)


def sortie_prospects(state: State, answer: Answer) -> Prospects:
    """R4.4, R4.5: flights under fire, then bombs and dogfights."""
    flown = {order.unit: order.path for order in answer if isinstance(order, Fly)}
    attacks = [order for order in answer if isinstance(order, (Bomb, Dogfight))]
    attackers = [name for order in attacks for name in _attacking_aircraft(order)]
    paths = {**flown, **{name: (state.at(name),) for name in attackers if name not in flown}}
    ways = [Possibility(Fraction(1), state)]
    for name, path in paths.items():
        ways = _merge_equivalent(
            (after for way in ways for after in _flight_possibilities(way, name, path)), tuple(paths)
        )
    lives = {name: sum((way.chance for way in ways if way.state.on_map(name)), Fraction(0)) for name in paths}
    acts = [
        (_bomb_step(one), (one.unit, *_target_below(state, one, paths)))
        if isinstance(one, Bomb)
        else (_combat_step(one), (*one.units, *one.on))
        for one in attacks
    ]
    found = _prospects([way._replace(spent=()) for way in ways], acts)
    return Prospects(found.each, found.together, {name: p for name, p in lives.items() if p < 1})


def _attacking_aircraft(order: Bomb | Dogfight) -> tuple[str, ...]:
    return (order.unit,) if isinstance(order, Bomb) else order.units


def _target_below(state: State, order: Bomb, paths: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The unit on the ground where a bomber will be."""
    at = paths[order.unit][-1]
    return (state.ground[at],) if at in state.ground else ()


def _ground_prospects(state: State, acts: Sequence[tuple[AttackStep, tuple[str, ...]]]) -> Prospects:
    """Attacks on the ground: independent groups are computed alone, then combined."""
    each = [Fraction(0)] * len(acts)
    together: tuple[Fraction, ...] = (Fraction(1),)
    for group in _groups([set(units) for _, units in acts]):
        found = _prospects([Possibility(Fraction(1), state)], [acts[number] for number in group])
        for number, chance in zip(group, found.each, strict=True):
            each[number] = chance
        together = _sum_distribution(together, found.together)
    return Prospects(tuple(each), together, {})


def _groups(involved: Sequence[set[str]]) -> list[list[int]]:
    """Group the attacks that share units, directly or through others, as lists of their numbers."""
    groups: list[tuple[set[str], list[int]]] = []
    for number, units in enumerate(involved):
        joined = [group for group in groups if group[0] & units]
        groups = [group for group in groups if not group[0] & units]
        numbers = sorted([number, *(one for _, some in joined for one in some)])
        groups.append((units.union(*(some for some, _ in joined)), numbers))
    return [numbers for _, numbers in groups]


def _sum_distribution(some: Sequence[Fraction], others: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The distribution of the sum of two independent numbers, given theirs."""
    found = [Fraction(0)] * (len(some) + len(others) - 1)
    for number, chance in enumerate(some):
        for more, other in enumerate(others):
            found[number + more] += chance * other
    return tuple(found)


def _prospects(ways: list[Possibility], acts: Sequence[tuple[AttackStep, tuple[str, ...]]]) -> Prospects:
    """Carry out attacks, each given with the units whose fate it depends on."""
    each: list[Fraction] = []
    for number, (act, _) in enumerate(acts):
        later = [name for _, units in acts[number + 1 :] for name in units]
        before = _expected_successes(ways)
        ways = _merge_equivalent((after for way in ways for after in act(way)), later)
        each.append(_expected_successes(ways) - before)
    together = [Fraction(0)] * (len(acts) + 1)
    for way in ways:
        together[way.successes] += way.chance
    return Prospects(tuple(each), tuple(together), {})


def _expected_successes(ways: Iterable[Possibility]) -> Fraction:
    """The mean number of successes: what one attack adds to it is the attack's chance."""
    return sum((way.chance * way.successes for way in ways), Fraction(0))


def _merge_equivalent(ways: Iterable[Possibility], units: Sequence[str]) -> list[Possibility]:
    """Merge possibilities that agree in all that matters: the fate of some units, guns spent, successes."""
    found: dict[object, Possibility] = {}
    for way in ways:
        fate = tuple([way.state.units[name] for name in units])
        key = fate, frozenset(way.spent), way.successes, bool(way.state.army(ALLIED))
        same = found.get(key)
        found[key] = way if same is None else same._replace(chance=same.chance + way.chance)
    return list(found.values())


def _split_by_chance(
    way: Possibility, chance: Fraction, hit: Iterable[str], missed: Iterable[str] = ()
) -> Iterator[Possibility]:
    """Split by chance: a success, which hits some units, and a failure, which hits others (R1.3)."""
    for part, units, success in ((chance, hit, 1), (1 - chance, missed, 0)):
        if part:
            state = way.state
            for name in units:
                state = state.hit(name)
            yield Possibility(way.chance * part, state, way.spent, way.successes + success)


def _combat_step(order: Attack | Dogfight) -> AttackStep:
    """R6.2 to R6.5: the remaining units fight, unless a side is gone or the game is over (R8.3)."""

    def act(way: Possibility) -> Iterable[Possibility]:
        state = way.state
        units = [name for name in order.units if state.on_map(name)]
        on = [name for name in order.on if state.on_map(name)]
        if not units or not on or not state.army(ALLIED):
            return [way]
        attack, defence = combat.strength(state, units, False), combat.strength(state, on, True)
        return _split_by_chance(way, win_chance(attack, defence), on, units)

    return act


def _shot_step(order: Shot, faces: tuple[int, ...]) -> AttackStep:
    """R7.3: a shot; it is lost if the target is gone."""

    def act(way: Possibility) -> Iterable[Possibility]:
        if not way.state.on_map(order.at) or not way.state.army(ALLIED):
            return [way]
        return _split_by_chance(way, hit_chance(faces), [order.at])

    return act


def _bomb_step(order: Bomb) -> AttackStep:
    """R4.5: a bomb, if the bomber and the enemy below it survive."""

    def act(way: Possibility) -> Iterable[Possibility]:
        state = way.state
        if not state.on_map(order.unit) or not state.army(ALLIED):
            return [way]
        target = bombing.bomb_target(state, order.unit, state.at(order.unit))
        return (
            [way]
            if target is None
            else _split_by_chance(way, hit_chance(bombing.bombing_faces(state, target)), [target])
        )

    return act


def _flight_possibilities(way: Possibility, name: str, path: tuple[str, ...]) -> Iterator[Possibility]:
    """R4.4: an aircraft flies along a path until a gun hits it; each gun fires once in a sub-turn."""
    state, aiming = way.state, flak.guns_against(way.state, name)
    for at in flak.exposed_hexes(state, name, path):
        for gun in flak.guns_in_range(state, aiming, at):
            if gun not in way.spent:
                way = way._replace(spent=(*way.spent, gun))
                shot_down = hit_chance((FLAK_HITS,))
                yield way._replace(chance=way.chance * shot_down, state=way.state.hit(name))
                way = way._replace(chance=way.chance * (1 - shot_down))
    yield way._replace(state=way.state.with_unit_at(name, path[-1]))
