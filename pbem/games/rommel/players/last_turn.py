"""The Axis's last turn: only units on victory points count, since nothing comes after its combats (R8).

Fire and combats against them are allotted for the best expected result of the Axis: a win if all of them are
gone (R8.2), a draw if too few are left (R8.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from pbem.core.requests import Orders
from pbem.games.rommel.players.outlook import Outlook, combat_chance, holds_out
from pbem.games.rommel.players.tactics import Assault, assault_orders
from pbem.games.rommel.rules import combat, fire, movement
from pbem.games.rommel.rules.combat import hit_chance
from pbem.games.rommel.rules.orders import Move
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.rules.victory import POINTS_TO_WIN
from pbem.games.rommel.rules.weather import gun_range
from pbem.games.rommel.terms.setting import ALLIED, AXIS, MAY_FIRE

LEAST_HOPE = 0.05
"""The chance assumed before any blow; without it the first of two blows would have no value."""
LEAST_GAIN = 1e-9
"""The least gain in the expected result that is more than a rounding error."""


class Blow(Struct, frozen=True):
    """A unit's fire or attack on one enemy, from a hex: the chance of its shot, or its factors in combat."""

    unit: str
    at: str
    target: str
    shot: float = 0.0
    factors: int = 0
    besides: bool = False
    """Whether the unit may also strike another blow, like a tank that fires and fights (R7.2)."""


class AttackPlan:
    """The blows against the units on the points, and their expected result."""

    def __init__(self, state: State) -> None:
        self.state = state
        points = state.setting.victory_points
        self.targets = [name for name in state.army(ALLIED) if state.at(name) in points]
        self.blows: list[Blow] = []

    def share_out(self, options: Iterable[Blow], can: Callable[[Blow], bool] = lambda blow: True) -> None:
        """Add the blow that gains most, again and again until none gains anything."""
        left = list(options)
        while left:
            best = max(left, key=lambda blow: self.expected_result([*self.blows, blow]))
            if self.expected_result([*self.blows, best]) <= self.expected_result(self.blows) + LEAST_GAIN:
                return
            left.remove(best)
            if can(best):
                self.blows.append(best)
                left = [blow for blow in left if not _are_alternatives(blow, best)]

    def exchange(self, options: Iterable[Blow]) -> None:
        """Replace single blows by others of the same unit, as long as that gains anything."""
        changes = [(number, blow) for number in range(len(self.blows)) for blow in options]
        gaining = True
        while gaining:
            gaining = False
            for number, blow in changes:
                if _are_alternatives(blow, self.blows[number]):
                    changed = [*self.blows[:number], blow, *self.blows[number + 1 :]]
                    if self.expected_result(changed) > self.expected_result(self.blows) + LEAST_GAIN:
                        self.blows, gaining = changed, True

    def expected_result(self, blows: Iterable[Blow]) -> float:
        """R8: the expected result of the Axis, from 0 (lost) to 1 (won); a draw is 0.5."""
        blows = list(blows)
        left = [1.0]
        """The chances that 0, 1, … of the targets considered so far stay on their points."""
        for target in self.targets:
            gone = LEAST_HOPE + (1 - LEAST_HOPE) * self._elimination_chance(
                target, [blow for blow in blows if blow.target == target]
            )
            left = [
                fewer * gone + more * (1 - gone)
                for fewer, more in zip((*left, 0.0), (0.0, *left), strict=True)
            ]
        return left[0] + sum(left[1:POINTS_TO_WIN]) / 2

    def _elimination_chance(self, target: str, blows: list[Blow]) -> float:
        """R1.3: the chance that these blows eliminate a unit, by fire and then in combat."""
        state = self.state
        missed, once = 1.0, 0.0
        for blow in blows:
            missed, once = missed * (1 - blow.shot), once * (1 - blow.shot) + missed * blow.shot
        defence = combat.strength(state, [target], True)
        if not holds_out(state, target):
            return 1 - missed * (1 - _joint_win_chance(blows, defence))
        struck = combat.strength(state.hit(target), [target], True)
        first, second = _split_into_combats(state, target, blows)
        by_two = _joint_win_chance(first, defence) * max(_joint_win_chance(second, struck), LEAST_HOPE)
        return 1 - missed - once + once * _joint_win_chance(blows, struck) + missed * by_two


def _are_alternatives(one: Blow, other: Blow) -> bool:
    """Whether the same unit can strike only one of these blows."""
    return one.unit == other.unit and one.besides == other.besides


def _split_into_combats(state: State, target: str, blows: Iterable[Blow]) -> tuple[list[Blow], list[Blow]]:
    """R1.3: the attackers in the first combat, and in a second one against a tank that would hold out."""
    fighting = sorted((blow for blow in blows if blow.factors), key=lambda blow: -blow.factors)
    if holds_out(state, target) and state.setting.options.defend_again:
        return fighting[::2], fighting[1::2]
    return fighting, []


