"""The players in the air: they reckon with the enemy's fighters, and with guns that fire once (R4)."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import pytest

from pbem.core.requests import Orders
from pbem.games.rommel import RULES
from pbem.games.rommel.players.air_tactics import AirOptions
from pbem.games.rommel.players.air_war import AIRCRAFT, attack_worth
from pbem.games.rommel.players.outlook import combat_chance
from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.terms.setting import ALLIED, AXIS
from support.rommel_positions import position, question_of

RAID = {"Ju88-1": "1204", "125Inf": "0503", "20-Aus": "2006", "AlSup-1": "2206"}
"""An Axis bomber within reach of a target that no gun guards."""
HUNTERS = {"Spit-1": "2508", "Hurri-1": "2508"}
"""Fighters that may come at it over that target."""


def ordered(units: dict[str, str], player: str = "strong", **changes: Any) -> Orders:
    """What a player answers in the air; it has been judged legal."""
    ask = question_of(position(Phase.AIR, units, **changes))
    orders = RULES.players[player](ask, Random(0))
    ask.read(orders)
    return orders


class TestAnswer:
    """R4.1: what the enemy's fighters may do next, before all have landed."""

    @pytest.mark.parametrize(
        ("hunters", "changes", "bombs"),
        [
            ({}, {"subturn": 1}, True),
            (HUNTERS, {"subturn": 1}, False),
            (HUNTERS, {"subturn": 3}, False),
            (HUNTERS, {"subturn": 4}, True),  # the Axis flies last
            (HUNTERS, {"subturn": 1, "stood_down": (ALLIED,)}, True),
        ],
    )
    def test_a_bomber_flies_where_no_fighter_answers(
        self, hunters: dict[str, str], changes: dict[str, Any], bombs: bool
    ) -> None:
        assert ({"bomb": "Ju88-1"} in ordered({**RAID, **hunters}, active=AXIS, **changes)) == bombs

    def test_a_bomber_within_their_reach_leaves(self) -> None:
        state = position(Phase.AIR, {**RAID, **HUNTERS, "Ju88-1": "1806"}, active=AXIS)
        [order] = RULES.players["strong"](question_of(state), Random(0))
        distance, to = state.setting.grid.distance, order["path"][-1]
        assert distance(to, "2508") > state.movement("Spit-1") + 1

    @pytest.mark.parametrize(("stood_down", "flies"), [((), False), ((ALLIED,), True)])
    def test_a_bomber_flies_towards_a_target_that_no_fighter_can_cover(
        self, stood_down: tuple[str, ...], flies: bool
    ) -> None:
        """The fighter is 12 hexes from the target: too far to attack there at once, not after a flight."""
        units = {"Ju88-1": "0203", "125Inf": "0503", "20-Aus": "1306", "AlSup-1": "2306", "Spit-1": "2508"}
        assert any("fly" in order for order in ordered(units, active=AXIS, stood_down=stood_down)) == flies

    @pytest.mark.parametrize("player", ["sensible", "strong"])
    def test_it_waits_for_the_enemy_to_stand_down(self, player: str) -> None:
        """It is not asked again in this turn once it has stood down itself."""
        units = {"Ju88-1": "0203", "125Inf": "0503", **HUNTERS, "20-Aus": "2506"}
        assert ordered(units, player, active=AXIS) == [{"pass": True}]
        assert ordered(units, player, active=AXIS, subturn=4) == [{"stand_down": True}]

    def test_the_sensible_player_risks_more(self) -> None:
        """It bombs where one fighter may answer; the strong one's bomber stays."""
        units = {**RAID, "Spit-1": "2508", "Bf109-1": "1605"}
        bombs = {
            player: {"bomb": "Ju88-1"} in ordered(units, player, active=AXIS, subturn=2)
            for player in ("sensible", "strong")
        }
        assert bombs == {"sensible": True, "strong": False}

    def test_fighters_land_where_bombers_can_come(self) -> None:
        """R4.6: from 1204 a fighter reaches 125Inf, from no other field."""
        units = {"MC202-1": "0203", "125Inf": "2006", "Well-1": "2508", "20-Aus": "2206", "AlSup-1": "2306"}
        orders = ordered(units, "sensible", active=AXIS, subturn=4)
        assert orders[-1]["land"]["MC202-1"] == "1204"

    def test_fighters_near_those_who_have_stood_down(self) -> None:
        """R4.2: thirteen hexes away, they come out of the reach of guns first, and attack in the next."""
        units = {"Spit-1": "2508", "Hurri-1": "2508", "Ju88-1": "1204", "1-FFL": "3010", "125Inf": "0503"}
        orders = ordered(units, stood_down=(AXIS,))
        assert sorted(order["fly"] for order in orders) == ["Hurri-1", "Spit-1"]
        near = {order["fly"]: order["path"][-1] for order in orders}
        orders = ordered({**units, **near}, stood_down=(AXIS,), subturn=2)
        assert orders[-1]["on"] == ["Ju88-1"]


