"""What strangers send changes nothing of one's own; no more of it is kept or told than `base.limits` says."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from correspondence.test_fetch import deliver_mails, fetch_all, mails, stored_offers
from pbem.base.limits import OFFERS, QUARANTINE_MAILS, REPORTED_MAILS
from pbem.cli.completion import games as completed
from pbem.correspondence.mail_stages import Arrival
from pbem.errors import ForkedFile, MailError
from pbem.player.store.game_store import MailFacts
from pbem.umpire import write
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, begin_game, offer_game, play_share_and_orders, stored_game
from support.simulator import mailed_file
from support.strangers import (
    fork_games,
    game_naming_commander,
    game_of_strangers,
    pad_file,
    stranger,
    stranger_mail,
    stranger_offer,
    total_size,
    waiting_offers,
    with_unsigned_words,
    zip_files,
)

pytestmark = pytest.mark.thorough

__all__ = ["mails"]

MANY = 300
IN_A_MAIL = 50
MIB = 2**20


def sends_offers(mails: Path, number: int, first: int = 0) -> None:
    """So many offers of as many strangers come, in as few mails as possible."""
    offers = [mailed_file(stranger_offer(n)) for n in range(first, first + number)]
    deliver_mails(mails, *(stranger_mail(n, *offers[n : n + IN_A_MAIL]) for n in range(0, number, IN_A_MAIL)))


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed since the last time, without its line breaks."""
    return " ".join("".join(capsys.readouterr()).split())


@pytest.fixture
def own(anna: Correspondent, bruno: Correspondent) -> Game:
    """Bruno's game with Anna, in which it is for him to move."""
    return bruno.save(play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person()))


