"""Orders as typed: what is understood, which path is chosen, and that writing is the inverse of reading."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.requests import Ask, Orders, Question
from pbem.errors import Ambiguous, IllegalOrder, NotUnderstood, OrderError
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import air, combat, movement, setup
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State, Unit
from pbem.games.rommel.terms.setting import ALLIED, AXIS, RESERVED, VERBS
from pbem.games.rommel.view import typed_orders
from support.rommel_cases import SCENARIO

BEGUN: State = RULES.begin(next(iter(RULES.editions.values())), SCENARIO)

PLACES = {
    **{"125Inf": "1605", "382Inf": "1707", "433Inf": "0302", "8-Bers": "1510", "88mm-1": "1506"},
    **{"AxSup-1": "1505", "Bf109-1": "1204", "Bf109-2": "1204", "Ju88-1": "1204"},
    **{"20-Aus": "2005", "24-Aus": "2105", "Sherman-1": "2006", "AlSup-1": "2107", "Bofors-1": "2108"},
    **{"Spit-1": "2508", "Hurri-1": "2508"},
}
"""A few units west and east of the mines, which are columns 18 and 19."""

GUNS = "; for your guns you may add aa hold, bombers or all (R4.4)"


def ask(question: Phase, seat: str = AXIS, **changes: Any) -> Question:
    """A question of the second turn, in clear weather."""
    units = {name: Unit(PLACES.get(name, ELIMINATED)) for name in BEGUN.units}
    state = replace(BEGUN, step=question, active=seat, turn=2, weather="clear", units=units, **changes)
    readers = {Phase.MOVE: movement.read, Phase.AIR: air.read, Phase.COMBAT: combat.read}
    return Ask(state, "R0.0", seat, question.value, partial(readers.get(question, setup.read), state))


def set_up() -> Question:
    """The first question of a game."""
    return Ask(BEGUN, "R2.1", AXIS, Phase.AXIS_FIRST_SETUP, partial(setup.read, BEGUN))


class TestUnderstood:
    """Each order has a typed form; small words, commas, colons, case and short names are tolerated."""

    @pytest.mark.parametrize(
        ("asked", "typed", "orders"),
        [
            (ask(Phase.MOVE), "pass", [{"pass": True}]),
            (ask(Phase.MOVE), "aa hold", [{"aa": "hold"}]),
            (ask(Phase.MOVE), "aa bombers 88mm-1", [{"aa": "bombers", "units": ["88mm-1"]}]),
            (ask(Phase.MOVE), "move 125Inf 1705 1804", [{"move": "125Inf", "path": ["1705", "1804"]}]),
            (
                ask(Phase.MOVE),
                "MOVE 125, 1705: 1804 Clear 1805, 1904",
                [{"move": "125Inf", "path": ["1705", "1804"], "clear": ["1805", "1904"]}],
            ),
            (ask(Phase.FIRE), "fire 88mm-1 at Sherman-1", [{"fire": "88mm-1", "at": "Sherman-1"}]),
            (ask(Phase.FIRE), "fi 88 sh", [{"fire": "88mm-1", "at": "Sherman-1"}]),
            (
                ask(Phase.COMBAT, ALLIED),
                "attack 20-Aus, 24 on 125Inf 382",
                [{"attack": ["20-Aus", "24-Aus"], "on": ["125Inf", "382Inf"]}],
            ),
            (ask(Phase.AIR), "fly Ju88-1 1305 1405", [{"fly": "Ju88-1", "path": ["1305", "1405"]}]),
            (ask(Phase.AIR), "fly ju 1305 bomb", [{"fly": "Ju88-1", "path": ["1305"]}, {"bomb": "Ju88-1"}]),
            (
                ask(Phase.AIR),
                "fly Bf109-1 1305 dogfight Spit-1 hu",
                [
                    {"fly": "Bf109-1", "path": ["1305"]},
                    {"dogfight": ["Bf109-1"], "on": ["Spit-1", "Hurri-1"]},
                ],
            ),
            (ask(Phase.AIR), "bomb Ju88-1", [{"bomb": "Ju88-1"}]),
            (
                ask(Phase.AIR),
                "dogfight Bf109-1 Bf109-2 on Spit-1",
                [{"dogfight": ["Bf109-1", "Bf109-2"], "on": ["Spit-1"]}],
            ),
            (ask(Phase.AIR), "stand down", [{"stand_down": True}]),
            (
                ask(Phase.AIR),
                "land Ju88-1 0904; land Bf109-1 0203",
                [{"land": {"Ju88-1": "0904", "Bf109-1": "0203"}}],
            ),
        ],
    )
    def test_orders(self, asked: Question, typed: str, orders: Orders) -> None:
        assert typed_orders.read(asked, [typed]) == orders

    @pytest.mark.parametrize(
        ("asked", "typed"),
        [(ask(Phase.MOVE), "move 125Inf {}1804"), (ask(Phase.AIR), "fly Ju88-1 {}1506")],
    )
    def test_one_hex_farther_off_needs_no_to(self, asked: Question, typed: str) -> None:
        without, with_it = (typed_orders.read(asked, [typed.format(to)]) for to in ("", "to "))
        assert without == with_it
        assert len(without[0]["path"]) > 1

    def test_out_of_reach_it_says_what_is_not(self) -> None:
        """The nearest to where it was to go, each of them legal."""
        with pytest.raises(IllegalOrder) as refused:
            typed_orders.read(ask(Phase.MOVE), ["move 125Inf 0101"])
        *_, hexes = refused.value.hint.split(": ")
        assert 1 <= len(hexes.split(", ")) <= 6
        for at in hexes.split(", "):
            assert len(typed_orders.read(ask(Phase.MOVE), [f"move 125Inf to {at}"])) == 1

    def test_lines_and_semicolons_part_orders(self) -> None:
        typed = ["aa hold; move 125Inf 1606;", " ", "move 382Inf 1706"]
        assert typed_orders.read(ask(Phase.MOVE), typed) == [
            {"aa": "hold"},
            {"move": "125Inf", "path": ["1606"]},
            {"move": "382Inf", "path": ["1706"]},
        ]

    def test_a_whole_name_of_the_other_side_is_left_to_the_rules(self) -> None:
        """R10.2 refuses it, and can say whose unit it is."""
        assert typed_orders.read(ask(Phase.MOVE), ["move 20-aus to 1905"]) == [
            {"move": "20-Aus", "path": ["1905"]}
        ]

    def test_a_fortification_is_left_to_the_rules(self) -> None:
        assert typed_orders.read(ask(Phase.MOVE), ["move Fort-1 to 1905"]) == [
            {"move": "Fort-1", "path": ["1905"]}
        ]

    def test_no_orders_are_no_orders(self) -> None:
        assert typed_orders.read(ask(Phase.MOVE), []) == []


class TestPaths:
    """After `to` the program chooses the path, on the board that the earlier orders leave (R5.1)."""

    @pytest.mark.parametrize(
        ("asked", "typed", "path"),
        [
            (ask(Phase.MOVE), "move 125Inf to 1706", ["1706"]),
            (ask(Phase.MOVE), "move 125Inf to 1806", ["1706", "1806"]),  # 1706 alone is next to both
            (ask(Phase.AIR), "fly Ju88-1 to 1405", ["1305", "1405"]),  # and so is 1305
        ],
    )
    def test_shortest(self, asked: Question, typed: str, path: list[str]) -> None:
        assert typed_orders.read(asked, [typed])[0]["path"] == path

    def test_around_a_unit_that_has_just_come_and_through_the_hex_it_has_left(self) -> None:
        """Of the ways of three hexes round 1706, that by 1606 and 1707 has the lower numbers."""
        orders = typed_orders.read(ask(Phase.MOVE), ["move 382Inf 1706", "move 125Inf to 1806"])
        assert orders[1]["path"] == ["1606", "1707", "1806"]

    def test_through_mines_that_have_just_been_cleared(self) -> None:
        """Infantry opens 1905 and 1805 (R5.6), and a tank follows into 1905 through the hex it left."""
        orders = typed_orders.read(
            ask(Phase.MOVE, ALLIED), ["move 20-Aus 1905 1805", "move Sherman-1 to 1905"]
        )
        assert orders[1]["path"] == ["2005", "1905"]
        with pytest.raises(IllegalOrder, match=r"R5\.6"):
            typed_orders.read(ask(Phase.MOVE, ALLIED), ["move Sherman-1 to 1905"])

    def test_clearing_besides(self) -> None:
        orders = typed_orders.read(ask(Phase.MOVE), ["move 125Inf to 1805 clear 1905"])
        assert orders == [{"move": "125Inf", "path": ["1705", "1805"], "clear": ["1905"]}]

    def test_where_aircraft_have_gone_is_flown_around(self) -> None:
        """R4.2: not over 1305, where a friend has ended; 1205 and 1306 lead round it, with lower numbers than
        1304 and 1404.
        """
        orders = typed_orders.read(ask(Phase.AIR), ["fly Bf109-1 1305", "fly Ju88-1 to 1405"])
        assert orders[1]["path"] == ["1205", "1306", "1405"]

    @pytest.mark.parametrize(
        ("asked", "typed", "rule", "facts"),
        [
            (
                ask(Phase.MOVE),
                "move 125Inf to 1610",
                "R5.2",
                "no path takes 125Inf to 1610; on a straight line, 125Inf may move 4 hexes on this "
                "path, which is 5 long",
            ),
            (
                ask(Phase.MOVE),
                "move 125Inf to 2005",
                "R5.2",
                "no path takes 125Inf to 2005; on a straight line, 125Inf may not enter 2005, "
                "which holds 20-Aus",
            ),
            (
                ask(Phase.MOVE),
                "move 125Inf to 3001",
                "R5.2",
                "3001 is 14 hexes from 125Inf, which may go 4 now, or 6 by road",
            ),
            (ask(Phase.MOVE), "move 125Inf to 1605", "R5.2", "125Inf is already in 1605"),
            (
                ask(Phase.MOVE),
                "move 433Inf to 0303",
                "R5.4",
                "433Inf in 0302 has no friendly supply unit within 8 hexes",
            ),
            (
                ask(Phase.AIR),
                "fly Ju88-1 to 3012",
                "R4.2",
                "3012 is 18 hexes from Ju88-1, which may go 8 now",
            ),
            (ask(Phase.AIR), "fly Ju88-1 to 1204", "R4.2", "Ju88-1 is already in 1204"),
        ],
    )
    def test_out_of_reach(self, asked: Question, typed: str, rule: str, facts: str) -> None:
        """Why no path leads there; where that is too little, what forbids the way straight on."""
        with pytest.raises(IllegalOrder) as refused:
            typed_orders.read(asked, [typed])
        assert (refused.value.rule, str(refused.value.facts)) == (rule, facts)
        assert refused.value.hint or rule == "R5.4"

    def test_of_another_question_is_left_to_the_rules(self) -> None:
        """R10.1 refuses it, by whatever path."""
        assert typed_orders.read(ask(Phase.FIRE), ["move 125Inf to 1706"]) == [
            {"move": "125Inf", "path": ["1706"]}
        ]


class TestSetUp:
    """R2: many lines make one placement, a ready-made one perhaps with changes."""

    def test_lines_are_one_placement(self) -> None:
        typed = ["place 125Inf 1605 382Inf 1707", "place 433Inf 1606"]
        places = {"125Inf": "1605", "382Inf": "1707", "433Inf": "1606"}
        assert typed_orders.read(set_up(), typed) == [{"place": places}]

    def test_a_later_line_replaces_an_earlier(self) -> None:
        typed = ["place 125Inf 1605", "place 125Inf 1606"]
        assert typed_orders.read(set_up(), typed) == [{"place": {"125Inf": "1606"}}]

    def test_ready_made(self) -> None:
        for name in setup.ready_names(BEGUN):
            assert typed_orders.read(set_up(), [f"setup {name}"]) == setup.ready_placement(BEGUN, name)

    def test_ready_made_with_changes(self) -> None:
        name = setup.ready_names(BEGUN)[0]
        [made] = setup.ready_placement(BEGUN, name)
        orders = typed_orders.read(set_up(), [f"setup {name}", "aa hold", "place Ju88-1 0203"])
        assert orders == [{"place": {**made["place"], "Ju88-1": "0203"}}, {"aa": "hold"}]
        assert setup.ready_placement(BEGUN, name) == [made]

    def test_placed_counters_are_not_meant(self) -> None:
        """Of 125Inf and 12-Bers, which both begin with 12, only the second is still to be placed."""
        state = BEGUN.with_unit_at("125Inf", "1605")
        asked = Ask(state, "R2.1", AXIS, Phase.AXIS_FIRST_SETUP, partial(setup.read, state))
        assert typed_orders.read(asked, ["place 12 1606"]) == [{"place": {"12-Bers": "1606"}}]


class TestNotUnderstood:
    """What makes no order is refused with a caret under the word, and what was expected."""

    @pytest.mark.parametrize(
        ("asked", "typed", "caret", "problem"),
        [
            (
                ask(Phase.MOVE),
                "retreat 125Inf 1606",
                "^^^^^^^            ",
                "'retreat' is not an order",
            ),
            (
                ask(Phase.MOVE),
                "move 999 1606",
                "     ^^^     ",
                "'999' is not an Axis land unit",
            ),
            (
                ask(Phase.MOVE),
                "move 125Inf to 3116",
                "               ^^^^",
                "'3116' is not a hex on the map",
            ),
            (
                ask(Phase.MOVE),
                "pass; move 125Inf 1606 clear",
                "                            ^",
                "the order is incomplete: next comes a hex",
            ),
            (
                ask(Phase.AIR),
                "fly Ju88-1 1305 bomb Spit-1",
                "                     ^^^^^^",
                "the order is already complete before 'Spit-1'",
            ),
            (
                ask(Phase.AIR),
                "stand",
                "     ^",
                "the order is incomplete: next comes 'stand down': down",
            ),
            (
                ask(Phase.COMBAT),
                "attack 125Inf",
                "             ^",
                "the order is incomplete: next comes a unit, or 'on'",
            ),
            (
                ask(Phase.MOVE),
                "aa never",
                "   ^^^^^",
                "'never' is not a target for the guns",
            ),
            (
                ask(Phase.MOVE),
                "setup historical",
                "      ^^^^^^^^^^",
                "'historical' is not a ready-made set-up",
            ),
            (
                set_up(),
                "place 125Inf 1605 125 1606",
                "                  ^^^     ",
                "125Inf is placed twice",
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
            typed_orders.read(ask(Phase.MOVE, ALLIED), ["move Shreman-1 1606"])
        assert refused.value.hint == "did you mean Sherman-1?"

    def test_too_many_to_name_are_not_named(self) -> None:
        with pytest.raises(NotUnderstood) as refused:
            typed_orders.read(set_up(), ["place xxxx 1606"])
        assert refused.value.hint == ""

    def test_a_beginning_that_fits_several_is_refused_with_all_of_them(self) -> None:
        with pytest.raises(Ambiguous) as refused:
            typed_orders.read(ask(Phase.AIR), ["bomb Bf"])
        assert refused.value.candidates == ("Bf109-1", "Bf109-2")


LEGAL = [
    ([{"pass": True}], ["pass"]),
    ([{"place": {"125Inf": "1605", "Fort-1": "1703"}}], ["place 125Inf 1605", "place Fort-1 1703"]),
    (
        [{"fly": "Ju88-1", "path": ["1305", "1405"]}, {"bomb": "Ju88-1"}],
        ["fly Ju88-1 1305 1405", "bomb Ju88-1"],
    ),
    (
        [{"dogfight": ["Bf109-1", "Bf109-2"], "on": ["Spit-1", "Hurri-1"]}],
        ["dogfight Bf109-1 Bf109-2 on Spit-1 Hurri-1"],
    ),
    (
        [{"land": {"Ju88-1": "1204", "Bf109-1": "0904"}}, {"stand_down": True}],
        ["land Ju88-1 1204", "land Bf109-1 0904", "stand down"],
    ),
    (
        [
            {"move": "125Inf", "path": ["1705", "1805"], "clear": ["1905"]},
            {"move": "382Inf", "path": ["1706"]},
        ],
        ["move 125Inf 1705 1805 clear 1905", "move 382Inf 1706"],
    ),
    ([{"fire": "88mm-1", "at": "Sherman-1"}], ["fire 88mm-1 at Sherman-1"]),
    (
        [{"attack": ["125Inf", "382Inf"], "on": ["20-Aus"]}, {"aa": "all"}],
        ["attack 125Inf 382Inf on 20-Aus", "aa all"],
    ),
    ([{"aa": "bombers", "units": ["88mm-1"]}, {"pass": True}], ["aa bombers 88mm-1", "pass"]),
]

SEAL = "1a2b3c4d" + 56 * "0"

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["125Inf", "1605", SEAL]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*VERBS, *RESERVED, "path", "units", "stand_down", "seal", "open", "x"]),
            inner,
            max_size=3,
        )
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
        assert typed_orders.read(ask(Phase.MOVE), typed) == orders

    @pytest.mark.parametrize(
        ("orders", "shown"),
        [
            ("pass", ['"pass"']),
            ([7], ["7"]),
            ([{"pass": 1}], ['{"pass": 1}']),
            ([{"pass": True, "x": 1}], ['{"pass": true, "x": 1}']),
            ([{"bomb": "Ju88-1; pass"}], ['{"bomb": "Ju88-1; pass"}']),
            ([{"bomb": "\x1b[2J"}], ['{"bomb": "\\u001b[2J"}']),
            ([{"move": "125Inf", "path": []}], ['{"move": "125Inf", "path": []}']),
            ([{"move": "125Inf", "path": [1605]}], ['{"move": "125Inf", "path": [1605]}']),
            ([{"aa": "all", "units": []}], ['{"aa": "all", "units": []}']),
            ([{"place": {}}], ['{"place": {}}']),
            ([{"place": {"125Inf": "1605"}, "x": 1}], ['{"place": {"125Inf": "1605"}, "x": 1}']),
            ([{"seal": "\x1b[2J"}], ['{"seal": "\\u001b[2J"}']),
            ([{"seal": SEAL, "x": 1}], [f'{{"seal": "{SEAL}", "x": 1}}']),
            ([{"open": {"orders": []}}], ['{"open": {"orders": []}}']),
            (
                [{"open": {"salt": "", "orders": [], "x": 1}}],
                ['{"open": {"salt": "", "orders": [], "x": 1}}'],
            ),
        ],
    )
    def test_what_is_no_order_is_shown_in_json(self, orders: Orders, shown: list[str]) -> None:
        assert typed_orders.write(orders) == shown

    @settings(deadline=None)
    @given(PLAIN)
    def test_any_plain_data_is_written_in_printable_ascii(self, orders: Any) -> None:
        for line in typed_orders.write(orders):
            assert line.isascii()
            assert line.isprintable()

    @settings(deadline=None)
    @given(
        st.sampled_from([Phase.MOVE, Phase.AIR, Phase.FIRE, Phase.COMBAT]),
        st.lists(
            st.sampled_from([*VERBS, *RESERVED, *PLACES, "Fort-1", "1605", "1706", ";"])
            | st.text(max_size=5),
            max_size=8,
        ),
    )
    def test_any_text_is_read_or_refused(self, question: Phase, line: list[str]) -> None:
        with suppress(OrderError):
            typed_orders.read(ask(question), [" ".join(line)])


class TestPrompt:
    """The question in words: what may be typed, and the rule that asks it."""

    @pytest.mark.parametrize(
        ("asked", "prompt"),
        [
            (
                ask(Phase.AIR, subturn=3),
                "turn 2, clear, air sub-turn 3: fly UNIT to HEX, bomb UNIT, dogfight UNIT on ENEMY, "
                f"land UNIT HEX, stand down, or pass (R0.0){GUNS}",
            ),
            (ask(Phase.MOVE), f"turn 2, clear: move UNIT to HEX, or pass (R0.0){GUNS}"),
            (ask(Phase.FIRE), f"turn 2, clear: fire UNIT at ENEMY, or pass (R0.0){GUNS}"),
            (
                ask(Phase.COMBAT, ALLIED, obliged={"20-Aus": ("125Inf", "382Inf"), "24-Aus": ("61-Tre",)}),
                f"turn 2, clear: attack UNIT on ENEMY, or pass (R0.0){GUNS}; "
                "20-Aus must attack 125Inf or 382Inf (R5.5)",
            ),
        ],
    )
    def test_in_a_turn(self, asked: Question, prompt: str) -> None:
        """A target that is eliminated, as 61-Tre, obliges nobody any more."""
        assert typed_orders.prompt(asked) == prompt

    def test_setting_up_names_the_ready_made_ones(self) -> None:
        assert typed_orders.prompt(set_up()) == (
            "place your aircraft on airfields, and 16 counters in your zone, none of them supply "
            "or fortification: place UNIT HEX, or setup historical, deep, wall or spread (R2.1)"
        )

    def test_behind_the_screen(self) -> None:
        state = replace(BEGUN, step=Phase.AXIS_SCREEN_SETUP)
        prompt = typed_orders.prompt(
            Ask(state, "R2.2", AXIS, Phase.AXIS_SCREEN_SETUP, partial(setup.read, state))
        )
        assert prompt.startswith(
            "place everything that is left, including fortifications; your opponent cannot see it: "
        )

    def test_opening(self) -> None:
        state = replace(BEGUN, step=Phase.AXIS_OPEN)
        asked = Ask(state, "R2.2", AXIS, Phase.AXIS_OPEN, partial(setup.read, state))
        assert typed_orders.prompt(asked) == "pbem opens your sealed placement (R2.2)"
