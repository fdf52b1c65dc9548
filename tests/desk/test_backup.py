"""A home in one file and back: what is in it, where it is refused, that nothing is signed before a yes."""

from __future__ import annotations

import os
import re
import tarfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from correspondence.answers import asked
from correspondence.players import Player, begun, move, players, shelved
from systems import Posix, only

from pbem.desk import Desk
from pbem.desk.shelf.backup import opened, packed, put_back, sealed, unpacked
from pbem.desk.shelf.handed import Way
from pbem.errors import FileError, ShelfError, UnknownGame
from pbem.umpire import Game

WORD = "correct horse"


@pytest.fixture
def both(tmp_path: Path) -> tuple[Player, Player]:
    return players(tmp_path)


@pytest.fixture
def game(both: tuple[Player, Player]) -> Game:
    anna, bruno = both
    return anna.save(begun(anna.person(), bruno.person()))


def restored(anna: Player, folder: str = "new") -> Desk:
    """Anna's home put back on another computer."""
    home = anna.desk.home.with_name(folder)
    put_back(unpacked(packed(anna.desk.home), "x"), home)
    return Desk(home)


class TestWhatIsInIt:
    def test_all_but_what_is_worth_nothing_elsewhere(self, both: tuple[Player, Player], game: Game) -> None:
        home = both[0].desk.home
        (home / "config.yaml").write_text("lang: es\n")
        (home / "mail").mkdir()
        (home / "mail" / "asked.json").write_text("{}")
        (home / "lock").touch()
        found = unpacked(packed(home), "x")
        shelf = f"games/{game.ids[0]}"
        assert set(found) == {
            "key",
            "config.yaml",
            "mail/asked.json",
            f"{shelf}/game.yaml",
            f"{shelf}/ledger",
        }
        assert found["key"] == (home / "key").read_bytes()

    @only(Posix.MODES)
    def test_it_comes_back_for_its_owner_alone(self, both: tuple[Player, Player], game: Game) -> None:
        anna, _ = both
        desk = restored(anna)
        assert desk.key.seed == anna.desk.key.seed
        assert desk.shelf.find(game.ids[0]).data == anna.desk.shelf.find(game.ids[0]).data
        assert os.stat(desk.home).st_mode & 0o777 == 0o700
        assert os.stat(desk.key_path).st_mode & 0o777 == 0o600
        assert list(desk.home.parent.glob("*restored*")) == []

    @pytest.mark.parametrize("name", ["../key2", "/tmp/key2", "a/../../key2", "c:key2", "a\\b"])
    def test_nothing_leaves_the_home(self, name: str) -> None:
        archive = BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            for one in ("key", name):
                member = tarfile.TarInfo(one)
                member.size = 1
                tar.addfile(member, BytesIO(b"x"))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(link)
        assert unpacked(archive.getvalue(), "x") == {"key": b"x"}

    @pytest.mark.long
    def test_what_takes_too_long_is_no_wrong_passphrase(self) -> None:
        """As the library sees it, which measures this computer anew each time, and on a busy one badly."""
        file = re.sub(rb"(-> scrypt \S+) \d+", rb"\1 40", sealed(b"x", WORD), count=1)
        with pytest.raises(FileError, match="too slow, or too busy now"):
            opened(file, WORD, "x")

    @pytest.mark.parametrize("data", [b"", b"x" * 2000])
    def test_another_archive_is_refused(self, data: bytes) -> None:
        with pytest.raises(FileError, match="not a backup"):
            unpacked(data, "x")


