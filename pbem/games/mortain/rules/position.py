"""The public position as plain data (M9.4): nothing is hidden in Mortain. See schemas/."""

from __future__ import annotations

from pbem.core.requests import Plain
from pbem.games.mortain.rules.state import Attack, State
from pbem.games.mortain.terms.cards import BLACK, RED
from pbem.games.mortain.terms.setting import SEATS


def public_position(state: State) -> dict[str, Plain]:
    """The public position. The run adds the pending question."""
    return {
        "turn": state.turn,
        "deck": list(state.deck),
        "aside": list(state.aside),
        "card": state.card,
        "support": state.support,
        "suppressed": state.suppressed,
        "exits": state.exits,
        "activated": {seat: seat in state.activated for seat in SEATS},
        "colours": {colour: colour in state.colours for colour in (BLACK, RED)},
        "attack": None if state.attack is None else _attack_data(state.attack),
        "units": {
            name: {"at": unit.at, "face": "reduced" if unit.reduced else "full"}
            for name, unit in state.units.items()
        },
    }


def _attack_data(attack: Attack) -> dict[str, Plain]:
    return {
        "by": attack.by,
        "way": attack.way,
        "firers": list(attack.firers),
        "targets": list(attack.targets),
        "faces": attack.faces,
    }
