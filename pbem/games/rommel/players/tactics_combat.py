"""The sensible player's targets of fire and attack (R6, R7)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pbem.core.requests import Orders
from pbem.games.rommel.players.manners import Manner
from pbem.games.rommel.players.tactics import by_turn, combat_chance, holds_out, loss, prize
from pbem.games.rommel.rules import combat, fire
from pbem.games.rommel.rules.chances import hit_chance
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import other_side

LEAST_SHOT_WORTH = 0.2
"""The least value of a shot that is fired."""


class Assault(Struct, frozen=True):
    """An attack on one enemy, with its value and the chance to win it."""

    units: tuple[str, ...]
    target: str
    worth: float = 0.0
    won: float = 0.0


def fire_orders(state: State, seat: str, manner: Manner) -> Orders:
    """The fire that the sensible player orders, the best shots first; empty if nobody fires.

    An enemy that will be attacked at good odds needs no shot; its loss would not free its attackers (R5.5).
    If the manner keeps guns for fire, those that have a target do not count as attackers.
    """
    guns = [name for name in state.army(seat) if manner.shot and fire.fires_or_fights(state, name)]
    kept = [name for name in guns if fire.targets(state, name)]
    spared = {each.target: 1 - each.won for each in _worthwhile_assaults(state, seat, manner, kept)}
    wanted = [
        (float(hit_chance(faces)) * prize(state, target) * spared.get(target, 1.0), name, target)
        for name in state.army(seat)
        for target in fire.targets(state, name)
        if (faces := fire.hitting_faces(state, name, target))
    ]
    wanted.sort(key=lambda shot: -shot[0])
    standing: dict[str, float] = {}
    orders: Orders = []
    fired: set[str] = set()
    while wanted:
        worth, name, target = max(wanted, key=lambda shot: shot[0] * standing.get(shot[2], 1.0))
        left = standing.get(target, 1.0)
        if worth * left < LEAST_SHOT_WORTH:
            break
        fired.add(name)
        orders.append({"fire": name, "at": target})
        standing[target] = left * (1 - worth / prize(state, target))
        wanted = [shot for shot in wanted if shot[1] not in fired]
    return orders


def attack_orders(state: State, seat: str, manner: Manner) -> Orders:
    """The combats that the sensible player orders: the worthwhile ones, and those that are due (R5.5)."""
    return assault_orders(state, _worthwhile_assaults(state, seat, manner))


def assault_orders(state: State, assaults: list[Assault]) -> Orders:
    """The orders for these attacks, and for further ones that are due (R5.5)."""
    return [{"attack": list(each.units), "on": [each.target]} for each in _add_obligations(state, assaults)]


def _worthwhile_assaults(
    state: State, seat: str, manner: Manner, without: Iterable[str] = ()
) -> list[Assault]:
    """The attacks that are worth their risk, the best first, with each unit in at most one."""
    assaults: list[Assault] = []
    busy = set(without)
    targets = list(state.army(other_side(seat)))
    while targets:
        found = [_best_assault(state, seat, target, busy, manner) for target in targets]
        best = max(found, key=lambda assault: assault.worth)
        if best.worth <= 0:
            break
        assaults.append(best)
        busy.update(best.units)
        again = manner.twice and holds_out(state, best.target)
        state = state.hit(best.target) if again else state
        targets = [each.target for each in found if each.units and (again or each.target != best.target)]
    return assaults


def _best_assault(state: State, seat: str, target: str, busy: set[str], manner: Manner) -> Assault:
    """The best attack on an enemy by the strongest one, two … of the adjacent units."""
    able = [
        name
        for at in state.setting.grid.adjacent(state.at(target))
        if (name := state.ground.get(at)) is not None
        and state.side(name) == seat
        and name not in busy
        and state.kind(name) != "supply"
        and combat.may_attack(state, name)
    ]
    able.sort(key=lambda name: -state.combat(name))
    groups = [tuple(able[:number]) for number in range(1, len(able) + 1)]
    found = [_rate_assault(state, group, target, manner) for group in groups]
    return max(found, key=lambda assault: assault.worth, default=Assault((), target))


def _rate_assault(state: State, units: tuple[str, ...], target: str, manner: Manner) -> Assault:
    """An attack with its expected value."""
    won = combat_chance(combat.strength(state, units, False), combat.strength(state, [target], True))
    cost = (1 - won) * by_turn(state, manner.risk) * sum(loss(state, name) for name in units)
    return Assault(units, target, won * prize(state, target) - cost, won)


def _add_obligations(state: State, assaults: list[Assault]) -> list[Assault]:
    """The attacks, changed so that every unit that must attack (R5.5) takes part in one."""
    for name, left in combat.attacks_due(state).items():
        mine = next((each for each in assaults if name in each.units), None)
        if mine is not None and mine.target in left:
            continue
        if mine is not None:
            assaults.remove(mine)
            rest = tuple(unit for unit in mine.units if unit != name)
            if rest:
                assaults.append(Assault(rest, mine.target))
        joined = next((each for each in assaults if each.target in left), None)
        if joined is not None:
            assaults.remove(joined)
            assaults.append(Assault((*joined.units, name), joined.target))
        else:
            weakest = min(left, key=lambda target: combat.strength(state, [target], True))
            assaults.append(Assault((name,), weakest))
    return assaults
