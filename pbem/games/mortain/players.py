"""The practice players: one that gives any legal orders, and one with some sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.core.requests import Ask, Orders, Plain
from pbem.core.rules import Chooser, Player
from pbem.games.mortain.offers import accepts, candidates, offers
from pbem.games.mortain.setting import GERMAN, US
from pbem.games.mortain.state import State
from pbem.games.mortain.tactics import Outlook, Wish

PASS_NOW_AND_THEN = 0.1
"""How often the random player passes without need."""
FACES = ("redraw", "miss", "ask")
TRIES = 12
"""How many orders the random player tries to put into one list."""
ATTACKS = 3
"""How many attacks the sensible player weighs against each other."""


def random_player(ask: Ask[Any], chooser: Chooser) -> Orders:
    """Any legal orders: of several units, as far as the card goes, in no particular order."""
    if ask.question != "activate":
        answer: Orders = chooser.choice(list(offers(ask)))
        return answer
    if chooser.random() < PASS_NOW_AND_THEN:
        return [{"pass": True}]
    wanted = [*candidates(ask.state), *_joint_fire(ask, chooser)]
    return _together(ask, chooser.sample(wanted, min(len(wanted), TRIES)))


def _joint_fire(ask: Ask[Any], chooser: Chooser) -> Iterator[Plain]:
    """At each enemy, fire by some of the units that can reach and see it."""
    state: State = ask.state
    for enemy in state.field(US if ask.seat == GERMAN else GERMAN):
        able = [
            name
            for name in state.field(ask.seat)
            if state.at(enemy) in state.setting.fields_of_fire[state.at(name)]
        ]
        if len(able) > 1:
            firers = chooser.sample(able, chooser.choice(range(2, len(able) + 1)))
            yield {"fire": firers, "at": enemy, "faces": chooser.choice(FACES)}


def sensible_player(ask: Ask[Any], chooser: Chooser) -> Orders:
    """The list worth most: one of the best attacks, or none, and the best moves beside it."""
    match ask.question:
        case "place":
            return next(offers(ask))
        case "faces":
            return [{"faces": "redraw"}]
    outlook = Outlook(ask.state, ask.seat)
    attacks, moves = outlook.attacks(), outlook.moves()
    plans = [_plan(ask, [attack, *moves]) for attack in attacks[:ATTACKS]] + [_plan(ask, moves)]
    _, orders = max(plans, key=lambda plan: plan[0])
    return orders


def _plan(ask: Ask[Any], wishes: list[Wish]) -> tuple[float, Orders]:
    """The wishes that go together, the first ones first, and what they are worth."""
    orders = _together(ask, [wish.order for wish in wishes])
    return sum(wish.worth for wish in wishes if wish.order in orders), orders


def _together(ask: Ask[Any], wanted: Orders) -> Orders:
    """As many of the orders as make a legal list, the first ones first; a pass if none does."""
    orders: Orders = []
    for order in wanted:
        longer = [order, *orders] if _is_movement(order) else [*orders, order]
        if accepts(ask.read, longer):
            orders = longer
    return orders or [{"pass": True}]


def _is_movement(order: Plain) -> bool:
    return any(verb in order for verb in ("move", "enter", "exit"))


PLAYERS: Mapping[str, Player] = {"random": random_player, "sensible": sensible_player}
