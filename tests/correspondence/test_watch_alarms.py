"""What stops `watch`, and what does not: only what a key of the game has signed is an alarm.

Anna offered and has moved, and a mail comes to Bruno. Each row: the attack, and a word of what is told.
Whatever comes, his shelf holds what it held.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from correspondence.test_fetch import deliver_mails, fetch_all, mails
from pbem.correspondence.mail_stages import Arrival
from pbem.errors import CompetingAccept
from pbem.format.yaml_text import Plain
from pbem.format.yaml_writer import dump_yaml
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import segment_after
from pbem.umpire.verify import open_game
from support.correspondents import Correspondent, begin_game, offer_game, play_share_and_orders
from support.simulator import STRANGER, file_of, log_of, message
from support.simulator import mailed_file as file
from support.strangers import fork_games, stranger, stranger_mail, with_entry_out_of_turn, with_unsigned_words

pytestmark = pytest.mark.thorough

__all__ = ["mails"]

NOBODYS = "0" * 64


class Table:
    """Two players and their game."""

    def __init__(self, anna: Correspondent, bruno: Correspondent, game: Game) -> None:
        self.anna, self.bruno, self.game = anna, bruno, game

    def part(self, n: int, entry: str, *raw: Plain) -> bytes:
        """A part of a log that says that it goes on from that entry."""
        after: Plain = {"game": self.game.ids[0], "n": n, "id": entry}
        return dump_yaml({"pbem": 1, "after": after, "log": list(raw)}).encode()

    def other_accept(self) -> Game:
        """Somebody else accepts Anna's offer."""
        return write.accept(
            open_game(file_of(log_of(self.game)[:1])), stranger(7), os.urandom, claim=write.Claim()
        )


def after_an_entry_that_nobody_signed(table: Table) -> bytes:
    """It takes the game's id alone, which stands in every subject."""
    raw: dict[str, Plain] = {"n": 3, "by": "german", "kind": "resign", "prev": NOBODYS}
    return table.part(2, NOBODYS, raw | {"sig": STRANGER.sign(message(raw))})


def after_an_entry_of_another_game(table: Table) -> bytes:
    """Anna has signed this, with that number; but in another game, so it's no fork of this one."""
    other = play_share_and_orders(
        begin_game(table.anna.person(name="A"), table.bruno.person()), table.anna.person()
    )
    n = next(one.body.n for one in other.entries[2:] if one.body.by == "german")
    return table.part(n - 1, other.ids[n - 1], log_of(other)[n])


def words_that_nobody_signed(table: Table) -> bytes:
    """The whole file, with one signature that fails."""
    return with_unsigned_words(table.game)


def words_in_a_part(table: Table) -> bytes:
    """A part that goes on from the newest entry, under a key of nobody's."""
    raw: dict[str, Plain] = {
        "n": len(table.game.ids),
        "by": "german",
        "kind": "resign",
        "prev": table.game.ids[-1],
    }
    return table.part(len(table.game.ids) - 1, table.game.ids[-1], raw | {"sig": STRANGER.sign(message(raw))})


def a_strangers_cheating(table: Table) -> bytes:
    """A stranger accepts the same offer and plays against the rules there; his key is none of this game."""
    other = table.other_accept()
    raw = {"n": 2, "prev": other.ids[-1], "by": "us", "kind": "play", "orders": [{"exit": "Tiger102"}]}
    raw |= {"position": NOBODYS}
    return file_of([*log_of(other), raw | {"sig": stranger(7).key.sign(message(raw))}])


def another_accept(table: Table) -> bytes:
    """Nobody has signed two histories."""
    return file(table.other_accept())


def the_same_offer_played_with_two(table: Table) -> bytes:
    """Anna goes on with both who accepted, and signs one number twice."""
    other = table.other_accept()
    second = play_share_and_orders(play_share_and_orders(other, stranger(7)), table.anna.person())
    mine = {one.body.n for one in table.game.entries if one.body.by == "german"}
    while not mine & {one.body.n for one in second.entries[1:] if one.body.by == "german"}:
        second = play_share_and_orders(play_share_and_orders(second, stranger(7)), table.anna.person())
    return file(second)


def two_accepts_of_one_person(table: Table) -> bytes:
    """Bruno has taken the seat a second time, with other secrets."""
    offer = open_game(file_of(log_of(table.game)[:1]))
    return file(write.accept(offer, table.bruno.person(), os.urandom, claim=write.Claim()))


def a_fork(table: Table) -> bytes:
    """Anna has signed something else in place of what she mailed."""
    return file(fork_games(table.game, table.anna)[0])


def a_fork_in_a_part(table: Table) -> bytes:
    """The same, behind the entry before."""
    (fork,) = fork_games(table.game, table.anna)
    return segment_after(fork, len(fork.ids) - 2)


def an_entry_against_the_rules(table: Table) -> bytes:
    """Anna has signed it, out of her turn."""
    return with_entry_out_of_turn(table.game, table.anna)