def _joint_win_chance(blows: Iterable[Blow], defence: int) -> float:
    """R6.2: the chance that these blows together win a combat."""
    attack = sum(blow.factors for blow in blows)
    return combat_chance(attack, defence) if attack else 0.0


def moves(outlook: Outlook) -> Orders:
    """R5: the moves to hexes from which units can strike."""
    state = outlook.state
    orders: Orders = []

    def go(blow: Blow) -> bool:
        nonlocal state
        if blow.at == state.at(blow.unit):
            return True
        path = outlook.reach(state, blow.unit).get(blow.at)
        if path is None or movement.halt_refusal(state, blow.unit, blow.at) is not None:
            return False
        if not movement.in_supply(state, blow.unit):
            return False
        orders.append({"move": blow.unit, "path": list(path)})
        state = movement.state_after(state, Move(blow.unit, path))
        return True

    reckoning = AttackPlan(state)
    options = [
        blow for name in _fighters(state) for blow in _blows_after_move(outlook, name, reckoning.targets)
    ]
    wanted = Counter(blow.at for blow in options)
    reckoning.share_out(sorted(options, key=lambda blow: (wanted[blow.at], -blow.factors)), go)
    return orders


def shots(state: State) -> Orders:
    """R7: the fire at units on the points."""
    reckoning = AttackPlan(state)
    options = [*_shots_now(state, reckoning.targets), *_combats_now(state, reckoning.targets)]
    reckoning.share_out(options)
    reckoning.exchange(options)
    return [{"fire": blow.unit, "at": blow.target} for blow in reckoning.blows if blow.shot]


def attacks(state: State) -> Orders:
    """R6: the attacks on units on the points, and compulsory ones elsewhere (R5.5)."""
    reckoning = AttackPlan(state)
    options = list(_combats_now(state, reckoning.targets))
    reckoning.share_out(options)
    reckoning.exchange(options)
    assaults = []
    for target in reckoning.targets:
        struck = [blow for blow in reckoning.blows if blow.target == target]
        groups = [group for group in _split_into_combats(state, target, struck) if group]
        assaults += [Assault(tuple(blow.unit for blow in group), target) for group in groups]
    return assault_orders(state, assaults)


def _fighters(state: State) -> list[str]:
    return [name for name in state.army(AXIS) if state.kind(name) != "supply"]


def _blows_after_move(outlook: Outlook, name: str, targets: Iterable[str]) -> Iterator[Blow]:
    """The blows of a unit after a move: in combat from any hex adjacent to an enemy, by fire from one hex."""
    state, grid = outlook.state, outlook.state.setting.grid
    here, zone = state.at(name), outlook.zones[ALLIED]
    gun = fire.fires_or_fights(state, name)
    freed = gun and state.setting.options.fire_frees_from_combat  # R5.5: it fires instead of attacking
    for target in targets:
        there, (shot, most) = state.at(target), _shot_chance_and_range(state, name, target)
        for at in (here, *outlook.initial_reach[name]):
            if at in grid.adjacent(there) and combat.may_attack(state, name):
                yield Blow(name, at, target, 0.0 if gun else shot, state.combat(name))
        may_stop = [at for at in outlook.initial_reach[name] if freed or at not in zone]
        places = [at for at in (here, *may_stop) if shot and grid.distance(at, there) <= most]
        if places:
            yield Blow(name, min(places, key=lambda at: (at != here, at in zone)), target, shot)


def _shot_chance_and_range(state: State, name: str, target: str) -> tuple[float, int]:
    """R7.1: the chance of a unit to hit an enemy in range, and its range in today's weather."""
    if state.kind(name) not in MAY_FIRE:
        return 0.0, 0
    table = state.setting.fire[fire.row(state, name)]
    faces = table.hits.get(fire.column(state, target), ())
    return float(hit_chance(faces)), gun_range(table.reach, state.weather)


def _shots_now(state: State, targets: Iterable[str]) -> Iterator[Blow]:
    """The shots possible now."""
    for name in _fighters(state):
        besides = not fire.fires_or_fights(state, name)
        for target in targets:
            if faces := fire.hitting_faces(state, name, target):
                yield Blow(name, state.at(name), target, float(hit_chance(faces)), besides=besides)


def _combats_now(state: State, targets: Iterable[str]) -> Iterator[Blow]:
    """The attacks possible now."""
    for name in _fighters(state):
        for target in combat.enemies_within_reach(state, name):
            if target in targets:
                yield Blow(name, state.at(name), target, factors=state.combat(name))
