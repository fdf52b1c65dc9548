"""The umpire lets an honest game go on: FORMAT sections 5 to 7, who writes next and what that leads to."""

from __future__ import annotations

from hashlib import sha256

import pytest

from independent.minimal_verifier import verify
from pbem.core.requests import Plain
from pbem.core.run import Run
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.next_duty import next_duty
from pbem.umpire.verify import open_game
from support.game_stages import (
    FIRST_POSITION,
    PASS,
    PLACE,
    digest_of,
    drawn_game,
    game_asking,
    game_before_exit,
    game_completing_beat,
    game_completing_beat_for_other,
    game_with_draw_proposed,
    game_with_draw_refused,
    game_with_every_kind,
    game_with_open_beat,
    offered_game,
    played_out_game,
    resigned_game,
    started_game,
)
from support.simulator import (
    KEYS,
    SHORT,
    accept_game,
    first_offer,
    forge_file,
    is_over,
    log_of,
    mailed_file,
    mailed_files,
    offer_game,
    practice_chooser,
    true_share,
    write_play,
    write_reply,
)


def last(game: Game) -> dict[str, Plain]:
    """The last entry as it stands in the file."""
    return game.entries[-1].raw


class TestPosition:
    """FORMAT 7: the position at the last moment at which the rules asked, or were over."""

    def test_first_question(self) -> None:
        """Entry 2 answers the first question and leads to chance, so its position is that of the question."""
        assert last(game_with_open_beat())["position"] == digest_of(FIRST_POSITION)

    def test_completed_beat(self) -> None:
        """An entry that completes a beat has the position of the question that comes of it."""
        game = game_asking("us")
        assert (
            last(game)["position"] == game.state.position_digest() != last(game_with_open_beat())["position"]
        )

    def test_after_a_take_back(self) -> None:
        """The rules stand again where they stood, so the next play has the old position."""
        again = game_with_every_kind().entries[6].raw
        assert again["position"] == digest_of(FIRST_POSITION)

    def test_no_other_kind_has_one(self) -> None:
        with_position = {entry.kind for entry in game_with_every_kind().entries if "position" in entry.raw}
        assert with_position == {"play"}


class TestAccept:
    """FORMAT 4: where the rules ask its seat an accept may carry orders, and then its share of beat 1."""

    def test_without_orders_the_same_seat_writes_on(self) -> None:
        game = started_game()
        assert game.state.writer == "us"
        assert game.state.pending_question is not None
        assert "position" not in last(game)

    def test_with_orders(self) -> None:
        log = log_of(started_game())
        log[1] |= {
            "orders": PLACE,
            "beat": 1,
            "share": true_share(started_game(), "us", 1),
            "position": digest_of(FIRST_POSITION),
        }
        game = open_game(forge_file(log))
        assert game.state.writer == "german"
        assert asked_after_the_beat(game) == asked_after_the_beat(game_with_open_beat())

    def test_the_other_seat_is_asked_first(self) -> None:
        game = accept_game(offer_game("us"))
        assert game.state.writer == "us"


def asked_after_the_beat(game: Game) -> str:
    """The state of the game once the German has completed the open beat, as a digest."""
    position = write_play(game).state.position_digest()
    assert position is not None
    return position


