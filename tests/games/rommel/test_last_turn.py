"""The Axis's last turn, after which nothing comes: only those on the victory points count (R8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games.rommel.test_practice_players import end_hexes
from pbem.core.requests import Orders
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import movement
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import AXIS
from support.rommel_positions import SCENARIO, position, question_of

STRONG = RULES.players["strong"]
POINT = SCENARIO["map"]["victory_points"]["1606"]
TOGETHER = {
    **SCENARIO["map"],
    "victory_points": dict.fromkeys(("0202", "1203", "1606", "1706", "1707"), POINT),
}
"""The map, with three victory points that lie side by side."""


def last(step: Phase, units: Mapping[str, str], **options: bool) -> State:
    """The last question of that kind that the Axis is asked."""
    changes = {"active": AXIS, "turn": 11, "scenario": {"map": TOGETHER}, "options": options}
    return position(step, {**units, "153-Hld": "2107"}, **changes)


def ordered(state: State) -> Orders:
    """What the strong Axis orders."""
    return STRONG(question_of(state), Random(0))


def attacked(orders: Orders) -> dict[str, Any]:
    """Who attacks each enemy."""
    return {order["on"][0]: order["attack"] for order in orders}


class TestCombat:
    """Attacks are shared out so that all may be gone."""

    def test_who_can_strike_at_either_leaves_one_to_who_cannot(self) -> None:
        """Both on the one were certain to win, 11 against 4, and left the other where it was."""
        state = last(
            Phase.COMBAT, {"25pdr-1": "1706", "132-Ken": "1707", "PzIII-1": "1606", "88mm-1": "1605"}
        )
        assert attacked(ordered(state)) == {"25pdr-1": ["88mm-1"], "132-Ken": ["PzIII-1"]}

    def test_who_holds_no_point_is_left_alone(self) -> None:
        state = last(
            Phase.COMBAT, {"132-Ken": "1707", "AlSup-1": "1806", "PzIII-1": "1708", "62-Tre": "1906"}
        )
        assert attacked(ordered(state)) == {"132-Ken": ["PzIII-1"]}


class TestMovement:
    """Whoever can come near enough does."""

    def test_at_any_odds(self) -> None:
        """R6.2: 4 wins against 5 in 32 cases of 100; who loses here has lost nothing: else it is a draw."""
        state = last(Phase.MOVE, {"133-Lor": "1706", "12-Bers": "1405", "AxSup-1": "1404"})
        assert end_hexes(ordered(state))["12-Bers"] in state.setting.grid.adjacent("1706")

    def test_two_against_a_tank(self) -> None:
        """R1.3: it has to be beaten twice."""
        state = last(
            Phase.MOVE, {"Sherman-1": "1706", "PzIII-1": "1405", "PzIV-1": "1406", "AxSup-1": "1404"}
        )
        near = state.setting.grid.adjacent("1706")
        assert {name for name, at in end_hexes(ordered(state)).items() if at in near} == {"PzIII-1", "PzIV-1"}

    def test_a_gun_comes_into_range(self) -> None:
        """R7.1: field artillery hits infantry with a 3 at four hexes."""
        state = last(Phase.MOVE, {"132-Ken": "1706", "XX-Art": "1205", "AxSup-1": "1204"})
        assert state.setting.grid.distance(end_hexes(ordered(state))["XX-Art"], "1706") <= 4

    @pytest.mark.parametrize("frees", [True, False])
    def test_a_gun_fires_from_a_zone_if_it_may(self, frees: bool) -> None:
        """R5.5, `fire_frees_from_combat`: else it would have to attack 20-Aus, who holds no point."""
        units = {"Grant-1": "1706", "20-Aus": "1505", "PzJg-1": "1303", "61-Tre": "1704"}
        state = last(Phase.MOVE, {**units, "AxSup-1": "1203"}, fire_frees_from_combat=frees)
        to = end_hexes(ordered(state)).get("PzJg-1", "1303")
        assert bool(movement.entered_zone(state, AXIS, to)) == frees


class TestFire:
    """R7.2: a gun fires or fights, a tank may do both."""

    def test_a_gun_fires_where_its_factors_are_little(self) -> None:
        """R6.2: one shot in three hits; 3 against 4 wins in 22 cases of 100."""
        state = last(Phase.FIRE, {"132-Ken": "1706", "XX-Art": "1705"})
        assert ordered(state) == [{"fire": "XX-Art", "at": "132-Ken"}]

    def test_a_gun_fights_where_that_is_better(self) -> None:
        """R6.2: with the tank, 3 and 4 against 4 win in 92 cases of 100."""
        state = last(Phase.FIRE, {"132-Ken": "1706", "XX-Art": "1705", "M14-1": "1806"})
        assert ordered(state) == [{"fire": "M14-1", "at": "132-Ken"}]
