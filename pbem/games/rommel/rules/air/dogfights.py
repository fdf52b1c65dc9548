"""Dogfights: aircraft attack adjacent enemy aircraft (R4.3, R4.5); `combat` resolves them (R6)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.sentences import joined
from pbem.errors import IllegalOrder, Unfinished
from pbem.games.rommel.rules import combat
from pbem.games.rommel.rules.air import flights
from pbem.games.rommel.rules.orders import Dogfight, Fly
from pbem.games.rommel.rules.state import State
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


def check_dogfights(state: State, dogfights: Sequence[Dogfight]) -> None:
    """R4.5, R6.1: aircraft of the side attack adjacent enemy aircraft. Raises `IllegalOrder`."""
    for order in dogfights:
        for name in (*order.units, *order.on):
            if not state.counter(name).flies:
                facts = tr("{unit} is not an aircraft; only aircraft dogfight", unit=name)
                raise IllegalOrder("R4.5", facts)
        for name in order.on:
            if state.side(name) == state.active:
                raise IllegalOrder("R4.5", tr("{unit} is an aircraft of the same side", unit=name))
        combat.check_adjacent(state, order.units, order.on)
    combat.check_once(state, dogfights)


def check_zones(state: State, flown: Sequence[Fly], dogfights: Sequence[Dogfight]) -> None:
    """R4.3: an aircraft that has entered a zone of control attacks one of those whose zone it is.

    An aircraft in a dogfight that has passed `check_dogfights` does. Raises `IllegalOrder`.
    """
    fighting = [name for order in dogfights for name in order.units]
    for order in flown:
        enemies = flights.zone(state, state.active, order.path[-1])
        if enemies and order.unit not in fighting:
            facts = tr(
                "{unit} must attack {targets}, whose zone it enters in {hex}",
                unit=order.unit,
                targets=joined(enemies, "or"),
                hex=order.path[-1],
            )
            raise Unfinished("R4.3", facts)
