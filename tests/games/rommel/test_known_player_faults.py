"""Faults that the sensible player once had, a position for each; and what the easy one forgets."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import pytest

from games.rommel.test_practice_players import end_hexes, sensible_orders
from pbem.games.rommel import RULES
from pbem.games.rommel.players.outlook import SENSIBLE, STRONG, Outlook
from pbem.games.rommel.players.tactics import attack_orders
from pbem.games.rommel.rules import combat, movement, setup
from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.terms.setting import ALLIED, AXIS
from support.rommel_positions import first_state, position, question_of

LAST = 11
"""The last turn of the default options."""


class TestEmptyPoints:
    """R8: the Allied takes the points that stand empty in its reach, and keeps them."""

    GUARDS: ClassVar = {"153-Hld": "2107", "154-Hld": "2906"}
    """Whom the Allied keeps in its villages."""
    FAR: ClassVar = {"62-Tre": "1203", "39-Bol": "0202"}
    """On the other points."""

    def test_before_an_easy_victim(self) -> None:
        """7 against 1 is nearly certain; but the tank holds Tel el Aqqaqir at the end, or nobody does."""
        units = {"Grant-1": "1807", "AlSup-1": "2007", "AxSup-1": "1809", "153-Hld": "2107", "61-Tre": "0102"}
        state = position(Phase.MOVE, units, turn=LAST, cleared=("1807", "1806", "1808", "1907"))
        assert end_hexes(sensible_orders(state))["Grant-1"] in state.setting.victory_points

    def test_each_by_another_unit(self) -> None:
        """Three points, three units in reach, one of them supply: that is the game (R8.1)."""
        units = {"Grant-1": "1205", "AlSup-1": "1607", "20-Aus": "1706", "153-Hld": "2107", "61-Tre": "0102"}
        held = set(end_hexes(sensible_orders(position(Phase.MOVE, units, turn=LAST))).values())
        assert held >= {"1203", "1606", "1704"}

    def test_as_soon_as_three_are_enough(self) -> None:
        """The same in turn 5, two of the points held."""
        units = {"Grant-1": "1606", "Grant-2": "1203", "7-Mot": "1706", "AlSup-1": "1707", "61-Tre": "0102"}
        assert end_hexes(sensible_orders(position(Phase.MOVE, units, turn=5)))["7-Mot"] == "1704"

    def test_who_holds_one_does_not_leave_it_for_another(self) -> None:
        """The Sherman was the nearest to 1606, which the Crusader left to it, and nobody could enter."""
        units = {"Crusader-1": "1606", "Sherman-1": "1607", "AlSup-1": "1807", **self.GUARDS}
        to = end_hexes(sensible_orders(position(Phase.MOVE, {**units, **self.FAR}, turn=5)))
        assert "Crusader-1" not in to
        assert to["Sherman-1"] == "1704"

    def test_those_beside_an_enemy_help(self) -> None:
        """R5.5: alone against 8 it has no chance; with the Grant, 12 against 8, it is nearly certain."""
        units = {
            "7-Mot": "1706",
            "Grant-1": "1508",
            "Crusader-1": "1704",
            "AlSup-1": "1708",
            "PzIV-1": "1507",
        }
        state = position(Phase.MOVE, {**units, **self.GUARDS, **self.FAR}, turn=LAST)
        assert end_hexes(sensible_orders(state))["7-Mot"] == "1606"

    def test_by_the_one_that_is_hardest_to_drive_away(self) -> None:
        """The gun, by 5 against 4; the infantry, by 5 against 3, would be the smaller loss."""
        units = {"2-FFL": "1705", "25pdr-1": "1706", "Crusader-1": "1606", "AlSup-1": "1807"}
        foes = {"104PzG": "1202", **self.FAR}
        to = end_hexes(sensible_orders(position(Phase.MOVE, {**units, **foes, **self.GUARDS}, turn=5)))
        assert to["25pdr-1"] == "1704"


class TestGoals:
    """Where the Allied sends its units."""

    def test_twice_as_strong_it_goes_for_a_point_more(self) -> None:
        """R8.1: three are enough, but the third of those that are nearest is often the slowest to fall."""
        units = {"Grant-1": "1705", "Grant-2": "1607", "Sherman-1": "1204", "Sherman-2": "1304"}
        foes = {"PzIII-1": "1605", "125Inf": "1812", "153-Hld": "2107", "154-Hld": "2906"}
        for axis, number in ((foes, 4), ({**foes, "PzIV-1": "0303", "PzIII-2": "0304"}, 3)):
            state = position(Phase.MOVE, {**units, "20-Aus": "1811", **axis}, turn=5)
            goals = Outlook(state, ALLIED, SENSIBLE[ALLIED]).goals
            assert len({*goals.values()} & {*state.setting.victory_points}) == number


class TestSupply:
    """R5.5: supply that enters a zone of control would have to attack, with a factor of 1."""

    def test_it_stays_out_of_zones(self) -> None:
        """The tank can be beside it wherever it goes, so that no place within its reach is safer."""
        units = {"125Inf": "1509", "AxSup-1": "1311", "Stuart-1": "1308", "153-Hld": "2107"}
        state = position(Phase.MOVE, units, active=AXIS)
        to = end_hexes(sensible_orders(state)).get("AxSup-1", "1311")
        assert not movement.entered_zone(state, AXIS, to)


class TestOwed:
    """R5.5: attacks at less than 35 %, which a better order would have spared."""

    def test_fire_leaves_the_victim_to_those_who_must_attack(self) -> None:
        """61-Tre will fall to the Australians anyhow; were it shot down, 20-Aus would owe 62-Tre."""
        units = {"20-Aus": "2006", "24-Aus": "2007", "61-Tre": "1907", "62-Tre": "1906", "25pdr-1": "2208"}
        owed = {"20-Aus": ("61-Tre", "62-Tre"), "24-Aus": ("61-Tre",)}
        state = position(Phase.FIRE, units, obliged=owed)
        assert sensible_orders(state) == [{"fire": "25pdr-1", "at": "62-Tre"}]


class TestSupport:
    """Two came to attack together; one of them had a better target, and the other attacked at 15 %."""

    def test_one_stays_with_those_who_must_attack(self) -> None:
        """R5.5: 151-Dur owes 187-Fol; with 131-Que the odds are good, and 2-SA may owe 28-Pav alone."""
        units = {"131-Que": "1913", "151-Dur": "1914", "2-SA": "1912", "187-Fol": "1813", "28-Pav": "1812"}
        owed = {"131-Que": ("28-Pav", "187-Fol"), "151-Dur": ("187-Fol",), "2-SA": ("28-Pav",)}
        state = position(Phase.COMBAT, units, obliged=owed)
        attacks = {order["on"][0]: {*order["attack"]} for order in sensible_orders(state)}
        assert attacks == {"187-Fol": {"131-Que", "151-Dur"}, "28-Pav": {"2-SA"}}


class TestPoorOdds:
    """An attack at 3 % that nothing required: the prize of a point weighed more than the odds."""

    UNITS: ClassVar = {"Valentine-1": "1805", "PzIV-1": "1705", "1-FFL": "3010", "104PzG": "0303"}

    @pytest.mark.parametrize("seat", [ALLIED, AXIS])
    def test_nobody_attacks_before_the_last_turn(self, seat: str) -> None:
        units = self.UNITS if seat == ALLIED else {"M14-1": "1805", "Grant-1": "1705", "104PzG": "0303"}
        manners = (SENSIBLE[seat], STRONG[seat])
        state = position(Phase.COMBAT, units, turn=8, active=seat)
        assert not any(attack_orders(state, seat, manner) for manner in manners)

    def test_in_the_last_turn_there_is_nothing_to_lose(self) -> None:
        state = position(Phase.COMBAT, self.UNITS, turn=LAST)
        manners = (SENSIBLE[ALLIED], STRONG[ALLIED])
        assert any(attack_orders(state, ALLIED, manner) for manner in manners)

    def test_who_must_attack_does(self) -> None:
        """R5.5 leaves no choice."""
        state = position(Phase.COMBAT, self.UNITS, turn=8, obliged={"Valentine-1": ("PzIV-1",)})
        assert sensible_orders(state) == [{"attack": ["Valentine-1"], "on": ["PzIV-1"]}]


class TestAir:
    """R4.1: an aircraft has four flights a turn: one may bring it near, the next one bomb."""

    def test_a_bomber_goes_nearer(self) -> None:
        units = {"Well-1": "2508", "AxSup-1": "1006", "1-FFL": "3010"}
        state = position(Phase.AIR, units)
        [order] = sensible_orders(state)
        distance = state.setting.grid.distance
        assert distance(order["path"][-1], "1006") <= state.movement("Well-1")

    @pytest.mark.parametrize("player", ["sensible", "strong"])
    def test_one_bomber_goes_for_one_target(self, player: str) -> None:
        """Only one may bomb it in a sub-turn: three flew there, and back without having bombed anything."""
        units = {"Well-1": "2508", "Mitch-1": "2508", "Balt-1": "2509", "AxSup-1": "1006", "1-FFL": "3010"}
        ask = question_of(position(Phase.AIR, units))
        assert sum("fly" in order for order in RULES.players[player](ask, Random(0))) == 1

    def test_each_bomber_goes_for_a_target_of_its_own(self) -> None:
        units = {"Well-1": "2508", "Mitch-1": "2508", "AxSup-1": "1006", "AxSup-2": "1008", "1-FFL": "3010"}
        state = position(Phase.AIR, units)
        one, other = (order["path"][-1] for order in sensible_orders(state))
        distance, most = state.setting.grid.distance, state.movement("Mitch-1")
        near = [{at for at in ("1006", "1008") if distance(to, at) <= most} for to in (one, other)]
        assert near[0] | near[1] == {"1006", "1008"}

    def test_it_does_not_fly_where_another_bombs(self) -> None:
        """The Wellington is over the target, and bombs it now and in the next sub-turn."""
        units = {"Well-1": "1006", "Mitch-1": "2508", "AxSup-1": "1006", "1-FFL": "3010"}
        assert sensible_orders(position(Phase.AIR, units)) == [{"bomb": "Well-1"}]

    def test_it_stands_down_where_no_flight_is_left(self) -> None:
        units = {"Well-1": "2508", "AxSup-1": "1006", "1-FFL": "3010"}
        assert {"stand_down": True} in sensible_orders(position(Phase.AIR, units, subturn=4))


class TestMarch:
    """Those behind move up when those before them have moved on."""

    def test_nobody_is_held_up_by_his_own_side(self) -> None:
        """Sherman-1 is shut in by six that go forward in the same orders."""
        front = {"24-Aus": "2107", "26-Aus": "2206", "5-NZ": "2208", "131-Que": "2108"}
        units = {**front, "152-Hld": "2307", "6-NZ": "2308", "Sherman-1": "2207", "AlSup-1": "2407"}
        state = position(Phase.MOVE, {**units, "61-Tre": "0303", "153-Hld": "2906"})
        assert not movement.reach(state, "Sherman-1")
        assert "Sherman-1" in end_hexes(sensible_orders(state))


class TestEasy:
    """It plays the sensible player's orders, and forgets some."""

    def test_it_forgets(self) -> None:
        units = {"20-Aus": "2006", "24-Aus": "2009", "26-Aus": "2012", "AlSup-1": "2206", "61-Tre": "0303"}
        ask = question_of(position(Phase.MOVE, units))
        every = sensible_orders(ask.state)
        answers = [RULES.players["easy"](ask, Random(seed)) for seed in range(20)]
        assert all(order in every for orders in answers for order in orders if orders != [{"pass": True}])
        assert any(len(orders) < len(every) for orders in answers)

    def test_its_axis_sets_up_at_random(self) -> None:
        """Behind a good line an Axis that hardly moves would win."""
        ask = question_of(first_state())
        ready = [setup.ready_placement(ask.state, name) for name in setup.ready_names(ask.state)]
        assert ask.seat == AXIS
        answers = [RULES.players["easy"](ask, Random(seed)) for seed in range(4)]
        for orders in answers:
            ask.read(orders)
        assert len({repr(orders) for orders in answers}) == len(answers)
        assert not any(orders in ready for orders in answers)

    def test_it_does_what_it_must(self) -> None:
        """R5.5: a pass would be refused."""
        units = {"20-Aus": "2006", "61-Tre": "1907", "62-Tre": "1906"}
        ask = question_of(position(Phase.COMBAT, units, obliged={"20-Aus": ("61-Tre",)}))
        assert combat.attacks_due(ask.state)
        for seed in range(20):
            ask.read(RULES.players["easy"](ask, Random(seed)))
