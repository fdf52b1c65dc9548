"""R4.4: standing orders for guns that fire at aircraft."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.requests import Tell
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules.events import Standing
from pbem.games.rommel.rules.orders import Order, StandingOrder, check_units
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import FLAK
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


def check_standing_orders(state: State, seat: str, orders: Iterable[Order]) -> None:
    """R10.2, R4.4: the units named are guns of the seat that fire at aircraft. Raises `IllegalOrder`."""
    for order in orders:
        if isinstance(order, StandingOrder):
            for name in order.units or ():
                check_units(state, seat, (name,))
                if state.kind(name) not in FLAK:
                    raise IllegalOrder("R4.4", tr("{unit} does not fire at aircraft", unit=name))


async def take_standing_orders(state: State, seat: str, orders: Iterable[Order]) -> State:
    """R4.4: adopt the standing orders of an answer; each holds until it is changed."""
    for order in orders:
        if isinstance(order, StandingOrder):
            guns = [name for name in state.flak if state.side(name) == seat]
            named = guns if order.units is None else list(order.units)
            state = state.with_changes(flak={**state.flak, **dict.fromkeys(named, order.fire)})
            await Tell(state, "R4.4", Standing(seat, order.fire, named))
    return state