class TestPatrol:
    """R4.1: fighters go where bombs may fall, before they fall; nobody bombs where a fighter answers."""

    UNITS: ClassVar = {"Ju88-1": "1204", "20-Aus": "1306", "125Inf": "0503", "Bf109-1": "0203"}
    """A bomber at 2 hexes from 20-Aus, 12 from the Allied airfield, where a fighter reaches 11."""

    @pytest.mark.parametrize("player", ["sensible", "strong"])
    def test_a_fighter_comes_into_reach(self, player: str) -> None:
        """And stays out of the reach of the enemy's."""
        state = position(Phase.AIR, {**self.UNITS, "Spit-1": "2508"})
        [order] = RULES.players[player](question_of(state), Random(0))
        distance, to = state.setting.grid.distance, order["path"][-1]
        assert distance(to, "1306") <= state.movement("Spit-1") + 1 < distance(to, "0203")

    def test_two_come_and_a_third_stays(self) -> None:
        """Two attack one aircraft together."""
        orders = ordered({**self.UNITS, "Spit-1": "2508", "Hurri-1": "2508", "Kitty-1": "2508"})
        assert len([order for order in orders if "fly" in order]) == 2

    @pytest.mark.parametrize(
        ("target", "changes"),
        [
            ("1806", {}),  # in reach already
            ("1306", {"subturn": 4}),  # the Allied's last part: no answer is left
        ],
    )
    def test_it_stays_where_it_need_not_come(self, target: str, changes: dict[str, Any]) -> None:
        units = {**self.UNITS, "20-Aus": target, "Spit-1": "2508"}
        assert not any("fly" in order for order in ordered(units, "sensible", **changes))

    def test_fighters_have_the_first_choice_of_airfields(self) -> None:
        """R4.6: four find room on the one from which they reach 125Inf; the bombers find it elsewhere."""
        fighters = {"Bf109-1": "1406", "Bf109-2": "1406", "MC202-1": "1407", "MC202-2": "1407"}
        bombers = {"Ju87-1": "1306", "Ju88-1": "1306"}
        army = {"125Inf": "2006", "Well-1": "2508", "20-Aus": "2206", "AlSup-1": "2306"}
        orders = ordered({**fighters, **bombers, **army}, "sensible", active=AXIS, subturn=4)
        land = orders[-1]["land"]
        assert {land[name] for name in fighters} == {"1204"}
        assert "1204" not in {land[name] for name in bombers}


class TestGuns:
    """R4.4: each gun fires once in a sub-turn, at the first who comes."""

    def test_two_share_the_fire_of_a_gun(self) -> None:
        """It hits one time in three; 8 against 3 wins for certain, 4 against 3 by the odds."""
        units = {"MC202-1": "1606", "MC202-2": "1606", "Well-1": "2207", "37AA-1": "2207", "125Inf": "0503"}
        state = position(Phase.AIR, units, active=AXIS)
        assert [state.combat(name) for name in ("MC202-1", "Well-1")] == [4, 3]
        blows = AirOptions(state, AXIS).all(dread=lambda way: len(way.guns))
        [both] = [blow for blow in blows if len(blow.units) == 2]
        alone = combat_chance(4, 3)
        expected = 2 / 3 + 1 / 3 * (alone - (1 - alone) - 1)
        assert attack_worth(state, both, frozenset()) == pytest.approx(AIRCRAFT * expected)
        assert attack_worth(state, both, frozenset({"37AA-1"})) == pytest.approx(AIRCRAFT)
