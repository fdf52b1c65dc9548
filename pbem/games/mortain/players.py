"""The practice players: one that gives any legal orders, and one with some sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.requests import Ask, Orders, Plain
from pbem.core.rules import Chooser, Player
from pbem.games.mortain.offers import accepts, candidates, offers
from pbem.games.mortain.state import State

PASS_NOW_AND_THEN = 0.1
"""How often the random player passes without need."""


def random_player(ask: Ask[Any], chooser: Chooser) -> Orders:
    """Any legal orders: of several units, as far as the card goes, in no particular order."""
    if ask.question != "activate":
        return chooser.choice(list(offers(ask)))
    wanted: list[Plain] = list(candidates(ask.state))
    if chooser.random() < PASS_NOW_AND_THEN:
        return [{"pass": True}]
    return compose(ask, chooser.sample(wanted, min(len(wanted), 12)))


def compose(ask: Ask[Any], wanted: Orders) -> Orders:
    """As many of the orders as go together, the first ones first; a pass if none does."""
    orders: Orders = []
    for order in wanted:
        longer = [order, *orders] if _is_movement(order) else [*orders, order]
        if accepts(ask.read, longer):
            orders = longer
    return orders or [{"pass": True}]


def _is_movement(order: Plain) -> bool:
    return "move" in order or "enter" in order or "exit" in order


PLAYERS: Mapping[str, Player] = {"random": random_player}
