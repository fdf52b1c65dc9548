"""Games at the stages that tests need. Each is made once; a game is never changed."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from hashlib import sha256
from itertools import count
from typing import Any

from pbem.core.requests import Orders, Plain, Question
from pbem.games.mortain import RULES
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.simulator import (
    KEYS,
    SHORT,
    accept_game,
    file_of,
    first_offer,
    forge_file,
    is_over,
    log_of,
    offer_game,
    play_until,
    write_play,
    write_reply,
)

PLACE: Orders = [
    {"place": {"117Inf": "1503", "119Inf": "1402", "120Inf": "1304", "823TD": "1404", "SPTD": "1201"}}
]
"""A legal answer to the first question (M2.1)."""

PASS: Orders = [{"pass": True}]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

FIRST_POSITION: dict[str, Plain] = {
    "turn": 1,
    "deck": [*(f"{rank}{suit}" for suit in "CDHS" for rank in RANKS), "Joker"],
    "aside": [],
    "card": None,
    "support": "available",
    "suppressed": None,
    "exits": 0,
    "activated": {"german": False, "us": False},
    "colours": {"black": False, "red": False},
    "attack": None,
    "units": {
        name: {"at": at, "face": "full"}
        for at, names in {
            "unplaced": "117Inf 119Inf 120Inf 823TD SPTD",
            "waiting": "CCA CCB CCR 17StuG 37SS 38SS 2SS-A 2SS-B DF D Tiger102",
        }.items()
        for name in names.split()
    },
    "asks": {"seat": "us", "question": "place", "rule": "M2.1"},
}
"""The public position when the US player has to place their units, written by hand from the rules."""


def digest_of(position: Plain) -> str:
    """FORMAT 7, with the standard library only."""
    text = json.dumps(position, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(b"pbem/1 position\n" + text.encode()).hexdigest()


@cache
def offered_game() -> Game:
    """The German has offered a game to the US player's key."""
    return offer_game(to=str(KEYS["us"].public))


@cache
def started_game() -> Game:
    """Both seats are taken; the US player has to place their units (entry 2)."""
    return accept_game(offered_game())


@cache
def game_with_open_beat() -> Game:
    """The US player has placed their units and opened beat 1; the German's share is due (entry 3)."""
    return write_play(started_game(), PLACE)


def is_asked_at_rest(game: Game, seat: str) -> bool:
    """Whether it is this seat's turn to decide, with no beat open."""
    return game.state.pending_question is not None and game.state.pending_question.seat == seat


@cache
def game_asking(seat: str) -> Game:
    """This seat has to decide on a card, and no beat is open."""
    return play_until(game_with_open_beat(), first_offer, lambda game: is_asked_at_rest(game, seat))


@cache
def game_completing_beat(seat: str) -> Game:
    """This seat has a beat to complete, and the next card will be its own."""
    return play_until(game_with_open_beat(), first_offer, lambda game: _next_asked(game, seat) == seat)


@cache
def game_completing_beat_for_other(seat: str) -> Game:
    """This seat has a beat to complete, and the next card will be the opponent's."""
    return play_until(
        game_with_open_beat(), first_offer, lambda game: _next_asked(game, seat) not in (None, seat)
    )


def _next_asked(game: Game, seat: str) -> str | None:
    """The seat to decide once this seat has completed the open beat."""
    ask = permissions.unlock_state(game, KEYS[seat]).pending_question
    return ask.seat if ask and game.state.open_beat and game.state.writer == seat else None


@cache
def game_with_draw_proposed() -> Game:
    """The US player, whose turn it is, has proposed a draw; the German has to answer."""
    return write.propose(game_asking("us"), KEYS["us"], {"draw": True})


@cache
def game_with_draw_refused() -> Game:
    """The German has refused the draw; the US player writes next."""
    return write.answer(game_with_draw_proposed(), KEYS["german"], False)


@cache
def resigned_game() -> Game:
    """The US player has resigned."""
    return write.resign(game_asking("us"), KEYS["us"])


@cache
def drawn_game() -> Game:
    """A draw was agreed."""
    return write.answer(game_with_draw_proposed(), KEYS["german"], True)


@cache
def game_after_beats(number: int) -> Game:
    """This many of the 106 beats are used, by repeated take-backs; no beat is open."""
    game = game_asking("us")
    while len(game.state.beats) < number:
        game = write_play(write_reply(game, first_offer))
        if len(game.state.run.state.deck) < 20:
            proposer = game.state.writer
            assert proposer is not None
            game = write.propose(game, KEYS[proposer], {"takeback": 3})
            game = write.answer(game, KEYS[game.state.opponent(proposer)], True)
    return game


@cache
def played_out_game() -> Game:
    """A game of passes, to its end by the rules: the first joker ends the only turn."""
    game = accept_game(offer_game(options={**SHORT, "early_joker": "ends_turn"}))
    return play_until(game, first_offer, is_over)


@cache
def game_before_last_share() -> Game:
    """The game of passes without its last entry: the US player has the last beat to complete."""
    return open_game(file_of(log_of(played_out_game())[:-1]))


@cache
def game_with_every_kind() -> Game:
    """A game with every kind of entry and every optional key: take-back, draw refused, resignation."""
    game = game_asking("us")
    game = write.propose(game, KEYS["us"], {"takeback": 1})
    game = write.answer(game, KEYS["german"], True)
    game = write_play(game, PLACE)
    game = play_until(game, first_offer, lambda game: is_asked_at_rest(game, "german"))
    game = write.propose(game, KEYS["german"], {"draw": True})
    game = write.answer(game, KEYS["us"], False)
    game = write.resign(write_reply(game, first_offer), KEYS["us"])
    log = log_of(game)
    log[0] |= {"say": "Fancy a game?", "x": {"mood": "good"}}
    return open_game(forge_file(log))


# A map of two columns, on which a game is short


def tiny_scenario() -> dict[str, Any]:
    """A player's own scenario: nine rows of two clear hexes."""
    data: dict[str, Any] = deepcopy(RULES.scenarios.data("mortain"))
    data["name"] = "tiny"
    data["map"] |= {"columns": [1, 2], "rows": [1, 9], "lower": "even", "hexes": {}, "roads": []}
    return data


TINY: dict[str, Plain] = {**SHORT, "exits_to_win": 1}


def race_orders(ask: Question) -> Orders:
    """The German enters in the south, where no unit is, goes west and exits; the US player passes."""
    offers = list(RULES.offers(ask))
    if ask.question == "place" or ask.seat == "us":
        return offers[0]
    exits = [orders for orders in offers if "exit" in orders[0]]
    moves = [orders for orders in offers if orders[0].get("to", "").startswith("01")]
    enters = [orders for orders in offers if "enter" in orders[0]]
    return [*exits, *moves, *reversed(enters), PASS][0]


@cache
def game_before_exit(*, completing: bool) -> Game:
    """The German's next orders end the game; they are due now, or after completing the open beat."""
    for number in count():
        game = accept_game(
            offer_game(options=TINY, own=tiny_scenario(), label=f"race {number}"), label=f"race {number}"
        )
        while not is_over(after := write_reply(game, race_orders)):
            game = after
        if "M8.3" in str(after.state.ending) and bool(game.state.open_beat) == completing:
            return game
    raise AssertionError
