"""M3, cards and activation: what the cases do not show."""

from __future__ import annotations

import pytest

from pbem.core.requests import Draw
from pbem.games.mortain.terms import cards
from support.mortain_positions import draw_cards, event_facts, position, question_on_card, refusal, run_of

US_IN_REACH = {"117Inf": "1503", "DF": "1505", "D": "waiting", "Tiger102": "waiting"}


class TestM31:
    """53 cards in a fixed order: clubs, diamonds, hearts, spades, each from ace to king, then the joker."""

    def test_the_order(self) -> None:
        ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
        assert list(cards.DECK) == [rank + suit for suit in "CDHS" for rank in ranks] + ["Joker"]

    def test_the_outcomes_of_a_draw_are_the_cards_left_in_that_order(self) -> None:
        run = run_of(position(US_IN_REACH, deck=("3C", "2D", "KS", "Joker")))
        assert isinstance(run.pending, Draw)
        assert run.pending.outcomes == ("3C", "2D", "KS", "Joker")


class TestM32:
    """Clubs and spades are the German's, diamonds and hearts the US player's."""

    @pytest.mark.parametrize(
        ("card", "seat"), [("2C", "german"), ("2S", "german"), ("2D", "us"), ("2H", "us")]
    )
    def test_seat(self, card: str, seat: str) -> None:
        assert question_on_card(position(US_IN_REACH), card).seat == seat


class TestM33:
    """A number card activates half its value, rounded as the option says."""

    @pytest.mark.parametrize(
        ("rounding", "allowed"),
        [
            ("up", [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
            ("down", [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]),
            ("down_at_least_one", [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]),
        ],
    )
    def test_every_value(self, rounding: str, allowed: list[int]) -> None:
        clubs = [card for card in cards.DECK if card.endswith("C")]
        assert [cards.allowance(card, rounding) for card in clubs] == [*allowed, None, None, None]

    def test_the_refusal_counts_and_names(self) -> None:
        state = position({"117Inf": "1503", "DF": "waiting", "D": "waiting", "37SS": "waiting"})
        orders = [{"enter": name, "at": "1902"} for name in ("DF", "D")] + [{"enter": "37SS", "at": "1903"}]
        assert refusal(state, "4S", orders) == (
            "M3.3: the 4 of spades activates up to 2 units, but you ordered three units (DF, D, 37SS)"
        )


class TestM34:
    """A face card activates the units of one hex."""

    def test_the_refusal(self) -> None:
        state = position({"117Inf": "1503", "DF": "1803", "D": "1802"})
        orders = [{"move": "DF", "to": "1703"}, {"move": "D", "to": "1702"}]
        assert refusal(state, "KS", orders) == (
            "M3.4: the king of spades activates only units in one hex, but you ordered two units (DF, D)"
        )

    def test_the_refusal_beside_support(self) -> None:
        state = position({"117Inf": "1503", "DF": "1803"})
        orders = [{"move": "117Inf", "to": "1502"}, {"artillery": ["DF"]}]
        assert refusal(state, "KH", orders) == (
            "M3.4: the king of hearts activates only units in one hex, but you ordered one unit "
            "(117Inf) and support, which replaces one"
        )


class TestM37:
    """Tiger 102 is free at times, and where it alone is too many the refusal says so."""

    def test_the_refusal(self) -> None:
        state = position(
            {"117Inf": "1503", "DF": "1803", "D": "1802", "Tiger102": "1804"},
            options={"tiger_free": "stacked"},
        )
        orders = [{"move": "DF", "to": "1703"}, {"move": "Tiger102", "to": "1704"}]
        assert refusal(state, "2S", orders) == (
            "M3.7: the 2 of spades allows no more units, and Tiger102 is not free here"
        )


class TestM38:
    """All movement first, then one combat."""

    def test_the_story_of_one_list(self) -> None:
        run = run_of(position({"117Inf": "1503", "119Inf": "1402", "DF": "1505", "D": "1805"}))
        draw_cards(run, "9H")
        run.answer([{"move": "119Inf", "to": "1403"}, {"fire": ["117Inf"], "at": "DF"}])
        draw_cards(run, "5C")
        assert [tell.event for tell in run.told] == ["card", "moves", "attack", "attack_card", "misses"]


class TestM39:
    """Who can only pass is not asked."""

    def test_he_is_told_of(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505"}, options={"activation_rounding": "down"}))
        draw_cards(run, "AS")
        assert isinstance(run.pending, Draw)
        assert event_facts(run, "card") == [
            {"card": "AS", "seat": "german", "colour": "black", "allowance": 0, "asked": False}
        ]

    def test_a_side_without_units_is_not_asked(self) -> None:
        run = run_of(position({"117Inf": "eliminated", "CCA": "waiting", "DF": "1505"}, support="used"))
        draw_cards(run, "10H")
        assert isinstance(run.pending, Draw)
