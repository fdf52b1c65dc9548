"""The thread of a game: message ids from the log alone, each mail an answer to the one before."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pbem.correspondence.outbox import (
    Thread,
    entries_by_mail,
    games_in_headers,
    message_id,
    parse_message_id,
    thread,
)
from pbem.umpire.game_state import Game
from support.simulator import accept_game, first_offer, is_over, offer_game, play_until, write_play


@pytest.fixture(scope="module")
def game() -> Game:
    """A game to its end: entry 0 is the German offer, 1 the US accept, 2 its set-up, and so on."""
    begun = accept_game(offer_game("german"))
    return play_until(write_play(begun, passing_orders(begun)), first_offer, is_over)


def passing_orders(game: Game) -> list[dict[str, object]]:
    asked = game.state.pending_question
    assert asked is not None
    return first_offer(asked)


def upto(game: Game, entries: int) -> Game:
    """The game as it was after so many entries, as far as its log tells."""
    return Game(game.replayed_entries[:entries], game.rules, game.state)


def expected_id(game: Game, head: int) -> str:
    """The message id by its definition: 32 digits of the last entry's id, 16 of the first's."""
    return f"<{game.ids[head][:32]}.{game.ids[0][:16]}@pbem.invalid>"


class TestFirstMails:
    def test_offer_begins_the_thread(self, game: Game) -> None:
        assert thread(upto(game, 1)) == Thread(1, expected_id(game, 0), "", ())

    def test_entries_of_one_seat_are_one_mail(self, game: Game) -> None:
        offer = expected_id(game, 0)
        assert [one.entry.body.by for one in game.replayed_entries[:4]] == ["german", "us", "us", "german"]
        assert thread(upto(game, 3)) == Thread(2, expected_id(game, 2), offer, (offer,))

    def test_a_mail_sent_before_its_writer_was_done(self, game: Game) -> None:
        """The accept alone, mailed before the set-up, has an id of its own and answers the same mail."""
        early, late = thread(upto(game, 2)), thread(upto(game, 3))
        assert early.message_id == expected_id(game, 1)
        assert early.message_id != late.message_id
        assert (early.number, early.in_reply_to) == (late.number, late.in_reply_to)


class TestLaterMails:
    def test_each_answers_the_one_before(self, game: Game) -> None:
        sizes = heads(game)
        mails = [thread(upto(game, size)) for size in sizes]
        assert len(mails) > 15
        assert [mail.number for mail in mails] == list(range(1, len(mails) + 1))
        for before, after in pairwise(mails):
            assert after.in_reply_to == before.message_id == after.references[-1]

    def test_references_are_the_first_mail_and_the_last_two(self, game: Game) -> None:
        ids = [expected_id(game, size - 1) for size in heads(game)]
        for number in range(1, len(ids) + 1):
            before = ids[: number - 1]
            wanted = before if number <= 4 else [before[0], *before[-2:]]
            assert list(thread(upto(game, heads(game)[number - 1])).references) == wanted

    def test_ids_differ(self, game: Game) -> None:
        ids = [message_id(game.ids[0], head) for head in game.ids]
        assert len(set(ids)) == len(ids)


def heads(game: Game) -> list[int]:
    """How many entries the log has at the end of each mail, counted by hand: where the writer changes."""
    seats = [one.entry.body.by for one in game.replayed_entries]
    return [n + 1 for n, seat in enumerate(seats) if n + 1 == len(seats) or seats[n + 1] != seat]


class TestRuns:
    def test_all_entries_in_order(self, game: Game) -> None:
        assert [one for run in entries_by_mail(game) for one in run] == list(game.replayed_entries)


class TestNamedGames:
    """The games that a mail's headers name, however many mails of them."""

    def test_found_once(self, game: Game) -> None:
        one, two = message_id(game.ids[0], game.ids[1]), message_id(game.ids[0], game.ids[2])
        other = message_id("ab" * 32, "cd" * 32)
        assert games_in_headers(f"<x@example.org> {one}\r\n {two} {other}") == [game.ids[0][:16], "ab" * 8]

    def test_copies(self, game: Game) -> None:
        """A mail that is mailed once more has another id, which names the same game."""
        ids = [message_id(game.ids[0], game.ids[1], copy) for copy in (1, 2, 12)]
        start = f"<{game.ids[1][:32]}.{game.ids[0][:16]}"
        assert ids == [f"{start}@pbem.invalid>", f"{start}.2@pbem.invalid>", f"{start}.12@pbem.invalid>"]
        assert games_in_headers(" ".join(ids)) == [game.ids[0][:16]]
        names = game.ids[0][:16], game.ids[1][:32]
        assert [parse_message_id(one) for one in ids] == [(*names, 1), (*names, 2), (*names, 12)]
        assert parse_message_id(f"{start}.0@pbem.invalid>") is None

    @pytest.mark.parametrize(
        "headers", ["", "<x@example.org>", "<zz.00@pbem.invalid>", f"<{'0' * 31}.{'1' * 16}@pbem.invalid>"]
    )
    def test_nothing_else(self, headers: str) -> None:
        assert games_in_headers(headers) == []
