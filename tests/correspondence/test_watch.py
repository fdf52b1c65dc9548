"""Answering by itself: what is answered, what is left to the player, and what stops it. SMTP is real."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cli.transcript import ROOT
from mail.bounces import bounce
from simulator import STRANGER, file_of, letter, log_of

from correspondence.players import (
    BRUNO,
    Player,
    attached,
    begun,
    entropy,
    move,
    offered,
    parsed,
    players,
    shelved,
)
from correspondence.servers import PostOffice
from correspondence.strangers import out_of_turn
from correspondence.test_adversary_mails import (
    Table,
    after_an_entry_that_nobody_signed,
    another_accept,
    words_that_nobody_signed,
)
from correspondence.test_fetch import mail
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.outbox import Outbox, entries_by_mail
from pbem.player.local_player import LocalPlayer, practice_player
from pbem.player.store.game_record import Fate
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person

pytestmark = pytest.mark.thorough


@pytest.fixture
def both(tmp_path: Path, office: PostOffice) -> tuple[Player, Player]:
    """Anna reads her mail from her Maildir, which is quicker."""
    anna, bruno = players(tmp_path)
    office.serve(anna.desk, "anna", maildir=True)
    return anna, bruno


def play_on(game: Game, anna: Player, bruno: Player, *, decision: bool) -> Game:
    """The game up to where Anna owes a decision, or nothing but a share; she has had Bruno's mail before."""
    while True:
        game = move(game, bruno.person())
        if game.state.writer == "german" and permissions.has_forced_entry(game, anna.desk.key) != decision:
            return game
        game = move(game, anna.person())
        anna.save(game)


def waiting(
    anna: Player, bruno: Player, *, decision: bool = False, confirmed: bool = True, address: str = ""
) -> Game:
    """A game that waits for Anna, as Bruno has just mailed it, whose address she has `confirmed`."""
    game = begun(anna.person(mail=address), bruno.person())
    anna.save(game)
    if confirmed:
        contacts = Contacts(anna.desk)
        contacts.confirm(contacts.opponent(game), BRUNO)
    if game.state.writer == "german" and permissions.has_forced_entry(game, anna.desk.key) != decision:
        return game
    game = anna.save(move(game, anna.person()))
    return play_on(game, anna, bruno, decision=decision)


def file(player: Player, game: Game) -> Path:
    """Where a game lies: where the player has it."""
    return player.file


