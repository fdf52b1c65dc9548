"""R4.4: standing orders for guns that fire at aircraft."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.forms import shown
from pbem.core.requests import Tell
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules.events import Standing
from pbem.games.rommel.rules.orders import Flak, Order
from pbem.games.rommel.rules.state import ELIMINATED, State
from pbem.games.rommel.terms.setting import FLAK


def check(state: State, seat: str, orders: Iterable[Order]) -> None:
    """R10.2, R4.4: the units named are guns of the seat that fire at aircraft. Raises `IllegalOrder`."""
    for order in orders:
        if isinstance(order, Flak):
            for name in order.units or ():
                check_units(state, seat, (name,))
                if state.kind(name) not in FLAK:
                    raise IllegalOrder("R4.4", f"{name} does not fire at aircraft")


def owned(state: State, seat: str, name: str) -> bool:
    """R10.2: whether a unit is known, of this seat, and not eliminated."""
    return name in state.units and state.side(name) == seat and state.at(name) != ELIMINATED


def check_units(state: State, seat: str, actors: Iterable[str], targets: Iterable[str] = ()) -> None:
    """R10.2: the units that act are the seat's, and those that they act on are in the game.

    Raises `IllegalOrder`.
    """
    for name in actors:
        if not owned(state, seat, name):
            raise IllegalOrder("R10.2", f"{shown(name)} is no unit of the {seat} side in the game")
    for name in targets:
        if name not in state.units or state.at(name) == ELIMINATED:
            raise IllegalOrder("R10.2", f"{shown(name)} is no unit in the game")


async def stand(state: State, seat: str, orders: Iterable[Order]) -> State:
    """R4.4: take in the standing orders of an answer; each is kept until it is changed."""
    for order in orders:
        if isinstance(order, Flak):
            guns = [name for name in state.flak if state.side(name) == seat]
            named = guns if order.units is None else list(order.units)
            state = state.changed(flak={**state.flak, **dict.fromkeys(named, order.fire)})
            await Tell(state, "R4.4", Standing(seat, order.fire, named))
    return state
