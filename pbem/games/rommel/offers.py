"""What a player may be offered: legal answers, the simple ones (R10). Only `read` judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.core.requests import Orders
from pbem.errors import IllegalOrder
from pbem.games.rommel import air, combat, fire, movement, ready
from pbem.games.rommel.state import AIR, COMBAT, FIRE, MOVE, Question, State

CANDIDATES: Mapping[str, Callable[[State], Iterator[Orders]]] = {
    AIR: air.candidates,
    MOVE: movement.candidates,
    FIRE: fire.candidates,
    COMBAT: combat.candidates,
}
"""By question: answers that could be legal, other than a pass and standing orders."""


def offers(ask: Question) -> Iterator[Orders]:
    """Legal answers: ready-made set-ups, or a pass where it is allowed and every simple order."""
    state = ask.state
    if ask.question in CANDIDATES:
        lists: Iterator[Orders] = iter([[{"pass": True}], *CANDIDATES[ask.question](state)])
    else:
        lists = (ready.placement(state, name) for name in ready.names(state))
    return (orders for orders in lists if accepts(ask.read, orders))


def can_act(state: State, read: Callable[[Orders], Any]) -> bool:
    """R10: whether some order other than a pass and standing orders would be legal."""
    return any(accepts(read, orders) for orders in CANDIDATES[state.step](state))


def accepts(read: Callable[[Orders], Any], orders: Orders) -> bool:
    """Whether orders are legal for a question's reader."""
    try:
        read(orders)
    except IllegalOrder:
        return False
    return True
