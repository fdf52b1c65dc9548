"""Words that wait at home: they go with the next entry that decides something, once, whatever happens."""

from __future__ import annotations

import pytest

from pbem.errors import NotYourMove, PbemError
from pbem.player.pending import PendingMessages
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim
from support.correspondents import Correspondent, begin_game, fixed_entropy, offer_game, play_share_and_orders
from support.simulator import STRANGER


@pytest.fixture
def game(both: tuple[Correspondent, Correspondent]) -> Game:
    """Bruno writes next: a share, and then perhaps orders."""
    anna, bruno = (one.person() for one in both)
    return play_share_and_orders(begin_game(anna, bruno), anna)


class TestWords:
    def test_they_wait_until_an_entry_says_them(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        """By the log alone: a program that was killed after its entry was kept says nothing twice."""
        anna, bruno = both
        words = PendingMessages(anna.local_player.home)
        assert words.save(game, anna.local_player.key, "Hello") == "Hello"
        assert words.save(game, anna.local_player.key, "again") == "Hello\nagain"
        answered = play_share_and_orders(game, bruno.person(), say="Hello\nagain")
        assert words.pending_for(answered, anna.local_player.key) == "Hello\nagain", (
            "Bruno's words are not hers"
        )
        said = write.resign(
            answered, anna.local_player.key, claim=Claim(say=words.join(answered, anna.local_player.key, "!"))
        )
        assert said.entries[-1].body.say == "Hello\nagain\n!"
        assert words.pending_for(said, anna.local_player.key) == ""

    def test_what_was_said_before_does_not_count(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = (one.person() for one in both)
        game = play_share_and_orders(begin_game(anna, bruno), anna, say="Hello")
        words = PendingMessages(both[0].local_player.home)
        words.save(game, anna.key, "Hello")
        assert words.pending_for(game, anna.key) == "Hello"

    def test_the_next_words_are_new(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        anna, bruno = (one.person() for one in both)
        words = PendingMessages(both[1].local_player.home)
        words.save(game, bruno.key, "Hm")
        while words.pending_for(game, bruno.key):
            game = play_share_and_orders(game, anna if game.state.writer == "german" else bruno, say="Hm")
        assert words.save(game, bruno.key, "Well") == "Well"

    def test_nobody_else_and_not_after_the_end(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        words = PendingMessages(both[0].local_player.home)
        with pytest.raises(NotYourMove, match="you are not a player"):
            words.save(game, STRANGER, "Hello")
        with pytest.raises(NotYourMove, match="the game is over"):
            words.save(write.resign(game, both[1].local_player.key), both[0].local_player.key, "Hello")

    def test_no_more_than_an_entry_can_say(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        """1,000 bytes of UTF-8 (FORMAT 4), the line end between two among them."""
        anna, words = both[0], PendingMessages(both[0].local_player.home)
        words.save(game, anna.local_player.key, "é" * 250)
        with pytest.raises(PbemError, match="your message has 1,001 bytes; at most 1,000 are allowed"):
            words.save(game, anna.local_player.key, "x" * 500)
        assert len(words.save(game, anna.local_player.key, "x" * 499).encode()) == 1000
        words.remove(game)
        assert words.pending_for(game, anna.local_player.key) == ""
        with pytest.raises(PbemError, match="not UTF-8"):
            words.save(game, anna.local_player.key, "\udcff")

    def test_an_offerer_may_talk_before_anybody_has_come(
        self, both: tuple[Correspondent, Correspondent]
    ) -> None:
        game = offer_game(both[0].person())
        words = PendingMessages(both[0].local_player.home)
        assert words.save(game, both[0].local_player.key, "Anybody?") == "Anybody?"
        joined = write.accept(game, both[1].person(), fixed_entropy("bruno"))
        assert words.pending_for(joined, both[0].local_player.key) == "Anybody?"
