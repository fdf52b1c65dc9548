"""Where a unit may go now, for the map of it."""

from __future__ import annotations

from pbem.games.rommel.rules import movement
from pbem.games.rommel.rules.air import flights
from pbem.games.rommel.rules.orders import Question, check_units
from pbem.games.rommel.rules.state import Phase


def reach(ask: Question, name: str) -> dict[str, str]:
    """R4.2, R5.2: how many steps lead to each hex where a unit may stop; none where it may not move now.

    Raises `IllegalOrder` (R10.2) for a unit that is none of the player's.
    """
    state = ask.state
    check_units(state, ask.seat, (name,))
    flies = state.counter(name).flies
    if ask.question == Phase.AIR and flies:
        paths = flights.reach(state, name)
    elif ask.question == Phase.MOVE and not flies:
        paths = movement.reach(state, name)
    else:
        return {}
    return {at: str(len(path)) for at, path in paths.items()}
