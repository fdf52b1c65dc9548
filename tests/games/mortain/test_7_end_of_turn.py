"""M7, the end of a turn: the early joker under each option, and what a new turn begins with."""

from __future__ import annotations

import pytest

from pbem.core.requests import Draw
from pbem.games.mortain.rules.end_of_turn import joker_ends_turn
from support.mortain_positions import draw_cards, event_facts, position, run_of

UNITS = {"117Inf": "1503", "DF": "1505"}
BOTH = (("german", "us"), ("black", "red"))


class TestM72:
    """Whether the joker ends the turn: who has activated, or which colours have come."""

    @pytest.mark.parametrize(
        ("option", "activated", "colours", "ends"),
        [
            ("ends_turn", (), (), True),
            ("until_both_activated", ("german",), BOTH[1], False),
            ("until_both_activated", ("us",), BOTH[1], False),
            ("until_both_activated", BOTH[0], (), True),
            ("until_both_could", BOTH[0], ("red",), False),
            ("until_both_could", BOTH[0], ("black",), False),
            ("until_both_could", (), BOTH[1], True),
        ],
    )
    def test_each_option(
        self, option: str, activated: tuple[str, ...], colours: tuple[str, ...], ends: bool
    ) -> None:
        options = {"early_joker": option}
        state = position(UNITS, options=options, activated=activated, colours=colours)
        assert joker_ends_turn(state) is ends

    def test_set_aside_the_turn_goes_on(self) -> None:
        run = run_of(position(UNITS))
        draw_cards(run, "Joker")
        assert isinstance(run.pending, Draw)
        assert event_facts(run, "joker_aside") == [{"during": "activation"}]
        assert run.state.aside == ("Joker",)
        assert "Joker" not in run.state.deck


class TestM74:
    """A new turn: all cards, support available, nobody suppressed, nobody has activated."""

    def test_the_new_turn(self) -> None:
        run = run_of(
            position(
                UNITS,
                activated=BOTH[0],
                colours=BOTH[1],
                support="used",
                suppressed="1505",
                deck=("Joker",),
            )
        )
        draw_cards(run, "Joker")
        state = run.state
        assert (state.turn, len(state.deck), state.support, state.suppressed) == (2, 53, "available", None)
        assert (state.activated, state.colours, state.aside, state.card) == ((), (), (), None)
        assert event_facts(run, "turn_ends") == [{"turn": 1, "turns": 6, "exits": 0, "needed": 5}]


class TestM73:
    """The turn ends when no card is left; the last card is still played, and no draw is called for."""

    def test_the_last_card(self) -> None:
        run = run_of(position(UNITS, deck=("8H",)))
        draw_cards(run, "8H")
        run.answer([{"fire": ["117Inf"], "at": "DF"}])
        assert [tell.event for tell in run.told] == [
            "card",
            "attack",
            "misses",
            "deck_out",
            "turn_ends",
            "turn_begins",
        ]