class TestBeats:
    """FORMAT 6.1 to 6.3: opening a beat, completing it, and going on in the same entry."""

    def test_orders_to_chance_open_a_beat(self) -> None:
        game = game_with_open_beat()
        assert last(game)["beat"] == 1
        assert game.state.writer == "german"
        assert game.state.waits_for_chance

    def test_a_share_alone(self) -> None:
        """Where the next card is the opponent's: x[b] and nothing else."""
        before = game_completing_beat_for_other("german")
        beat = before.state.next_beat - 1
        after = write_reply(before, first_offer)
        assert last(after)["share"] == true_share(before, "german", beat)
        assert "orders" not in last(after)
        assert after.state.writer == "us"

    @pytest.mark.parametrize("seat", ["german", "us"])
    def test_a_share_with_orders_to_chance(self, seat: str) -> None:
        """Where the next card is one's own: orders, and x[b+1], from which x[b] follows by one link."""
        before = game_completing_beat(seat)
        beat = before.state.next_beat - 1
        after = write_reply(before, first_offer)
        assert (last(after)["beat"], last(after)["share"]) == (beat + 1, true_share(before, seat, beat + 1))
        below = sha256(
            f"pbem/1 link\n{before.offer.game}\n{seat}\n".encode() + bytes.fromhex(last(after)["share"])
        )
        assert after.state.beats[beat - 1].secrets[seat] == below.digest()
        assert after.state.beats[beat - 1].draws
        assert after.state.open_beat is not None

    def test_share_and_orders_in_two_entries(self) -> None:
        """The same in two entries before mailing (6.3) leads to the same cards."""
        before = game_completing_beat("german")
        at_once = write_reply(before, first_offer)
        apart = write_play(write_play(before), PASS)
        assert len(apart.entries) == len(at_once.entries) + 1
        assert apart.state.beats == at_once.state.beats
        assert (
            open_game(mailed_file(apart)).state.position_digest()
            == open_game(mailed_file(at_once)).state.position_digest()
        )

    def test_orders_that_end_the_game_with_the_share_of_the_open_beat(self) -> None:
        """No chance follows, so the share is x[b]."""
        before = game_before_exit(completing=True)
        after = write_play(before, [{"exit": "Tiger102"}])
        assert last(after)["beat"] == before.state.beats[-1].number
        assert_german_has_exited(after)

    def test_orders_that_end_the_game_without_a_share(self) -> None:
        after = write_play(game_before_exit(completing=False), [{"exit": "Tiger102"}])
        assert "share" not in last(after)
        assert_german_has_exited(after)

    def test_a_share_that_ends_the_game(self) -> None:
        game = played_out_game()
        assert "orders" not in last(game)
        assert game.state.ending is not None
        assert (game.state.ending.way, game.state.ending.winner) == ("rules", "us")


def assert_german_has_exited(game: Game) -> None:
    ending = open_game(mailed_file(game)).state.ending
    assert ending is not None
    assert (ending.way, ending.winner) == ("rules", "german")
    assert str(ending.reason).startswith("M8.3")


class TestSolitaire:
    """FORMAT 4: the two seats' keys may be equal."""

    def test_one_key_plays_both_seats(self) -> None:
        key = KEYS["german"]
        game = accept_game(offer_game(key=key), key=key)
        assert permissions.held_seats(game, key) == ("german", "us")
        for orders in (PLACE, None):
            game = write_play(game, orders, key=key)
        game = write.resign(game, key)
        assert open_game(mailed_file(game)).ids == game.ids


class TestOwed:
    """FORMAT 6: after each kind of entry, who writes next and what."""

    @pytest.mark.parametrize(
        ("game", "what", "seat"),
        [
            (offered_game(), "accept", "us"),
            (started_game(), "orders", "us"),
            (game_with_open_beat(), "share", "german"),
            (game_asking("german"), "orders", "german"),
            (game_with_draw_proposed(), "answer", "german"),
            (game_with_draw_refused(), "orders", "us"),
            (resigned_game(), "nothing", None),
            (drawn_game(), "nothing", None),
            (played_out_game(), "nothing", None),
        ],
        ids=["offer", "accept", "play", "share", "propose", "answer", "resign", "draw", "end"],
    )
    def test_what_and_by_whom(self, game: Game, what: str, seat: str | None) -> None:
        debt = next_duty(game.state)
        assert (debt.what, debt.seat, game.state.writer) == (what, seat, seat)
        assert str(debt.text).isprintable()


class TestTwoVerifiers:
    """The minimal verifier, which shares no code with the program, finds the same beats in a whole game."""

    @pytest.mark.parametrize("seed", [1, 2])
    def test_seeds_of_a_random_game(self, seed: int) -> None:
        *_, data = mailed_files("us", practice_chooser(seed), options={**SHORT, "early_joker": "ends_turn"})
        game = open_game(data)
        assert is_over(game)
        seeds = verify(data)
        assert list(seeds) == [beat.number for beat in game.state.beats]
        for beat in game.state.beats:
            for draw in beat.draws:
                assert draw.outcome == drawn_by(seeds[beat.number], draw.j, draw.outcomes)


def drawn_by(seed: str, j: int, outcomes: tuple[Plain, ...]) -> Plain:
    """FORMAT 5: D[b][j] mod k."""
    number = sha256(b"pbem/1 draw\n" + bytes.fromhex(seed) + j.to_bytes(4, "big")).digest()
    return outcomes[int.from_bytes(number, "big") % len(outcomes)]


def test_the_position_after_an_entry() -> None:
    """For the entries that a take-back may name (FORMAT 6.6): where the rules asked, and no beat was open."""
    game = game_with_open_beat()
    placed, opened = game.state.position_after(1), game.state.position_after(2)
    assert placed is not None
    assert Run(game.rules, placed).state == game.replayed_entries[1].state
    assert opened is None
