"""The public position as plain data: nothing is hidden but what is under a seal (R2.2). See schemas/."""

from __future__ import annotations

from pbem.core.requests import Plain
from pbem.games.rommel.rules.state import State


def public_position(state: State) -> dict[str, Plain]:
    """The public position. The run adds the pending question."""
    return {
        "turn": state.turn,
        "weather": state.weather,
        "subturn": state.subturn,
        "units": {name: {"at": unit.at, "struck": unit.struck} for name, unit in state.units.items()},
        "forts": list(state.forts),
        "cleared": list(state.cleared),
        "seal": state.seal,
        "aa": dict(state.flak),
        "stood_down": list(state.stood_down),
        "landing": dict(state.landing),
        "obliged": {name: list(targets) for name, targets in state.obliged.items()},
        "fired": list(state.fired),
    }
