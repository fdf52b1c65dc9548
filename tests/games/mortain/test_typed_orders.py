"""Orders as typed: what is understood, what is not, and that writing is the inverse of reading."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from msgspec.structs import replace as changed

from pbem.core.requests import Ask, Orders, Question
from pbem.errors import Ambiguous, NotUnderstood, OrderError
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.orders import VERBS
from pbem.games.mortain.rules.setup import first_state
from pbem.games.mortain.rules.state import UNPLACED, Attack, State, Unit
from pbem.games.mortain.terms import options, scenario
from pbem.games.mortain.terms.scenario import SCENARIOS
from pbem.games.mortain.terms.setting import Options
from pbem.games.mortain.view import typed_orders
from support.mortain_positions import random_game

ITALIAN = options.read(RULES.editions["it"])


def position(card: str, chosen: Options = ITALIAN, **places: str) -> State:
    """The US infantry in Mortain, DF and D in 1604, the rest waiting or not yet placed."""
    setting = scenario.read(SCENARIOS.data("mortain"), chosen)
    placed = {"117Inf": "1403", "DF": "1604", "D": "1604", **places}
    start = first_state(setting)
    units = {**start.units, **{name: Unit(at) for name, at in placed.items()}}
    return replace(start, card=card, units=units)


def ask(state: State, seat: str, question: str = "activate", rule: str = "M3.3") -> Question:
    return Ask(state, rule, seat, question, lambda orders: orders)


US = ask(position("7H"), "us")
GERMAN = ask(position("7S"), "german")


class TestUnderstood:
    """Each order has a typed form; small words, commas, colons, case and short names are tolerated."""

    @pytest.mark.parametrize(
        ("asked", "typed", "order"),
        [
            (US, "pass", {"pass": True}),
            (US, "place 117Inf 1503 119Inf 1402", {"place": {"117Inf": "1503", "119Inf": "1402"}}),
            (US, "place 117Inf: 1503, 119Inf: 1402", {"place": {"117Inf": "1503", "119Inf": "1402"}}),
            (GERMAN, "move 2SS-A 1803", {"move": "2SS-A", "to": "1803"}),
            (GERMAN, "move 2SS-A to 1803", {"move": "2SS-A", "to": "1803"}),
            (GERMAN, "MOVE 2ss-a TO 1803", {"move": "2SS-A", "to": "1803"}),
            (GERMAN, "enter D 1902", {"enter": "D", "at": "1902"}),
            (GERMAN, "enter D at 1902", {"enter": "D", "at": "1902"}),
            (GERMAN, "exit DF", {"exit": "DF"}),
            (GERMAN, "ex ti", {"exit": "Tiger102"}),
            (US, "fire 117Inf 823TD at 2SS-A", {"fire": ["117Inf", "823TD"], "at": "2SS-A"}),
            (US, "fire 117Inf, 823TD at 2SS-A", {"fire": ["117Inf", "823TD"], "at": "2SS-A"}),
            (US, "fi 117 at d faces ask", {"fire": ["117Inf"], "at": "D", "faces": "ask"}),
            (US, "artillery DF D", {"artillery": ["DF", "D"]}),
            (US, "art DF faces miss", {"artillery": ["DF"], "faces": "miss"}),
            (US, "air 1604", {"air": ["DF", "D"]}),
            (US, "air 1604 faces r", {"air": ["DF", "D"], "faces": "redraw"}),
            (US, "suppress 1604", {"suppress": "1604"}),
            (US, "faces redraw", {"faces": "redraw"}),
        ],
    )
    def test_one_order(self, asked: Question, typed: str, order: dict[str, Any]) -> None:
        assert typed_orders.read(asked, [typed]) == [order]

    def test_lines_and_semicolons_part_orders(self) -> None:
        typed = ["move 2SS-A 1803; move 2SS-B 1803;", " ", "fire DF at 117Inf"]
        assert typed_orders.read(GERMAN, typed) == [
            {"move": "2SS-A", "to": "1803"},
            {"move": "2SS-B", "to": "1803"},
            {"fire": ["DF"], "at": "117Inf"},
        ]

    def test_a_whole_name_comes_before_a_longer_one(self) -> None:
        assert typed_orders.read(GERMAN, ["exit d"]) == [{"exit": "D"}]

    def test_a_whole_name_of_the_other_side_is_left_to_the_rules(self) -> None:
        """M9.2 refuses it, and can say whose unit it is."""
        assert typed_orders.read(GERMAN, ["exit cca"]) == [{"exit": "CCA"}]

    def test_a_hex_stands_for_the_one_german_unit_in_it(self) -> None:
        asked = ask(position("7H", changed(ITALIAN, support_target="unit"), D="1704"), "us")
        assert typed_orders.read(asked, ["air 1704"]) == [{"air": ["D"]}]

    def test_no_orders_are_no_orders(self) -> None:
        assert typed_orders.read(US, []) == []


class TestNotUnderstood:
    """What makes no order is refused with a caret under the word, and what was expected."""

    @pytest.mark.parametrize(
        ("asked", "typed", "caret", "problem"),
        [
            (
                GERMAN,
                "retreat DF 1704",
                "^^^^^^^        ",
                "'retreat' is not an order",
            ),
            (
                GERMAN,
                "move 2SS-C 1803",
                "     ^^^^^     ",
                "'2SS-C' is not a German unit",
            ),
            (
                GERMAN,
                "move 2SS-A 2803",
                "           ^^^^",
                "'2803' is not a hex on the map",
            ),
            (
                GERMAN,
                "pass; exit DF 1101",
                "              ^^^^",
                "the order is already complete before '1101'",
            ),
            (
                GERMAN,
                "fire DF",
                "       ^",
                "the order is incomplete: next comes another firing unit, or 'at' and the target",
            ),
            (
                GERMAN,
                "fire at 117Inf",
                "     ^^       ",
                "'at' is not a German unit",
            ),
            (
                GERMAN,
                "move",
                "    ^",
                "the order is incomplete: next comes a unit",
            ),
            (
                US,
                "fire 117Inf at DF faces maybe",
                "                        ^^^^^",
                "'maybe' is not a choice",
            ),
            (
                US,
                "place 117Inf 1503 117 1402",
                "                  ^^^     ",
                "117Inf is placed twice",
            ),
            (
                US,
                "artillery 1502",
                "          ^^^^",
                "no German unit is in 1502",
            ),
        ],
    )
    def test_the_caret_shows_the_word(self, asked: Question, typed: str, caret: str, problem: str) -> None:
        with pytest.raises(NotUnderstood) as refused:
            typed_orders.read(asked, [typed])
        assert str(refused.value) == problem
        assert refused.value.caret() == f"{typed}\n{caret.rstrip()}"

    def test_the_nearest_name_is_suggested(self) -> None:
        with pytest.raises(NotUnderstood) as refused:
            typed_orders.read(GERMAN, ["exit Tigr102"])
        assert refused.value.hint == "did you mean Tiger102?"

    def test_else_what_could_stand_there_is_named(self) -> None:
        with pytest.raises(NotUnderstood) as refused:
            typed_orders.read(US, ["faces xyz"])
        assert refused.value.hint == "it can be redraw, miss, ask"


class TestAmbiguous:
    """A beginning that fits several is refused with all of them."""

    @pytest.mark.parametrize(
        ("asked", "typed", "candidates"),
        [
            (GERMAN, "move 2ss 1803", ("2SS-A", "2SS-B")),
            (US, "move CC 1101", ("CCA", "CCB", "CCR")),
            (US, "a DF", ("artillery", "air")),
            (US, "e CCA 1101", ("enter", "exit")),
        ],
    )
    def test_the_candidates_are_named(self, asked: Question, typed: str, candidates: tuple[str, ...]) -> None:
        with pytest.raises(Ambiguous) as refused:
            typed_orders.read(asked, [typed])
        assert refused.value.candidates == candidates

    def test_a_hex_with_two_units_where_one_may_be_attacked(self) -> None:
        asked = ask(position("7H", changed(ITALIAN, support_target="unit")), "us")
        with pytest.raises(Ambiguous) as refused:
            typed_orders.read(asked, ["air 1604"])
        assert refused.value.candidates == ("DF", "D")


LEGAL = [
    ([{"pass": True}], ["pass"]),
    ([{"place": {"117Inf": "1503", "SPTD": "1402"}}], ["place 117Inf 1503 SPTD 1402"]),
    (
        [{"move": "2SS-A", "to": "1803"}, {"enter": "D", "at": "1902"}, {"exit": "DF"}],
        ["move 2SS-A 1803", "enter D 1902", "exit DF"],
    ),
    ([{"fire": ["DF", "D"], "at": "117Inf"}], ["fire DF D at 117Inf"]),
    ([{"fire": ["DF"], "at": "CCA", "faces": "redraw"}], ["fire DF at CCA faces redraw"]),
    ([{"artillery": ["DF", "D"], "faces": "miss"}], ["artillery DF D faces miss"]),
    ([{"air": ["DF"]}, {"suppress": "1604"}], ["air DF", "suppress 1604"]),
    ([{"faces": "miss"}], ["faces miss"]),
]

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["DF", "1604", "miss"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*VERBS, "at", "to", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


class TestWriting:
    """Writing is the inverse of reading, and shows anything else as it stands."""

    @pytest.mark.parametrize(("orders", "typed"), LEGAL)
    def test_orders_are_written_as_one_would_type_them(self, orders: Orders, typed: list[str]) -> None:
        assert typed_orders.write(orders) == typed

    @pytest.mark.parametrize(("orders", "typed"), LEGAL)
    def test_what_is_written_reads_back(self, orders: Orders, typed: list[str]) -> None:
        assert typed_orders.read(US, typed) == orders

    @pytest.mark.parametrize(
        ("orders", "shown"),
        [
            ("pass", ['"pass"']),
            ([7], ["7"]),
            ([{"pass": 1}], ['{"pass": 1}']),
            ([{"pass": True, "x": 1}], ['{"pass": true, "x": 1}']),
            ([{"move": "DF; pass", "to": "1604"}], ['{"move": "DF; pass", "to": "1604"}']),
            ([{"fire": "DF", "at": "CCA"}], ['{"fire": "DF", "at": "CCA"}']),
            ([{"exit": "\x1b[2J"}], ['{"exit": "\\u001b[2J"}']),
            ([{"place": {"DF": 1604}}], ['{"place": {"DF": 1604}}']),
        ],
    )
    def test_what_is_no_order_is_shown_in_json(self, orders: Orders, shown: list[str]) -> None:
        assert typed_orders.write(orders) == shown

    @pytest.mark.parametrize("edition", RULES.editions)
    def test_every_answer_of_a_game_reads_back(self, edition: str) -> None:
        for number, run in enumerate(random_game(edition, 13)):
            if isinstance(run.pending, Ask):
                orders = RULES.players["random"](run.pending, Random(number))
                assert typed_orders.read(run.pending, typed_orders.write(orders)) == orders

    @given(PLAIN)
    def test_any_plain_data_is_written_in_printable_ascii(self, orders: Any) -> None:
        for line in typed_orders.write(orders):
            assert line.isascii()
            assert line.isprintable()

    @given(st.text(max_size=40))
    def test_any_text_is_read_or_refused(self, line: str) -> None:
        with suppress(OrderError):
            typed_orders.read(US, [line])


class TestPrompt:
    """The question in words, with the rule that asks it."""

    @pytest.mark.parametrize(
        ("card", "seat", "rule", "prompt"),
        [
            ("7S", "german", "M3.3", "7 of spades: activate up to four units, or pass (M3.3)"),
            ("AC", "german", "M3.3", "Ace of clubs: activate one unit, or pass (M3.3)"),
            (
                "KS",
                "german",
                "M3.4",
                "King of spades: activate one unit, or units of one hex, or pass (M3.4)",
            ),
            (
                "7H",
                "us",
                "M3.3",
                "7 of hearts: activate up to four units, air support in place of a unit, or pass (M3.3)",
            ),
            (
                "QH",
                "us",
                "M3.4",
                "Queen of hearts: activate one unit, or units of one hex, artillery support in "
                "place of a unit, or pass (M3.4)",
            ),
        ],
    )
    def test_activation(self, card: str, seat: str, rule: str, prompt: str) -> None:
        assert typed_orders.prompt(ask(position(card), seat, rule=rule)) == prompt

    def test_support_that_has_been_used_is_not_mentioned(self) -> None:
        used = replace(position("8D"), support="used")
        assert (
            typed_orders.prompt(ask(used, "us")) == "8 of diamonds: activate up to four units, or pass (M3.3)"
        )

    def test_support_in_place_of_all(self) -> None:
        spanish = position("8D", changed(ITALIAN, support_costs="activation"))
        prompt = "8 of diamonds: activate up to four units, artillery support instead, or pass (M3.3)"
        assert typed_orders.prompt(ask(spanish, "us")) == prompt

    def test_an_ace_rounded_down(self) -> None:
        german = position("AS", changed(ITALIAN, activation_rounding="down"))
        prompt = "Ace of spades: activate only a free Tiger 102, or pass (M3.3)"
        assert typed_orders.prompt(ask(german, "german")) == prompt

    def test_setting_up(self) -> None:
        state = position("7H", ITALIAN, **{"117Inf": UNPLACED})
        prompt = "set up 117Inf, 119Inf, 120Inf, 823TD, SPTD: at most two to a hex, none in column 19 (M2.1)"
        assert typed_orders.prompt(ask(state, "us", "place", "M2.1")) == prompt

    def test_face_cards(self) -> None:
        attack = Attack("us", "fire", ("117Inf",), ("DF",), "ask")
        state = replace(position("7H"), attack=attack)
        prompt = "a face card for the attack on DF: draw again, or accept a miss (M5.7)"
        assert typed_orders.prompt(ask(state, "us", "faces", "M5.7")) == prompt
