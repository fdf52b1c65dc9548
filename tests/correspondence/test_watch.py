"""Answering by itself: what is answered, what is left to the player, and what stops it. SMTP is real."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from correspondence.test_fetch import game_mail
from correspondence.test_watch_alarms import (
    Table,
    after_an_entry_that_nobody_signed,
    another_accept,
    words_that_nobody_signed,
)
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.outbox import Outbox, entries_by_mail
from pbem.player.local_player import LocalPlayer, practice_player
from pbem.player.store.delivery import Fate
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person
from support.bounces import delivery_report
from support.correspondents import (
    BRUNO,
    Correspondent,
    attached_game,
    begin_game,
    fixed_entropy,
    make_correspondents,
    offer_game,
    parse_mail,
    play_share_and_orders,
    stored_game,
)
from support.mail_provider import MailProvider
from support.simulator import STRANGER, file_of, log_of, mailed_file
from support.strangers import with_entry_out_of_turn
from support.transcripts import ROOT

pytestmark = pytest.mark.thorough


@pytest.fixture
def both(tmp_path: Path, office: MailProvider) -> tuple[Correspondent, Correspondent]:
    """Anna reads her mail from her Maildir, which is quicker."""
    anna, bruno = make_correspondents(tmp_path)
    office.serve(anna.local_player, "anna", maildir=True)
    return anna, bruno


def play_on(game: Game, anna: Correspondent, bruno: Correspondent, *, decision: bool) -> Game:
    """The game up to where Anna owes a decision, or nothing but a share; she has had Bruno's mail before."""
    while True:
        game = play_share_and_orders(game, bruno.person())
        if (
            game.state.writer == "german"
            and permissions.has_forced_entry(game, anna.local_player.key) != decision
        ):
            return game
        game = play_share_and_orders(game, anna.person())
        anna.save(game)


def game_waiting_for_anna(
    anna: Correspondent,
    bruno: Correspondent,
    *,
    decision: bool = False,
    confirmed: bool = True,
    address: str = "",
) -> Game:
    """A game that waits for Anna, as Bruno has just mailed it, whose address she has `confirmed`."""
    game = begin_game(anna.person(mail=address), bruno.person())
    anna.save(game)
    if confirmed:
        contacts = Contacts(anna.local_player)
        contacts.confirm(contacts.opponent(game), BRUNO)
    if (
        game.state.writer == "german"
        and permissions.has_forced_entry(game, anna.local_player.key) != decision
    ):
        return game
    game = anna.save(play_share_and_orders(game, anna.person()))
    return play_on(game, anna, bruno, decision=decision)


def file(player: Correspondent, game: Game) -> Path:
    """Where a game lies: where the player has it."""
    return player.file


