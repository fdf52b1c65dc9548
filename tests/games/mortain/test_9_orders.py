"""M9, orders: hostile data is refused under M9.1, whatever it is, and nothing else happens."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.requests import Ask, Plain
from pbem.errors import IllegalOrder
from support.mortain_positions import first_state, position, question_on_card, refusal, run_of

STATE = position({"117Inf": "1503", "119Inf": "1402", "CCA": "exited", "DF": "1505", "D": "eliminated"})

VERBS = ["place", "pass", "move", "enter", "exit", "fire", "artillery", "air", "suppress", "faces"]
words = st.sampled_from([*VERBS, "to", "at", "117Inf", "DF", "1503", "1504", "redraw", "ask"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | words | st.floats() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.integers(), inner, max_size=4),
    max_leaves=12,
)


class TestM91:
    """What is no list of orders, or none that answers the question, is refused."""

    @pytest.mark.parametrize(
        ("orders", "facts"),
        [
            (None, "must be a list of orders, not null"),
            ([], "must be a list of orders, not an empty list"),
            ({"pass": True}, "must be a list of orders, not a mapping"),
            ([True], "true is not an order"),
            ([{}], "the order is empty"),
            ([{"march": "DF"}], "'march' is not an order"),
            ([{"place": {}}], "you cannot order place now"),
            ([{"faces": "miss"}], "you cannot order faces now"),
            ([{"pass": 1}], "after pass, 1 is not true"),
            ([{"pass": True}, {"pass": True}], "a pass cannot be combined with other orders"),
            ([{"move": "117Inf"}], "'to' is missing in move"),
            ([{"move": "117Inf", "to": "1504", "faces": "miss"}], "move does not take 'faces'"),
            ([{"move": "117Inf", "to": 1504}], "in move, 1504 is not a hex on the map"),
            ([{"move": "117Inf", "to": "1506"}], "in move, '1506' is not a hex on the map"),
            ([{"move": ["117Inf"], "to": "1504"}], "in move, a list is not a unit's name"),
            ([{"fire": [], "at": "DF"}], "after fire, an empty list is not a list of units"),
            ([{"fire": "117Inf", "at": "DF"}], "after fire, '117Inf' is not a list of units"),
            ([{"fire": ["117Inf", "117Inf"], "at": "DF"}], "'117Inf' is named twice in fire"),
            (
                [{"fire": ["117Inf"], "at": "DF", "faces": "look"}],
                "in fire, 'look' is not redraw, miss or ask",
            ),
            (
                [{"fire": ["117Inf"], "at": "DF", "faces": None}],
                "in fire, null is not redraw, miss or ask",
            ),
        ],
    )
    def test_refusals_give_the_facts(self, orders: Plain, facts: str) -> None:
        assert refusal(STATE, "8H", orders).startswith(f"M9.1: {facts}")

    def test_what_is_shown_is_short_and_harmless(self) -> None:
        text = "\x1b[2J\u202e\ud800" + "x" * 100_000
        shown = refusal(STATE, "8H", [{"move": "117Inf", "to": text}])
        assert shown.isprintable()
        assert len(shown) < 120

    @pytest.mark.thorough
    @settings(max_examples=300)
    @given(values | st.lists(st.dictionaries(words, values, max_size=3), max_size=3))
    def test_nothing_crashes(self, orders: Any) -> None:
        for ask in (
            run_of(first_state()).pending,
            question_on_card(STATE, "8H"),
            question_on_card(STATE, "KS"),
        ):
            assert isinstance(ask, Ask)
            with suppress(IllegalOrder):
                ask.read(orders)

    def test_a_deep_value_does_no_harm(self) -> None:
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        assert refusal(STATE, "8H", [{"move": deep, "to": "1504"}]).startswith("M9.1: in move, a list")


class TestM92:
    """A unit that is not there for the player to command is refused."""

    @pytest.mark.parametrize(
        ("card", "order", "facts"),
        [
            ("8H", {"move": "Patton", "to": "1504"}, "there is no unit called 'Patton'"),
            ("8H", {"move": "DF", "to": "1504"}, "DF belongs to the other side"),
            ("8S", {"exit": "D"}, "D has been eliminated"),
            ("8H", {"enter": "CCA", "at": "1101"}, "CCA has exited"),
            ("8H", {"fire": ["117Inf"], "at": "D"}, "D has been eliminated"),
            ("8S", {"artillery": ["DF"]}, "only the US player has air and artillery"),
            ("8H", {"artillery": ["D"]}, "D has been eliminated"),
        ],
    )
    def test_refusals_give_the_facts(self, card: str, order: Plain, facts: str) -> None:
        assert refusal(STATE, card, [order]) == f"M9.2: {facts}"
