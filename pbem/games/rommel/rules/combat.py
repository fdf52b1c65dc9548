"""R6, combat of adjacent units, on the ground and in the air; the exact chances of combats, shots and guns.

The chances are those of R4.4, R4.5, R6 and R7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from pbem.core.forms import repeated
from pbem.core.requests import Orders, Plain, Tell, Throw
from pbem.core.sentences import joined
from pbem.errors import IllegalOrder, Unfinished
from pbem.games.rommel.rules import fire, flak, victory
from pbem.games.rommel.rules.events import Declares, Dice, Fights, Void
from pbem.games.rommel.rules.orders import Answer, Attack, Dogfight, check_units, read_orders
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import FACES, FLAK_HITS, other_side
from pbem.messages import Messages

if TYPE_CHECKING:
    from fractions import Fraction

tr = Messages("pbem.games.rommel")


@cache
def win_chance(attack: int, defence: int) -> Fraction:
    """R6.2, R6.3: the chance that the attacker wins with these factors; a tie is thrown again."""
    from fractions import Fraction  # under 1 ms: judging a game needs no chances

    throws = [(ours * attack, theirs * defence) for ours in FACES for theirs in FACES]
    won = sum(ours > theirs for ours, theirs in throws)
    return Fraction(won, sum(ours != theirs for ours, theirs in throws))


@cache
def hit_chance(faces: tuple[int, ...]) -> Fraction:
    """The chance that the die shows one of these faces (R1.2)."""
    from fractions import Fraction  # under 1 ms: judging a game needs no chances

    return Fraction(sum(face in faces for face in FACES), len(FACES))


@cache
def survival_chance(guns: int) -> Fraction:
    """R4.4: the chance that an aircraft survives the fire of this many guns."""
    return (1 - hit_chance((FLAK_HITS,))) ** guns


def read(state: State, orders: Plain) -> Answer:
    """R6.1: parse the orders of `ground_combat`, declared before any is resolved. Raises `IllegalOrder`."""
    answer = read_orders(state, orders)
    flak.check_standing_orders(state, state.active, answer)
    attacks = [order for order in answer if isinstance(order, Attack)]
    for attack in attacks:
        _check_units(state, attack)
        check_adjacent(state, attack.units, attack.on)
    check_once(state, attacks)
    _check_fired(state, attacks)
    _check_obliged(state, attacks)
    return answer


def _check_units(state: State, attack: Attack) -> None:
    """R10.2, R6.1: check that land units of the active side attack land units of the other."""
    check_units(state, state.active, attack.units, attack.on)
    for name in (*attack.units, *attack.on):
        if state.counter(name).flies:
            raise IllegalOrder("R6.1", tr("{unit} is an aircraft; only land units fight here", unit=name))
    for name in attack.on:
        if state.side(name) == state.active:
            raise IllegalOrder("R6.1", tr("{unit} is on the same side", unit=name))


def check_adjacent(state: State, units: Sequence[str], on: Sequence[str]) -> None:
    """R6.1: check that each attacker is adjacent to a defender, and each defender to an attacker.

    Raises `IllegalOrder`.
    """
    for some, others in ((units, on), (on, units)):
        for name in some:
            near = state.setting.grid.adjacent(state.at(name))
            if all(state.at(other) not in near for other in others):
                facts = tr(
                    "{unit} in {hex} is not adjacent to {others}",
                    unit=name,
                    hex=state.at(name),
                    others=joined(others, "or"),
                )
                raise IllegalOrder("R6.1", facts)


def check_once(state: State, fights: Sequence[Attack | Dogfight]) -> None:
    """R6.1, `defend_again`: check that a unit attacks once, and is attacked once or as the option allows.

    Raises `IllegalOrder`.
    """
    twice = repeated(name for fight in fights for name in fight.units)
    if twice is not None:
        raise IllegalOrder("R6.1", tr("{unit} may attack only once", unit=twice))
    twice = repeated(name for fight in fights for name in fight.on)
    if twice is not None and not state.setting.options.defend_again:
        facts = tr("{unit} may be the target of only one combat", unit=twice)
        raise IllegalOrder("R6.1", facts)


def _check_fired(state: State, attacks: Sequence[Attack]) -> None:
    """R7.2: check that no unit attacks that has fired instead."""
    for attack in attacks:
        for name in attack.units:
            if flak.forgoes_attack(state, name):
                facts = tr("{unit} has fired at aircraft this turn and may not attack", unit=name)
                raise IllegalOrder("R7.2", facts)
            if not may_attack(state, name):
                facts = tr("{unit} has fired this turn and may not attack", unit=name)
                raise IllegalOrder("R7.2", facts)


def may_attack(state: State, name: str) -> bool:
    """R7.2: whether a unit may still attack after this turn's fire, including fire at aircraft."""
    if flak.forgoes_attack(state, name):
        return False
    return name not in state.fired or not fire.fires_or_fights(state, name)


