"""The hexes where a unit may go now, for the map of its reach."""

from __future__ import annotations

from pbem.core.paths import Path
from pbem.core.requests import Orders
from pbem.games.rommel.rules import movement
from pbem.games.rommel.rules.air import flights
from pbem.games.rommel.rules.orders import Question, check_units
from pbem.games.rommel.rules.state import Phase


def reach(ask: Question, name: str) -> dict[str, str]:
    """R4.2, R5.2: how many steps lead to each hex where a unit may stop; none where it may not move now.

    Raises `IllegalOrder` (R10.2) for a unit that is none of the player's.
    """
    return {at: str(len(path)) for at, path in _paths(ask, name).items()}


def routes(ask: Question, name: str) -> dict[str, Orders]:
    """R4.2, R5.2: for the same hexes the order that takes the unit there, by the path the program chooses."""
    verb = "fly" if ask.question == Phase.AIR else "move"
    return {at: [{verb: name, "path": list(path)}] for at, path in _paths(ask, name).items()}


def _paths(ask: Question, name: str) -> dict[str, Path]:
    state = ask.state
    check_units(state, ask.seat, (name,))
    flies = state.counter(name).flies
    if ask.question == Phase.AIR and flies:
        return flights.reach(state, name)
    if ask.question == Phase.MOVE and not flies:
        return movement.reach(state, name)
    return {}
