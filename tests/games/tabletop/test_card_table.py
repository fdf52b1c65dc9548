"""The table as a page draws it: every form is an order that it reads, and nobody sees another hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.core.card_table import Blank, CardTable, OrderForm
from pbem.core.requests import Orders, accepts
from pbem.games.tabletop import RULES
from pbem.texts import speaking
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from support.tabletop_games import KEYS, begun, finished, play, settled

FILLED = {"text": '"a text"', "texts": '"one" "two"', "word": "4d6+1", "number": "1", "file": "0a" * 32}


def game_with_cards(*orders: object) -> Game:
    """The Reds have drawn, played and discarded, and have the table."""
    game = settled(play(play(begun(), {"draw": 4, "from": "red"}, {"end": True}), {"end": True}))
    held = seen_table(game).hands[0].cards
    game = play(game, {"play": held[0].name}, {"discard": held[1].name}, {"end": True})
    return settled(play(game, {"end": True}))


def seen_table(game: Game, seat: str = "first", orders: Orders | None = None) -> CardTable:
    """The table as that player's page has it."""
    state = permissions.unlock_state(game, KEYS[seat])
    asked = state.pending_question
    draw = RULES.view.card_table
    assert draw is not None
    return draw(state.run.state, asked if asked and asked.seat == seat else None, orders or [])


def forms(table: CardTable) -> Iterator[OrderForm]:
    """Everything that a click can give."""
    rows = [*table.hands, *(row for deck in table.decks for row in deck.rows)]
    yield from (form for row in rows for card in row.cards for form in card.forms)
    yield from (form for deck in table.decks for form in deck.forms)
    yield from (form for die in table.dice for form in die.forms)
    yield from table.orders


def words(form: OrderForm, *, fill: bool) -> str:
    """The order as the page would type it, with every blank filled in, or only those that must be."""
    return " ".join(
        filter(None, (part if isinstance(part, str) else filled(part, fill) for part in form.parts))
    )


def filled(blank: Blank, fill: bool) -> str:
    if not (fill or blank.needed or blank.kind == "number"):
        return ""
    text = blank.choices[-1][0] if blank.choices else FILLED[blank.kind]
    return f"{blank.before} {text}".strip()


@pytest.mark.parametrize("language", ["en", "es", "it", "de"])
@pytest.mark.parametrize("fill", [True, False])
def test_each_form_is_an_order_that_the_rules_accept(language: str, fill: bool) -> None:
    game = game_with_cards()
    asked = permissions.unlock_state(game, KEYS["first"]).pending_question
    assert asked is not None
    with speaking(language):
        table = seen_table(game)
        given = [words(form, fill=fill) for form in forms(table)]
        given += [f"{track.words} 3" for track in table.tracks]
        assert len(given) > 20
        for line in given:
            orders = RULES.view.read_words(asked, [line])
            assert accepts(asked.read, orders), line


def test_a_result_is_answered_by_a_click() -> None:
    game = play(begun(), {"result": "Reds"})
    table = seen_table(game, "second")
    assert [words(form, fill=False) for form in table.orders] == ["agree", "decline"]


def test_orders_so_far_change_the_table_and_end_closes_it() -> None:
    game = game_with_cards()
    card = seen_table(game).hands[0].cards[0].name
    orders: Orders = [{"play": card}, {"draw": 2, "from": "red"}, {"set": "VP", "to": 4}]
    table = seen_table(game, orders=orders)
    [red, _] = table.decks
    assert (red.pile, red.facts) == (7, ("3 in hand",))
    assert card in [open_card.name for row in red.rows for open_card in row.cards]
    assert [(track.was, track.value) for track in table.tracks] == [(1, 1), (0, 4)]
    assert not list(forms(seen_table(game, orders=[*orders, {"end": True}])))


def test_whoever_is_not_asked_sees_his_own_hand_and_can_click_on_nothing() -> None:
    table = seen_table(game_with_cards(), "second")
    assert not list(forms(table))
    assert [row.title for row in table.hands] == ["Your hand of blue, 0 cards"]


def test_what_is_to_be_done() -> None:
    game = play(begun(), {"ask": "retreat, or a step?"})
    asked = game.state.pending_question
    assert asked is not None
    assert RULES.view.instruct is not None
    says = [RULES.view.instruct(asked, orders).says for orders in ([], [{"note": "a step"}], [{"end": True}])]
    assert says == [
        'Reds asks you: "retreat, or a step?"',
        "It is your turn until you hand over",
        "You hand over to Reds",
    ]


def test_opened_hands_are_shown_to_everybody() -> None:
    game = game_with_cards()
    held = [card.name for card in seen_table(game).hands[0].cards]
    draw = RULES.view.card_table
    assert draw is not None
    assert not draw(game.state.run.state, None, []).hands
    [red, blue] = draw(finished(game).state.run.state, None, []).hands
    assert (red.title, [card.name for card in red.cards]) == ("Hand of red, opened: 2 cards", held)
    assert (blue.title, blue.cards) == ("Hand of blue, opened: 0 cards", ())
