"""Kinds of situation in which a player can find a game, and the words for the fact that matters.

Each is a game of Gerda, the German player of Mortain (or Rommel, who leads the Axis), as it arrived at her
home: found by playing with fixed keys until it occurs, not written by hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

from pbem.core.requests import Tell
from pbem.core.traces import Lost, Struck
from pbem.format.keys import PrivateKey
from pbem.games.mortain import RULES
from pbem.player.actions.proposals import moves_to_take_back, takeback_of_orders
from pbem.umpire import permissions, write
from pbem.umpire.game_facts import decides_nothing
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Person, Terms
from support import commanders_game
from support.simulator import (
    KEYS,
    STRANGER,
    accept_game,
    clock,
    file_of,
    log_of,
    offer_game,
    play_until,
    practice_chooser,
    write_play,
)

SEAT, OTHER = "german", "us"
KEY, HIS = KEYS[SEAT], KEYS[OTHER]
COUNTERS = RULES.scenarios.data("mortain")["units"]
LONG = {**RULES.editions["it"]}
WORDS = "Well met, and mind the hill."


class StatusCase(NamedTuple):
    """A game at the turn of the player who holds `key`, and the words for the fact.

    `looked` is what she looked at last; `also` are other states that have arrived, such as another history.
    `refused`: a server refuses her newest mail. `doubted`: it came from a backup.
    """

    game: Game
    words: str
    looked: Game | None = None
    also: Sequence[Game] = ()
    key: PrivateKey = KEY
    refused: bool = False
    doubted: bool = False


Situation: TypeAlias = Callable[[], StatusCase]


def begun() -> Game:
    """A game of two turns, the start of most situations."""
    return accept_game(offer_game(options={**RULES.editions["it"], "turns": 2}))


def cut_to(game: Game, entries: int) -> Game:
    """The game when it had this many entries."""
    return open_game(file_of(log_of(game)[:entries]))


def is_hers(game: Game) -> bool:
    """Whether it is Gerda's turn to decide."""
    return (
        game.state.writer == SEAT and not permissions.has_forced_entry(game, KEY) and not game.state.proposal
    )


def owes_share_alone(game: Game) -> bool:
    """Whether only a share of Gerda's is due."""
    return game.state.writer == SEAT and permissions.has_forced_entry(game, KEY)


def play_to_case(wished: Callable[[Game], bool], game: Game | None = None) -> Game:
    """Play until a condition holds: sensibly, with fixed choices, in as few seeds as possible."""

    def stops(game: Game) -> bool:
        return wished(game) or game.state.ending is not None

    for seed in range(40):
        found = play_until(game or begun(), practice_chooser(seed, "sensible"), stops)
        if wished(found):
            return found
    raise AssertionError("no game has come to that")


def events_since_her_decision(game: Game) -> list[Tell]:
    """The events since Gerda's last decision, including those of her own shares."""
    own = [one.entry.body for one in game.replayed_entries if one.entry.body.by == SEAT]
    last = max(body.n for body in own if not decides_nothing(game, body))
    return [tell for one in game.replayed_entries[last + 1 :] for tell in one.events]


def hits_on_hers(game: Game) -> list[Tell]:
    """The events that have harmed a unit of hers since Gerda's last decision."""
    traces = game.rules.view.traces
    assert traces is not None
    harm = [
        tell
        for tell in events_since_her_decision(game)
        if any(isinstance(one, (Struck, Lost)) for one in traces(tell))
    ]
    return [tell for tell in harm if COUNTERS[tell.facts["unit"]]["side"] == SEAT]


def story(game: Game, tell: Tell) -> str:
    return game.rules.view.story(tell)


# The situations


def words_with_a_share() -> StatusCase:
    """A message came with the opponent's orders; then her automatic share, and the opponent's next orders."""
    game = play_to_case(lambda one: play_after_words(one) is not None)
    told = play_after_words(game)
    assert told
    return StatusCase(told, WORDS)


def play_after_words(game: Game) -> Game | None:
    """The game after a pass with a message, when she decides again, if a share of hers is in between."""
    asked = game.state.pending_question
    if game.state.writer != OTHER or game.state.open_beat or asked is None or len(game.entries) < 6:
        return None
    spoken = pass_with_words(game)
    told = play_until(spoken, practice_chooser(1), lambda one: is_hers(one) or one.state.ending is not None)
    between = [one.body.by for one in told.entries[len(spoken.entries) :]]
    return told if is_hers(told) and SEAT in between else None


