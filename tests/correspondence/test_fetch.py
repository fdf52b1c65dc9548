"""Fetching from a Maildir and from a real IMAP server: what becomes of each game, and of each mail."""

from __future__ import annotations

import json
import mailbox
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from simulator import STRANGER, file_of, letter, log_of
from systems import Posix, only

from correspondence.players import Player, begun, move, offered
from correspondence.servers import PostOffice, own, post_office
from pbem.correspondence.fetch import Arrival, fetch_mails
from pbem.errors import ForkedFile, MailError, NotYourMove, StorageError
from pbem.mail.mailbox import Bookmarks, Maildir
from pbem.player.store.log_relation import Relation
from pbem.render.safe_text import split_command
from pbem.umpire import write
from pbem.umpire.game_state import Game

CORPUS = Path(__file__).parents[1] / "mail" / "corpus"


@pytest.fixture
def begun_game(anna: Player, bruno: Player) -> Game:
    """Bruno has accepted and set up: for Anna to move. Both have it on their shelves."""
    game = begun(anna.person(), bruno.person())
    anna.save(game)
    return bruno.save(game)


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    """Bruno's Maildir."""
    mailbox.Maildir(tmp_path / "mail").add_folder("Games")
    return tmp_path / "mail"


def mail(*attached: bytes, subject: str = "my move", text: str = "Here it is.") -> bytes:
    """A mail with these files, written by another program than ours."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", subject
    message.set_content(text)
    for number, data in enumerate(attached):
        message.add_attachment(data, maintype="application", subtype="yaml", filename=f"g{number}.yaml")
    return message.as_bytes()


def arrive(mails: Path, *letters: bytes) -> None:
    """Deliver mails, one after the other."""
    for data in letters:
        number = len(list(mails.rglob("*.host*")))
        (mails / "new" / f"{1_700_000_000 + number}.host").write_bytes(data)


def fetched(player: Player, mails: Path) -> list[Arrival]:
    with Maildir(mails) as box:
        return list(fetch_mails(player.desk, box, player.file.parent))


def shelved(player: Player) -> list[bytes]:
    return [kept.data for kept in player.desk.store.games()]


def offers(player: Player) -> list[bytes]:
    """What waits to be taken up."""
    return [kept.data for kept in player.desk.offers.newest_first()]


def moved(game: Game, player: Player) -> bytes:
    """The file after the player has moved."""
    return letter(move(game, player.person()))


class TestWhatBecomesOfAGame:
    """What is good goes to the shelf and into a file; nothing else does."""

    def test_an_offer(self, anna: Player, bruno: Player, mails: Path) -> None:
        data = letter(offered(anna.person()))
        arrive(mails, mail(data))
        (arrival,) = fetched(bruno, mails)
        assert arrival.verdict.relation is Relation.NEW
        assert (arrival.offer, arrival.refusal, arrival.alarm) == (True, None, False)
        assert offers(bruno) == [data]
        assert shelved(bruno) == []

    def test_an_offer_by_a_changed_key(self, anna: Player, bruno: Player, mails: Path) -> None:
        """The hint can be pasted, since a copy of the mail is kept."""
        bruno.desk.store.note_key("Anna", str(STRANGER.public))
        arrive(mails, mail(letter(offered(anna.person()))))
        (arrival,) = fetched(bruno, mails)
        assert not arrival.alarm, "it is no game of his yet"
        assert arrival.refusal
        assert str(arrival.refusal).startswith('"Anna" is known with another key: ')
        assert shelved(bruno) == offers(bruno) == []
        typed = split_command(arrival.refusal.hint.partition("if it is: pbem ")[2])
        assert bruno.type(*typed, "--yes") == 0

    def test_a_newer_state(self, anna: Player, bruno: Player, begun_game: Game, mails: Path) -> None:
        data = moved(begun_game, anna)
        arrive(mails, mail(data))
        (arrival,) = fetched(bruno, mails)
        assert arrival.verdict.relation is Relation.EXTENDS
        assert arrival.file is not None
        assert shelved(bruno) == [data] == [arrival.file.read_bytes()]

    def test_states_that_overtake_each_other(
        self, anna: Player, bruno: Player, begun_game: Game, mails: Path
    ) -> None:
        newer = moved(begun_game, anna)
        arrive(mails, mail(newer), mail(letter(begun_game)), mail(newer))
        relations = [arrival.verdict.relation for arrival in fetched(bruno, mails)]
        assert relations == [Relation.EXTENDS, Relation.OLDER, Relation.EQUAL]
        assert shelved(bruno) == [newer]
        assert not list(bruno.desk.home.rglob("evidence"))

    def test_a_mail_of_ones_own(self, anna: Player, bruno: Player, begun_game: Game, mails: Path) -> None:
        """Bcc to oneself, or a folder of sent mails: an old state like any other."""
        arrive(mails, mail(letter(begun_game)))
        bruno.file.unlink()
        (arrival,) = fetched(bruno, mails)
        assert arrival.verdict.relation is Relation.EQUAL
        assert not arrival.alarm

    def test_a_file_that_a_crash_has_left_out_is_written(
        self, anna: Player, bruno: Player, begun_game: Game, mails: Path
    ) -> None:
        data = moved(begun_game, anna)
        arrive(mails, mail(data), mail(data))
        first, _ = fetched(bruno, mails)
        assert first.file is not None
        assert first.file == bruno.file  # one game has one file
        first.file.unlink()
        arrive(mails, mail(data))
        fetched(bruno, mails)
        (anew,) = bruno.file.parent.glob("mortain-*.yaml")
        assert anew.read_bytes() == data

    def test_a_fork(self, anna: Player, bruno: Player, begun_game: Game, mails: Path) -> None:
        bruno.save(move(begun_game, anna.person()))
        other = letter(write.resign(begun_game, anna.desk.key))
        arrive(mails, mail(other))
        before = shelved(bruno)
        (arrival,) = fetched(bruno, mails)
        assert arrival.alarm
        assert isinstance(arrival.refusal, ForkedFile)
        assert shelved(bruno) == before
        assert [path.read_bytes() for path in bruno.desk.home.rglob("evidence/*")] == [other]

    def test_a_game_that_was_tampered_with(
        self, anna: Player, bruno: Player, begun_game: Game, mails: Path
    ) -> None:
        log = log_of(move(begun_game, anna.person()))
        log[-1]["say"] = "words that were not signed"
        arrive(mails, mail(file_of(log)))
        before = shelved(bruno)
        (arrival,) = fetched(bruno, mails)
        assert not arrival.alarm, "for nobody has signed it"
        assert arrival.verdict.failure is not None
        assert arrival.verdict.failure.step == 5
        assert arrival.refusal
        typed = split_command(arrival.refusal.hint.partition("to ask for it again: pbem ")[2])
        assert bruno.type(*typed, "--to", "anna@example.org") == 0
        assert shelved(bruno) == before

    def test_a_known_name_with_another_key(self, anna: Player, bruno: Player, mails: Path) -> None:
        bruno.desk.store.note_key("Anna", str(STRANGER.public))
        game = begun(anna.person(), bruno.person())
        bruno.desk.save(offered(anna.person()), bruno.file, new=True)
        before = shelved(bruno)
        arrive(mails, mail(letter(game)))
        (arrival,) = fetched(bruno, mails)
        assert arrival.alarm
        assert isinstance(arrival.refusal, MailError)
        assert '"Anna" is known with another key' in str(arrival.refusal)
        assert shelved(bruno) == before

    def test_a_game_in_progress_that_is_new_here(self, anna: Player, bruno: Player, mails: Path) -> None:
        """It may be an old copy, and to answer that would give shares to a second history (FORMAT 6)."""
        arrive(mails, mail(letter(begun(anna.person(), bruno.person()))))
        (arrival,) = fetched(bruno, mails)
        assert arrival.refusal is None
        assert not arrival.alarm
        (kept,) = bruno.desk.store.games()
        assert bruno.desk.store.unconfirmed.has(kept.game)

    def test_a_game_of_other_people(self, anna: Player, bruno: Player, mails: Path) -> None:
        arrive(mails, mail(letter(begun(anna.person(), anna.person()))))
        (arrival,) = fetched(bruno, mails)
        assert isinstance(arrival.refusal, NotYourMove)
        assert not arrival.alarm
        assert shelved(bruno) == []

    def test_two_games_in_one_mail(self, anna: Player, bruno: Player, begun_game: Game, mails: Path) -> None:
        newer = moved(begun_game, anna)
        terms = write.Terms(begun_game.rules, begun_game.offer.options, begun_game.rules.scenarios.names[0])
        second = letter(write.offer(anna.person(), "us", terms, bytes))
        arrive(mails, mail(newer, second))
        arrivals = fetched(bruno, mails)
        assert {arrival.verdict.relation for arrival in arrivals} == {Relation.NEW, Relation.EXTENDS}
        assert (shelved(bruno), offers(bruno)) == ([newer], [second])

    def test_a_game_that_was_cut_off(self, anna: Player, bruno: Player, mails: Path) -> None:
        data = letter(offered(anna.person()))
        arrive(mails, mail(data[: len(data) // 2]))
        (arrival,) = fetched(bruno, mails)
        assert arrival.file is None
        assert shelved(bruno) == []

    @pytest.mark.parametrize("text", ["Dear Bruno, how are you?", "", "log: of our last cruise\n"])
    def test_other_mails(self, text: str, bruno: Player, mails: Path) -> None:
        arrive(mails, mail(text=text, subject="holidays"), b"", b"\0" * 100)
        assert fetched(bruno, mails) == []

    def test_an_archive_in_a_mail_about_something_else(self, bruno: Player, mails: Path) -> None:
        message = EmailMessage()
        message["Subject"] = "photos"
        message.set_content("see attached")
        message.add_attachment(b"PK\3\4", maintype="application", subtype="zip", filename="photos.zip")
        arrive(mails, message.as_bytes())
        assert fetched(bruno, mails) == []


class TestArchives:
    """Zip and gzip are opened. Others are told of where a mail is about a game, and not else."""

    @pytest.mark.parametrize("name", ["archive-zip.eml", "archive-gzip.eml", "uuencoded.eml"])
    def test_opened(self, bruno: Player, mails: Path, name: str) -> None:
        arrive(mails, (CORPUS / name).read_bytes())
        (arrival,) = fetched(bruno, mails)
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
            ("rommel-0f3a9c12.yaml.gpg", 'the attachment "rommel-0f3a9c12.yaml.gpg" is encrypted by PGP'),
        ],
    )
    def test_by_its_name(self, bruno: Player, mails: Path, name: str, told: str) -> None:
        message = EmailMessage()
        message["Subject"] = "see attached"
        message.set_content("Hello")
        message.add_attachment(b"PK\3\4\xff", maintype="application", subtype="octet-stream", filename=name)
        arrive(mails, message.as_bytes())
        words = [arrival.verdict.description for arrival in fetched(bruno, mails)]
        assert words == ([f"{told}: open it elsewhere and save the game file"] if told else [])

    def test_in_a_mail_about_this_program(self, bruno: Player, mails: Path) -> None:
        arrive(mails, (CORPUS / "archive-7z.eml").read_bytes() + b"\npbem\n")
        (arrival,) = fetched(bruno, mails)
        assert "is a 7z archive" in arrival.verdict.description
        assert not arrival.alarm


class TestState:
    """Each mail is told of once, unless the program did not come so far."""

    def test_once(self, anna: Player, bruno: Player, begun_game: Game, mails: Path) -> None:
        arrive(mails, mail(letter(begun_game)))
        assert len(fetched(bruno, mails)) == 1
        assert fetched(bruno, mails) == []
        arrive(mails, mail(moved(begun_game, anna)))
        assert len(fetched(bruno, mails)) == 1

    def test_a_reader_who_stops_at_a_mail_sees_it_again(
        self, bruno: Player, begun_game: Game, mails: Path
    ) -> None:
        arrive(mails, mail(letter(begun_game)), mail(letter(begun_game), subject="second"), mail())
        with Maildir(mails) as box:
            reading = fetch_mails(bruno.desk, box, bruno.file.parent)
            next(reading)
            next(reading)
            reading.close()
        (again,) = fetched(bruno, mails)
        assert "second" in again.label

    @only(Posix.ERRORS)
    def test_nothing_is_noted_where_a_game_cannot_be_kept(
        self, anna: Player, bruno: Player, mails: Path
    ) -> None:
        arrive(mails, mail(letter(offered(anna.person()))))
        (bruno.desk.home / "games").write_bytes(b"a file where a folder should be")
        with pytest.raises(StorageError):
            fetched(bruno, mails)
        (bruno.desk.home / "games").unlink()
        assert len(fetched(bruno, mails)) == 1

    def test_a_damaged_state_is_one_line(self, bruno: Player, mails: Path) -> None:
        arrive(mails, mail())
        fetched(bruno, mails)
        state = bruno.desk.home / "mail" / "state.json"
        assert json.loads(state.read_text()) == {str(mails): ["1700000000.host"]}
        state.write_text('{"a": ')
        with pytest.raises(StorageError, match=r"state\.json is damaged: "):
            fetched(bruno, mails)

    def test_no_mail_is_passed_over_while_the_contacts_are_damaged(
        self, anna: Player, bruno: Player, mails: Path
    ) -> None:
        arrive(mails, mail(letter(offered(anna.person()))))
        contacts = bruno.desk.home / "contacts.json"
        contacts.write_text('{"a": ')
        with pytest.raises(StorageError, match=r"contacts\.json is damaged: "):
            fetched(bruno, mails)
        contacts.unlink()
        assert [arrival.refusal for arrival in fetched(bruno, mails)] == [None]

    def test_one_program_at_a_time(self, bruno: Player, mails: Path) -> None:
        with (
            Bookmarks(bruno.desk.home).lock(),
            pytest.raises(MailError, match=r"^another pbem is fetching mail$"),
        ):
            fetched(bruno, mails)


@pytest.fixture(scope="module")
def running() -> Iterator[PostOffice]:
    with post_office("bruno") as office:
        yield office


@pytest.fixture
def office(running: PostOffice) -> PostOffice:
    """A provider where Bruno has an empty INBOX and a folder Games."""
    running.empty("bruno")
    mailbox.Maildir(running.maildir("bruno")).add_folder("Games")
    for path in running.maildir("bruno").rglob("*"):
        own(path)
    return running


class TestCommand:
    """`pbem mail fetch`, over IMAP."""

    @pytest.fixture
    def configured(self, bruno: Player, office: PostOffice) -> Player:
        office.serve(bruno.desk, "bruno")
        return bruno

    def test_tells_of_each_game_once(
        self,
        anna: Player,
        configured: Player,
        begun_game: Game,
        office: PostOffice,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        data = moved(begun_game, anna)
        office.deliver("bruno", mail(subject="holidays"))
        office.deliver("bruno", mail(data, subject="your \x1b[2Jturn"))
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
        anna: Player,
        configured: Player,
        begun_game: Game,
        office: PostOffice,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """All mails are read all the same."""
        configured.save(move(begun_game, anna.person()))
        office.deliver("bruno", mail(letter(write.resign(begun_game, anna.desk.key))))
        office.deliver("bruno", mail(letter(begun_game)))
        assert configured.type("mail", "fetch") == 1
        told, complained = capsys.readouterr()
        assert "older than your saved game" in told.replace("\n ", "")
        assert "this file is another history than yours" in complained

    @pytest.mark.parametrize(
        ("options", "inbox", "games"),
        [((), ["", ""], []), (("--mark",), ["", "S"], []), (("--move", "Games"), [""], [""])],
    )
    def test_tidying(
        self,
        options: tuple[str, ...],
        inbox: list[str],
        games: list[str],
        configured: Player,
        begun_game: Game,
        office: PostOffice,
    ) -> None:
        """Mails without a game are never touched, and the others only as asked."""
        office.deliver("bruno", mail(subject="holidays"))
        office.deliver("bruno", mail(letter(begun_game)))
        assert configured.type("mail", "fetch", *options) == 0
        box = mailbox.Maildir(office.maildir("bruno"))
        assert sorted(one.get_flags() for one in box) == inbox
        assert sorted(one.get_flags() for one in box.get_folder("Games")) == games

    def test_from_a_maildir(self, bruno: Player, begun_game: Game, mails: Path) -> None:
        """No settings are needed."""
        arrive(mails, mail(letter(begun_game)))
        assert bruno.type("mail", "fetch", "--from", str(mails), "--move", "Games") == 0
        assert len(mailbox.Maildir(mails).get_folder("Games")) == 1

    def test_without_settings(self, bruno: Player, capsys: pytest.CaptureFixture[str]) -> None:
        assert bruno.type("mail", "fetch") == 1
        assert capsys.readouterr()[1].startswith("error: there is no folder to fetch from\nhint: ")
