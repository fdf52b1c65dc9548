"""R1.3: what a hit or a lost combat does to a unit."""

from __future__ import annotations

from pbem.core.requests import Tell
from pbem.games.rommel.rules import victory
from pbem.games.rommel.rules.events import Eliminated, Struck
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import ALLIED


async def suffer_hit(state: State, name: str) -> State:
    """R1.3: an unstruck tank is struck, everything else eliminated. R8.3: this may end the game."""
    at = state.at(name)
    state = state.hit(name)
    await Tell(state, "R1.3", Struck(name, at) if state.on_map(name) else Eliminated(name, at))
    return state if state.army(ALLIED) else await victory.end_game(state, victory.no_army_outcome())
