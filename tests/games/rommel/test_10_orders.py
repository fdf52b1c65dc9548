"""R10, questions and orders: every verb at every question, which go together, and the order of a turn."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest
from msgspec.structs import replace

from pbem.core.requests import Orders, Plain
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules.orders import read_orders
from pbem.games.rommel.rules.state import Phase
from support.playout import play, set_up
from support.rommel_positions import position

ORDERS: dict[str, Plain] = {
    "place": {"place": {"125Inf": "1605"}},
    "fly": {"fly": "Spit-1", "path": ["2408"]},
    "bomb": {"bomb": "Well-1"},
    "dogfight": {"dogfight": ["Spit-1"], "on": ["Bf109-1"]},
    "land": {"land": {"Spit-1": "2508"}},
    "stand_down": {"stand_down": True},
    "aa": {"aa": "hold", "units": ["Bofors-1"]},
    "move": {"move": "20-Aus", "path": ["2206"]},
    "fire": {"fire": "Sherman-1", "at": "61-Tre"},
    "attack": {"attack": ["20-Aus"], "on": ["61-Tre"]},
    "pass": {"pass": True},
}
"""A well-formed order of each verb."""

SET_UP = ("axis_first_setup", "axis_screen_setup", "allied_screen_setup", "axis_open", "allied_last_setup")

ANSWERS: dict[str, set[str]] = {
    **{question: {"place"} for question in SET_UP},
    "air": {"fly", "bomb", "dogfight", "land", "stand_down", "pass"},
    "ground_move": {"move", "pass"},
    "ground_fire": {"fire", "pass"},
    "ground_combat": {"attack", "pass"},
}
"""The verbs that answer each question alone; standing orders are no answer."""

TURN = [
    *product(["air"], range(1, 5), ("allied", "axis")),
    *(
        (question, 0, side)
        for side in ("allied", "axis")
        for question in ("ground_move", "ground_fire", "ground_combat")
    ),
]
"""The questions of a turn in order: what, in which sub-turn, to whom."""


def refused_by(question: str, orders: Orders) -> str:
    """The rule by which the form of an answer is refused; empty if it is not."""
    try:
        read_orders(position(Phase(question), {}), orders)
    except IllegalOrder as refused:
        return refused.rule
    return ""


class TestR10:
    """The order of questions."""

    @pytest.mark.parametrize("seed", range(3))
    def test_each_comes_in_its_place(self, seed: int) -> None:
        chooser = Random(seed)
        turns: dict[int, list[int]] = {}
        set_up_asked = []
        for move in play(set_up("rommel", chooser), chooser):
            state, ask = move.ask.state, move.ask
            if ask.question in SET_UP:
                set_up_asked.append(ask.question)
            else:
                turns.setdefault(state.turn, []).append(TURN.index((ask.question, state.subturn, ask.seat)))
        assert set_up_asked in ([*SET_UP], [])
        assert turns
        for asked in turns.values():
            assert all(one < another for one, another in pairwise(asked))


class TestR101:
    """Which orders answer which question, and beside which others."""

    @pytest.mark.parametrize(("question", "verb"), list(product(ANSWERS, ORDERS)))
    def test_every_verb_at_every_question(self, question: str, verb: str) -> None:
        assert refused_by(question, [ORDERS[verb]]) == ("" if verb in ANSWERS[question] else "R10.1")

    @pytest.mark.parametrize(
        ("question", "verb"), [(q, v) for q, verbs in ANSWERS.items() for v in sorted(verbs)]
    )
    def test_standing_orders_go_with_any_answer(self, question: str, verb: str) -> None:
        assert refused_by(question, [ORDERS["aa"], ORDERS[verb], ORDERS["aa"]]) == ""
        assert refused_by(question, [ORDERS["aa"], ORDERS["aa"]]) == "R10.1"

    @pytest.mark.parametrize(("one", "other"), list(product(sorted(ANSWERS["air"]), repeat=2)))
    def test_two_orders_of_the_air_phase(self, one: str, other: str) -> None:
        """A pass goes with none; who names units may come twice; R4.1: stand_down with landings."""
        pair = {one, other}
        twice = one == other and one in ("pass", "land", "stand_down")
        expected = "R10.1" if twice or "pass" in pair else "" if "stand_down" not in pair else "R4.1"
        if pair == {"stand_down", "land"}:
            expected = ""
        assert refused_by("air", [ORDERS[one], ORDERS[other]]) == expected

    @pytest.mark.parametrize("question", ANSWERS)
    def test_an_empty_list(self, question: str) -> None:
        assert refused_by(question, []) == "R10.1"

    def test_the_form_does_not_hang_on_the_board(self) -> None:
        state = position(Phase.MOVE, {"20-Aus": "2207"})
        orders = read_orders(state, [ORDERS["move"]])
        assert read_orders(replace(state, turn=9, weather="storm", active="axis"), [ORDERS["move"]]) == orders
