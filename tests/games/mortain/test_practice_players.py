"""The practice players: always legal, and the sensible one with some sense."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any, ClassVar

import pytest

from pbem.core.requests import Ask, Question
from pbem.core.run import Position, Run
from pbem.games.mortain import RULES
from pbem.games.mortain.players.outlook import Aims, Outlook
from pbem.games.mortain.players.tactics import moves
from support.mortain_positions import SCENARIO, draw_cards, first_state, position, question_on_card, run_of

RANDOM, SENSIBLE = RULES.players["random"], RULES.players["sensible"]


def answer(ask: Question, seed: int = 0) -> list[Any]:
    orders = SENSIBLE(ask, Random(seed))
    ask.read(orders)
    return orders


def placed(seed: int) -> dict[str, str]:
    """The hex of each unit that the sensible player sets up."""
    pending = run_of(first_state()).pending
    assert isinstance(pending, Ask)
    [order] = answer(pending, seed)
    places: dict[str, str] = order["place"]
    return places


class TestWholeGames:
    """Every answer of either player is legal, up to the end of the game."""

    @pytest.mark.parametrize("edition", list(RULES.editions))
    @pytest.mark.parametrize(("german", "us"), [("random", "sensible"), ("sensible", "random")])
    def test_to_the_end(self, edition: str, german: str, us: str) -> None:
        chooser = Random(7)
        players = {"german": RULES.players[german], "us": RULES.players[us]}
        run = Run(RULES, Position(first_state(edition, turns=2)))
        while run.pending is not None:
            if isinstance(run.pending, Ask):
                run.answer(players[run.pending.seat](run.pending, chooser))
            else:
                run.decide(chooser.getrandbits(64))
        assert run.state.outcome is not None


class TestRandomPlayer:
    """It gives lists of several orders as well as of one, passes at times, and repeats with its chooser."""

    def test_variety(self) -> None:
        ask = question_on_card(
            position({"117Inf": "1503", "DF": "1801", "D": "1803", "37SS": "waiting"}), "10S"
        )
        answers = [RANDOM(ask, Random(seed)) for seed in range(60)]
        assert {len(orders) for orders in answers} >= {1, 2, 3}
        assert [{"pass": True}] in answers
        assert answers == [RANDOM(ask, Random(seed)) for seed in range(60)]


class TestSensiblePlayer:
    """It sees what a beginner sees."""

    def test_it_exits_what_can_exit(self) -> None:
        ask = question_on_card(position({"117Inf": "1503", "DF": "1101", "D": "1803"}), "AS")
        assert answer(ask) == [{"exit": "DF"}]

    def test_the_german_goes_west(self) -> None:
        [order] = answer(question_on_card(position({"117Inf": "1105", "DF": "1801"}), "AS"))
        assert order["move"] == "DF"
        assert order["to"].startswith("17")

    def test_the_german_enters(self) -> None:
        orders = answer(question_on_card(position({"117Inf": "1105", "DF": "waiting", "D": "waiting"}), "4S"))
        assert sorted(order["enter"] for order in orders) == ["D", "DF"]

    def test_it_fires_at_what_it_cannot_miss(self) -> None:
        """6 + 6 + 5 AT against SPTD in the open: every number hits."""
        units = {"SPTD": "1504 reduced", "117Inf": "1105", "2SS-A": "1604", "2SS-B": "1604", "17StuG": "1503"}
        orders = answer(question_on_card(position(units), "10S"))
        assert orders[-1]["at"] == "SPTD"

    def test_the_us_uses_its_support(self) -> None:
        units = {"117Inf": "1105", "2SS-A": "1604 reduced", "DF": "1604 reduced"}
        assert {"air": ["2SS-A", "DF"]} in answer(question_on_card(position(units), "9H"))

    def test_the_us_fills_the_gap(self) -> None:
        """The line is column 13; 1303 is open, CCA stands behind it, and the Germans are far."""
        units = {
            "117Inf": "1301",
            "119Inf": "1302",
            "CCA": "1203",
            "120Inf": "1304",
            "823TD": "1305",
            "DF": "1901",
        }
        assert answer(question_on_card(position(units, turn=2, support="used"), "AH")) == [
            {"move": "CCA", "to": "1303"}
        ]

    def test_where_it_sets_up_differs_from_game_to_game(self) -> None:
        hexes = [sorted(placed(seed).values()) for seed in range(12)]
        assert len(set(map(tuple, hexes))) > 4
        assert [sorted(placed(seed).values()) for seed in range(12)] == hexes

    def test_infantry_often_holds_hill_314(self) -> None:
        on_hill = [{name for name, at in placed(seed).items() if at == "1501"} for seed in range(60)]
        assert all(any("Inf" in name for name in names) for names in on_hill if names)
        assert 12 < sum(map(bool, on_hill)) < 45

    HILL: ClassVar = {"120Inf": "1501", "823TD": "1302", "117Inf": "1402", "DF": "1901"}

    def stays(self, units: dict[str, str], edition: str = "it") -> bool:
        """Whether 120Inf keeps Hill 314 on a card that lets all units move."""
        ask = question_on_card(position(units, turn=2, edition=edition, support="used"), "10H")
        return "120Inf" not in {order.get("move") for order in answer(ask)}

    def test_a_regiment_stays_on_hill_314(self) -> None:
        """It went back to the line as soon as it could."""
        assert self.stays({**self.HILL, "CCA": "1303"})

    @pytest.mark.parametrize(
        "change",
        [
            {"120Inf": "1501 reduced"},
            {"823TD": "1304", "117Inf": "1305"},
            {"CCA": "eliminated", "823TD": "eliminated"},
            {"120Inf": "1503"},
        ],
    )
    def test_it_leaves_the_hill_worn_alone_or_among_the_last(self, change: dict[str, str]) -> None:
        """And other hexes in front of the line, as before."""
        assert not self.stays({**self.HILL, "CCA": "1303", **change})

    def test_another_map_is_set_up_along_a_line(self) -> None:
        """Without columns 11 to 14 no set-up for the map that ships is legal."""
        smaller = deepcopy(SCENARIO)
        smaller["map"]["columns"] = [15, 19]
        hexes = smaller["map"]["hexes"]
        smaller["map"] |= {"hexes": {at: hexes[at] for at in hexes if at > "15"}, "roads": []}
        state = RULES.begin(RULES.editions["it"], smaller)
        pending = run_of(state).pending
        assert isinstance(pending, Ask)
        [order] = answer(pending)
        placed_on = list(order["place"].values())
        assert len(set(placed_on)) == 5
        assert len({at[:2] for at in placed_on}) == 1

    def test_an_attack_that_is_not_legal_takes_no_place_of_one_that_is(self) -> None:
        """2H allows one unit; the best four attacks are by two, and none of them may be ordered."""
        units = {"CCA": "1301", "CCB": "1302", "CCR": "1303", "DF": "1501", "D": "1501", "37SS": "1503"}
        [order] = answer(question_on_card(position(units, turn=4, support="used"), "2H"))
        assert len(order["fire"]) == 1

    def test_a_unit_whose_best_ways_are_held_takes_the_third(self) -> None:
        """1403 and 1404 lie west of 1504 and hold US units; 1503 leads round them."""
        units = {"CCR": "1404", "119Inf": "1403", "37SS": "1504 reduced"}
        assert answer(question_on_card(position(units, turn=5), "AS")) == [{"move": "37SS", "to": "1503"}]

    @pytest.mark.parametrize("card", ["8H", "6D", "7D"])
    def test_a_gun_that_sees_nobody_goes_where_it_does(self, card: str) -> None:
        """Entries 26 to 34 of examples/mortain-es-no-germans-left: 823TD and SPTD stood idle behind woods."""
        units = {
            "117Inf": "1301",
            "119Inf": "1303",
            "120Inf": "1302 reduced",
            "823TD": "1304",
            "SPTD": "1305",
        }
        germans = {"17StuG": "1503", "2SS-A": "1503", "2SS-B": "1504", "37SS": "1601", "38SS": "1601"}
        orders = answer(question_on_card(position({**units, **germans}, edition="es", support="used"), card))
        [to] = [order["to"] for order in orders if order.get("move") == "823TD"]
        assert {"1503", "1504"} & set(first_state().setting.sight.field(to))

    def test_germans_do_not_walk_to_and_fro(self) -> None:
        """Entry 53 of the same game: 37SS and 38SS went back to 1702, to come again ten entries later.

        However much is to be feared where they stand, what is worth something leads nobody back.
        """
        line = {
            "117Inf": "1301",
            "119Inf": "1303",
            "823TD": "1304",
            "SPTD": "1305",
            "CCA": "1302",
            "CCB": "1302",
        }
        germans = {"37SS": "1602", "38SS": "1602", "2SS-B": "1504", "DF": "1801"}
        state = question_on_card(position({**line, **germans}, edition="es", turn=3), "9C").state
        goes = moves(Outlook(state, "german", Aims(caution=20)))
        assert {go.unit for go in goes}
        assert all(go.to[:2] <= state.at(go.unit)[:2] for go in goes)

    def test_it_shoots_where_it_may_hit(self) -> None:
        """Entry 82: CCA alone hits DF in 1501 with 4 of ten cards, and the player walked."""
        units = {
            "117Inf": "1301",
            "119Inf": "1303",
            "823TD": "1304",
            "SPTD": "1305",
            "CCA": "1302",
            "CCB": "1302",
            "CCR": "1303",
        }
        [order] = answer(
            question_on_card(
                position({**units, "DF": "1501", "D": "1501"}, edition="es", turn=4, support="used"), "2H"
            )
        )
        assert order["at"] in ("DF", "D")

    def test_reserves_enter_as_soon_as_they_may(self) -> None:
        units = {
            "117Inf": "1301",
            "119Inf": "1302",
            "120Inf": "1303",
            "823TD": "1304",
            "SPTD": "1305",
            "DF": "1901",
        }
        reserves = dict.fromkeys(("CCA", "CCB", "CCR"), "waiting")
        orders = answer(question_on_card(position({**units, **reserves}, turn=2, support="used"), "6H"))
        assert sorted(order["enter"] for order in orders) == ["CCA", "CCB", "CCR"]

    @pytest.mark.parametrize(("needed", "walks"), [(2, True), (5, False)])
    def test_germans_walk_out_where_that_is_shorter(self, needed: int, walks: bool) -> None:
        """Two have one step to the edge, and could shoot instead; five exits are out of reach for three."""
        units = {
            "CCA": "1203",
            "CCB": "1204",
            "CCR": "1303",
            "117Inf": "1302",
            "119Inf": "1403",
            "120Inf": "1404",
        }
        germans = {"DF": "1201 reduced", "D": "1205 reduced", "2SS-A": "1901"}
        state = position({**units, **germans}, turn=5, options={"exits_to_win": needed})
        orders = answer(question_on_card(state, "4S"))
        assert (
            {order.get("to", "")[:2] for order in orders} == {"11"}
            if walks
            else any("fire" in o for o in orders)
        )

    def test_it_draws_again(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505"}))
        draw_cards(run, "8S")
        run.answer([{"fire": ["DF"], "at": "117Inf", "faces": "ask"}])
        draw_cards(run, "JC")
        assert isinstance(run.pending, Ask)
        assert answer(run.pending) == [{"faces": "redraw"}]


class TestEasyPlayer:
    """It plays the sensible player's orders, and forgets some."""

    UNITS: ClassVar = {
        "117Inf": "1105",
        "DF": "waiting",
        "D": "waiting",
        "37SS": "waiting",
        "38SS": "waiting",
    }

    def test_it_forgets(self) -> None:
        ask = question_on_card(position(self.UNITS), "8S")
        every = answer(ask)
        answers = [RULES.players["easy"](ask, Random(seed)) for seed in range(20)]
        assert all(order in every for orders in answers for order in orders if orders != [{"pass": True}])
        assert {len(orders) for orders in answers} > {1, 2}
        assert [{"pass": True}] in answers

    def test_it_forgets_more_as_us(self) -> None:
        units = {"117Inf": "1301", "119Inf": "1302", "DF": "1901"}
        reserves = dict.fromkeys(("CCA", "CCB", "CCR"), "waiting")
        ask = question_on_card(position({**units, **reserves}, turn=2, support="used"), "6H")
        assert len(answer(ask)) == 3
        answers = [RULES.players["easy"](ask, Random(seed)) for seed in range(40)]
        assert sum(orders == [{"pass": True}] for orders in answers) > 20

    def test_it_never_forgets_to_set_up(self) -> None:
        pending = run_of(first_state()).pending
        assert isinstance(pending, Ask)
        assert pending.read(RULES.players["easy"](pending, Random(1)))