def _check_obliged(state: State, attacks: Sequence[Attack]) -> None:
    """R5.5: check that every unit that must attack does so, an enemy whose zone it entered."""
    for name, targets in attacks_due(state).items():
        if not any(name in attack.units and target in attack.on for attack in attacks for target in targets):
            facts = tr(
                "{unit} must attack {targets}, whose zone it entered",
                unit=name,
                targets=joined(targets, "or"),
            )
            raise Unfinished("R5.5", facts)


def attacks_due(state: State) -> dict[str, tuple[str, ...]]:
    """R5.5: the units that must attack now, with their remaining targets; without freed units."""
    left = {
        name: tuple(target for target in targets if state.on_map(target))
        for name, targets in state.obliged.items()
        if may_attack(state, name)
    }
    return {name: targets for name, targets in left.items() if targets}


def strength(state: State, units: Iterable[str], defending: bool) -> int:
    """R6.2, R6.6: the sum of the units' combat factors, doubled on fortifications if `defending`."""
    return sum(state.combat(name) * (2 if defending and _is_doubled(state, name) else 1) for name in units)


def _is_doubled(state: State, name: str) -> bool:
    """R6.6: whether a unit defends on a fortification; aircraft above it do not."""
    return state.in_fort(name) and not state.counter(name).flies


async def carry_out(state: State, orders: Answer) -> State:
    """R6.1, R6.5: declare all combats, then resolve them in the order written."""
    attacks = [order for order in orders if isinstance(order, Attack)]
    for attack in attacks:
        await declare(state, attack, "R6.1")
    for attack in attacks:
        state = await fight(state, attack)
        if state.step == Phase.OVER:
            break
    return state


async def declare(state: State, order: Attack | Dogfight, rule: str) -> None:
    """R6.1, R4.5: report who attacks whom, before any throw; aircraft shot down do not attack."""
    units = [name for name in order.units if state.on_map(name)]
    if not units:
        return
    attack, defence = strength(state, units, defending=False), strength(state, order.on, defending=True)
    forts = [name for name in order.on if _is_doubled(state, name)]
    await Tell(state, rule, Declares(units, list(order.on), attack, defence, forts))


async def fight(state: State, order: Attack | Dogfight) -> State:
    """R6.2 to R6.5: resolve one combat between the remaining units of both sides."""
    units = [name for name in order.units if state.on_map(name)]
    on = [name for name in order.on if state.on_map(name)]
    if not units or not on:
        await Tell(state, "R6.5", Void(list(order.units), list(order.on)))
        return state
    attack, defence = strength(state, units, defending=False), strength(state, on, defending=True)
    await Tell(state, "R6.2", Fights(units, on, attack, defence))
    for name in on if await _attacker_wins(state, attack, defence) else units:
        state = await victory.suffer_hit(state, name)
    return state


async def _attacker_wins(state: State, attack: int, defence: int) -> bool:
    """R6.2 to R6.4: whether the attacker wins; both throw, the attacker first, until the products differ."""
    while True:
        ours = await Throw(state, "R6.2", FACES)
        theirs = await Throw(state, "R6.2", FACES)
        dice = Dice(ours, theirs, ours * attack, theirs * defence)
        equal = dice.attack == dice.defence
        await Tell(state, "R6.3" if equal else "R6.2", dice)
        if not equal:
            return dice.attack > dice.defence


def answers(state: State) -> Iterator[Orders]:
    """Every attack of one unit on another, together with the compulsory attacks (R5.5)."""
    owed = attacks_due(state)
    for name in state.army(state.active):
        for enemy in enemies_within_reach(state, name):
            if enemy in owed.get(name, (enemy,)):
                yield _join_obligations(owed, name, enemy)


def enemies_within_reach(state: State, name: str) -> list[str]:
    """R6.1, R7.2: the enemy land units that a unit may attack now, clockwise from north."""
    near, enemies = (
        state.setting.grid.adjacent(state.at(name)),
        state.held_hexes[other_side(state.side(name))],
    )
    if enemies.isdisjoint(near) or not may_attack(state, name):
        return []
    return [state.ground[at] for at in near if at in enemies]


def _join_obligations(owed: Mapping[str, tuple[str, ...]], name: str, enemy: str) -> Orders:
    """An attack, and the compulsory attacks of other units; those on the same enemy are joined."""
    attackers = {enemy: [name]}
    for one, targets in owed.items():
        if one != name:
            attackers.setdefault(targets[0], []).append(one)
    return [{"attack": units, "on": [target]} for target, units in attackers.items()]
