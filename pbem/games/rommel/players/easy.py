"""The practice player for a first game: the sensible one, who forgets much of what he wanted to order."""

from __future__ import annotations

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Chooser, Effort
from pbem.games.rommel.players.sensible import PLANNERS, combine_orders, sensible_player
from pbem.games.rommel.rules.orders import Question

FORGOTTEN_SHARE = 0.4
"""The share of the sensible player's orders that it forgets."""


def easy_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The sensible player's orders without some; attacks that must be made (R5.5) are never forgotten."""
    orders = sensible_player(ask, chooser)
    if ask.question not in PLANNERS:
        return orders
    kept = [order for order in orders if chooser.random() >= FORGOTTEN_SHARE]
    if kept and accepts(ask.read, kept):
        return kept
    some = combine_orders(ask, [[order] for order in kept])
    return some if accepts(ask.read, some) else orders
