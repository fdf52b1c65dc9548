"""Fetching from a Maildir and from a real IMAP server: what becomes of each game, and of each mail."""

from __future__ import annotations

import json
import mailbox
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.mail_stages import Arrival
from pbem.errors import ForkedFile, MailError, NotYourMove, StorageError
from pbem.mail.mailbox import Bookmarks, Maildir
from pbem.player.store.log_relation import Relation
from pbem.render.safe_text import split_command
from pbem.umpire import write
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, begin_game, offer_game, play_share_and_orders
from support.mail_provider import MailProvider, give_to_dovecot, run_mail_provider
from support.markers import Posix, requires
from support.simulator import STRANGER, file_of, log_of, mailed_file

CORPUS = Path(__file__).parents[1] / "mail" / "corpus"


@pytest.fixture
def begun_game(anna: Correspondent, bruno: Correspondent) -> Game:
    """Bruno has accepted and set up: for Anna to move. Both have it on their shelves."""
    game = begin_game(anna.person(), bruno.person())
    anna.save(game)
    return bruno.save(game)


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    """Bruno's Maildir."""
    mailbox.Maildir(tmp_path / "mail").add_folder("Games")
    return tmp_path / "mail"


def game_mail(*attached: bytes, subject: str = "my move", text: str = "Here it is.") -> bytes:
    """A mail with these files, written by another program than ours."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", subject
    message.set_content(text)
    for number, data in enumerate(attached):
        message.add_attachment(data, maintype="application", subtype="yaml", filename=f"g{number}.yaml")
    return message.as_bytes()


def deliver_mails(mails: Path, *letters: bytes) -> None:
    """Deliver mails, one after the other."""
    for data in letters:
        number = len(list(mails.rglob("*.host*")))
        (mails / "new" / f"{1_700_000_000 + number}.host").write_bytes(data)


def fetch_all(player: Correspondent, mails: Path) -> list[Arrival]:
    with Maildir(mails) as box:
        return list(fetch_mails(player.local_player, box, player.file.parent))


def stored_files(player: Correspondent) -> list[bytes]:
    return [kept.data for kept in player.local_player.store.games()]


def stored_offers(player: Correspondent) -> list[bytes]:
    """What waits to be taken up."""
    return [kept.data for kept in player.local_player.offers.newest_first()]


def file_after_move(game: Game, player: Correspondent) -> bytes:
    """The file after the player has moved."""
    return mailed_file(play_share_and_orders(game, player.person()))


class TestWhatBecomesOfAGame:
    """What is good goes to the shelf and into a file; nothing else does."""

    def test_an_offer(self, anna: Correspondent, bruno: Correspondent, mails: Path) -> None:
        data = mailed_file(offer_game(anna.person()))
        deliver_mails(mails, game_mail(data))
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.verdict.relation is Relation.NEW
        assert (arrival.offer, arrival.refusal, arrival.alarm) == (True, None, False)
        assert stored_offers(bruno) == [data]
        assert stored_files(bruno) == []

    def test_an_offer_is_joined_by_its_id(
        self, anna: Correspondent, bruno: Correspondent, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """On a computer where nothing is played yet, as `pbem` alone lists it."""
        assert bruno.type() == 0
        assert "\n  pbem join FILE  " in capsys.readouterr().out
        game = offer_game(anna.person())
        deliver_mails(mails, game_mail(mailed_file(game)))
        fetch_all(bruno, mails)
        assert bruno.type() == 0
        assert f"\n  pbem join {game.ids[0][:8]}  " in capsys.readouterr().out

    def test_an_offer_by_a_changed_key(self, anna: Correspondent, bruno: Correspondent, mails: Path) -> None:
        """The hint can be pasted, since a copy of the mail is kept."""
        bruno.local_player.store.note_key("Anna", str(STRANGER.public))
        deliver_mails(mails, game_mail(mailed_file(offer_game(anna.person()))))
        (arrival,) = fetch_all(bruno, mails)
        assert not arrival.alarm, "it is no game of his yet"
        assert arrival.refusal
        assert str(arrival.refusal).startswith('pbem knows "Anna" with a different key: ')
        assert stored_files(bruno) == stored_offers(bruno) == []
        typed = split_command(arrival.refusal.hint.partition("If it is: pbem ")[2])
        assert bruno.type(*typed, "--yes") == 0

    def test_a_newer_state(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        data = file_after_move(begun_game, anna)
        deliver_mails(mails, game_mail(data))
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.verdict.relation is Relation.EXTENDS
        assert arrival.file is not None
        assert stored_files(bruno) == [data] == [arrival.file.read_bytes()]

    def test_states_that_overtake_each_other(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        newer = file_after_move(begun_game, anna)
        deliver_mails(mails, game_mail(newer), game_mail(mailed_file(begun_game)), game_mail(newer))
        relations = [arrival.verdict.relation for arrival in fetch_all(bruno, mails)]
        assert relations == [Relation.EXTENDS, Relation.OLDER, Relation.EQUAL]
        assert stored_files(bruno) == [newer]
        assert not list(bruno.local_player.home.rglob("evidence"))

    def test_a_mail_of_ones_own(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        """Bcc to oneself, or a folder of sent mails: an old state like any other."""
        deliver_mails(mails, game_mail(mailed_file(begun_game)))
        bruno.file.unlink()
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.verdict.relation is Relation.EQUAL
        assert not arrival.alarm

    def test_a_file_that_a_crash_has_left_out_is_written(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        data = file_after_move(begun_game, anna)
        deliver_mails(mails, game_mail(data), game_mail(data))
        first, _ = fetch_all(bruno, mails)
        assert first.file is not None
        assert first.file == bruno.file  # one game has one file
        first.file.unlink()
        deliver_mails(mails, game_mail(data))
        fetch_all(bruno, mails)
        (anew,) = bruno.file.parent.glob("mortain-*.yaml")
        assert anew.read_bytes() == data

    def test_a_fork(self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path) -> None:
        bruno.save(play_share_and_orders(begun_game, anna.person()))
        other = mailed_file(write.resign(begun_game, anna.local_player.key))
        deliver_mails(mails, game_mail(other))
        before = stored_files(bruno)
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.alarm
        assert isinstance(arrival.refusal, ForkedFile)
        assert stored_files(bruno) == before
        assert [path.read_bytes() for path in bruno.local_player.home.rglob("evidence/*")] == [other]

    def test_a_game_that_was_tampered_with(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        log = log_of(play_share_and_orders(begun_game, anna.person()))
        log[-1]["say"] = "words that were not signed"
        deliver_mails(mails, game_mail(file_of(log)))
        before = stored_files(bruno)
        (arrival,) = fetch_all(bruno, mails)
        assert not arrival.alarm, "for nobody has signed it"
        assert arrival.verdict.failure is not None
        assert arrival.verdict.failure.step == 5
        assert arrival.refusal
        typed = split_command(arrival.refusal.hint.partition("to ask for it again: pbem ")[2])
        assert bruno.type(*typed, "--to", "anna@example.org") == 0
        assert stored_files(bruno) == before

    def test_a_known_name_with_another_key(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        bruno.local_player.store.note_key("Anna", str(STRANGER.public))
        game = begin_game(anna.person(), bruno.person())
        bruno.local_player.save(offer_game(anna.person()), bruno.file, new=True)
        before = stored_files(bruno)
        deliver_mails(mails, game_mail(mailed_file(game)))
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.alarm
        assert isinstance(arrival.refusal, MailError)
        assert 'pbem knows "Anna" with a different key' in str(arrival.refusal)
        assert stored_files(bruno) == before

    def test_a_game_in_progress_that_is_new_here(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        """It may be an old copy, and to answer that would give shares to a second history (FORMAT 6)."""
        deliver_mails(mails, game_mail(mailed_file(begin_game(anna.person(), bruno.person()))))
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.refusal is None
        assert not arrival.alarm
        (kept,) = bruno.local_player.store.games()
        assert bruno.local_player.store.unconfirmed.has(kept.game)

    def test_a_game_of_other_people(self, anna: Correspondent, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(mails, game_mail(mailed_file(begin_game(anna.person(), anna.person()))))
        (arrival,) = fetch_all(bruno, mails)
        assert isinstance(arrival.refusal, NotYourMove)
        assert not arrival.alarm
        assert stored_files(bruno) == []

    def test_two_games_in_one_mail(
        self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        newer = file_after_move(begun_game, anna)
        terms = write.Terms(begun_game.rules, begun_game.offer.options, begun_game.rules.scenarios.names[0])
        second = mailed_file(write.offer(anna.person(), "us", terms, bytes))
        deliver_mails(mails, game_mail(newer, second))
        arrivals = fetch_all(bruno, mails)
        assert {arrival.verdict.relation for arrival in arrivals} == {Relation.NEW, Relation.EXTENDS}
        assert (stored_files(bruno), stored_offers(bruno)) == ([newer], [second])

    def test_a_game_that_was_cut_off(self, anna: Correspondent, bruno: Correspondent, mails: Path) -> None:
        data = mailed_file(offer_game(anna.person()))
        deliver_mails(mails, game_mail(data[: len(data) // 2]))
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.file is None
        assert stored_files(bruno) == []

    @pytest.mark.parametrize("text", ["Dear Bruno, how are you?", "", "log: of our last cruise\n"])
    def test_other_mails(self, text: str, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(mails, game_mail(text=text, subject="holidays"), b"", b"\0" * 100)
        assert fetch_all(bruno, mails) == []

    def test_an_archive_in_a_mail_about_something_else(self, bruno: Correspondent, mails: Path) -> None:
        message = EmailMessage()
        message["Subject"] = "photos"
        message.set_content("see attached")
        message.add_attachment(b"PK\3\4", maintype="application", subtype="zip", filename="photos.zip")
        deliver_mails(mails, message.as_bytes())
        assert fetch_all(bruno, mails) == []


class TestArchives:
    """Zip and gzip are opened. Others are told of where a mail is about a game, and not else."""

    @pytest.mark.parametrize("name", ["archive-zip.eml", "archive-gzip.eml", "uuencoded.eml"])
    def test_opened(self, bruno: Correspondent, mails: Path, name: str) -> None:
        deliver_mails(mails, (CORPUS / name).read_bytes())
        (arrival,) = fetch_all(bruno, mails)
        assert arrival.verdict.game is not None

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("photos.7z", ""),
            ("photos.zip", ""),
            ("smime.p7m", ""),
            ("mortain-0f3a9c12.7z", 'the attachment "mortain-0f3a9c12.7z" is a 7z archive'),
            ("mortain.yaml.rar", 'the attachment "mortain.yaml.rar" is a rar archive'),
            ("my.yaml.zip", 'the attachment "my.yaml.zip" is a damaged archive'),
            ("rommel-0f3a9c12.yaml.gpg", 'the attachment "rommel-0f3a9c12.yaml.gpg" is encrypted with PGP'),
        ],
    )
    def test_by_its_name(self, bruno: Correspondent, mails: Path, name: str, told: str) -> None:
        message = EmailMessage()
        message["Subject"] = "see attached"
        message.set_content("Hello")
        message.add_attachment(b"PK\3\4\xff", maintype="application", subtype="octet-stream", filename=name)
        deliver_mails(mails, message.as_bytes())
        words = [arrival.verdict.description for arrival in fetch_all(bruno, mails)]
        assert words == ([f"{told}: open it in another program and save the game file"] if told else [])

    def test_in_a_mail_about_this_program(self, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(mails, (CORPUS / "archive-7z.eml").read_bytes() + b"\npbem\n")
        (arrival,) = fetch_all(bruno, mails)
        assert "is a 7z archive" in arrival.verdict.description
        assert not arrival.alarm


class TestState:
    """Each mail is told of once, unless the program did not come so far."""

    def test_once(self, anna: Correspondent, bruno: Correspondent, begun_game: Game, mails: Path) -> None:
        deliver_mails(mails, game_mail(mailed_file(begun_game)))
        assert len(fetch_all(bruno, mails)) == 1
        assert fetch_all(bruno, mails) == []
        deliver_mails(mails, game_mail(file_after_move(begun_game, anna)))
        assert len(fetch_all(bruno, mails)) == 1

    def test_a_reader_who_stops_at_a_mail_sees_it_again(
        self, bruno: Correspondent, begun_game: Game, mails: Path
    ) -> None:
        deliver_mails(
            mails,
            game_mail(mailed_file(begun_game)),
            game_mail(mailed_file(begun_game), subject="second"),
            game_mail(),
        )
        with Maildir(mails) as box:
            reading = fetch_mails(bruno.local_player, box, bruno.file.parent)
            next(reading)
            next(reading)
            reading.close()
        (again,) = fetch_all(bruno, mails)
        assert "second" in again.label

    @requires(Posix.ERRORS)
    def test_nothing_is_noted_where_a_game_cannot_be_kept(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        deliver_mails(mails, game_mail(mailed_file(offer_game(anna.person()))))
        (bruno.local_player.home / "games").write_bytes(b"a file where a folder should be")
        with pytest.raises(StorageError):
            fetch_all(bruno, mails)
        (bruno.local_player.home / "games").unlink()
        assert len(fetch_all(bruno, mails)) == 1

    def test_a_damaged_state_is_one_line(self, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(mails, game_mail())
        fetch_all(bruno, mails)
        state = bruno.local_player.home / "mail" / "state.json"
        assert json.loads(state.read_text()) == {str(mails): ["1700000000.host"]}
        state.write_text('{"a": ')
        with pytest.raises(StorageError, match=r"state\.json is damaged: "):
            fetch_all(bruno, mails)

    def test_no_mail_is_passed_over_while_the_contacts_are_damaged(
        self, anna: Correspondent, bruno: Correspondent, mails: Path
    ) -> None:
        deliver_mails(mails, game_mail(mailed_file(offer_game(anna.person()))))
        contacts = bruno.local_player.home / "contacts.json"
        contacts.write_text('{"a": ')
        with pytest.raises(StorageError, match=r"contacts\.json is damaged: "):
            fetch_all(bruno, mails)
        contacts.unlink()
        assert [arrival.refusal for arrival in fetch_all(bruno, mails)] == [None]

    def test_one_program_at_a_time(self, bruno: Correspondent, mails: Path) -> None:
        with (
            Bookmarks(bruno.local_player.home).lock(),
            pytest.raises(MailError, match=r"^another pbem is fetching mail$"),
        ):
            fetch_all(bruno, mails)


@pytest.fixture(scope="module")
def running() -> Iterator[MailProvider]:
    with run_mail_provider("bruno") as office:
        yield office


@pytest.fixture
def office(running: MailProvider) -> MailProvider:
    """A provider where Bruno has an empty INBOX and a folder Games."""
    running.empty("bruno")
    mailbox.Maildir(running.maildir("bruno")).add_folder("Games")
    for path in running.maildir("bruno").rglob("*"):
        give_to_dovecot(path)
    return running


class TestCommand:
    """`pbem mail fetch`, over IMAP."""

    @pytest.fixture
    def configured(self, bruno: Correspondent, office: MailProvider) -> Correspondent:
        office.serve(bruno.local_player, "bruno")
        return bruno

    def test_tells_of_each_game_once(
        self,
        anna: Correspondent,
        configured: Correspondent,
        begun_game: Game,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        data = file_after_move(begun_game, anna)
        office.deliver("bruno", game_mail(subject="holidays"))
        office.deliver("bruno", game_mail(data, subject="your \x1b[2Jturn"))
        assert configured.type("mail", "fetch") == 0
        told, _ = capsys.readouterr()
        file = "game.yaml"
        assert "\x1b" not in told
        assert told.startswith('mail 2 ("your ')
        assert 'newer than your saved game (the attachment "g0.yaml")' in told.replace("\n ", "")
        assert f"now in {file}" in told
        assert f"Type: pbem move {file}" in told
        assert (configured.file.parent / file).read_bytes() == data
        assert configured.type("mail", "fetch") == 0
        assert capsys.readouterr()[0] == "No new games in your mail.\n"

    def test_exit_code_of_an_alarm(
        self,
        anna: Correspondent,
        configured: Correspondent,
        begun_game: Game,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """All mails are read all the same."""
        configured.save(play_share_and_orders(begun_game, anna.person()))
        office.deliver("bruno", game_mail(mailed_file(write.resign(begun_game, anna.local_player.key))))
        office.deliver("bruno", game_mail(mailed_file(begun_game)))
        assert configured.type("mail", "fetch") == 1
        told, complained = capsys.readouterr()
        assert "older than your saved game" in told.replace("\n ", "")
        assert "this file has a different history from yours" in complained

    @pytest.mark.parametrize(
        ("options", "inbox", "games"),
        [((), ["", ""], []), (("--mark",), ["", "S"], []), (("--move", "Games"), [""], [""])],
    )
    def test_tidying(
        self,
        options: tuple[str, ...],
        inbox: list[str],
        games: list[str],
        configured: Correspondent,
        begun_game: Game,
        office: MailProvider,
    ) -> None:
        """Mails without a game are never touched, and the others only as asked."""
        office.deliver("bruno", game_mail(subject="holidays"))
        office.deliver("bruno", game_mail(mailed_file(begun_game)))
        assert configured.type("mail", "fetch", *options) == 0
        box = mailbox.Maildir(office.maildir("bruno"))
        assert sorted(one.get_flags() for one in box) == inbox
        assert sorted(one.get_flags() for one in box.get_folder("Games")) == games

    def test_from_a_maildir(self, bruno: Correspondent, begun_game: Game, mails: Path) -> None:
        """No settings are needed."""
        deliver_mails(mails, game_mail(mailed_file(begun_game)))
        assert bruno.type("mail", "fetch", "--from", str(mails), "--move", "Games") == 0
        assert len(mailbox.Maildir(mails).get_folder("Games")) == 1

    def test_without_settings(self, bruno: Correspondent, capsys: pytest.CaptureFixture[str]) -> None:
        assert bruno.type("mail", "fetch") == 1
        assert capsys.readouterr()[1].startswith("error: there is no folder to fetch from\nhint: ")
