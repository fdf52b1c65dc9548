"""The odds, against playing the real rules through every order of small decks."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from pbem.core.requests import Ask, Draw, Orders
from pbem.core.run import Run
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.terms.cards import DECK
from support.mortain_positions import draw_cards, first_state, position, question_on_card, run_of

pytestmark = pytest.mark.thorough

UNITS = {
    "117Inf": "1503",
    "SPTD": "1504",
    "120Inf": "1501 reduced",
    "823TD": "1403",
    "DF": "1505",
    "2SS-A": "1603",
    "D": "1603 reduced",
    "Tiger102": "1602",
    "38SS": "waiting",
}


def played_through(run: Run) -> Fraction:
    """The chance that the attack that waits for a card hits, over everything that may come."""
    if not isinstance(run.pending, Draw) or RULES.public(run.state)["attack"] is None:
        return Fraction(int(any(tell.event in ("hit", "eliminated") for tell in run.told)))
    chances = []
    for number in range(len(run.pending.outcomes)):
        branch = run.fork()
        branch.decide(number)
        chances.append(played_through(branch))
    return sum(chances, Fraction(0)) / len(chances)


def check_all(state: State, card: str) -> int:
    """Compare every attack that is offered with odds; return how many there were."""
    run = run_of(state)
    draw_cards(run, card)
    assert isinstance(run.pending, Ask)
    found = RULES.view.odds(run.pending)
    for attack in found:
        branch = run.fork()
        branch.told.clear()
        branch.answer(attack.orders)
        assert played_through(branch) == attack.hit, attack
        check_miss(run, attack.orders)
    return len(found)


def check_miss(run: Run, orders: Orders) -> None:
    """Compare the chance that stands while an attack waits for its card, where face cards are to miss."""
    branch = run.fork()
    branch.answer([{**orders[0], "faces": "miss"}])
    chance = RULES.view.chance(branch.state)
    assert played_through(branch) == (chance or 0), orders


@pytest.mark.parametrize("edition", ["it", "es", "en", "de"])
@pytest.mark.parametrize("card", ["8S", "9H", "6D", "KC"])
def test_every_attack_on_small_decks(edition: str, card: str) -> None:
    """Decks of up to five cards, with and without the joker, with and without faces."""
    chooser = Random(f"{edition} {card}")
    others = [other for other in DECK if other != card]
    compared = 0
    for activated in ((), ("german",), ("us",), ("german", "us")):
        left = {card, *chooser.sample(others, 4), *chooser.sample(["Joker", "JC", "QD", "2S"], 2)}
        deck = tuple(each for each in DECK if each in left)
        state = position(
            UNITS,
            edition=edition,
            deck=deck,
            activated=activated,
            colours=chooser.choice([(), ("red",), ("black",), ("black", "red")]),
            suppressed=chooser.choice([None, "1603"]),
        )
        compared += check_all(state, card)
    assert compared > 10


class TestByHand:
    """Sums that anyone can redo."""

    def test_a_full_deck(self) -> None:
        """DF has 3 AI against 117Inf in the open at range 2: 12 cards up to 3 of 39 numbers and the joker.

        8S has been drawn. Nobody has activated before: DF does now, the US side has not, so in edition it
        the joker would be set aside.
        """
        state = position({"117Inf": "1503", "DF": "1505"})
        [odds] = RULES.view.odds(question_on_card(state, "8S"))
        assert (odds.hit, odds.words, odds.why) == (
            Fraction(12, 39),
            "fire DF at 117Inf",
            "3 AI against a card",
        )

    def test_the_joker_counts_as_a_miss_where_it_ends_the_turn(self) -> None:
        state = position({"117Inf": "1503", "DF": "1505"}, activated=("us",))
        [odds] = RULES.view.odds(question_on_card(state, "8S"))
        assert odds.hit == Fraction(12, 40)

    def test_without_numbers_there_is_no_hope(self) -> None:
        state = position({"117Inf": "1503", "DF": "1505"}, deck=("JC", "8S"))
        [odds] = RULES.view.odds(question_on_card(state, "8S"))
        assert odds.hit == 0

    def test_drawing_again(self) -> None:
        """Of the ace, the ten and the joker, which would end the turn, one helps: 1 in 3."""
        deck = ("AC", "10C", "JC", "8S", "Joker")
        run = run_of(position({"117Inf": "1503", "DF": "1505"}, deck=deck, activated=("us",)))
        draw_cards(run, "8S")
        run.answer([{"fire": ["DF"], "at": "117Inf", "faces": "ask"}])
        draw_cards(run, "JC")
        assert isinstance(run.pending, Ask)
        [odds] = RULES.view.odds(run.pending)
        assert odds.orders == [{"faces": "redraw"}]
        assert odds.hit == Fraction(1, 3)

    def test_there_are_none_for_a_placement(self) -> None:
        pending = run_of(first_state()).pending
        assert isinstance(pending, Ask)
        assert RULES.view.odds(pending) == []


class TestGroups:
    """Of several firers each is listed alone, and the best group if it beats them all."""

    def test_the_best_group_on_a_card_that_allows_two(self) -> None:
        """3S allows two. DF and D have 3 AI each, 37SS has 2 reduced: DF and D are the best pair."""
        state = position({"117Inf": "1503", "DF": "1505", "D": "1505", "37SS": "1403 reduced"})
        words = [odds.words for odds in RULES.view.odds(question_on_card(state, "3S"))]
        assert words == [
            "fire 37SS at 117Inf",
            "fire DF at 117Inf",
            "fire D at 117Inf",
            "fire DF D at 117Inf",
        ]

    def test_on_a_face_card_the_group_is_of_one_hex(self) -> None:
        state = position({"117Inf": "1503", "DF": "1505", "D": "1604"})
        words = [odds.words for odds in RULES.view.odds(question_on_card(state, "KS"))]
        assert words == ["fire DF at 117Inf", "fire D at 117Inf"]
