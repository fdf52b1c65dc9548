"""The log says which entries a take-back has undone, and what of them stands (FORMAT 6.6 and 12)."""

from __future__ import annotations

import pytest

from pbem.render.story import entry_remarks, quote_player, story
from pbem.texts import speaking
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from support.games_with_retractions import BOTH
from support.simulator import KEYS, accept_game, clock, offer_game

UNDONE = "a take-back has undone it"
DRAW_STANDS = "a take-back has undone its orders; the draw it completed remains"


def remarks(game: Game) -> dict[int, str]:
    """The remarks by the numbers of their entries."""
    found = entry_remarks(game)
    return {entry.body.n: found[entry.id] for entry in game.entries if entry.id in found}


def play_until_orders_behind_a_draw(game: Game) -> tuple[Game, int]:
    """Play on until an entry has completed a draw and given orders: the game then, and its number."""
    while True:
        writer = game.state.writer or ""
        asked = permissions.unlock_state(game, KEYS[writer]).pending_question
        orders = next(game.rules.offers(asked)) if asked and asked.seat == writer else None
        game = write.play(game, KEYS[writer], orders, claim=clock(game))
        if orders and game.replayed_entries[-1].beat:
            return game, len(game.entries) - 1


def take_back(game: Game, what: dict[str, int]) -> Game:
    """The other completes the draw, if one is open; whoever writes then proposes, and the other agrees."""
    if game.state.open_beat:
        game = write.play(game, KEYS[game.state.writer or ""])
    writer = game.state.writer or ""
    game = write.propose(game, KEYS[writer], {**what})
    return write.answer(game, KEYS[game.state.opponent(writer)], True)


def test_nothing_is_undone() -> None:
    game, _ = play_until_orders_behind_a_draw(accept_game(offer_game(extensions=BOTH)))
    assert remarks(game) == {}


def test_a_retracted_entry_keeps_its_draw() -> None:
    game, entry = play_until_orders_behind_a_draw(accept_game(offer_game(extensions=BOTH)))
    undone = take_back(game, {"retract": entry})
    shares = range(entry + 1, len(undone.entries) - 2)
    assert remarks(undone) == {entry: DRAW_STANDS, **dict.fromkeys(shares, UNDONE)}
    assert f"({DRAW_STANDS})" in story(undone, None, width=200)


def test_a_whole_entry_is_undone() -> None:
    game, entry = play_until_orders_behind_a_draw(accept_game(offer_game(extensions=BOTH)))
    undone = take_back(game, {"takeback": 1})
    assert remarks(undone) == dict.fromkeys(range(2, len(undone.entries) - 2), UNDONE)
    assert entry in remarks(undone)


def test_an_undone_entry_may_come_into_force_again() -> None:
    """A take-back may name an entry that an earlier one has undone: what stood then stands."""
    game, _ = play_until_orders_behind_a_draw(accept_game(offer_game(extensions=BOTH)))
    undone = take_back(game, {"takeback": 1})
    proposal = len(undone.entries) - 2
    rests = max(n for n in range(2, proposal) if undone.state.may_take_back_to(n))
    again = take_back(undone, {"takeback": rests})
    assert remarks(undone) == dict.fromkeys(range(2, proposal), UNDONE)
    assert remarks(again) == dict.fromkeys(range(rests + 1, proposal), UNDONE)


@pytest.mark.parametrize(
    ("language", "shown"), [("en", '"Computer"'), ("es", '"Ordenador"'), ("it", '"Computer"')]
)
def test_the_program_as_a_player_has_a_name_in_the_readers_language(language: str, shown: str) -> None:
    """It signs as `Practice`; a person's name stays as it is."""
    with speaking(language):
        assert quote_player("Practice") == shown
        assert quote_player("Practical") == '"Practical"'
