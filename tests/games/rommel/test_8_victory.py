"""R8, victory: every count of points and lost villages that matters, in every turn that does."""

from __future__ import annotations

import pytest

from pbem.core.requests import Plain
from pbem.games.rommel.rules import victory
from pbem.games.rommel.rules.state import Phase
from support.rommel_positions import position, run_of

POINTS = ("0202", "1203", "1704", "1606", "1813")
VILLAGES = ("2107", "2906")
ALLIED = ("20-Aus", "24-Aus", "Sherman-1", "25pdr-1", "AlSup-2")
AXIS = ("125Inf", "AxSup-1")

GOES_ON: Plain = "goes on"


def result(points: int, lost: int, turn: int, **options: Plain) -> Plain:
    """The winner and the rule, when a turn ends with so many points Allied and so many villages lost."""
    units = {
        **dict(zip(ALLIED[:points], POINTS, strict=False)),
        **dict(zip(AXIS[:lost], VILLAGES, strict=False)),
    }
    run = run_of(position(Phase.END_OF_TURN, {**units, "AlSup-1": "3010"}, turn=turn, options=options))
    outcome = run.state.outcome
    if outcome is None:
        assert (run.state.turn, run.state.weather) == (turn + 1, None)
        return GOES_ON
    return outcome.winner, outcome.rule


class TestR81:
    """The Allied needs three points and both villages free of the Axis, at the end of any turn."""

    @pytest.mark.parametrize("points", range(6))
    @pytest.mark.parametrize("lost", range(3))
    def test_before_the_last_turn(self, points: int, lost: int) -> None:
        won = points in (3, 4, 5) and lost == 0
        assert result(points, lost, 10) == (("allied", "R8.1") if won else GOES_ON)

    def test_land_units_alone_count(self) -> None:
        state = position(Phase.END_OF_TURN, {"Spit-1": "1704", "20-Aus": "1606", "Bf109-1": "2107"})
        assert victory.held_points(state) == ("1606",)
        assert victory.lost_villages(state) == ()


class TestR82:
    """The Axis wins when from turn `turns` on no point is Allied, whatever else."""

    @pytest.mark.parametrize(
        ("lost", "turn", "options", "expected"),
        [
            (0, 10, {}, GOES_ON),
            (0, 11, {}, ("axis", "R8.2")),
            (2, 11, {}, ("axis", "R8.2")),
            (0, 1, {"turns": 1}, ("axis", "R8.2")),
            (0, 11, {"turns": 12}, GOES_ON),
            (0, 12, {"after_last_turn": "continue"}, ("axis", "R8.2")),
            (1, 30, {"after_last_turn": "continue"}, ("axis", "R8.2")),
        ],
    )
    def test_no_point(self, lost: int, turn: int, options: dict[str, Plain], expected: Plain) -> None:
        assert result(0, lost, turn, **options) == expected


class TestR83:
    """Otherwise a draw after `turns`, or play goes on, with both tests, up to `last_turn`."""

    @pytest.mark.parametrize(
        ("points", "lost", "turn", "options", "expected"),
        [
            (2, 0, 11, {}, (None, "R8.3")),
            (5, 1, 11, {}, (None, "R8.3")),
            (3, 0, 11, {}, ("allied", "R8.1")),
            (2, 0, 11, {"after_last_turn": "continue"}, GOES_ON),
            (3, 0, 12, {"after_last_turn": "continue"}, ("allied", "R8.1")),
            (2, 0, 29, {"after_last_turn": "continue"}, GOES_ON),
            (2, 0, 30, {"after_last_turn": "continue"}, (None, "R8.3")),
            (3, 0, 30, {"after_last_turn": "continue"}, ("allied", "R8.1")),
            (1, 0, 11, {"after_last_turn": "continue", "last_turn": 11}, (None, "R8.3")),
        ],
    )
    def test_some_points(
        self, points: int, lost: int, turn: int, options: dict[str, Plain], expected: Plain
    ) -> None:
        assert result(points, lost, turn, **options) == expected

    @pytest.mark.parametrize(("others", "over"), [({}, True), ({"AlSup-1": "3010"}, False)])
    def test_no_allied_land_unit_is_left(self, others: dict[str, str], over: bool) -> None:
        """At once, aircraft or not; a supply unit is a land unit."""
        units = {"20-Aus": "2206", "125Inf": "2207", "AxSup-1": "2208", "Spit-1": "2508", **others}
        run = run_of(position(Phase.COMBAT, units, active="axis"))
        run.answer([{"attack": ["125Inf"], "on": ["20-Aus"]}])
        run.decide(5)
        run.decide(0)  # 5 x 4 against 2 x 5
        assert run.state.at("20-Aus") == "eliminated"
        assert (run.state.outcome == victory.no_army_outcome()) is over
        assert (run.state.turn, run.state.step == Phase.OVER) == (1, True) if over else run.state.turn == 2
