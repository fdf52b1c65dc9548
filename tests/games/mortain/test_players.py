"""The practice players: always legal, and the sensible one with some sense."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.mortain.positions import asked, begun, draw, position, run_of
from pbem.core.requests import Ask, Question
from pbem.core.run import Position, Run
from pbem.games.mortain import RULES

RANDOM, SENSIBLE = RULES.players["random"], RULES.players["sensible"]


def answer(ask: Question, seed: int = 0) -> list[Any]:
    orders = SENSIBLE(ask, Random(seed))
    ask.read(orders)
    return orders


class TestWholeGames:
    """Every answer of either player is legal, up to the end of the game."""

    @pytest.mark.parametrize("edition", list(RULES.editions))
    @pytest.mark.parametrize(("german", "us"), [("random", "sensible"), ("sensible", "random")])
    def test_to_the_end(self, edition: str, german: str, us: str) -> None:
        chooser = Random(7)
        players = {"german": RULES.players[german], "us": RULES.players[us]}
        run = Run(RULES, Position(begun(edition, turns=2)))
        while run.pending is not None:
            if isinstance(run.pending, Ask):
                run.answer(players[run.pending.seat](run.pending, chooser))
            else:
                run.decide(chooser.getrandbits(64))
        assert run.state.outcome is not None


class TestRandomPlayer:
    """It gives lists of several orders as well as of one, passes at times, and repeats with its chooser."""

    def test_variety(self) -> None:
        ask = asked(position({"117Inf": "1503", "DF": "1801", "D": "1803", "37SS": "waiting"}), "10S")
        answers = [RANDOM(ask, Random(seed)) for seed in range(60)]
        assert {len(orders) for orders in answers} >= {1, 2, 3}
        assert [{"pass": True}] in answers
        assert answers == [RANDOM(ask, Random(seed)) for seed in range(60)]


class TestSensiblePlayer:
    """It sees what a beginner sees."""

    def test_it_places_one_to_a_hex_in_a_line(self) -> None:
        pending = run_of(begun()).pending
        assert isinstance(pending, Ask)
        [order] = answer(pending)
        hexes = list(order["place"].values())
        assert len(set(hexes)) == 5
        assert len({at[:2] for at in hexes}) == 1

    def test_it_exits_what_can_exit(self) -> None:
        ask = asked(position({"117Inf": "1503", "DF": "1101", "D": "1803"}), "AS")
        assert answer(ask) == [{"exit": "DF"}]

    def test_the_german_goes_west(self) -> None:
        [order] = answer(asked(position({"117Inf": "1105", "DF": "1801"}), "AS"))
        assert order["move"] == "DF"
        assert order["to"].startswith("17")

    def test_the_german_enters(self) -> None:
        orders = answer(asked(position({"117Inf": "1105", "DF": "waiting", "D": "waiting"}), "4S"))
        assert sorted(order["enter"] for order in orders) == ["D", "DF"]

    def test_it_fires_at_what_it_cannot_miss(self) -> None:
        """6 + 6 + 5 AT against SPTD in the open: every number hits."""
        units = {"SPTD": "1504 reduced", "117Inf": "1105", "2SS-A": "1604", "2SS-B": "1604", "17StuG": "1503"}
        orders = answer(asked(position(units), "10S"))
        assert orders[-1]["at"] == "SPTD"

    def test_the_us_uses_its_support(self) -> None:
        units = {"117Inf": "1105", "2SS-A": "1604 reduced", "DF": "1604 reduced"}
        assert {"air": ["2SS-A", "DF"]} in answer(asked(position(units), "9H"))

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
        assert answer(asked(position(units, turn=2, support="used"), "AH")) == [{"move": "CCA", "to": "1303"}]

    def test_it_draws_again(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505"}))
        draw(run, "8S")
        run.answer([{"fire": ["DF"], "at": "117Inf", "faces": "ask"}])
        draw(run, "JC")
        assert isinstance(run.pending, Ask)
        assert answer(run.pending) == [{"faces": "redraw"}]
