"""What a state knows of the places of its units: the same, however the state came about."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pbem.games.rommel.rules.state import ELIMINATED, State
from pbem.games.rommel.terms.setting import SEATS
from support.rommel_contract import scatter
from support.rommel_positions import first_state


def counted(state: State) -> State:
    """The same state, which knows nothing yet."""
    return replace(state)


@pytest.mark.parametrize("seed", range(10))
def test_what_is_known_goes_along(seed: int) -> None:
    chooser = Random(seed)
    state = scatter(first_state(), chooser)
    for _ in range(60):
        assert state.ground == counted(state).ground
        assert state.sky == counted(state).sky
        assert state.held_hexes == counted(state).held_hexes
        name = chooser.choice([name for name in state.units if state.on_map(name)])
        free = [at for at in state.setting.grid.numbers if at not in state.ground]
        match chooser.choice(("moved", "eliminated", "hit", "changed")):
            case "moved":
                state = state.with_unit_at(name, chooser.choice(free))
            case "eliminated":
                state = state.with_unit_at(name, ELIMINATED)
            case "hit":
                state = state.hit(name)
            case "changed":
                state = state.with_changes(active=chooser.choice(SEATS), turn=state.turn + 1)


def test_what_is_held() -> None:
    state = counted(scatter(first_state(), Random(0)))
    for side in SEATS:
        assert state.held_hexes[side] == {state.at(name) for name in state.army(side)}
