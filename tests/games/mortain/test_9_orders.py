"""M9, orders: hostile data is refused under M9.1, whatever it is, and nothing else happens."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.mortain.positions import asked, begun, position, refusal, run_of
from pbem.core.requests import Ask, Plain
from pbem.errors import IllegalOrder

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
            (None, "found null, expected a list of orders"),
            ([], "found an empty list, expected a list of orders"),
            ({"pass": True}, "found a mapping, expected a list of orders"),
            ([True], "found true, expected an order"),
            ([{}], "found an empty order"),
            ([{"march": "DF"}], "found an order of 'march'"),
            ([{"place": {}}], "place answers another question"),
            ([{"faces": "miss"}], "faces answers another question"),
            ([{"pass": 1}], "found 1 after pass, expected true"),
            ([{"pass": True}, {"pass": True}], "a pass must be the only order"),
            ([{"move": "117Inf"}], "move lacks 'to'"),
            ([{"move": "117Inf", "to": "1504", "faces": "miss"}], "move does not go with 'faces'"),
            ([{"move": "117Inf", "to": 1504}], "found 1504 in move, expected a hex on the map"),
            ([{"move": "117Inf", "to": "1506"}], "found '1506' in move, expected a hex on the map"),
            ([{"move": ["117Inf"], "to": "1504"}], "found a list in move, expected a unit's name"),
            ([{"fire": [], "at": "DF"}], "found an empty list after fire, expected a list of units"),
            ([{"fire": "117Inf", "at": "DF"}], "found '117Inf' after fire, expected a list of units"),
            ([{"fire": ["117Inf", "117Inf"], "at": "DF"}], "'117Inf' stands twice in fire"),
            (
                [{"fire": ["117Inf"], "at": "DF", "faces": "look"}],
                "found 'look' in fire, expected redraw, miss or ask",
            ),
            (
                [{"fire": ["117Inf"], "at": "DF", "faces": None}],
                "found null in fire, expected redraw, miss or ask",
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
        for ask in (run_of(begun()).pending, asked(STATE, "8H"), asked(STATE, "KS")):
            assert isinstance(ask, Ask)
            with suppress(IllegalOrder):
                ask.read(orders)

    def test_a_deep_value_does_no_harm(self) -> None:
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        assert refusal(STATE, "8H", [{"move": deep, "to": "1504"}]).startswith("M9.1: found a list in move")


class TestM92:
    """A unit that is not there for the player to command is refused."""

    @pytest.mark.parametrize(
        ("card", "order", "facts"),
        [
            ("8H", {"move": "Patton", "to": "1504"}, "there is no unit 'Patton'"),
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