class TestNothingIsSigned:
    def test_before_a_yes(self, both: tuple[Player, Player], game: Game) -> None:
        """Neither orders nor a share; and nothing leaves."""
        anna, _ = both
        desk = restored(anna)
        file = desk.home / "game.yaml"
        after = move(game, anna.person())
        with pytest.raises(UnknownGame, match="may not be the newest"):
            desk.save(after, file)
        with pytest.raises(UnknownGame):
            desk.let_go(game, Way.SERVER)
        assert not file.exists()
        assert shelved(replace(anna, desk=desk)).ids == game.ids
        desk.shelf.doubts.confirm(game.ids[0])
        desk.save(after, file)
        desk.let_go(after, Way.SERVER)
        assert not desk.shelf.doubts.has(game.ids[0])

    def test_what_arrives_is_kept_and_doubted_still(self, both: tuple[Player, Player], game: Game) -> None:
        anna, bruno = both
        desk = restored(anna)
        after = move(game, anna.person())
        if after.table.writer == "us":
            after = move(after, bruno.person())
        desk.keep(after, desk.rewritten(after))
        assert shelved(replace(anna, desk=desk)).ids == after.ids
        assert desk.shelf.doubts.has(game.ids[0])


class TestOntoAHome:
    def test_that_knows_less(self, both: tuple[Player, Player], game: Game) -> None:
        """It is kept beside."""
        anna, _ = both
        before = packed(anna.desk.home)
        anna.desk.save(move(game, anna.person()), anna.file)
        now = packed(anna.desk.home)
        home = anna.desk.home.with_name("old")
        put_back(unpacked(before, "x"), home)
        games, beside = put_back(unpacked(now, "x"), home)
        assert games == [game.ids[0]]
        assert beside is not None
        assert (beside / "key").exists()
        assert len(shelved(replace(anna, desk=Desk(home))).entries) > len(game.entries)

    def test_that_is_further(self, both: tuple[Player, Player], game: Game) -> None:
        anna, _ = both
        before = packed(anna.desk.home)
        anna.desk.save(after := move(game, anna.person()), anna.file)
        with pytest.raises(ShelfError, match="knows more of game"):
            put_back(unpacked(before, "x"), anna.desk.home)
        assert shelved(anna).ids == after.ids
        assert [one.name for one in anna.desk.home.parent.glob("home*")] == ["home"]

    def test_of_another_key(self, both: tuple[Player, Player], game: Game) -> None:
        anna, bruno = both
        with pytest.raises(ShelfError, match="another key"):
            put_back(unpacked(packed(anna.desk.home), "x"), bruno.desk.home)
        assert bruno.desk.key.seed != anna.desk.key.seed


class TestCommands:
    @pytest.mark.thorough
    def test_there_and_back(
        self, both: tuple[Player, Player], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With real passphrases, which take their time; then `move` asks, and is told."""
        anna, _ = both
        game = asked(*both)
        file, new = tmp_path / "anna.age", replace(anna, desk=Desk(tmp_path / "new" / "home"))
        monkeypatch.setenv("PBEM_BACKUP_PASSPHRASE", WORD)
        assert anna.type("backup", str(file)) == 0
        assert file.read_bytes().startswith(b"age-encryption.org/v1\n-> scrypt ")
        assert anna.desk.key.seed not in file.read_bytes()
        monkeypatch.setenv("PBEM_BACKUP_PASSPHRASE", "wrong")
        assert new.type("restore", str(file)) == 1
        assert not new.desk.home.exists()
        monkeypatch.setenv("PBEM_BACKUP_PASSPHRASE", WORD)
        new.desk.home.parent.mkdir()
        assert new.type("restore", str(file)) == 0
        entries = len(game.entries)
        assert new.type("move", game.ids[0][:8], "pass") == 1
        assert len(shelved(new).entries) == entries
        assert new.type("move", game.ids[0][:8], "pass", "--newest") == 0
        assert len(shelved(new).entries) > entries

    def test_another_file_is_left_alone(self, both: tuple[Player, Player], tmp_path: Path) -> None:
        file = tmp_path / "notes.txt"
        file.write_text("mine")
        assert both[0].type("backup", str(file)) == 1
        assert both[0].type("restore", str(file)) == 1
        assert file.read_text() == "mine"

    def test_without_a_passphrase(
        self, both: tuple[Player, Player], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert both[0].type("backup", str(tmp_path / "x.age")) == 1
        assert "PBEM_BACKUP_PASSPHRASE" in capsys.readouterr()[1]