class TestAnswering:
    """A share that is owed is written, kept and mailed, once."""

    def test_a_share(self, anna: Correspondent, bruno: Correspondent, office: MailProvider) -> None:
        game = game_waiting_for_anna(anna, bruno)
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--once") == 0
        (sent,) = office.mails_of("bruno")
        answer = attached_game(sent)
        assert answer.ids[:-1] == game.ids
        assert "share" in answer.entries[-1].raw
        assert "orders" not in answer.entries[-1].raw
        assert parse_mail(sent)["Auto-Submitted"] == "auto-replied"
        assert (
            stored_game(anna).ids == answer.ids == anna.local_player.open(file(anna, game).read_bytes()).ids
        )
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == [sent]

    def test_a_decision_is_left_to_the_player(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        game = game_waiting_for_anna(anna, bruno, decision=True)
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == []
        assert stored_game(anna).ids == game.ids

    def test_what_another_computer_has_answered(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        """Its mail is fetched before anything is answered, so there is one answer and no fork."""
        game = game_waiting_for_anna(anna, bruno)
        anna.save(game)
        elsewhere = play_share_and_orders(game, anna.person())
        office.deliver("anna", game_mail(mailed_file(elsewhere)))
        assert anna.type("mail", "watch", "--once") == 0
        assert stored_game(anna).ids == elsewhere.ids

    def test_at_most_so_many(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        game = game_waiting_for_anna(anna, bruno)
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--most", "1") == 0
        assert len(office.mails_of("bruno")) == 1
        assert capsys.readouterr()[0].endswith("Stopped: that was the last mail of --most.\n")

    def test_what_arrives_while_it_answers_does_not_wait(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        """Its own mail is answered at once: after its look, and before it waits for mail."""
        other = make_correspondents(tmp_path / "more")[1]
        carl = Correspondent("Carl", other.local_player, other.file)
        first = game_waiting_for_anna(anna, bruno)
        second = game_waiting_for_anna(anna, carl, confirmed=False, address="anna@example.net")
        second = anna.save(play_share_and_orders(second, anna.person()))
        office.empty("carl")
        contacts = Contacts(anna.local_player)
        contacts.confirm(contacts.opponent(second), "carl@example.org")
        from_carl = play_on(second, anna, carl, decision=False)
        office.serve(anna.local_player, "anna")
        office.deliver("anna", game_mail(mailed_file(first)))

        def answer() -> None:
            while not office.mails_of("bruno"):
                time.sleep(0.002)
            office.deliver("anna", game_mail(mailed_file(from_carl)))

        (answering := threading.Thread(target=answer, daemon=True)).start()
        begun = time.monotonic()
        assert anna.type("mail", "watch", "--every", "3m", "--most", "2") == 0
        answering.join()
        assert time.monotonic() - begun < 120
        assert [len(office.mails_of(name)) for name in ("bruno", "carl")] == [1, 1]

    def test_what_was_not_sent_does_not_count(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        """Two games wait; the mail of the first is refused, and that of the second is the one of --most."""
        carl = make_correspondents(tmp_path / "more")[1]
        games = [
            anna.save(game_waiting_for_anna(anna, bruno, confirmed=False)),
            anna.save(game_waiting_for_anna(anna, carl, confirmed=False, address="anna@example.net")),
        ]
        contacts = Contacts(anna.local_player)
        for game, address in zip(
            sorted(games, key=lambda one: one.ids), ("nobody@example.org", BRUNO), strict=True
        ):
            opponent = contacts.opponent(game)
            contacts.trust(opponent)  # both are called Bruno
            contacts.confirm(opponent, address)
        assert anna.type("mail", "watch", "--once", "--most", "1") == 1
        (sent,) = office.mails_of("bruno")
        assert attached_game(sent).ids[0] == max(game.ids[0] for game in games)

    @pytest.mark.parametrize("automatic", ["auto-replied", "auto-generated; owner-email=a@example.org"])
    def test_a_vacation_note(
        self, automatic: str, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        """It quotes the mail that it answers, game and all, and gets no answer."""
        game = anna.save(
            play_share_and_orders(game_waiting_for_anna(anna, bruno, decision=True), anna.person())
        )
        assert anna.type("mail", "send", "game.yaml") == 0
        note = game_mail(mailed_file(game), subject="Away")
        office.deliver("anna", f"Auto-Submitted: {automatic}\n".encode() + note)
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.mails_of("bruno")) == 1

    @pytest.mark.parametrize("seats", ["practice", "solitaire", "of others"])
    def test_games_that_are_not_played_by_mail(
        self,
        seats: str,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Practice, solitaire, and the games of others are nobody's to answer."""
        practice = Correspondent("Practice", practice_player(anna.local_player), bruno.file)
        first, second = {
            "practice": (anna, practice),
            "solitaire": (anna, anna),
            "of others": (bruno, bruno),
        }[seats]
        game = anna.save(game_waiting_for_anna(first, second, confirmed=False))
        assert anna.type("mail", "watch", "--once") == 0
        assert capsys.readouterr() == ("No new games in your mail.\n", "")
        assert stored_game(anna).ids == game.ids

    def test_a_share_that_was_mailed_by_hand(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        """To somebody whose address is not confirmed nothing is mailed, and nothing more is asked."""
        game = game_waiting_for_anna(anna, bruno, confirmed=False)
        anna.save(play_share_and_orders(game, anna.person()))
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == []


class TestTwoComputers:
    """Anna's two computers have one key, and both answer by themselves at different times: no fork."""

    def test_they_write_the_same_entries(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        game = game_waiting_for_anna(anna, bruno)
        laptop = replace(anna, local_player=LocalPlayer(tmp_path / "laptop"), file=tmp_path / "laptop.yaml")
        shutil.copytree(anna.local_player.home, laptop.local_player.home)
        office.deliver("anna", game_mail(mailed_file(game)))
        for computer, clock in ((anna, "1785600000"), (laptop, "1785700000")):
            monkeypatch.setenv("SOURCE_DATE_EPOCH", clock)
            assert computer.type("mail", "watch", "--once") == 0
        answers = [attached_game(sent) for sent in office.mails_of("bruno")]
        assert [answer.ids for answer in answers] == [stored_game(anna).ids, stored_game(laptop).ids]
        assert answers[0].ids == answers[1].ids != game.ids
        assert mailed_file(answers[0]) == mailed_file(answers[1])
        assert not list(anna.local_player.home.rglob("evidence/*"))
        assert laptop.type("mail", "fetch") == 0


class TestMailsThatWereNotSent:
    """What was to go out goes out, with the same bytes; what the player keeps to himself does not."""

    def test_a_server_that_was_away(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        game = game_waiting_for_anna(anna, bruno)
        office.deliver("anna", game_mail(mailed_file(game)))
        office.serve(anna.local_player, "anna", smtp=1, maildir=True)
        assert anna.type("mail", "watch", "--once") == 1
        assert "warning: no connection to 127.0.0.1:1: " in capsys.readouterr()[1]
        answer = stored_game(anna)
        kept = Outbox(anna.local_player.home).read(answer.ids[0], answer.ids[-1])
        office.serve(anna.local_player, "anna", maildir=True)
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == [kept]
        assert stored_game(anna).ids == answer.ids

    def test_the_players_own_mail_that_was_not_taken(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        game = anna.save(
            play_share_and_orders(game_waiting_for_anna(anna, bruno, decision=True), anna.person())
        )
        office.serve(anna.local_player, "anna", smtp=1, maildir=True)
        assert anna.type("mail", "send", "game.yaml") == 1
        kept = Outbox(anna.local_player.home).read(game.ids[0], game.ids[-1])
        office.serve(anna.local_player, "anna", maildir=True)
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == [kept]

    def test_a_move_that_the_player_has_not_mailed_yet(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        anna.save(play_share_and_orders(game_waiting_for_anna(anna, bruno, decision=True), anna.person()))
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == []


class TestMailsThatNeverArrive:
    """What a server refuses for good, or what comes back, is told once and left to the player."""

    def test_refused_for_good(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        game = game_waiting_for_anna(anna, bruno, confirmed=False)
        contacts = Contacts(anna.local_player)
        contacts.confirm(contacts.opponent(game), "nobody@example.org")
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--once") == 1
        assert "nobody@example.org: 550 5.1.1 no such user here\n" in capsys.readouterr()[1]
        answer = stored_game(anna)
        assert Outbox(anna.local_player.home).fate(answer.ids[0], answer.ids[-1]) is Fate.REFUSED
        (fate,) = anna.local_player.store.records.read(answer.ids[0]).mails.values()
        assert "550 5.1.1 no such user here" in str(fate.refused)
        assert anna.type("mail", "watch", "--once") == 0
        assert capsys.readouterr() == ("No new games in your mail.\n", "")
        assert anna.type("mail", "send", file(anna, game).name) == 1
        assert "550 5.1.1 no such user here" in capsys.readouterr()[1]
        assert anna.type("mail", "send", file(anna, game).name, "--to", BRUNO) == 0
        assert len(office.mails_of("bruno")) == 1

    def test_came_back(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """It is not sent again by itself: the report may be false, and the address wrong."""
        game = game_waiting_for_anna(anna, bruno)
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--once") == 0
        (sent,) = office.mails_of("bruno")
        office.deliver("anna", delivery_report(sent))
        assert anna.type("mail", "watch", "--once") == 0
        told = " ".join(capsys.readouterr()[0].split())
        number = len(entries_by_mail(stored_game(anna)))
        assert f"your mail {number} to {BRUNO} bounced: 550 5.1.1 no such user" in told
        answer = stored_game(anna)
        assert Outbox(anna.local_player.home).fate(answer.ids[0], answer.ids[-1]) is Fate.RETURNED
        assert len(office.mails_of("bruno")) == 1
        assert anna.type("mail", "send", file(anna, game).name) == 0
        _, again = office.mails_of("bruno")
        assert parse_mail(again)["Message-ID"] != parse_mail(sent)["Message-ID"]

    def test_written_for_a_mail_program(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        """That is how it goes, or has gone."""
        anna.save(play_share_and_orders(game_waiting_for_anna(anna, bruno, decision=True), anna.person()))
        assert anna.type("mail", "send", "game.yaml", "--eml", "out.eml") == 0
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == []

    def test_an_offer_that_was_not_taken_at_once(self, anna: Correspondent, office: MailProvider) -> None:
        anna.save(offer_game(anna.person()))
        office.serve(anna.local_player, "anna", smtp=1, maildir=True)
        assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        office.serve(anna.local_player, "anna", maildir=True)
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.mails_of("bruno")) == 1


class TestStopping:
    """Whatever is wrong is for the player to look at; nothing is answered until he has."""

    def test_an_entry_against_the_rules(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Bruno has signed it. It stops at that mail each time, until a fetch has gone past it."""
        game = game_waiting_for_anna(anna, bruno)
        anna.save(game)
        office.deliver("anna", game_mail(with_entry_out_of_turn(game, bruno)))
        for _ in range(2):
            assert anna.type("mail", "watch", "--once") == 1
            printed = capsys.readouterr()[1]
            assert "error: stopped without answering, because of a mail that has arrived" in printed
        assert office.mails_of("bruno") == []
        assert stored_game(anna).ids == game.ids
        assert anna.type("mail", "fetch") == 1
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.mails_of("bruno")) == 1

    @pytest.mark.parametrize("attack", [words_that_nobody_signed, after_an_entry_that_nobody_signed])
    def test_what_nobody_has_signed_does_not(
        self,
        attack: Callable[[Table], bytes],
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """It takes the game's id alone: it is told once, and what is owed is answered."""
        game = game_waiting_for_anna(anna, bruno)
        anna.save(game)
        data = attack(Table(anna, bruno, game))
        office.deliver("anna", game_mail(data))
        assert anna.type("mail", "watch", "--once") == 0
        assert "pbem mail send" in capsys.readouterr()[1]
        assert len(office.mails_of("bruno")) == 1
        assert anna.type("mail", "watch", "--once") == 0
        assert capsys.readouterr() == ("No new games in your mail.\n", "")

    def test_another_accept_does_not(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Anna's offer is taken; that somebody else wants it too changes nothing."""
        game = game_waiting_for_anna(anna, bruno)
        anna.save(game)
        office.deliver("anna", game_mail(another_accept(Table(anna, bruno, game))))
        assert anna.type("mail", "watch", "--once") == 0
        printed = capsys.readouterr()[1]
        assert "note: this file has a different accept of the offer from your saved game" in printed
        assert len(office.mails_of("bruno")) == 1

    @pytest.mark.parametrize("broken", ["pbem: 1\n", "a forged offer", "a friend's name", "others' game"])
    def test_what_a_stranger_sends_does_not(
        self,
        broken: str,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """It is told, passed over, and what is owed is answered."""
        game = game_waiting_for_anna(anna, bruno)
        Contacts(anna.local_player).check_and_remember(game)
        stranger = Person("Eve", STRANGER)
        forged = log_of(offer_game(stranger))
        forged[0]["say"] = "words that were not signed"
        data = {
            "a forged offer": file_of(forged),
            "a friend's name": mailed_file(offer_game(Person("Bruno", STRANGER))),
            "others' game": mailed_file(begin_game(stranger, bruno.person()))[:-9],
        }.get(broken, broken.encode())
        office.deliver("anna", game_mail(data, subject="from a stranger"))
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert "from a stranger" in capsys.readouterr()[0]
        assert len(office.mails_of("bruno")) == 1

    def test_a_failing_game_that_nobody_here_plays(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        """A stranger's offer is on the shelf, and yet no game of the player's."""
        game, stranger = game_waiting_for_anna(anna, bruno), Person("Eve", STRANGER)
        log = log_of(begin_game(stranger, bruno.person()))
        log[1]["say"] = "words that were not signed"
        for data in (mailed_file(offer_game(stranger)), file_of(log), mailed_file(game)):
            office.deliver("anna", game_mail(data))
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.mails_of("bruno")) == 1

    def test_two_histories(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        anna.save(game_waiting_for_anna(anna, bruno))
        other = write.accept(
            offer_game(anna.person()), bruno.person(), fixed_entropy("other"), claim=write.Claim()
        )
        office.deliver("anna", game_mail(mailed_file(other)))
        assert anna.type("mail", "watch", "--once") == 1
        printed = capsys.readouterr()[1]
        assert "a different history from yours: the Americans have signed both" in printed
        assert "error: stopped without answering, because of a mail that has arrived" in printed
        assert office.mails_of("bruno") == []

    def test_a_key_that_has_changed(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        game = anna.save(game_waiting_for_anna(anna, bruno))
        (anna.local_player.home / "players.json").unlink(missing_ok=True)
        anna.local_player.store.note_key("Bruno", str(STRANGER.public))
        assert anna.type("mail", "watch", "--once") == 1
        assert 'error: pbem knows "Bruno" with a different key' in capsys.readouterr()[1]
        assert office.mails_of("bruno") == []
        assert stored_game(anna).ids == game.ids

    def test_an_address_that_is_not_confirmed(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        game = anna.save(game_waiting_for_anna(anna, bruno, confirmed=False))
        assert anna.type("mail", "watch", "--once") == 1
        assert 'warning: you have not confirmed the address of "Bruno" yet' in capsys.readouterr()[1]
        assert office.mails_of("bruno") == []
        assert stored_game(anna).ids == game.ids

    def test_a_refused_login_is_not_repeated(
        self, anna: Correspondent, office: MailProvider, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Before something changes; some servers lock a mailbox after five."""

        def refusals() -> int:
            return (office.root / "dovecot.log").read_text().count("auth failed")

        office.serve(anna.local_player, "anna")
        config, before = anna.local_player.home / "config.yaml", refusals()
        good = config.read_text()
        config.write_text(good.replace("secret of anna", "sesame"))
        assert anna.type("mail", "watch", "--once") == 1
        assert "refuses anna" in capsys.readouterr().err
        for _ in range(2):
            assert anna.type("mail", "watch", "--once") == 1
            told = capsys.readouterr().err
            assert "error: pbem is not checking your mail: " in told
            assert "refuses anna" in " ".join(told.split())
        assert refusals() == before + 1
        config.write_text(good)
        assert anna.type("mail", "watch", "--once") == 0

    def test_nor_is_one_to_send(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Though the server lets her in to read."""
        game = game_waiting_for_anna(anna, bruno)
        office.serve(anna.local_player, "anna")
        office.deliver("anna", game_mail(mailed_file(game)))
        config = anna.local_player.home / "config.yaml"
        good = config.read_text()
        config.write_text(good.replace("secret of anna", "sesame", 1))
        for _ in range(3):
            assert anna.type("mail", "watch", "--once") == 1
        assert "error: pbem is not checking your mail: " in capsys.readouterr().err
        assert office.refused_to_send == ["anna"]
        config.write_text(good)
        assert anna.type("mail", "watch", "--once") == 0
        assert len(office.mails_of("bruno")) == 1

    def test_no_server(self, anna: Correspondent, capsys: pytest.CaptureFixture[str]) -> None:
        (anna.local_player.home / "config.yaml").unlink()
        assert anna.type("mail", "watch", "--once") == 1
        assert capsys.readouterr()[1].startswith("error: there is no server to send with\n")

    @pytest.mark.parametrize("every", ["", "10", "0m", "10s", "-1m", "1.5h", "10m\n", "1000h"])
    def test_a_time_that_is_none(
        self, every: str, anna: Correspondent, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert anna.type("mail", "watch", "--every", every) == 2
        problem = "is not a time such as 10m (minutes) or 1h (hours)"
        assert f"error: --every: {every.replace(chr(10), chr(32))!r} {problem}\n" in capsys.readouterr()[1]


@pytest.mark.skipif(os.name == "nt", reason="the signal is of POSIX")
def test_the_loop_goes_on_until_it_is_interrupted(
    anna: Correspondent, bruno: Correspondent, office: MailProvider
) -> None:
    """An interrupt ends it in one line, as at every question."""
    game = game_waiting_for_anna(anna, bruno)
    office.deliver("anna", game_mail(mailed_file(game)))
    environment = {**os.environ, "PBEM_HOME": str(anna.local_player.home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pbem", "mail", "watch", "--every", "1m"]
    with subprocess.Popen(
        command, cwd=anna.file.parent, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as watching:
        end = time.monotonic() + 60
        records = anna.local_player.store.records
        while not records.read(game.ids[0]).mails and time.monotonic() < end:
            time.sleep(0.05)
        assert watching.poll() is None
        watching.send_signal(signal.SIGINT)
        _, complained = watching.communicate(timeout=60)
    assert complained == b"error: stopped\n"
    assert watching.returncode == 1
    assert stored_game(anna).ids[:-1] == game.ids
    assert len(office.mails_of("bruno")) == 1