def words_before_his_own_card() -> StatusCase:
    """A message came with the opponent's orders, and her share draws a card on which they decide again."""

    def speaks_before_his_card(game: Game) -> bool:
        return owes_share_alone(game) and any(tell.event == "card" for tell in unlocked_events(game))

    before = play_to_case(
        lambda one: may_pass_with_words(one) and speaks_before_his_card(pass_with_words(one))
    )
    return StatusCase(pass_with_words(before), WORDS)


def may_pass_with_words(game: Game) -> bool:
    asked = game.state.pending_question
    return (
        game.state.writer == OTHER
        and not game.state.open_beat
        and asked is not None
        and len(game.entries) > 5
    )


def pass_with_words(game: Game) -> Game:
    """The game after the opponent's first offered orders, with a message."""
    asked = game.state.pending_question
    assert asked
    said = Claim(at=clock(game).at, say=WORDS)
    return write.play(game, HIS, next(game.rules.offers(asked)), claim=said)


def an_offers_words() -> StatusCase:
    """The opponent has offered the game with a message, and she has joined."""
    terms = Terms(RULES, {**RULES.editions["it"], "turns": 2}, RULES.scenarios.names[0])
    nonces, said = random.Random(1).randbytes, Claim(at=clock(None).at, say=WORDS)
    game = write.offer(Person("Ulysses", HIS), OTHER, terms, nonces, claim=said)
    return StatusCase(write.accept(game, Person("Gerda", KEY), nonces, claim=clock(game)), WORDS)


def a_card_for_the_other_side() -> StatusCase:
    """Her share draws a card on which the opponent decides."""

    def his(game: Game) -> bool:
        return owes_share_alone(game) and any(tell.event == "card" for tell in unlocked_events(game))

    game = play_to_case(his)
    (card,) = [tell for tell in unlocked_events(game) if tell.event == "card"]
    return StatusCase(game, story(game, card))


def unlocked_events(game: Game) -> Sequence[Tell]:
    return permissions.unlock_state(game, KEY).run.told


def a_hit_on_her_own() -> StatusCase:
    game = play_to_case(
        lambda one: is_hers(one) and bool(hits_on_hers(one)), accept_game(offer_game(options=LONG))
    )
    return StatusCase(game, story(game, hits_on_hers(game)[0]))


def a_proposal() -> StatusCase:
    game = play_to_case(
        lambda one: one.state.writer == OTHER and not one.state.open_beat and len(one.entries) > 6
    )
    return StatusCase(write.propose(game, HIS, {"draw": True}, claim=clock(game)), "propose a draw")


def its_answer() -> StatusCase:
    game = play_to_case(lambda one: is_hers(one) and len(one.entries) > 6)
    game = write.propose(game, KEY, {"draw": True}, claim=clock(game))
    return StatusCase(write.answer(game, HIS, False, claim=clock(game)), "refuses")


def a_take_back_done() -> StatusCase:
    """She has proposed it, and decides again."""
    game = play_to_case(
        lambda one: is_hers(one) and any(is_hers(take_back(one, n)) for n, _ in possible_take_backs(one))
    )
    move = next(n for n, _ in possible_take_backs(game) if is_hers(take_back(game, n)))
    entry = takeback_of_orders(game, move)["takeback"]
    return StatusCase(take_back(game, move), f"the game goes back to how it was after entry {entry}")


def possible_take_backs(game: Game) -> Sequence[tuple[int, str]]:
    return moves_to_take_back(game, KEY)


def take_back(game: Game, move: int) -> Game:
    asked = write.propose(game, KEY, takeback_of_orders(game, move), claim=clock(game))
    return write.answer(asked, HIS, True, claim=clock(asked))


def victory() -> StatusCase:
    game = play_to_case(lambda one: one.state.ending is not None and one.entries[-1].body.by == OTHER)
    assert game.state.ending
    return StatusCase(game, str(game.state.ending.reason))


def resignation() -> StatusCase:
    game = play_to_case(lambda one: one.state.writer == OTHER and len(one.entries) > 6)
    return StatusCase(
        write.resign(game, HIS, claim=clock(game)), "the Germans win (the Americans have resigned)"
    )


def a_draw() -> StatusCase:
    game = play_to_case(lambda one: is_hers(one) and len(one.entries) > 6)
    game = write.propose(game, KEY, {"draw": True}, claim=clock(game))
    return StatusCase(write.answer(game, HIS, True, claim=clock(game)), "a draw (a draw was agreed)")