class TestAnOffer:
    """It waits in a list of its own until it is taken up."""

    def test_is_no_game_and_no_file(self, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(mails, stranger_mail(0, mailed_file(stranger_offer(0))))
        (arrival,) = fetch_all(bruno, mails)
        assert (arrival.file, arrival.refusal, arrival.alarm) == (None, None, False)
        assert list(bruno.local_player.store.games()) == []
        assert waiting_offers(bruno) == [stranger_offer(0).ids[0]]
        assert list(bruno.file.parent.glob("*.y*ml")) == []

    def test_is_told_with_the_command_that_takes_it_up(
        self, bruno: Correspondent, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        deliver_mails(mails, stranger_mail(0, mailed_file(stranger_offer(0))))
        assert bruno.type("mail", "fetch", "--from", str(mails)) == 0
        told = said(capsys)
        typed = re.search(r"Type: pbem (join [0-9a-f]{8})$", told)
        assert typed, told
        assert bruno.type(*typed[1].split(), "--name", "Bruno") == 0
        assert [seat.name for seat in stored_game(bruno).seats.values()] == ["Eve 0", "Bruno"]
        assert waiting_offers(bruno) == []
        assert (bruno.file.parent / f"mortain-{stranger_offer(0).ids[0][:8]}.yaml").exists()

    @pytest.mark.parametrize("word", ["", "by its file's name"])
    def test_is_found_by_join(self, word: str, bruno: Correspondent, own: Game, mails: Path) -> None:
        """The one offer there is; and by the name under which the letter speaks of it."""
        deliver_mails(mails, stranger_mail(0, mailed_file(stranger_offer(0))))
        fetch_all(bruno, mails)
        name = [f"mortain-{stranger_offer(0).ids[0][:8]}.yaml"] if word else []
        assert bruno.type("join", *name, "--name", "Bruno") == 0
        assert len(bruno.local_player.store.ids()) == 2

    def test_is_shown_by_its_id(
        self, bruno: Correspondent, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """To look at it takes nothing up."""
        deliver_mails(mails, stranger_mail(0, mailed_file(stranger_offer(0))))
        fetch_all(bruno, mails)
        assert bruno.type("show", stranger_offer(0).ids[0][:8]) == 0
        assert f"pbem join {stranger_offer(0).ids[0][:8]}" in said(capsys)
        assert waiting_offers(bruno) == [stranger_offer(0).ids[0]]
        assert list(bruno.local_player.store.games()) == []

    def test_an_id_is_first_of_all_one_of_a_game(
        self, bruno: Correspondent, own: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A stranger may try until his offer's id begins as that of a game does."""
        digits = own.ids[0][:8]
        bruno.local_player.offers.save(
            f"{digits}{'0' * 56}", lambda: mailed_file(stranger_offer(0)), MailFacts()
        )
        for word in (digits, f"mortain-{digits}.yaml"):
            assert bruno.type("show", word) == 0
            assert f"note: game.yaml, game {digits}" in said(capsys)

    def test_several_are_named(
        self, bruno: Correspondent, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        sends_offers(mails, 2)
        fetch_all(bruno, mails)
        assert bruno.type("join", "--name", "Bruno") == 1
        told = said(capsys)
        assert told.startswith("error: 2 offers are waiting; ")
        assert "pbem games --offers" in told

    def test_another_computer_has_taken_it_up(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        """Then the game that comes goes on from the offer that waits here."""
        deliver_mails(mails, stranger_mail(0, mailed_file(offer_game(anna.person()))))
        fetch_all(bruno, mails)
        game = play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person())
        deliver_mails(mails, stranger_mail(0, mailed_file(game)))
        (arrival,) = fetch_all(bruno, mails)
        assert (arrival.refusal, arrival.file is not None) == (None, True)
        assert stored_game(bruno).ids == game.ids
        assert waiting_offers(bruno) == []

    def test_once(self, bruno: Correspondent, mails: Path) -> None:
        for _ in range(3):
            deliver_mails(mails, stranger_mail(0, mailed_file(stranger_offer(0))))
            arrivals = fetch_all(bruno, mails)
        (again,) = arrivals
        assert again.offer
        assert waiting_offers(bruno) == [stranger_offer(0).ids[0]]


class TestOnesOwnGames:
    """Whatever strangers have offered, all finds one's own game as before."""

    @pytest.fixture
    def flooded(
        self, bruno: Correspondent, own: Game, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> Correspondent:
        sends_offers(mails, 30)
        fetch_all(bruno, mails)
        capsys.readouterr()
        return bruno

    @pytest.mark.parametrize("words", [("show",), ("log",), ("moves",), ("verify",)])
    def test_without_a_file(
        self, words: tuple[str, ...], flooded: Correspondent, own: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert flooded.type(*words) == 0
        assert f"note: game.yaml, game {own.ids[0][:8]}" in said(capsys)

    def test_pbem_alone(self, flooded: Correspondent, own: Game, capsys: pytest.CaptureFixture[str]) -> None:
        assert flooded.type() == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith(f"{own.ids[0][:12]}  YOUR MOVE")
        assert lines[-1] == f"You have {OFFERS} offers; to list them: pbem games --offers"
        assert "Eve" not in "".join(lines)

    def test_the_list_of_games(
        self, flooded: Correspondent, own: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert flooded.type("games") == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith(own.ids[0][:12])
        assert lines[-1] == f"You have {OFFERS} offers; to list them: pbem games --offers"
        assert "Eve" not in "".join(lines)

    def test_the_list_of_offers(
        self, flooded: Correspondent, own: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert flooded.type("games", "--offers") == 0
        told = said(capsys)
        assert told.count("Eve ") == OFFERS
        assert all(f"pbem join {one[:8]}" in told for one in waiting_offers(flooded))
        assert own.ids[0][:12] not in told

    def test_completion(self, flooded: Correspondent, own: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBEM_HOME", str(flooded.local_player.home))
        ids = [one[0] for one in completed(None, "") if re.fullmatch("[0-9a-f]{8}", one[0])]
        assert ids == [own.ids[0][:8]]

    def test_the_calendar(self, flooded: Correspondent, capsys: pytest.CaptureFixture[str]) -> None:
        assert flooded.type("games", "--ics", "moves.ics") == 0
        assert "no game has a move with a deadline" in said(capsys)


class TestHowMany:
    """There is room for so many offers, and what has no room is told in one line."""

    @pytest.mark.thorough
    def test_at_most_so_many(self, bruno: Correspondent, mails: Path) -> None:
        sends_offers(mails, MANY)
        arrivals = fetch_all(bruno, mails)
        assert len(waiting_offers(bruno)) == OFFERS
        assert [one.verdict.game is not None for one in arrivals] == [True] * OFFERS + [False]
        assert arrivals[-1].verdict.description == (
            f"there is no room for {MANY - OFFERS} more offers; to list those kept: pbem games --offers"
        )

    def test_the_oldest_makes_room(self, bruno: Correspondent, mails: Path) -> None:
        """What comes in one look makes room for nothing else in it: it has just been told."""
        sends_offers(mails, OFFERS)
        fetch_all(bruno, mails)
        sends_offers(mails, 3, first=OFFERS)
        assert len(fetch_all(bruno, mails)) == 3
        assert waiting_offers(bruno) == sorted(stranger_offer(n).ids[0] for n in range(3, OFFERS + 3))

    def test_a_friends_makes_no_room_for_a_strangers(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        """A friend is whose key is known from another game."""
        bruno.local_player.store.note_key("Anna", str(anna.local_player.key.public))
        friends = offer_game(anna.person())
        deliver_mails(mails, stranger_mail(0, mailed_file(friends)))
        fetch_all(bruno, mails)
        for first in range(0, 2 * OFFERS, OFFERS):
            sends_offers(mails, OFFERS, first)
            fetch_all(bruno, mails)
        assert friends.ids[0] in waiting_offers(bruno)
        assert len(waiting_offers(bruno)) == OFFERS

    def test_a_friends_comes_among_strangers(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        """In one look with more of theirs than there is room for."""
        bruno.local_player.store.note_key("Anna", str(anna.local_player.key.public))
        sends_offers(mails, OFFERS + 3)
        friends = offer_game(anna.person())
        deliver_mails(mails, stranger_mail(0, mailed_file(friends)))
        fetch_all(bruno, mails)
        assert friends.ids[0] in waiting_offers(bruno)
        assert len(waiting_offers(bruno)) == OFFERS

    def test_no_larger_one(self, bruno: Correspondent, mails: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        large = mailed_file(stranger_offer(0))
        monkeypatch.setattr("pbem.player.store.game_store.OFFER_BYTES", len(large) - 1)
        deliver_mails(mails, stranger_mail(0, large))
        (rest,) = fetch_all(bruno, mails)
        assert rest.verdict.description.startswith("there is no room for 1 more offer")
        assert waiting_offers(bruno) == []

    @pytest.mark.thorough
    def test_named_as_commander(self, bruno: Correspondent, mails: Path) -> None:
        """A stranger may name anybody whose key he has seen: that asks for nothing either."""
        key = str(bruno.local_player.key.public)
        deliver_mails(
            mails, *(stranger_mail(n, mailed_file(game_naming_commander(n, key))) for n in range(OFFERS + 5))
        )
        fetch_all(bruno, mails)
        assert len(waiting_offers(bruno)) == OFFERS
        assert list(bruno.local_player.store.games()) == []


class TestWhatIsKept:
    """Our own writing of a log, and never a sender's comments."""

    @pytest.mark.thorough
    @pytest.mark.parametrize("number", [1, pytest.param(3, marks=pytest.mark.thorough)])
    def test_of_an_offer(self, number: int, bruno: Correspondent, mails: Path) -> None:
        """Two padded ones in an archive of some kB, as large as a mail may bring."""
        for n in range(number):
            pair = [pad_file(mailed_file(stranger_offer(2 * n + i)), 15 * MIB) for i in range(2)]
            deliver_mails(mails, stranger_mail(n, zip_files(*pair), name="g.zip"))
        fetch_all(bruno, mails)
        assert total_size(bruno.file.parent) < MIB
        assert sorted(stored_offers(bruno)) == sorted(
            mailed_file(stranger_offer(n)) for n in range(2 * number)
        )

    def test_of_a_game(self, anna: Correspondent, bruno: Correspondent, own: Game, mails: Path) -> None:
        newer = play_share_and_orders(play_share_and_orders(own, bruno.person()), anna.person())
        deliver_mails(mails, stranger_mail(0, pad_file(mailed_file(newer), MIB)))
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.file is not None
        (kept,) = bruno.local_player.store.games()
        assert kept.data == mailed_file(newer) == arrival.file.read_bytes()

    def test_of_a_file_that_is_played_on(self, anna: Correspondent, bruno: Correspondent, own: Game) -> None:
        newer = play_share_and_orders(play_share_and_orders(own, bruno.person()), anna.person())
        bruno.file.write_bytes(pad_file(mailed_file(newer), MIB))
        assert bruno.type("show", bruno.file.name) == 0
        (kept,) = bruno.local_player.store.games()
        assert kept.data == mailed_file(newer)

    def test_of_a_fork(self, anna: Correspondent, bruno: Correspondent, own: Game, mails: Path) -> None:
        fork = fork_games(own, anna)[0]
        deliver_mails(mails, stranger_mail(0, pad_file(mailed_file(fork), MIB)))
        (arrival,) = fetch_all(bruno, mails)
        assert isinstance(arrival.refusal, ForkedFile)
        (evidence,) = bruno.local_player.home.rglob("evidence/*")
        assert evidence.read_bytes() == mailed_file(fork)


class TestEvidence:
    """A fork is kept, as long as there is room for evidence of the game and of all games."""

    @pytest.mark.parametrize("budget", ["GAME_EVIDENCE_BYTES", "EVIDENCE_BYTES"])
    def test_within_the_budget(
        self,
        budget: str,
        anna: Correspondent,
        bruno: Correspondent,
        own: Game,
        mails: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        games = fork_games(own, anna, 5)
        monkeypatch.setattr(f"pbem.player.store.game_store.{budget}", 3 * len(mailed_file(games[0])) + 100)
        deliver_mails(mails, *(stranger_mail(n, mailed_file(game)) for n, game in enumerate(games)))
        arrivals = fetch_all(bruno, mails)
        assert [one.alarm for one in arrivals] == [True] * 5
        assert len(list(bruno.local_player.home.rglob("evidence/*"))) == 3
        assert "there is no room" in arrivals[-1].refusal.hint if arrivals[-1].refusal else False

    def test_a_fork_is_kept_once(
        self, anna: Correspondent, bruno: Correspondent, own: Game, mails: Path
    ) -> None:
        (fork,) = fork_games(own, anna)
        deliver_mails(
            mails, stranger_mail(0, mailed_file(fork)), stranger_mail(1, pad_file(mailed_file(fork), 1000))
        )
        assert [one.alarm for one in fetch_all(bruno, mails)] == [True] * 2
        assert len(list(bruno.local_player.home.rglob("evidence/*"))) == 1

    def test_of_other_accepts_the_first(self, anna: Correspondent, bruno: Correspondent, mails: Path) -> None:
        """They accuse nobody, and leave the room to what does."""
        anna.save(begin_game(anna.person(), bruno.person()))
        mine = offer_game(anna.person())
        for n in range(5):
            other = write.accept(mine, stranger(n), os.urandom, claim=write.Claim())
            deliver_mails(mails, stranger_mail(n, mailed_file(other)))
        assert not any(one.alarm for one in fetch_all(anna, mails))
        assert len(list(anna.local_player.home.rglob("evidence/*"))) == 1


class TestSetAside:
    """The oldest copy makes room for the newest, so that there always is one to work on."""

    def broken(self, number: int) -> bytes:
        return stranger_mail(number, text="-----BEGIN PBEM GAME-----\n" * 200)

    def test_the_newest_has_a_copy(self, bruno: Correspondent, mails: Path) -> None:
        folder, half = bruno.local_player.home / "mail" / "set-aside", QUARANTINE_MAILS // 2
        rounds = [[self.broken(n) for n in range(first, first + half)] for first in range(0, 5 * half, half)]
        for sent in rounds:
            deliver_mails(mails, *sent)
            assert sum("set aside in" in one.verdict.description for one in fetch_all(bruno, mails)) == half
        kept = sorted(path.read_bytes() for path in folder.iterdir())
        assert kept == sorted(rounds[-2] + rounds[-1])

    def test_there_is_one_for_all_that_one_look_tells(self) -> None:
        assert REPORTED_MAILS <= QUARANTINE_MAILS

    def test_within_the_bytes(
        self, bruno: Correspondent, mails: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent = [self.broken(n) for n in range(5)]
        monkeypatch.setattr("pbem.correspondence.quarantine.QUARANTINE_BYTES", 2 * len(sent[0]) + 10)
        for one in sent:
            deliver_mails(mails, one)
            fetch_all(bruno, mails)
        kept = (bruno.local_player.home / "mail" / "set-aside").iterdir()
        assert sorted(path.read_bytes() for path in kept) == sorted(sent[-2:])

    def test_a_hint_has_something_to_work_on(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        """However much junk has come, the command that a hint gives finds its file."""
        deliver_mails(mails, *(self.broken(n) for n in range(QUARANTINE_MAILS)))
        fetch_all(bruno, mails)
        bruno.local_player.store.note_key("Anna", str(stranger(0).key.public))
        deliver_mails(mails, stranger_mail(0, mailed_file(offer_game(anna.person()))))
        (arrival,) = fetch_all(bruno, mails)
        assert isinstance(arrival.refusal, MailError)
        assert bruno.type(*arrival.refusal.hint.partition("If it is: pbem ")[2].split(), "--yes") == 0


class TestTelling:
    """So many things are told one by one; of the rest, how many there were."""

    def test_mails_that_fail(self, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(
            mails,
            *(stranger_mail(n, with_unsigned_words(stranger_offer(n))) for n in range(REPORTED_MAILS + 7)),
        )
        arrivals = fetch_all(bruno, mails)
        assert len(arrivals) == REPORTED_MAILS + 1
        assert arrivals[-1].verdict.description == "and 7 more that brought nothing new"

    def test_games_of_other_people(self, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(
            mails, *(stranger_mail(n, mailed_file(game_of_strangers(n))) for n in range(REPORTED_MAILS + 2))
        )
        assert _words(fetch_all(bruno, mails)) == [""] * REPORTED_MAILS + [
            "and 2 more that brought nothing new"
        ]

    def test_what_is_ones_own_is_always_told(
        self, anna: Correspondent, bruno: Correspondent, own: Game, mails: Path
    ) -> None:
        junk = [stranger_mail(n, with_unsigned_words(stranger_offer(n))) for n in range(REPORTED_MAILS + 5)]
        newer = play_share_and_orders(play_share_and_orders(own, bruno.person()), anna.person())
        deliver_mails(mails, *junk, stranger_mail(0, mailed_file(newer)))
        *_, mine, rest = fetch_all(bruno, mails)
        assert mine.verdict.game is not None
        assert mine.verdict.game.ids == newer.ids
        assert rest.verdict.description == "and 5 more that brought nothing new"


def _words(arrivals: list[Arrival]) -> list[str]:
    """Lines beside games."""
    return ["" if one.verdict.game else one.verdict.description for one in arrivals]
