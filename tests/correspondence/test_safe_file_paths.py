"""A game out of a mail goes into a file that pbem names: never through a link, never over anything else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from correspondence.test_fetch import deliver_mails, game_mail, mails, stored_files
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.outbox import Outbox
from pbem.errors import StorageError
from pbem.player.local_player import LocalPlayer
from pbem.player.store import game_file
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from support.correspondents import BRUNO, Correspondent, begin_game, offer_game, play_share_and_orders
from support.markers import Posix, requires, skip_without
from support.simulator import mailed_file

pytestmark = pytest.mark.usefixtures("mails")
__all__ = ["mails"]

Plant = Callable[[Path, Path], None]


def link_to_key(place: Path, key: Path) -> None:
    skip_without(Posix.LINKS)
    place.symlink_to(key)


def dangling_link(place: Path, key: Path) -> None:
    skip_without(Posix.LINKS)
    place.symlink_to(key.with_name("not-there-yet"))


def other_file(place: Path, key: Path) -> None:
    place.write_text("my notes\n")


def folder(place: Path, key: Path) -> None:
    place.mkdir()


PLANTED = [link_to_key, dangling_link, other_file, folder]


def place_of(player: Correspondent, game: Game) -> Path:
    return player.file.parent / f"mortain-{game.ids[0][:8]}.yaml"


def everything(player: Correspondent) -> dict[str, bytes]:
    """The player's key and whatever lies in his folder, links not followed."""
    files = [player.local_player.key_path, *player.file.parent.iterdir()]
    return {
        str(file): os.readlink(file).encode() if file.is_symlink() else file.read_bytes()
        for file in files
        if file.is_symlink() or file.is_file()
    }


@pytest.mark.parametrize("plant", PLANTED)
class TestPlanted:
    """Something lies where the game's file would go."""

    def test_join_out_of_a_mail(
        self, plant: Plant, anna: Correspondent, bruno: Correspondent, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = offer_game(anna.person())
        (bruno.file.parent / "g.eml").write_bytes(game_mail(mailed_file(game)))
        plant(place_of(bruno, game), bruno.local_player.key_path)
        before = everything(bruno)
        assert bruno.type("join", "g.eml") == 1
        told = capsys.readouterr()[1]
        assert f"error: {place_of(bruno, game).name} already exists and is not this game" in told
        assert everything(bruno) == before
        assert stored_files(bruno) == []
        assert not (bruno.local_player.home / "not-there-yet").exists()

    def test_fetch(
        self,
        plant: Plant,
        anna: Correspondent,
        bruno: Correspondent,
        mails: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """The game is safe on the shelf, and the next mail is read."""
        game = begin_game(anna.person(), bruno.person())
        bruno.local_player.record(game, mailed_file(game), new=True)
        newer = play_share_and_orders(game, anna.person())
        deliver_mails(mails, game_mail(mailed_file(newer)), game_mail(mailed_file(newer)))
        plant(place_of(bruno, game), bruno.local_player.key_path)
        before = everything(bruno)
        assert bruno.type("mail", "fetch", "--from", str(mails)) == 0
        told = capsys.readouterr()
        assert told.err.count("already exists and is not this game") == 2
        assert everything(bruno) == before
        assert stored_files(bruno) == [mailed_file(newer)]

    def test_an_answer_of_watch(
        self, plant: Plant, anna: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = begin_game(anna.person(), bruno.person())
        while not permissions.has_forced_entry(game, anna.local_player.key):
            game = play_share_and_orders(game, (anna if game.state.writer == "german" else bruno).person())
        anna.save(game)
        anna.file.unlink()  # else that is the file of the game
        contacts = Contacts(anna.local_player)
        contacts.confirm(contacts.opponent(game), BRUNO)
        plant(place_of(anna, game), anna.local_player.key_path)
        before = everything(anna)
        anna.settings(None)
        (anna.local_player.home / "config.yaml").write_text(
            "mail:\n  address: anna@example.org\n  maildir: /nowhere\n"
            "  smtp: {host: localhost, port: 1, security: tls, user: anna, password_command: ['true']}\n"
        )
        monkeypatch.setattr("pbem.cli.mail_fetch._fetch", lambda *_, **__: False)
        assert anna.type("mail", "watch", "--once") == 1
        assert everything(anna) == before
        assert stored_files(anna) == [mailed_file(game)]
        assert Outbox(anna.local_player.home).fate(game.ids[0], game.ids[-1]) is None


def test_an_older_state_of_the_game_makes_room(anna: Correspondent, bruno: Correspondent) -> None:
    game = offer_game(anna.person())
    (bruno.file.parent / "g.eml").write_bytes(game_mail(mailed_file(game)))
    place_of(bruno, game).write_bytes(mailed_file(game))
    assert bruno.type("join", "g.eml") == 0
    assert len(bruno.local_player.open(place_of(bruno, game).read_bytes()).entries) == 2


@requires(Posix.LINKS)
def test_a_link_of_ones_own_stays_one(anna: Correspondent, bruno: Correspondent) -> None:
    """Who names a file himself may keep it elsewhere, behind a link."""
    game = offer_game(anna.person())
    elsewhere = bruno.file.parent / "elsewhere.yaml"
    elsewhere.write_bytes(mailed_file(game))
    bruno.file.symlink_to(elsewhere)
    assert bruno.type("join", bruno.file.name) == 0
    assert bruno.file.is_symlink()
    assert len(bruno.local_player.open(elsewhere.read_bytes()).entries) == 2


@requires(Posix.LINKS)
def test_a_mail_as_a_file_is_not_written_through_a_link(
    anna: Correspondent, bruno: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1, 9):
        (anna.file.parent / f"mortain-{game.ids[0][:8]}-{number}.eml").symlink_to(anna.local_player.key_path)
    before = everything(anna)
    assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
    assert "is a link: nothing was written" in capsys.readouterr()[1]
    assert everything(anna) == before


def test_what_is_written_is_what_was_checked(
    anna: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes that hold another game than the one to be saved reach neither shelf nor file (FORMAT 6)."""
    other = mailed_file(offer_game(bruno.person()))
    monkeypatch.setattr(game_file, "game_file_bytes", lambda game: other)
    with pytest.raises(StorageError, match="does not contain the game"):
        anna.local_player.save(offer_game(anna.person()), anna.file, new=True)
    assert not anna.file.exists()
    assert stored_files(anna) == []


@requires(Posix.MODES)
class TestAHomeThatOthersMayWrite:
    """Who may write there may put another key in the place of one's own."""

    @pytest.mark.parametrize(
        ("mode", "warned"), [(0o770, True), (0o777, True), (0o755, False), (0o700, False)]
    )
    def test_warning(
        self, mode: int, warned: bool, anna: Correspondent, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna.local_player.home.chmod(mode)
        assert anna.type("key") == 0
        assert ("warning: other users can write in" in capsys.readouterr()[1]) is warned

    def test_a_home_that_is_not_there_yet(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        new = Correspondent("New", LocalPlayer(tmp_path / "new"), tmp_path / "game.yaml")
        assert new.type("key") == 0
        assert capsys.readouterr()[1] == ""
