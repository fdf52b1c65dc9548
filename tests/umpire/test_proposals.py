"""Take-backs, draws and resignations that FORMAT 6.6 and 6.7 allow.

What they forbid is in the adversary table.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.game_stages import (
    FIRST_POSITION,
    PASS,
    PLACE,
    digest_of,
    drawn_game,
    game_after_beats,
    game_asking,
    game_with_draw_proposed,
    game_with_draw_refused,
    game_with_open_beat,
    is_asked_at_rest,
    started_game,
)
from support.simulator import (
    KEYS,
    first_offer,
    forge_file,
    is_over,
    log_of,
    mailed_file,
    play_until,
    write_play,
)


def takebacks(many: int) -> bytes:
    """The file of a game in which so many take-backs were proposed and granted."""
    log = log_of(game_asking("us"))
    entry = len(log) - 1
    for _ in range(many):
        log.append({"by": "us", "kind": "propose", "what": {"takeback": entry}})
        log.append({"by": "german", "kind": "answer", "accept": True})
    return forge_file(log)


def steps(data: bytes) -> int:
    """How many lines of the umpire's room run when a file is verified."""
    count = 0

    def traced(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if "/pbem/umpire/" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        open_game(data)
    finally:
        sys.settrace(before)
    return count


class TestTakeBack:
    """FORMAT 6.6 and 6.7: back to where the rules stood after an entry; beats never run backwards."""

    def granted(self, game: Game, entry: int) -> Game:
        assert game.state.writer is not None
        game = write.propose(game, KEYS[game.state.writer], {"takeback": entry})
        assert game.state.writer is not None
        return write.answer(game, KEYS[game.state.writer], True)

    def test_the_rules_stand_where_they_stood(self) -> None:
        before = game_asking("us")
        game = self.granted(write_play(write_play(before, PASS)), len(before.entries) - 1)
        assert game.state.position_digest() == before.state.position_digest()
        assert game.state.writer == "us"
        assert game.state.run.state == before.state.run.state

    def test_back_to_the_accept(self) -> None:
        game = self.granted(game_asking("us"), 1)
        assert game.state.position_digest() == digest_of(FIRST_POSITION)

    def test_beats_go_on_upwards(self) -> None:
        """The same orders as before draw from beat 2, not from beat 1 again: other cards."""
        before = game_asking("us")
        again = write_play(write_play(self.granted(before, 1), PLACE))
        first, second = again.state.beats
        assert [first.number, second.number] == [1, 2]
        assert before.state.beats == [first]
        assert first.draws[0].outcomes == second.draws[0].outcomes
        assert first.secrets != second.secrets

    def test_every_beat_draws_anew(self) -> None:
        """Ten times the first card of the same game: not ten times the same card."""
        game = game_asking("us")
        for _ in range(9):
            game = write_play(write_play(self.granted(game, 1), PLACE))
        assert len({beat.draws[0].outcome for beat in game.state.beats}) > 5

    def test_an_entry_that_was_undone(self) -> None:
        """Entry 3 was undone by the take-back to entry 1; a second one may go forward to it again."""
        before = game_asking("us")
        forward = self.granted(self.granted(before, 1), 3)
        assert forward.state.position_digest() == before.state.position_digest()

    def test_an_answer_may_be_named(self) -> None:
        """The entry that granted a take-back left no beat open and no proposal pending."""
        game = write_play(write_play(self.granted(game_asking("us"), 1), PLACE))
        assert self.granted(game, 5).state.position_digest() == digest_of(FIRST_POSITION)

    def test_half_of_the_beats_are_enough(self) -> None:
        assert len(game_after_beats(53).state.beats) == 53
        game = self.granted(game_after_beats(53), 1)
        assert game.state.position_digest() == digest_of(FIRST_POSITION)

    def test_each_costs_the_same_however_many_there_were(self) -> None:
        """Lines run in the umpire's room for one take-back more: as many after 200 as after 50."""
        few, more, many = (steps(takebacks(n)) for n in (50, 100, 400))
        assert (many - more) / 300 == pytest.approx((more - few) / 50, rel=0.01)

    def test_the_shares_last_after_it(self) -> None:
        """The longest game that can follow has a share for each of its beats."""
        game = play_until(self.granted(game_after_beats(53), 1), first_offer, is_over)
        assert 100 < len(game.state.beats) <= 106


class TestProposals:
    """FORMAT 6.6: proposals and their answers."""

    def test_a_refusal_leaves_everything_as_it_was(self) -> None:
        before, after = game_asking("us"), game_with_draw_refused()
        assert after.state.writer == before.state.writer == "us"
        assert after.state.position_digest() == before.state.position_digest()

    def test_a_play_allows_the_next_proposal(self) -> None:
        game = write_play(write_play(game_with_draw_refused(), PASS))
        assert game.state.writer == "us"
        again = write.propose(game, KEYS["us"], {"draw": True})
        assert again.state.writer == "german"

    def test_the_other_may_propose_at_once(self) -> None:
        """The refusal bars the proposer alone."""
        game = play_until(
            game_with_draw_refused(), first_offer, lambda game: is_asked_at_rest(game, "german")
        )
        assert write.propose(game, KEYS["german"], {"draw": True}).state.writer == "us"

    def test_an_agreed_draw(self) -> None:
        ending = drawn_game().state.ending
        assert ending is not None
        assert (ending.way, ending.winner) == ("agreement", None)


class TestResignation:
    """FORMAT 6.6: whoever writes next may resign, also while a beat or a proposal waits for him."""

    @pytest.mark.parametrize(
        ("game", "seat"),
        [
            (started_game(), "us"),
            (game_with_open_beat(), "german"),
            (game_asking("german"), "german"),
            (game_with_draw_proposed(), "german"),
            (game_with_draw_refused(), "us"),
        ],
        ids=["asked first", "owes a share", "asked", "has to answer", "was refused"],
    )
    def test_the_other_wins(self, game: Game, seat: str) -> None:
        table = open_game(mailed_file(write.resign(game, KEYS[seat]))).state
        assert table.ending is not None
        assert (table.ending.way, table.ending.winner) == ("resignation", game.state.opponent(seat))
        assert table.proposal is None