class TestAnswering:
    """A share that is owed is written, kept and mailed, once."""

    def test_a_share(self, anna: Player, bruno: Player, office: PostOffice) -> None:
        game = waiting(anna, bruno)
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--once") == 0
        (sent,) = office.received("bruno")
        answer = attached(sent)
        assert answer.ids[:-1] == game.ids
        assert "share" in answer.entries[-1].raw
        assert "orders" not in answer.entries[-1].raw
        assert parsed(sent)["Auto-Submitted"] == "auto-replied"
        assert shelved(anna).ids == answer.ids == anna.desk.open(file(anna, game).read_bytes()).ids
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == [sent]

    def test_a_decision_is_left_to_the_player(self, anna: Player, bruno: Player, office: PostOffice) -> None:
        game = waiting(anna, bruno, decision=True)
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == []
        assert shelved(anna).ids == game.ids

    def test_what_another_computer_has_answered(
        self, anna: Player, bruno: Player, office: PostOffice
    ) -> None:
        """Its mail is fetched before anything is answered, so there is one answer and no fork."""
        game = waiting(anna, bruno)
        anna.save(game)
        elsewhere = move(game, anna.person())
        office.deliver("anna", mail(letter(elsewhere)))
        assert anna.type("mail", "watch", "--once") == 0
        assert shelved(anna).ids == elsewhere.ids

    def test_at_most_so_many(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = waiting(anna, bruno)
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--most", "1") == 0
        assert len(office.received("bruno")) == 1
        assert capsys.readouterr()[0].endswith("Stopped: that was the last mail of --most.\n")

    def test_what_was_not_sent_does_not_count(
        self, anna: Player, bruno: Player, office: PostOffice, tmp_path: Path
    ) -> None:
        """Two games wait; the mail of the first is refused, and that of the second is the one of --most."""
        carl = players(tmp_path / "more")[1]
        games = [
            anna.save(waiting(anna, bruno, confirmed=False)),
            anna.save(waiting(anna, carl, confirmed=False, address="anna@example.net")),
        ]
        contacts = Contacts(anna.desk)
        for game, address in zip(
            sorted(games, key=lambda one: one.ids), ("nobody@example.org", BRUNO), strict=True
        ):
            opponent = contacts.opponent(game)
            contacts.trust(opponent)  # both are called Bruno
            contacts.confirm(opponent, address)
        assert anna.type("mail", "watch", "--once", "--most", "1") == 1
        (sent,) = office.received("bruno")
        assert attached(sent).ids[0] == max(game.ids[0] for game in games)

    @pytest.mark.parametrize("automatic", ["auto-replied", "auto-generated; owner-email=a@example.org"])
    def test_a_vacation_note(self, automatic: str, anna: Player, bruno: Player, office: PostOffice) -> None:
        """It quotes the mail that it answers, game and all, and gets no answer."""
        game = anna.save(move(waiting(anna, bruno, decision=True), anna.person()))
        assert anna.type("mail", "send", "game.yaml") == 0
        note = mail(letter(game), subject="Away")
        office.deliver("anna", f"Auto-Submitted: {automatic}\n".encode() + note)
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.received("bruno")) == 1

    @pytest.mark.parametrize("seats", ["practice", "solitaire", "of others"])
    def test_games_that_are_not_played_by_mail(
        self, seats: str, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Practice, solitaire, and the games of others are nobody's to answer."""
        practice = Player("Practice", practice_player(anna.desk), bruno.file)
        first, second = {
            "practice": (anna, practice),
            "solitaire": (anna, anna),
            "of others": (bruno, bruno),
        }[seats]
        game = anna.save(waiting(first, second, confirmed=False))
        assert anna.type("mail", "watch", "--once") == 0
        assert capsys.readouterr() == ("No new games in your mail.\n", "")
        assert shelved(anna).ids == game.ids

    def test_a_share_that_was_mailed_by_hand(self, anna: Player, bruno: Player, office: PostOffice) -> None:
        """To somebody whose address is not confirmed nothing is mailed, and nothing more is asked."""
        game = waiting(anna, bruno, confirmed=False)
        anna.save(move(game, anna.person()))
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == []


class TestTwoComputers:
    """Anna's two computers have one key, and both answer by themselves at different times: no fork."""

    def test_they_write_the_same_entries(
        self,
        anna: Player,
        bruno: Player,
        office: PostOffice,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        game = waiting(anna, bruno)
        laptop = replace(anna, desk=LocalPlayer(tmp_path / "laptop"), file=tmp_path / "laptop.yaml")
        shutil.copytree(anna.desk.home, laptop.desk.home)
        office.deliver("anna", mail(letter(game)))
        for computer, clock in ((anna, "1785600000"), (laptop, "1785700000")):
            monkeypatch.setenv("SOURCE_DATE_EPOCH", clock)
            assert computer.type("mail", "watch", "--once") == 0
        answers = [attached(sent) for sent in office.received("bruno")]
        assert [answer.ids for answer in answers] == [shelved(anna).ids, shelved(laptop).ids]
        assert answers[0].ids == answers[1].ids != game.ids
        assert letter(answers[0]) == letter(answers[1])
        assert not list(anna.desk.home.rglob("evidence/*"))
        assert laptop.type("mail", "fetch") == 0


class TestMailsThatWereNotSent:
    """What was to go out goes out, with the same bytes; what the player keeps to himself does not."""

    def test_a_server_that_was_away(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = waiting(anna, bruno)
        office.deliver("anna", mail(letter(game)))
        office.serve(anna.desk, "anna", smtp=1, maildir=True)
        assert anna.type("mail", "watch", "--once") == 1
        assert "warning: no connection to 127.0.0.1:1: " in capsys.readouterr()[1]
        answer = shelved(anna)
        kept = Outbox(anna.desk.home).read(answer.ids[0], answer.ids[-1])
        office.serve(anna.desk, "anna", maildir=True)
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == [kept]
        assert shelved(anna).ids == answer.ids

    def test_the_players_own_mail_that_was_not_taken(
        self, anna: Player, bruno: Player, office: PostOffice
    ) -> None:
        game = anna.save(move(waiting(anna, bruno, decision=True), anna.person()))
        office.serve(anna.desk, "anna", smtp=1, maildir=True)
        assert anna.type("mail", "send", "game.yaml") == 1
        kept = Outbox(anna.desk.home).read(game.ids[0], game.ids[-1])
        office.serve(anna.desk, "anna", maildir=True)
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == [kept]

    def test_a_move_that_the_player_has_not_mailed_yet(
        self, anna: Player, bruno: Player, office: PostOffice
    ) -> None:
        anna.save(move(waiting(anna, bruno, decision=True), anna.person()))
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == []


class TestMailsThatNeverArrive:
    """What a server refuses for good, or what comes back, is told once and left to the player."""

    def test_refused_for_good(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = waiting(anna, bruno, confirmed=False)
        contacts = Contacts(anna.desk)
        contacts.confirm(contacts.opponent(game), "nobody@example.org")
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--once") == 1
        assert "nobody@example.org: 550 5.1.1 no such user here\n" in capsys.readouterr()[1]
        answer, outbox = shelved(anna), anna.desk.home / "outbox"
        assert Outbox(anna.desk.home).fate(answer.ids[0], answer.ids[-1]) is Fate.REFUSED
        (refused,) = outbox.rglob("*.refused")
        assert "550 5.1.1 no such user here" in refused.read_text()
        assert anna.type("mail", "watch", "--once") == 0
        assert capsys.readouterr() == ("No new games in your mail.\n", "")
        assert anna.type("mail", "send", file(anna, game).name) == 1
        assert "550 5.1.1 no such user here" in capsys.readouterr()[1]
        assert anna.type("mail", "send", file(anna, game).name, "--to", BRUNO) == 0
        assert len(office.received("bruno")) == 1

    def test_came_back(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It is not sent again by itself: the report may be false, and the address wrong."""
        game = waiting(anna, bruno)
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--once") == 0
        (sent,) = office.received("bruno")
        office.deliver("anna", bounce(sent))
        assert anna.type("mail", "watch", "--once") == 0
        told = " ".join(capsys.readouterr()[0].split())
        number = len(entries_by_mail(shelved(anna)))
        assert f"your mail {number} to {BRUNO} came back: 550 5.1.1 no such user" in told
        answer = shelved(anna)
        assert Outbox(anna.desk.home).fate(answer.ids[0], answer.ids[-1]) is Fate.RETURNED
        assert len(office.received("bruno")) == 1
        assert anna.type("mail", "send", file(anna, game).name) == 0
        _, again = office.received("bruno")
        assert parsed(again)["Message-ID"] != parsed(sent)["Message-ID"]

    def test_written_for_a_mail_program(self, anna: Player, bruno: Player, office: PostOffice) -> None:
        """That is how it goes, or has gone."""
        anna.save(move(waiting(anna, bruno, decision=True), anna.person()))
        assert anna.type("mail", "send", "game.yaml", "--eml", "out.eml") == 0
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == []

    def test_an_offer_that_was_not_taken_at_once(self, anna: Player, office: PostOffice) -> None:
        anna.save(offered(anna.person()))
        office.serve(anna.desk, "anna", smtp=1, maildir=True)
        assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        office.serve(anna.desk, "anna", maildir=True)
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.received("bruno")) == 1


class TestStopping:
    """Whatever is wrong is for the player to look at; nothing is answered until he has."""

    def test_an_entry_against_the_rules(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Bruno has signed it. It stops at that mail each time, until a fetch has gone past it."""
        game = waiting(anna, bruno)
        anna.save(game)
        office.deliver("anna", mail(out_of_turn(game, bruno)))
        for _ in range(2):
            assert anna.type("mail", "watch", "--once") == 1
            assert "error: stopped, and answered nothing" in capsys.readouterr()[1]
        assert office.received("bruno") == []
        assert shelved(anna).ids == game.ids
        assert anna.type("mail", "fetch") == 1
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.received("bruno")) == 1

    @pytest.mark.parametrize("attack", [words_that_nobody_signed, after_an_entry_that_nobody_signed])
    def test_what_nobody_has_signed_does_not(
        self,
        attack: Callable[[Table], bytes],
        anna: Player,
        bruno: Player,
        office: PostOffice,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """It takes the game's id alone: it is told once, and what is owed is answered."""
        game = waiting(anna, bruno)
        anna.save(game)
        data = attack(Table(anna, bruno, game))
        office.deliver("anna", mail(data))
        assert anna.type("mail", "watch", "--once") == 0
        assert "pbem mail send" in capsys.readouterr()[1]
        assert len(office.received("bruno")) == 1
        assert anna.type("mail", "watch", "--once") == 0
        assert capsys.readouterr() == ("No new games in your mail.\n", "")

    def test_another_accept_does_not(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Anna's offer is taken; that somebody else wants it too changes nothing."""
        game = waiting(anna, bruno)
        anna.save(game)
        office.deliver("anna", mail(another_accept(Table(anna, bruno, game))))
        assert anna.type("mail", "watch", "--once") == 0
        printed = capsys.readouterr()[1]
        assert "note: this file has another accept of the offer than your saved game" in printed
        assert len(office.received("bruno")) == 1

    @pytest.mark.parametrize("broken", ["pbem: 1\n", "a forged offer", "a friend's name", "others' game"])
    def test_what_a_stranger_sends_does_not(
        self, broken: str, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It is told, passed over, and what is owed is answered."""
        game = waiting(anna, bruno)
        Contacts(anna.desk).check_and_remember(game)
        stranger = Person("Eve", STRANGER)
        forged = log_of(offered(stranger))
        forged[0]["say"] = "words that were not signed"
        data = {
            "a forged offer": file_of(forged),
            "a friend's name": letter(offered(Person("Bruno", STRANGER))),
            "others' game": letter(begun(stranger, bruno.person()))[:-9],
        }.get(broken, broken.encode())
        office.deliver("anna", mail(data, subject="from a stranger"))
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert "from a stranger" in capsys.readouterr()[0]
        assert len(office.received("bruno")) == 1

    def test_a_failing_game_that_nobody_here_plays(
        self, anna: Player, bruno: Player, office: PostOffice
    ) -> None:
        """A stranger's offer is on the shelf, and yet no game of the player's."""
        game, stranger = waiting(anna, bruno), Person("Eve", STRANGER)
        log = log_of(begun(stranger, bruno.person()))
        log[1]["say"] = "words that were not signed"
        for data in (letter(offered(stranger)), file_of(log), letter(game)):
            office.deliver("anna", mail(data))
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.received("bruno")) == 1

    def test_two_histories(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna.save(waiting(anna, bruno))
        other = write.accept(offered(anna.person()), bruno.person(), entropy("other"), claim=write.Claim())
        office.deliver("anna", mail(letter(other)))
        assert anna.type("mail", "watch", "--once") == 1
        printed = capsys.readouterr()[1]
        assert "another history than yours: the Americans have signed both" in printed
        assert "error: stopped, and answered nothing" in printed
        assert office.received("bruno") == []

    def test_a_key_that_has_changed(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = anna.save(waiting(anna, bruno))
        (anna.desk.home / "players.json").unlink(missing_ok=True)
        anna.desk.store.note_key("Bruno", str(STRANGER.public))
        assert anna.type("mail", "watch", "--once") == 1
        assert 'error: "Bruno" is known with another key' in capsys.readouterr()[1]
        assert office.received("bruno") == []
        assert shelved(anna).ids == game.ids

    def test_an_address_that_is_not_confirmed(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = anna.save(waiting(anna, bruno, confirmed=False))
        assert anna.type("mail", "watch", "--once") == 1
        assert 'warning: you have not confirmed the address of "Bruno" yet' in capsys.readouterr()[1]
        assert office.received("bruno") == []
        assert shelved(anna).ids == game.ids

    def test_no_server(self, anna: Player, capsys: pytest.CaptureFixture[str]) -> None:
        (anna.desk.home / "config.yaml").unlink()
        assert anna.type("mail", "watch", "--once") == 1
        assert capsys.readouterr()[1].startswith("error: there is no server to send with\n")

    @pytest.mark.parametrize("every", ["", "10", "0m", "10s", "-1m", "1.5h", "10m\n", "1000h"])
    def test_a_time_that_is_none(self, every: str, anna: Player, capsys: pytest.CaptureFixture[str]) -> None:
        assert anna.type("mail", "watch", "--every", every) == 2
        problem = "is not a time such as 10m (minutes) or 1h (hours)"
        assert f"error: --every: {every.replace(chr(10), chr(32))!r} {problem}\n" in capsys.readouterr()[1]


@pytest.mark.skipif(os.name == "nt", reason="the signal is of POSIX")
def test_the_loop_goes_on_until_it_is_interrupted(anna: Player, bruno: Player, office: PostOffice) -> None:
    """An interrupt ends it in one line, as at every question."""
    game = waiting(anna, bruno)
    office.deliver("anna", mail(letter(game)))
    environment = {**os.environ, "PBEM_HOME": str(anna.desk.home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pbem", "mail", "watch", "--every", "1m"]
    with subprocess.Popen(
        command, cwd=anna.file.parent, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as watching:
        end = time.monotonic() + 60
        while not any((anna.desk.home / "outbox").rglob("*.sent")) and time.monotonic() < end:
            time.sleep(0.05)
        assert watching.poll() is None
        watching.send_signal(signal.SIGINT)
        _, complained = watching.communicate(timeout=60)
    assert complained == b"error: stopped\n"
    assert watching.returncode == 1
    assert shelved(anna).ids[:-1] == game.ids
    assert len(office.received("bruno")) == 1
