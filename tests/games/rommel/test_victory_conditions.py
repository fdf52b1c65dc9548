"""R8: what each side is told of its aim, and of how far it is; reckoned by hand from the rules."""

from __future__ import annotations

import pytest

from pbem.core.requests import Plain
from pbem.core.rules import Outcome
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import Phase, State
from support.rommel_positions import first_state, position


def aim(state: State) -> list[str]:
    """The lines."""
    assert RULES.view.aim is not None
    return RULES.view.aim(state)


class TestAllied:
    """R8.1: three of the five points, and both villages."""

    def test_two_points_and_a_village_lost(self) -> None:
        units = {"20-Aus": "1704", "24-Aus": "1606", "61-Tre": "1609", "62-Tre": "2107"}
        assert aim(position(Phase.MOVE, units))[0] == (
            "The Allies win at the end of a turn with 3 victory points, 2 of 5 now (1704, 1606), "
            "and no Axis land unit in 2107 or 2906, of which 2107 is lost now (R8.1)"
        )

    def test_aircraft_hold_nothing(self) -> None:
        [allied, *_] = aim(position(Phase.MOVE, {"Spit-1": "1704", "Bf109-1": "2107", "1-FFL": "3010"}))
        assert "0 of 5 now, and" in allied
        assert "lost" not in allied


class TestAxis:
    """R8.2, R8.3: no point Allied at the end, or no Allied land unit left."""

    UNITS = {"20-Aus": "1704", "1-FFL": "3010", "61-Tre": "1506", "Spit-1": "2508"}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("options", "turn", "when"),
        [
            ({}, 3, "turn 11"),
            ({"turns": 5}, 5, "turn 5"),
            ({"after_last_turn": "continue"}, 3, "turn 11 or a later one"),
            ({"after_last_turn": "continue"}, 11, "a turn"),
            ({"after_last_turn": "continue", "turns": 30}, 3, "turn 30"),
        ],
    )
    def test_when(self, options: dict[str, Plain], turn: int, when: str) -> None:
        state = position(Phase.MOVE, self.UNITS, options=options, turn=turn)
        assert aim(state)[1] == (
            f"The Axis wins at the end of {when} if no victory point is Allied, 1 now (R8.2), "
            "or at once if no Allied land unit is left, 2 now (R8.3)"
        )

    def test_what_is_not_placed_yet_is_left(self) -> None:
        state = first_state()
        counters = state.setting.armies["allied"]
        assert f"{len(counters)} now (R8.3)" in aim(state)[1]


@pytest.mark.parametrize(
    ("options", "last"), [({}, 11), ({"after_last_turn": "continue"}, 30), ({"turns": 6}, 6)]
)
def test_the_end(options: dict[str, Plain], last: int) -> None:
    state = position(Phase.MOVE, {"1-FFL": "3010"}, options=options, turn=4)
    assert aim(state)[2] == f"Turn 4 of {last}; then the game is a draw (R8.3)"


def test_nothing_when_it_is_over() -> None:
    outcome = Outcome("axis", "no Allied land unit is left", "R8.3")
    assert aim(position(Phase.OVER, {"61-Tre": "1506"}, outcome=outcome)) == []
