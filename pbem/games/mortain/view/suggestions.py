"""Suggested orders, as typed: additions to an answer, and what pointing at units and hexes can mean.

The rules accept every addition; they can refuse the meanings of pointing. This module also has what is left
to do, for the board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from pbem.core.requests import Orders, Plain, accepts
from pbem.core.rules import Instruction
from pbem.core.sentences import listed
from pbem.games.mortain.rules.activation_builder import ActivationBuilder
from pbem.games.mortain.rules.allowance import activations_used
from pbem.games.mortain.rules.movement import MOST_IN_A_HEX
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.sequence import offers
from pbem.games.mortain.rules.setup import units_to_place
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, WAITING, Questions, State
from pbem.games.mortain.terms.setting import US
from pbem.games.mortain.view import names, typed_orders
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")

MOST_FIRERS = 3
"""The most units in a suggested group."""


def additional_orders(ask: Question, orders: Orders) -> Iterator[str]:
    """Units to place (M2.1), additions to an activation (M3.8), or both choices of a face card (M5.7)."""
    if ask.question == Questions.PLACE:
        return _placements(ask.state, orders)
    if ask.question == Questions.ACTIVATE:
        return _additions(ask, orders)
    return (word for order in (() if orders else offers(ask)) for word in typed_orders.write(order))


def state_after(ask: Question, orders: Orders) -> State:
    """M2.1, M4.2: the state with the units placed or moved so far, even if others still have to make room."""
    state = ask.state
    for order in orders:
        match order:
            case {"place": dict(places)}:
                for name, at in places.items():
                    state = state.with_unit_at(name, at)
            case {"move": name, "to": at} | {"enter": name, "at": at}:
                state = state.with_unit_at(name, at)
    return state


def _placements(state: State, orders: Orders) -> Iterator[str]:
    """M2.1: the placements of each unit without a hex, in each hex with room for it."""
    setting = state.setting
    placed = {name: at for order in orders for name, at in order["place"].items()}
    crowd = Counter(placed.values())
    for name in units_to_place(setting):
        for at in setting.grid.numbers:
            if name not in placed and crowd[at] < MOST_IN_A_HEX and setting.grid.column(at) != setting.east:
                yield from typed_orders.write([{"place": {name: at}}])


def _additions(ask: Question, orders: Orders) -> Iterator[str]:
    """M3.3 to M3.8: what can be added to these orders, and a pass if there are none."""
    if {"pass": True} in orders:
        return
    able: dict[str, list[str]] = {}
    for order in _builder_with(ask.state, orders).additions():
        match order:
            case {"fire": [name], "at": target}:
                able.setdefault(target, []).append(name)
            case _ if accepts(ask.read, [*orders, order]):  # M3.8: no movement after an attack
                yield from typed_orders.write([order])
    for target, firing in able.items():
        for number in range(1, MOST_FIRERS + 1):
            for firers in combinations(firing, number):
                order = {"fire": list(firers), "at": target}
                if accepts(ask.read, [*orders, order]):
                    yield from typed_orders.write([order])
    if not orders:
        yield from typed_orders.write([{"pass": True}])


def _builder_with(state: State, orders: Orders) -> ActivationBuilder:
    """A builder with these legal orders, which are not a pass."""
    draft = ActivationBuilder(state)
    for order in orders:
        match order:
            case {"move": name, "to": to} | {"enter": name, "at": to}:
                draft.add_movement(name, to)
            case {"exit": name}:
                draft.add_movement(name, EXITED)
            case {"fire": [*names], "at": target}:
                for name in names:
                    draft.add_firer(name, target)
            case _:
                draft.add_support(order)
    return draft


def instruct(ask: Question, orders: Orders) -> Instruction:
    """What to do after these orders: which units to place (M2.1), or how many to activate (M3.3)."""
    if ask.question == Questions.PLACE:
        return _placing_instruction(ask.state, orders)
    if ask.question != Questions.ACTIVATE or not orders:
        return Instruction(typed_orders.prompt(ask))
    if {"pass": True} in orders:
        return Instruction(tr("You pass: no unit acts on this card"))
    return Instruction(_activation_instruction(ask.state, orders))


def _placing_instruction(state: State, orders: Orders) -> Instruction:
    """M2.1: the units that still need a hex."""
    placed = {name for order in orders for name in order["place"]}
    left = [name for name in units_to_place(state.setting) if name not in placed]
    if not left:
        return Instruction(tr("All your units are placed"))
    says = tr(
        "Place your units: at most two in a hex, none in column {column}",
        column=state.setting.east,
    )
    due = tr.plural(
        "1 unit is left to place: {units}",
        "{number} units are left to place: {units}",
        len(left),
        units=listed(left),
    )
    return Instruction(says, (due,))


def _activation_instruction(state: State, orders: Orders) -> str:
    """M3.3, M3.4, M3.7: what the card allows in addition to these orders."""
    assert state.card is not None
    card, draft = names.card_heading(state.card), _builder_with(state, orders)
    acting = [*draft.goals, *draft.firers]
    used = activations_used(state, acting, draft.goals, draft.support is not None)
    if not draft.can_grow():
        return tr("{card}: nothing more can be ordered", card=card)
    if state.allowance is None:
        return tr("{card}: other units of that hex may act too", card=card)
    return tr.plural(
        "{card}: {left} of 1 activation left",
        "{card}: {left} of {number} activations left",
        state.allowance,
        card=card,
        left=state.allowance - used,
    )


def likely_orders(ask: Question, units: Sequence[str], at: str) -> Iterator[str]:
    """The orders that pointing at units and a hex can mean, likeliest first; without a hex, nearby ones."""
    if ask.question == Questions.PLACE:
        hexes = [at] if at else ask.state.setting.grid.numbers
        found: Iterator[Plain] = ({"place": {name: near}} for near in hexes for name in units)
    elif ask.question == Questions.ACTIVATE:
        found = _orders_at_hex(ask, units, at) if at else _moves_nearby(ask.state, units)
    else:
        found = iter(())
    return (line for order in found for line in typed_orders.write([order]))


def _orders_at_hex(ask: Question, units: Sequence[str], at: str) -> Iterator[Plain]:
    """M4, M5.1, M6: attacks on the enemy in the hex, or movement there."""
    enemies = [name for name in ask.state.stack(at) if ask.state.side(name) != ask.seat]
    if units:
        yield from ({"fire": list(units), "at": name} for name in enemies)
        yield from (_movement_order(ask.state, name, at) for name in units)
    elif ask.seat == US:
        yield from ({"artillery": [name]} for name in enemies)


def _moves_nearby(state: State, units: Sequence[str]) -> Iterator[Plain]:
    """M4: movement of each unit to every adjacent hex, or onto the map."""
    grid = state.setting.grid
    for name in units:
        at = state.at(name)
        near = grid.adjacent(at) if at not in (WAITING, EXITED, ELIMINATED) else grid.numbers[:1]
        yield from (_movement_order(state, name, to) for to in near)


def _movement_order(state: State, name: str, to: str) -> Plain:
    """The order that takes a unit to a hex: a waiting unit enters."""
    return {"enter": name, "at": to} if state.at(name) == WAITING else {"move": name, "to": to}
