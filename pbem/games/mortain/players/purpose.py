"""Whether movements serve a purpose: a side's whole standing has to gain by each.

A unit sees only itself: where each of three goes to a better place, all may be as they were, and the next
card brings them back. The standing of the whole side is a number of the position alone, so as long as the
enemy does nothing, movements that all raise it never come back to where they began. A German who comes nearer
to his goal need not raise it: no German ever goes farther away, so that way is not gone twice either.
"""

from __future__ import annotations

from pbem.core.requests import Orders
from pbem.games.mortain.players.keen import KEEN
from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.terms.setting import GERMAN

LEAST_GAIN = 0.01
"""The least gain, in steps, that is more than a rounding error."""


def drop_idle_moves(state: State, seat: str, orders: Orders) -> Orders:
    """The orders without those movements that gain nothing and bring no German nearer to his goal."""
    kept: Orders = []
    here = _side_standing(state, seat)
    for order in orders:
        if "move" in order and not _comes_nearer(state, seat, order["move"], order["to"]):
            after = state.with_unit_at(order["move"], order["to"])
            there = _side_standing(after, seat)
            if there < here + LEAST_GAIN:
                continue
            state, here = after, there
        elif "move" in order:
            state = state.with_unit_at(order["move"], order["to"])
            here = _side_standing(state, seat)
        kept.append(order)
    return kept


def _comes_nearer(state: State, seat: str, name: str, to: str) -> bool:
    """Whether a German comes nearer to the exit."""
    ahead = Outlook(state, seat, KEEN[seat]).steps_to_goal(name)
    return seat == GERMAN and ahead[to] < ahead[state.at(name)]


def _side_standing(state: State, seat: str) -> float:
    """The total value of the places of a side's units, as the keen player sees it."""
    outlook = Outlook(state, seat, KEEN[seat])
    return sum(outlook.standings(name, [at])[at] for name in state.field(seat) for at in [state.at(name)])