def a_formality() -> StatusCase:
    return StatusCase(play_to_case(owes_share_alone), "nothing to decide")


def a_decision() -> StatusCase:
    def asked(game: Game) -> bool:
        return is_hers(game) and not game.state.open_beat

    game = play_to_case(asked)
    assert game.state.pending_question
    return StatusCase(game, game.rules.view.prompt(game.state.pending_question))


def a_forced_pass() -> StatusCase:
    """A card was drawn for her with which she could do nothing, and nobody had to decide."""

    def forced(game: Game) -> list[Tell]:
        return [
            one for one in events_since_her_decision(game) if one.event == "card" and not one.facts["asked"]
        ]

    begins = accept_game(offer_game(options=dict(RULES.editions["de"])))
    game = play_to_case(lambda one: is_hers(one) and bool(forced(one)), begins)
    return StatusCase(game, story(game, forced(game)[0]))


def a_missing_commander() -> StatusCase:
    return StatusCase(
        commanders_game.game_before_move(),
        'Nothing has arrived from "Graziani" (italian)',
        key=commanders_game.KEYS["axis"],
    )


def overdue() -> StatusCase:
    """A week per move; by today's clock, more has passed."""
    terms = Terms(RULES, {**RULES.editions["it"], "turns": 2}, RULES.scenarios.names[0])
    nonces = random.Random(1).randbytes
    game = write.offer(Person("Gerda", KEY), SEAT, terms, nonces, x={"deadline": "7d"}, claim=clock(None))
    game = write.accept(game, Person("Ulysses", HIS), nonces, claim=clock(game))
    return StatusCase(play_to_case(is_hers, game), "OVERDUE")


def an_own_scenario() -> StatusCase:
    data = RULES.scenarios.data("mortain")
    assert isinstance(data, dict)
    own = data | {"name": "postcard", "title": "Postcard"}
    game = play_to_case(is_hers, accept_game(offer_game(own=own)))
    return StatusCase(game, '"postcard"')


def a_fork() -> StatusCase:
    """The opponent has signed two entries with the same number, and one has arrived after the other."""
    game = play_to_case(
        lambda one: one.state.writer == OTHER and not one.state.open_beat and len(one.entries) > 6
    )
    asked = game.state.pending_question
    assert asked
    first, second, *_ = game.rules.offers(asked)
    one, other = (write_play(game, orders) for orders in (first, second))
    return StatusCase(one, "have signed two different versions of entry", also=[other])


def a_refused_mail() -> StatusCase:
    """It is the opponent's turn to write, but they have not received her mail."""
    game = play_to_case(lambda one: one.state.writer == OTHER and one.entries[-1].body.by == SEAT)
    return StatusCase(
        game,
        "A server refused your mail, so your opponent does not have it. Type: pbem mail send",
        refused=True,
    )


def a_doubted_game() -> StatusCase:
    return StatusCase(play_to_case(is_hers), "may be older than your last signed move", doubted=True)


def an_older_file() -> StatusCase:
    game = play_to_case(lambda one: is_hers(one) and len(one.entries) > 6)
    older = "this file is older than yours: it ends with entry"
    return StatusCase(cut_to(game, len(game.entries) - 2), older, also=[game])


SITUATIONS: dict[str, Situation] = {
    "words with a share": words_with_a_share,
    "words before his own card": words_before_his_own_card,
    "an offer's words": an_offers_words,
    "a card for the other side": a_card_for_the_other_side,
    "a hit on her own": a_hit_on_her_own,
    "a proposal": a_proposal,
    "its answer": its_answer,
    "a take-back done": a_take_back_done,
    "victory": victory,
    "resignation": resignation,
    "a draw": a_draw,
    "a formality": a_formality,
    "a decision": a_decision,
    "a forced pass": a_forced_pass,
    "a missing commander": a_missing_commander,
    "overdue": overdue,
    "an own scenario": an_own_scenario,
    "a fork": a_fork,
    "a refused mail": a_refused_mail,
    "a doubted game": a_doubted_game,
    "an older file": an_older_file,
}

TODAY = datetime(2026, 10, 1, 12, tzinfo=UTC)
"""When she looks: the games are from August."""

__all__ = ["SITUATIONS", "STRANGER", "TODAY", "StatusCase"]
