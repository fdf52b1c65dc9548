"""Whether movements serve a purpose: a side's whole standing has to gain by each.

A unit sees only itself: where each of three goes to a better place, all may be as they were, and the next
card brings them back. The standing of the whole side is a number of the position alone, so as long as the
enemy does nothing, movements that all raise it never come back to where they began.
"""

from __future__ import annotations

from pbem.core.requests import Orders
from pbem.games.mortain.players.keen import KEEN
from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.rules.state import State

LEAST = 0.01
"""The least gain, in steps, that is more than an error of reckoning."""


def purposeful(state: State, seat: str, orders: Orders) -> Orders:
    """The orders without the movements on the map by which the side's standing does not gain."""
    kept: Orders = []
    here = _standing(state, seat)
    for order in orders:
        if "move" in order:
            after = state.moved(order["move"], order["to"])
            there = _standing(after, seat)
            if there < here + LEAST:
                continue
            state, here = after, there
        kept.append(order)
    return kept


def _standing(state: State, seat: str) -> float:
    """The worth of where a side's units stand, as a keen player sees it."""
    outlook = Outlook(state, seat, KEEN[seat])
    return sum(outlook.standings(name, [at])[at] for name in state.field(seat) for at in [state.at(name)])
