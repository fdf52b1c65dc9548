"""FORMAT 12, `retract`: a take-back of orders alone; the draw that lay open before them stands."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache

import pytest

from pbem.core.requests import Plain
from pbem.core.sealing import Open, Seal
from pbem.errors import NotYourMove, VerificationError
from pbem.format.entries import BOUND, RETRACT
from pbem.format.keys import PrivateKey
from pbem.games.rommel import RULES as ROMMEL
from pbem.render.story import orders_in_force
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms
from support.game_stages import PASS
from support.simulator import (
    KEYS,
    accept_game,
    append_forged,
    entropy,
    file_of,
    first_offer,
    forge_file,
    log_of,
    mailed_file,
    offer_game,
    play_until,
    write_play,
    write_reply,
)

BOTH = (BOUND, RETRACT)


@cache
def decided() -> Game:
    """A game at rest, after four beats: the newest orders completed a beat in the same entry."""
    game = accept_game(offer_game(extensions=BOTH))
    return play_until(game, first_offer, lambda game: len(game.state.beats) > 3 and at_rest(game))


def at_rest(game: Game) -> bool:
    return game.state.open_beat is None and game.state.pending_question is not None


def last_orders(game: Game) -> int:
    return orders_in_force(game)[-1].n


def retract(game: Game, entry: int) -> Game:
    """The orders of an entry are taken back: proposed by whoever writes next, and granted."""
    writer = game.state.writer
    assert writer is not None
    proposed = write.propose(game, KEYS[writer], {"retract": entry})
    return write.answer(proposed, KEYS[game.state.opponent(writer)], True)


def test_the_draw_before_the_orders_stands() -> None:
    """The state is that of a log in which share and orders stood apart: the same is asked again."""
    game = decided()
    entry = last_orders(game)
    body = game.entries[entry].body
    before = open_game(file_of(log_of(game)[:entry]))
    asked = permissions.unlock_state(before, KEYS[body.by])
    after = retract(game, entry)
    assert after.state.run.state == asked.run.state
    assert after.state.pending_question is not None
    assert after.state.writer == body.by
    assert after.state.position_digest() == asked.position_digest()
    assert after.state.next_beat == game.state.next_beat
    assert open_game(mailed_file(after)).ids == after.ids


def test_new_orders_open_the_next_beat() -> None:
    """Beats never run backwards: what was seen of later beats cannot be used."""
    game = decided()
    after = retract(game, last_orders(game))
    spent = len(after.state.beats)
    again = write_reply(after, first_offer)
    assert again.entries[-1].raw["beat"] == spent + 1


def test_an_undone_entry_may_be_named() -> None:
    game = decided()
    entry = last_orders(game)
    once = retract(game, entry)
    twice = retract(once, entry)
    assert twice.state.run.state == once.state.run.state


def test_orders_in_force() -> None:
    game = decided()
    entry = last_orders(game)
    assert [play.n for play in orders_in_force(retract(game, entry))] == [
        play.n for play in orders_in_force(game) if play.n < entry
    ]


def test_a_granted_one_does_not_end_the_game() -> None:
    assert retract(decided(), last_orders(decided())).state.ending is None


def test_a_refusal_bars_the_next() -> None:
    game = decided()
    writer = game.state.writer
    assert writer is not None
    proposed = write.propose(game, KEYS[writer], {"retract": last_orders(game)})
    refused = write.answer(proposed, KEYS[game.state.opponent(writer)], False)
    with pytest.raises(NotYourMove, match="before"):
        write.propose(refused, KEYS[writer], {"retract": last_orders(game)})


def share_alone(game: Game) -> int:
    return next(
        n for n, entry in enumerate(game.entries) if entry.kind == "play" and "orders" not in entry.raw
    )


@pytest.mark.parametrize("entry", [0, -1, 10_000, "the proposal", "a share alone"])
def test_what_may_not_be_named(entry: int | str) -> None:
    game = decided()
    n = {"the proposal": len(game.entries), "a share alone": share_alone(game)}.get(str(entry), entry)
    raw = {"by": game.state.writer, "kind": "propose", "what": {"retract": n}}
    with pytest.raises(VerificationError, match=f"entry {n} has none") as refused:
        open_game(append_forged(game, raw))
    assert (refused.value.step, refused.value.entry) == (6, len(game.entries))


def test_fewer_than_half_of_the_beats() -> None:
    """Rule 7 of FORMAT 6 holds for it too: of 106 beats, 53 must be left."""
    game = decided()
    while 2 * (106 - len(game.state.beats)) >= 106:
        game = play_until(retract(game, last_orders(game)), first_offer, at_rest_behind(len(game.entries)))
    writer = game.state.writer
    assert game.offer.beats == 106
    with pytest.raises(NotYourMove, match="fewer than half"):
        write.propose(game, KEYS[writer or ""], {"retract": last_orders(game)})


def at_rest_behind(entry: int) -> Callable[[Game], bool]:
    """Whether a game is at rest, and orders have been given since an entry."""
    return lambda game: last_orders(game) > entry and at_rest(game)


def test_without_the_extension_it_is_an_unknown_key() -> None:
    game = play_until(
        accept_game(offer_game()), first_offer, lambda game: len(game.entries) > 6 and at_rest(game)
    )
    raw = {"by": game.state.writer, "kind": "propose", "what": {"retract": last_orders(game)}}
    with pytest.raises(VerificationError, match="retract") as refused:
        open_game(append_forged(game, raw))
    assert refused.value.step == 2


@pytest.mark.parametrize(
    ("needs", "step"),
    [
        ([BOUND, BOUND], 2),
        (["Bound"], 2),
        ([BOUND, RETRACT, "results"], 2),
        ([RETRACT, "commanders", BOUND], None),
        ([], None),
    ],
)
def test_names_in_needs(needs: list[Plain], step: int | None) -> None:
    """Each name once, in any order; one that is not known is refused by name."""
    log = log_of(offer_game())
    log[0]["needs"] = needs
    if step is None:
        assert open_game(forge_file(log)).offer.needs == needs
        return
    with pytest.raises(VerificationError) as refused:
        open_game(forge_file(log))
    assert refused.value.step == step


PLAYERS = {"allied": PrivateKey(b"A" * 32), "axis": PrivateKey(b"X" * 32)}


class TestSealedOrders:
    """FORMAT 12, case 4: a seal made earlier binds."""

    def turn(self, game: Game) -> Game:
        writer = game.state.writer or ""
        asked = permissions.unlock_state(game, PLAYERS[writer]).pending_question
        decides = asked is not None and asked.seat == writer and not isinstance(asked, Open)
        orders = (
            ROMMEL.players["random"](asked, random.Random(len(game.entries))) if decides and asked else None
        )
        return write.play(game, PLAYERS[writer], orders, entropy=entropy("salt"))

    def until(self, game: Game, kind: type) -> Game:
        while not isinstance(game.state.pending_question, kind):
            game = self.turn(game)
        return game

    def before_sealing(self) -> Game:
        terms = Terms(ROMMEL, {**ROMMEL.editions["nac"], "turns": 1}, "alamein")
        game = write.offer(Person("R", PLAYERS["axis"]), "axis", terms, entropy("axis"), extensions=BOTH)
        return self.until(write.accept(game, Person("M", PLAYERS["allied"]), entropy("allied")), Seal)

    def retract(self, game: Game, entry: int) -> Game:
        writer = game.state.writer or ""
        proposed = write.propose(game, PLAYERS[writer], {"retract": entry})
        return write.answer(proposed, PLAYERS[game.state.opponent(writer)], True)

    def test_the_same_opening_is_repeated(self) -> None:
        game = self.turn(self.until(self.before_sealing(), Open))
        opening = len(game.entries) - 1
        assert '"open"' in json.dumps(game.entries[opening].raw["orders"])
        while game.state.open_beat or game.state.is_beat_due:
            game = self.turn(game)
        after = self.retract(game, opening)
        assert isinstance(after.state.pending_question, Open)
        again = self.turn(after)
        assert again.entries[-1].raw["orders"] == game.entries[opening].raw["orders"]

    def test_the_seal_itself_may_be_taken_back(self) -> None:
        """Then other orders are sealed, with a new salt."""
        sealed = self.turn(self.before_sealing())
        entry = len(sealed.entries) - 1
        after = self.retract(sealed, entry)
        assert isinstance(after.state.pending_question, Seal)


def test_passing_is_a_decision_too() -> None:
    """Orders that only pass are orders: they can be retracted."""
    game = decided()
    assert write_play(retract(game, last_orders(game)), PASS).entries[-1].raw["orders"] == PASS
