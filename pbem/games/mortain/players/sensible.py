"""The player with some sense: what it wants, as far as that goes together."""

from __future__ import annotations

from pbem.core.requests import Orders, Plain, accepts
from pbem.core.rules import Chooser, Effort
from pbem.games.mortain.players.tactics import Outlook, Wish
from pbem.games.mortain.rules.offers import offers
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.state import Questions

ATTACKS = 3
"""How many attacks it weighs against each other."""


def sensible_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The list worth most: one of the best attacks, or none, and the best moves beside it."""
    match ask.question:
        case Questions.PLACE:
            return next(offers(ask))
        case Questions.FACES:
            return [{"faces": "redraw"}]
    outlook = Outlook(ask.state, ask.seat)
    attacks, moves = outlook.attacks(), outlook.moves()
    plans = [_plan(ask, [attack, *moves]) for attack in attacks[:ATTACKS]] + [_plan(ask, moves)]
    _, orders = max(plans, key=lambda plan: plan[0])
    return orders


def _plan(ask: Question, wishes: list[Wish]) -> tuple[float, Orders]:
    """The wishes that go together, the first ones first, and what they are worth."""
    orders = _together(ask, [wish.order for wish in wishes])
    return sum(wish.worth for wish in wishes if wish.order in orders), orders


def _together(ask: Question, wanted: Orders) -> Orders:
    """As many of the orders as make a legal list, the first ones first; a pass if none does."""
    orders: Orders = []
    for order in wanted:
        longer = [order, *orders] if _is_movement(order) else [*orders, order]
        if accepts(ask.read, longer):
            orders = longer
    return orders or [{"pass": True}]


def _is_movement(order: Plain) -> bool:
    return any(verb in order for verb in ("move", "enter", "exit"))