QUIET: tuple[tuple[Callable[[Table], bytes], str], ...] = (
    (after_an_entry_that_nobody_signed, "but your entry 2 is "),
    (after_an_entry_of_another_game, "but your entry 2 is "),
    (words_that_nobody_signed, "or was signed by somebody else"),
    (words_in_a_part, "or was signed by somebody else"),
    (a_strangers_cheating, "step 7"),
    (another_accept, "a different accept of the offer from your saved game"),
)
ALARMING: tuple[tuple[Callable[[Table], bytes], str], ...] = (
    (the_same_offer_played_with_two, "the Germans have played with both"),
    (two_accepts_of_one_person, "the Americans have signed both"),
    (a_fork, "the Germans have signed both"),
    (a_fork_in_a_part, "the Germans have signed both"),
    (an_entry_against_the_rules, "step 6"),
)


@pytest.fixture
def table(anna: Correspondent, bruno: Correspondent) -> Table:
    """Both have the last state on the shelf; it is for Bruno to write."""
    game = play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person())
    return Table(anna, bruno, bruno.save(anna.save(game)))


def told(arrival: Arrival) -> str:
    """All that is said of an arrival."""
    return f"{arrival.verdict.description} {arrival.refusal}"


def comes(table: Table, mails: Path, data: bytes, number: int = 0) -> list[Arrival]:
    """What becomes of a mail that brings this; the shelf stays as it is."""
    before = [kept.data for kept in table.bruno.local_player.store.games()]
    deliver_mails(mails, stranger_mail(number, data))
    arrivals = fetch_all(table.bruno, mails)
    assert [kept.data for kept in table.bruno.local_player.store.games()] == before
    return arrivals


@pytest.mark.parametrize("attack", QUIET, ids=[one.__name__ for one, _ in QUIET])
class TestQuiet:
    """It is refused and told, once for each sender, and stops nothing."""

    def test_refused(self, attack: tuple[Callable[[Table], bytes], str], table: Table, mails: Path) -> None:
        make, word = attack
        (arrival,) = comes(table, mails, make(table))
        assert word in told(arrival)
        assert (arrival.alarm, arrival.file) == (False, None)

    def test_told_once(self, attack: tuple[Callable[[Table], bytes], str], table: Table, mails: Path) -> None:
        make, word = attack
        data = make(table)
        comes(table, mails, data)
        for _ in range(3):
            (rest,) = comes(table, mails, data)
            assert rest.verdict.description == "and 1 more that brought nothing new"
        (other,) = comes(table, mails, data, number=1)
        assert word in told(other)

    def test_told_again_once_the_game_has_gone_on(
        self, attack: tuple[Callable[[Table], bytes], str], table: Table, mails: Path
    ) -> None:
        """A friend's mail that is damaged once more is told once more."""
        make, word = attack
        data = make(table)
        comes(table, mails, data)
        table.bruno.save(play_share_and_orders(table.game, table.bruno.person()))
        (arrival,) = comes(table, mails, data)
        assert word in told(arrival)


def test_a_text_that_is_no_log(table: Table, mails: Path) -> None:
    """The first entry as it was, and nonsense behind it: nothing says of which game it is."""
    data = file_of([*log_of(table.game)[:1], {"n": 1, "by": "us", "kind": "nonsense"}])
    (arrival,) = comes(table, mails, data)
    assert "the end of this file is missing" in told(arrival)
    assert (arrival.alarm, arrival.file) == (False, None)


@pytest.mark.parametrize("attack", ALARMING, ids=[one.__name__ for one, _ in ALARMING])
def test_alarming(attack: tuple[Callable[[Table], bytes], str], table: Table, mails: Path) -> None:
    make, word = attack
    (arrival,) = comes(table, mails, make(table))
    assert word in told(arrival)
    assert (arrival.alarm, arrival.file) == (True, None)


def test_another_accept_of_ones_own_offer(table: Table, mails: Path) -> None:
    """It is told as such to whoever made the offer."""
    deliver_mails(mails, stranger_mail(0, another_accept(table)))
    (arrival,) = fetch_all(table.anna, mails)
    assert isinstance(arrival.refusal, CompetingAccept)
    assert "an offer can be accepted only once: yours counts" in str(arrival.refusal)
    assert not arrival.alarm


def test_an_accept_under_a_known_name_comes_too_late(table: Table, mails: Path) -> None:
    """Under the opponent's own name, with another key: it is one more accept, and stops nothing."""
    offer = offer_game(table.anna.person())
    late = write.accept(offer, write.Person("Bruno", STRANGER), os.urandom, claim=write.Claim())
    deliver_mails(mails, stranger_mail(0, file(late)))
    (arrival,) = fetch_all(table.anna, mails)
    assert isinstance(arrival.refusal, CompetingAccept)
    assert not arrival.alarm
