"""What a player does next, in words for the board: how much is done, and what must still be ordered.

A compulsory attack (R4.3, R5.5) is shown with its chance, long before all the orders together are legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce

from pbem.core.requests import Orders
from pbem.core.rules import Instruction
from pbem.core.sentences import listed
from pbem.games.rommel.rules import combat, fire, flights, setup
from pbem.games.rommel.rules.combat import survival_chance, win_chance
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.view import typed_orders
from pbem.games.rommel.view.suggestions import state_after
from pbem.texts import Texts, percent

tr = Texts("pbem.games.rommel")

MOST_NAMED = 6
"""How many of the counters still to be placed are named."""


def instruct(ask: Question, orders: Orders) -> Instruction:
    """What to do after these orders, and what is compulsory before they can be signed."""
    if ask.question == Phase.AXIS_OPEN:
        return Instruction(typed_orders.prompt(ask))
    if any("pass" in order for order in orders):
        return Instruction(tr("You pass"))
    return INSTRUCTIONS.get(ask.question, _instruct_on_placing)(ask, orders)


def _instruct_on_placing(ask: Question, orders: Orders) -> Instruction:
    """R2: what to place, and how many counters are left."""
    want = setup.placement_needs(ask.state)
    placed = {name for order in orders for name in order.get("place", ())}
    must = [name for name in want.must if name not in placed]
    choice = want.number - sum(name in placed for name in want.choice)
    due = []
    if must and not choice and len(must) <= MOST_NAMED:
        due.append(
            tr.plural(
                "1 counter is left to place: {units}",
                "{number} counters are left to place: {units}",
                len(must),
                units=listed(must),
            )
        )
    elif must or choice:
        due.append(
            tr.plural("1 counter is left to place", "{number} counters are left to place", len(must) + choice)
        )
    return Instruction(typed_orders.set_up_task(ask.state.step), tuple(due))


def _instruct_on_flying(ask: Question, orders: Orders) -> Instruction:
    """R4: how many aircraft have orders, and the dogfights that flights made compulsory (R4.3)."""
    state = ask.state
    if any("stand_down" in order for order in orders):
        return Instruction(tr("Your aircraft stand down for the rest of the air phase"))
    force = state.air_force(ask.seat)
    acting = {name for order in orders for name in (order.get("fly"), order.get("bomb"))}
    fighting = {name for order in orders for name in order.get("dogfight", ())}
    number = sum(name in acting | fighting for name in force)
    if not number:
        says = tr("Choose an aircraft to fly, bomb or dogfight, or stand down")
    elif number < len(force):
        says = tr(
            "{number} of {all} aircraft ordered: choose another, or sign", number=number, all=len(force)
        )
    else:
        says = tr("All your aircraft have orders")
    return Instruction(says, tuple(_dogfights_due(ask, orders, fighting)))


def _dogfights_due(ask: Question, orders: Orders, fighting: set[str]) -> Iterator[str]:
    """R4.3: the compulsory dogfights still missing, with the chance against each enemy."""
    state = state_after(ask, orders)
    for order in orders:
        match order:
            case {"fly": name, "path": [*path]} if name not in fighting:
                lives = survival_chance(len(flights.guns_on_path(ask.state, name, tuple(path))))
                enemies = flights.zone(state, ask.seat, path[-1])
                chances = {
                    enemy: lives * win_chance(state.combat(name), state.combat(enemy)) for enemy in enemies
                }
                if chances:
                    yield _attack_due(name, chances)


def _instruct_on_moving(ask: Question, orders: Orders) -> Instruction:
    """R5: how many units have moved."""
    army, moved = ask.state.army(ask.seat), sum("move" in order for order in orders)
    if not moved:
        return Instruction(tr("Choose a unit to move, or pass"))
    if moved == len(army):
        return Instruction(tr("All your units have moved"))
    return Instruction(
        tr("{number} of {all} units moved: choose another, or sign", number=moved, all=len(army))
    )


def _instruct_on_firing(ask: Question, orders: Orders) -> Instruction:
    """R7: how many units can still fire."""
    firing = {order.get("fire") for order in orders}
    left = sum(1 for name in ask.state.army(ask.seat) if name not in firing and fire.targets(ask.state, name))
    if not left:
        return Instruction(tr("No further unit can fire"))
    return Instruction(
        tr.plural(
            "Choose a unit to fire: 1 has a target",
            "Choose a unit to fire: {number} have a target",
            left,
        )
    )


def _instruct_on_attacking(ask: Question, orders: Orders) -> Instruction:
    """R6: how many units can still attack, and the attacks that are compulsory (R5.5)."""
    state = ask.state
    ordered = {name for order in orders for name in order.get("attack", ())}
    left = sum(
        1 for name in state.army(ask.seat) if name not in ordered and combat.enemies_within_reach(state, name)
    )
    due = [
        _attack_due(name, {target: _combat_chance(state, name, target) for target in targets})
        for name, targets in combat.attacks_due(state).items()
        if not any(_is_met(order, name, targets) for order in orders)
    ]
    if not left:
        return Instruction(tr("No further unit can attack"), tuple(due))
    says = tr.plural(
        "Choose a unit to attack with: 1 is next to an enemy",
        "Choose a unit to attack with: {number} are next to an enemy",
        left,
    )
    return Instruction(says, tuple(due))


def _is_met(order: Mapping[str, list[str]], name: str, targets: Iterable[str]) -> bool:
    """R5.5: whether an order is the attack that a unit must make."""
    return name in order.get("attack", ()) and any(target in order["on"] for target in targets)


def _combat_chance(state: State, name: str, target: str) -> Fraction:
    """R6.2: the chance of a unit that attacks an enemy on its own."""
    attack, defence = combat.strength(state, [name], False), combat.strength(state, [target], True)
    return win_chance(attack, defence)


def _attack_due(name: str, chances: Mapping[str, Fraction]) -> str:
    """A compulsory attack, with the chance against each enemy."""
    targets = [
        tr("{unit}, {chance}", unit=target, chance=percent(float(chance)))
        for target, chance in chances.items()
    ]
    either = reduce(lambda one, other: tr("{one}, or {other}", one=one, other=other), targets)
    return tr("{unit} must still attack {targets}", unit=name, targets=either)


INSTRUCTIONS: Mapping[str, Callable[[Question, Orders], Instruction]] = {
    Phase.AIR: _instruct_on_flying,
    Phase.MOVE: _instruct_on_moving,
    Phase.FIRE: _instruct_on_firing,
    Phase.COMBAT: _instruct_on_attacking,
}
"""The instructions, by question; all other questions are those of the set-up."""
