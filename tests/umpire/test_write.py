"""Entries of one's own: who may write them, and that key and file suffice (FORMAT sections 4 to 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import FileError, IllegalOrder, NotYourMove, PbemError
from pbem.format.keys import PrivateKey
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim
from support.game_stages import (
    PASS,
    PLACE,
    drawn_game,
    game_asking,
    game_completing_beat,
    game_completing_beat_for_other,
    game_with_draw_proposed,
    game_with_draw_refused,
    game_with_open_beat,
    offered_game,
    resigned_game,
    started_game,
)
from support.simulator import (
    KEYS,
    STRANGER,
    accept_game,
    entropy,
    first_offer,
    forge_file,
    is_over,
    log_of,
    mailed_file,
    mailed_files,
    offer_game,
    person,
    practice_chooser,
    true_share,
    write_play,
    write_reply,
)

GERMAN, US = KEYS["german"], KEYS["us"]


class TestNotYourMove:
    """Only the key whose seat writes next makes an entry; nothing of its secrets leaves otherwise."""

    @pytest.mark.parametrize(
        "attempt",
        [
            lambda: write.play(started_game(), GERMAN, PASS),
            lambda: write.play(started_game(), STRANGER, PLACE),
            lambda: write.play(game_with_open_beat(), US, PASS),
            lambda: write.resign(game_with_open_beat(), US),
            lambda: write.propose(started_game(), GERMAN, {"draw": True}),
            lambda: write.answer(game_with_draw_proposed(), US, True),
            lambda: write.play(offered_game(), GERMAN),
            lambda: write.play(offered_game(), US),
            lambda: write.resign(resigned_game(), GERMAN),
            lambda: write.play(drawn_game(), US, PASS),
        ],
        ids=[
            "the other is asked",
            "a stranger",
            "the other owes a share",
            "resigning while the other owes",
            "proposing out of turn",
            "answering oneself",
            "before the accept, by the offerer",
            "before the accept, by the invited",
            "after a resignation",
            "after a draw",
        ],
    )
    def test_refused(self, attempt: Callable[[], Game]) -> None:
        with pytest.raises(NotYourMove):
            attempt()

    def test_orders_on_the_opponents_card(self) -> None:
        with pytest.raises(NotYourMove, match="the Germans are not due to give orders now"):
            write.play(game_completing_beat_for_other("german"), GERMAN, PASS)

    def test_orders_instead_of_an_answer(self) -> None:
        with pytest.raises(NotYourMove, match="answer this proposal first"):
            write.play(game_with_draw_proposed(), GERMAN, PASS)

    def test_an_answer_to_nothing(self) -> None:
        with pytest.raises(NotYourMove, match="nothing has been proposed"):
            write.answer(game_asking("us"), US, True)

    def test_a_seat_that_is_taken(self) -> None:
        with pytest.raises(NotYourMove, match="both seats"):
            write.accept(started_game(), person("us", STRANGER), entropy("again"))

    def test_an_offer_to_another(self) -> None:
        with pytest.raises(NotYourMove, match=US.public.fingerprint):
            write.accept(offered_game(), person("us", STRANGER), entropy("stranger"))


class TestWhatTheRulesRefuse:
    """A refused entry is not made; the reason is the rules' or the format's."""

    def test_an_illegal_order(self) -> None:
        with pytest.raises(IllegalOrder, match=r"M9\.1"):
            write.play(started_game(), US, PASS)

    @pytest.mark.parametrize(
        ("game", "what", "word"),
        [
            (game_asking("us"), {"takeback": 2}, "left no draw open"),
            (game_with_draw_refused(), {"draw": True}, "the Americans may not propose again"),
            (started_game(), {"takeback": 1, "draw": True}, "exactly one"),
        ],
        ids=["an entry that cannot be named", "a second proposal", "two things at once"],
    )
    def test_a_proposal(self, game: Game, what: dict[str, Any], word: str) -> None:
        with pytest.raises(PbemError, match=word):
            write.propose(game, US, what)

    def test_a_proposal_while_the_beat_leads_to_the_other(self) -> None:
        """FORMAT 6.6: once the share is written, the other seat writes next."""
        with pytest.raises(NotYourMove, match="the Americans write next"):
            write.propose(game_completing_beat_for_other("german"), GERMAN, {"draw": True})

    def test_a_proposal_writes_the_share_that_is_owed_first(self) -> None:
        game = write.propose(game_completing_beat("german"), GERMAN, {"draw": True})
        share, proposal = (entry.raw for entry in game.entries[-2:])
        assert (share["kind"], "orders" in share, proposal["kind"]) == ("play", False, "propose")
        assert (game.state.open_beat, game.state.writer) == (None, "us")

    def test_wrong_options(self) -> None:
        with pytest.raises(FileError, match=r"options\.turns"):
            offer_game(options={**offered_game().offer.options, "turns": 0})

    def test_nothing_at_all(self) -> None:
        """A play without orders where no share is owed."""
        with pytest.raises(PbemError):
            write.play(started_game(), US)


class TestUnlock:
    """Whoever completes a beat sees its cards before he writes; showing them writes nothing."""

    def test_the_cards_are_seen(self) -> None:
        game = game_with_open_beat()
        table = permissions.unlock_state(game, GERMAN)
        assert table.beats[-1].draws
        assert table.pending_question is not None
        assert table.position_digest() == write_play(game).state.position_digest()

    def test_the_game_is_as_it_was(self) -> None:
        game = game_with_open_beat()
        before = mailed_file(game)
        permissions.unlock_state(game, GERMAN)
        assert mailed_file(game) == before
        assert game.state.open_beat is not None
        assert not game.state.beats[-1].draws

    @pytest.mark.parametrize("key", [US, STRANGER], ids=["the one who opened it", "a stranger"])
    def test_nobody_else_sees_them(self, key: PrivateKey) -> None:
        table = permissions.unlock_state(game_with_open_beat(), key)
        assert table.waits_for_chance
        assert not table.beats[-1].draws

    def test_nothing_is_unlocked_after_a_resignation(self) -> None:
        game = write.resign(game_with_open_beat(), GERMAN)
        assert not permissions.unlock_state(game, GERMAN).beats[-1].draws


class TestWhatDecidesNothing:
    """FORMAT 6: a share alone follows from the log, so every computer of its player writes the same entry."""

    @pytest.mark.parametrize("at", ["2026-08-05T08:00:00Z", "2026-08-05T09:30:00Z"])
    def test_a_share_alone_has_no_clock(self, at: str) -> None:
        game = write.play(game_completing_beat_for_other("german"), GERMAN, claim=Claim(at=at))
        assert {"at", "say", "x"}.isdisjoint(game.entries[-1].raw)
        assert "orders" not in game.entries[-1].raw

    def test_two_computers_write_the_same_bytes(self) -> None:
        """Each opens the same file at its own time."""
        data = mailed_file(game_completing_beat("german"))
        one, other = (
            write.play(open_game(data), GERMAN, claim=Claim(at=at))
            for at in ("2026-08-05T08:00:00Z", "2026-08-06T21:15:30Z")
        )
        assert mailed_file(one) == mailed_file(other)

    def test_a_decision_has_a_clock(self) -> None:
        game = write.play(started_game(), US, PLACE, claim=Claim(at="2026-08-05T08:00:00Z"))
        assert game.entries[-1].raw["at"] == "2026-08-05T08:00:00Z"

    def test_words_wait_for_a_decision(self) -> None:
        with pytest.raises(NotYourMove, match="FORMAT 6"):
            write.play(game_completing_beat("german"), GERMAN, claim=Claim(say="Good luck!"))

    def test_an_entry_of_an_older_program_still_holds(self) -> None:
        """Before, shares had a clock and words; what is signed stays good."""
        share = write.play(game_completing_beat("german"), GERMAN).entries[-1].raw
        older = {**share, "at": "2026-08-05T08:00:00Z", "say": "Here you are."}
        game = open_game(forge_file([*log_of(game_completing_beat("german")), older]))
        assert game.entries[-1].body.say == "Here you are."


class TestAtomicity:
    """A game is never changed: one that an entry was tried on can be used on."""

    def test_two_plays_on_one_game(self) -> None:
        game = started_game()
        ids = game.ids
        played = write_play(game, PLACE)
        with pytest.raises(IllegalOrder):
            write_play(game, PASS)
        assert game.ids == ids
        assert game.state.writer == "us"
        assert write_play(game, PLACE).ids == played.ids


class TestKeyAndFileSuffice:
    """FORMAT 5: the chain follows from key, nonce, game and seat, so a lost computer loses no game."""

    def test_the_share_is_computed_from_the_file(self) -> None:
        """The game is read from its bytes alone; the play is the same as with the game at hand."""
        game = game_completing_beat("german")
        again = open_game(mailed_file(game))
        assert mailed_file(write_reply(again, first_offer)) == mailed_file(write_reply(game, first_offer))

    def test_a_whole_game_from_file_to_file(self) -> None:
        """Each player has nothing but his key and the last mail, and every mail is good."""
        *_, last = mailed_files("german", practice_chooser(5))
        assert is_over(open_game(last))

    def test_another_key_has_another_chain(self) -> None:
        mine, other = accept_game(offer_game()), accept_game(offer_game(), key=STRANGER)
        assert mine.seats["us"].nonce == other.seats["us"].nonce
        assert mine.seats["us"].anchor != other.seats["us"].anchor

    def test_another_nonce_gives_another_chain(self) -> None:
        """So two accepts of one offer open different secrets, and neither tells of the other."""
        one, two = accept_game(offer_game()), accept_game(offer_game(), label="again")
        assert one.ids[0] == two.ids[0]
        assert true_share(one, "us", 1) != true_share(two, "us", 1)


class TestTheFile:
    """FORMAT 3: what is written is what is read."""

    def test_the_log_of_a_mail_is_that_of_the_game(self) -> None:
        game = game_asking("german")
        assert open_game(mailed_file(game)).ids == game.ids

    def test_the_same_game_gives_the_same_bytes(self) -> None:
        assert mailed_file(write_play(started_game(), PLACE)) == mailed_file(
            write_play(started_game(), PLACE)
        )
