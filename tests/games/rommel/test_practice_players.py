"""The practice players: always legal, and the sensible one with some sense."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar, TypeAlias

import pytest

from pbem.core.requests import Ask, Orders, Question
from pbem.core.sealing import Open, Seal
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import combat, movement
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import AXIS
from support.rommel_positions import first_state, position, question_of, run_of

RANDOM, SENSIBLE = RULES.players["random"], RULES.players["sensible"]
SEAL, SALT = "1" * 64, "0" * 64

Battle: TypeAlias = tuple[State, list[tuple[Question, Orders]]]
"""How a game ended, and what was asked and answered on the way."""


def sensible_orders(state: State) -> Orders:
    """What the sensible player answers at a state; it has been judged legal."""
    ask = question_of(state)
    orders = SENSIBLE(ask, Random(0))
    ask.read(orders)
    return orders


def end_hexes(orders: Orders) -> dict[str, str]:
    """Where each unit that moves ends."""
    return {order["move"]: order["path"][-1] for order in orders if "move" in order}


def to_the_end(allied: str, axis: str, seed: int, **options: Any) -> Battle:
    """A whole game between two players."""
    chooser = Random(seed)
    hidden: Orders = []
    answered: list[tuple[Question, Orders]] = []
    players = {"allied": RULES.players[allied], "axis": RULES.players[axis]}
    run = run_of(first_state(**options))
    while (pending := run.pending) is not None:
        if isinstance(pending, Open):
            run.answer([{"open": {"salt": SALT, "orders": hidden}}])
        elif isinstance(pending, Ask):
            orders = players[pending.seat](pending, chooser)
            answered.append((pending, orders))
            if isinstance(pending, Seal):
                pending.read(orders)
                hidden, orders = orders, [{"seal": SEAL}]
            run.answer(orders)
        else:
            run.decide(chooser.getrandbits(64))
    return run.state, answered


class TestWholeGames:
    """Every answer of either player is legal, up to the end of the game."""

    @pytest.mark.parametrize(("allied", "axis"), [("random", "sensible"), ("sensible", "random")])
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"fire_frees_from_combat": False, "tanks_fire_and_fight": False, "defend_again": False},
            {"mechanised_in_mines": True, "air_subturns": 1, "dust_artillery_moves_less": False},
        ],
    )
    def test_to_the_end(self, allied: str, axis: str, options: dict[str, Any]) -> None:
        state, _ = to_the_end(allied, axis, seed=7, turns=3, **options)
        assert state.outcome is not None


@pytest.fixture(scope="module")
def battle() -> Battle:
    """A whole game between two sensible players."""
    return to_the_end("sensible", "sensible", seed=3)


class TestSensibleBattle:
    """A game of two sensible players looks like a battle."""

    def test_it_costs_a_third_of_the_armies(self, battle: Battle) -> None:
        state, _ = battle
        units = [name for army in state.setting.armies.values() for name in army]
        assert sum(not state.on_map(name) for name in units) > len(units) // 3

    def test_mines_are_cleared(self, battle: Battle) -> None:
        state, _ = battle
        assert state.cleared


class TestRandomPlayer:
    """It gives lists of several orders as well as of one, passes at times, and repeats with its chooser."""

    def test_variety(self) -> None:
        units = {"125Inf": "1705", "61-Tre": "1706", "AxSup-1": "1605", "20-Aus": "2007", "AlSup-1": "2107"}
        ask = question_of(position(Phase.MOVE, units, active="axis"))
        answers = [RANDOM(ask, Random(seed)) for seed in range(60)]
        for orders in answers:
            ask.read(orders)
        assert {len(orders) for orders in answers} >= {1, 2, 3}
        assert [{"pass": True}] in answers
        assert any("clear" in order for orders in answers for order in orders)
        assert answers == [RANDOM(ask, Random(seed)) for seed in range(60)]

    def test_it_does_what_it_must(self) -> None:
        """R5.5: a pass would be refused."""
        units = {"20-Aus": "2006", "61-Tre": "1907", "62-Tre": "1906"}
        ask = question_of(position(Phase.COMBAT, units, obliged={"20-Aus": ("61-Tre",)}))
        for seed in range(20):
            ask.read(RANDOM(ask, Random(seed)))

    def test_standing_orders_and_standing_down(self) -> None:
        units = {"Spit-1": "2508", "Well-1": "2508", "Bofors-1": "2408", "Ju88-1": "1204"}
        ask = question_of(position(Phase.AIR, units, subturn=4))
        orders = [order for seed in range(100) for order in RANDOM(ask, Random(seed))]
        assert any("aa" in order for order in orders)
        assert {"stand_down": True} in orders
        assert any("land" in order for order in orders)

    def test_no_more_land_than_there_is_room_for(self) -> None:
        """R4.6: one airfield is left, with room for four of the six."""
        aircraft = dict.fromkeys(first_state().setting.air_forces["allied"][:6], "2508")
        units = {**aircraft, "61-Tre": "2907", "62-Tre": "2710", "1-FFL": "3010"}
        ask = question_of(position(Phase.AIR, units, subturn=4))
        answers = [RANDOM(ask, Random(seed)) for seed in range(150)]
        for orders in answers:
            ask.read(orders)
        assert {len(order["land"]) for orders in answers for order in orders if "land" in order} == {4}


class TestSensibleAir:
    """It bombs what it can bomb unharmed, attacks at good odds, and else spares a mail."""

    def test_it_bombs_supply_before_infantry(self) -> None:
        units = {"Well-1": "2005", "61-Tre": "1707", "AxSup-1": "1606", "1-FFL": "3010"}
        assert sensible_orders(position(Phase.AIR, units))[-1] == {"bomb": "Well-1"}
        assert sensible_orders(position(Phase.AIR, units))[0]["path"][-1] == "1606"

    def test_it_knows_the_bombing_table_of_a_scenario(self) -> None:
        """Infantry that is hit for certain is worth more than supply that one throw in six hits."""
        units = {"Well-1": "2005", "61-Tre": "1707", "AxSup-1": "1606", "1-FFL": "3010"}
        tables = {"bombing": {"infantry": [2, 3, 4, 5], "supply": [2]}}
        assert sensible_orders(position(Phase.AIR, units, scenario=tables))[0]["path"][-1] == "1707"

    def test_it_knows_how_far_guns_reach_in_a_scenario(self) -> None:
        """Two guns two hexes away guard 61-Tre, if they reach farther than one."""
        units = {"Well-1": "2508", "61-Tre": "1806", "88mm-1": "1606", "Flak-1": "1804", "1-FFL": "3010"}
        assert {"stand_down": True} in sensible_orders(position(Phase.AIR, units))
        assert {"bomb": "Well-1"} in sensible_orders(position(Phase.AIR, units, scenario={"flak_range": 1}))

    def test_it_stands_down_where_guns_guard_everything(self) -> None:
        units = {"Well-1": "2508", "61-Tre": "1806", "88mm-1": "1706", "Flak-1": "1805", "1-FFL": "3010"}
        assert {"stand_down": True} in sensible_orders(position(Phase.AIR, units))

    def test_fighters_attack_a_bomber(self) -> None:
        units = {"Spit-1": "2005", "Ju87-1": "1707", "1-FFL": "3010"}
        assert sensible_orders(position(Phase.AIR, units))[-1] == {"dogfight": ["Spit-1"], "on": ["Ju87-1"]}

    def test_it_lands_near_the_front(self) -> None:
        units = {"Well-1": "2306", "1-FFL": "3010", "61-Tre": "0102"}
        assert {"land": {"Well-1": "2508"}} in sensible_orders(position(Phase.AIR, units, subturn=4))


class TestSensibleMoves:
    """It strikes at good odds, goes for the points, and keeps supply near."""

    def test_two_tanks_strike_a_lone_unit_together(self) -> None:
        units = {"Sherman-1": "2208", "Sherman-2": "2209", "AlSup-1": "2408", "PzIII-1": "2010"}
        state = position(Phase.MOVE, {**units, "153-Hld": "2107", "154-Hld": "2906"})
        ends_at = end_hexes(sensible_orders(state))
        near = state.setting.grid.adjacent("2010")
        assert [ends_at[name] in near for name in ("Sherman-1", "Sherman-2")] == [True, True]

    def test_one_weak_unit_does_not_attack_a_fortification(self) -> None:
        """2 against 8, doubled; its goal is beyond."""
        units = {
            "Stuart-1": "1908 struck",
            "AlSup-1": "2108",
            "125Inf": "1706",
            "153-Hld": "2107",
            "154-Hld": "2906",
        }
        state = position(Phase.MOVE, units, forts=("1706",), cleared=("1806", "1807", "1907", "1908"))
        for name, at in end_hexes(sensible_orders(state)).items():
            assert not movement.entered_zone(state, "allied", at), name

    def test_the_allied_infantry_clears_its_way(self) -> None:
        units = {"20-Aus": "2006", "AlSup-1": "2206", "61-Tre": "0303", "153-Hld": "2107", "154-Hld": "2906"}
        [order] = [
            order for order in sensible_orders(position(Phase.MOVE, units)) if order["move"] == "20-Aus"
        ]
        assert any(at in first_state().setting.mines for at in order["path"])

    def test_a_garrison_stays_on_its_point(self) -> None:
        units = {"125Inf": "1606", "AxSup-1": "1505", "20-Aus": "2506", "62-Tre": "1203"}
        assert "125Inf" not in end_hexes(sensible_orders(position(Phase.MOVE, units, active=AXIS)))

    def test_supply_follows(self) -> None:
        units = {"20-Aus": "1606", "AlSup-1": "2606", "61-Tre": "0202", "153-Hld": "2107", "154-Hld": "2906"}
        state = position(Phase.MOVE, units)
        to = end_hexes(sensible_orders(state))["AlSup-1"]
        assert state.setting.grid.distance(to, "1606") < state.setting.grid.distance("2606", "1606")


class TestSensibleFireAndCombat:
    """It fires at what it hits best, attacks at good odds alone, and does what it must."""

    def test_it_fires_at_supply_first(self) -> None:
        units = {"25pdr-1": "2006", "61-Tre": "1806", "AxSup-1": "1706"}
        assert sensible_orders(position(Phase.FIRE, units)) == [{"fire": "25pdr-1", "at": "AxSup-1"}]

    def test_guns_do_not_all_fire_at_one(self) -> None:
        units = {"25pdr-1": "2006", "25pdr-2": "2007", "61-Tre": "1806", "62-Tre": "1805"}
        orders = sensible_orders(position(Phase.FIRE, units))
        assert sorted(order["at"] for order in orders) == ["61-Tre", "62-Tre"]

    def test_two_attack_together(self) -> None:
        units = {"20-Aus": "2006", "24-Aus": "2007", "125Inf": "1907"}
        [order] = sensible_orders(position(Phase.COMBAT, units))
        assert sorted(order["attack"]) == ["20-Aus", "24-Aus"]

    def test_it_does_not_attack_at_bad_odds(self) -> None:
        units = {"2-FFL": "2006", "Ramcke-A": "1907"}
        assert sensible_orders(position(Phase.COMBAT, units)) == [{"pass": True}]

    def test_it_attacks_at_bad_odds_where_it_must(self) -> None:
        units = {"2-FFL": "2006", "Ramcke-A": "1907"}
        state = position(Phase.COMBAT, units, obliged={"2-FFL": ("Ramcke-A",)})
        assert combat.attacks_due(state)
        assert sensible_orders(state) == [{"attack": ["2-FFL"], "on": ["Ramcke-A"]}]


class TestSensibleSetUp:
    """It takes one of the ready-made set-ups."""

    def test_the_first_question(self) -> None:
        ask = run_of(first_state()).pending
        assert isinstance(ask, Ask)
        [order] = SENSIBLE(ask, Random(1))
        assert len(order["place"]) == 16 + len(first_state().setting.air_forces[AXIS])


class TestGunsThatFiredAtAircraft:
    """R7.2: they join no attack, alone or with others, and strikes are planned without them."""

    UNITS: ClassVar = {"20-Aus": "0806", "Bofors-1": "0706", "61-Tre": "0707", "AlSup-1": "0503"}

    def test_they_do_not_attack(self) -> None:
        """20-Aus, 5, against Trento's 3 attacks alone."""
        state = position(Phase.COMBAT, self.UNITS, fired_at_aircraft=("Bofors-1",))
        assert sensible_orders(state) == [{"attack": ["20-Aus"], "on": ["61-Tre"]}]

    def test_they_do_under_the_option(self) -> None:
        """Together they are 7 against 3."""
        options = {"aa_then_fight": True}
        state = position(Phase.COMBAT, self.UNITS, fired_at_aircraft=("Bofors-1",), options=options)
        assert sensible_orders(state) == [{"attack": ["20-Aus", "Bofors-1"], "on": ["61-Tre"]}]

    @pytest.mark.parametrize("name", ["random", "sensible", "easy", "strong"])
    def test_no_player_is_refused(self, name: str) -> None:
        state = position(Phase.MOVE, self.UNITS, fired_at_aircraft=("Bofors-1",))
        ask = question_of(state)
        ask.read(RULES.players[name](ask, Random(1)))
