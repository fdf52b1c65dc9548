"""A home in one file and back: what is in it, where it is refused, that nothing is signed before a yes."""

from __future__ import annotations

import os
import tarfile
from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random

import pytest

from pbem.cli import backup as cli
from pbem.errors import FileError, StorageError, UnknownGame
from pbem.mail.settings import Account, find_programs, read_config
from pbem.player import backup
from pbem.player.backup import (
    LEAST_WORK,
    decrypt,
    encrypt,
    pack,
    restore_home,
    unpack,
    word_list,
    work_factor,
)
from pbem.player.local_player import LocalPlayer
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire.game_state import Game
from support.age_file import age_file
from support.correspondents import (
    Correspondent,
    begin_game,
    make_correspondents,
    play_share_and_orders,
    stored_game,
)
from support.mail_answers import game_asking_anna
from support.markers import WINDOWS, Posix, requires

WORD = "correct horse"


def leave(_: Path) -> None:
    """Nothing of the restored folder is changed before it takes its place."""


@pytest.fixture
def both(tmp_path: Path) -> tuple[Correspondent, Correspondent]:
    return make_correspondents(tmp_path)


@pytest.fixture
def game(both: tuple[Correspondent, Correspondent]) -> Game:
    anna, bruno = both
    return anna.save(begin_game(anna.person(), bruno.person()))


def restored(anna: Correspondent, folder: str = "new") -> LocalPlayer:
    """Anna's home put back on another computer."""
    home = anna.local_player.home.with_name(folder)
    restore_home(unpack(pack(anna.local_player.home), "x"), home, leave)
    return LocalPlayer(home)


class TestWhatIsInIt:
    def test_all_but_what_is_worth_nothing_elsewhere(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        home = both[0].local_player.home
        (home / "config.yaml").write_text("lang: es\n")
        (home / "mail").mkdir()
        (home / "mail" / "asked.json").write_text("{}")
        (home / "lock").touch()
        found = unpack(pack(home), "x")
        shelf = f"games/{game.ids[0]}"
        assert set(found) == {
            "key",
            "config.yaml",
            "layout",
            "mail/asked.json",
            f"{shelf}/game.yaml",
            f"{shelf}/record.json",
        }
        assert found["key"] == (home / "key").read_bytes()

    @requires(Posix.MODES)
    def test_it_comes_back_for_its_owner_alone(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        anna, _ = both
        player = restored(anna)
        assert player.key.seed == anna.local_player.key.seed
        assert player.store.find(game.ids[0]).data == anna.local_player.store.find(game.ids[0]).data
        assert os.stat(player.home).st_mode & 0o777 == 0o700
        assert os.stat(player.key_path).st_mode & 0o777 == 0o600
        assert list(player.home.parent.glob("*restored*")) == []

    @pytest.mark.parametrize("name", ["c:key2", "a\\b"])
    def test_what_windows_reads_otherwise_stays_out(self, name: str) -> None:
        assert unpack(archive_of("key", name), "x") == {"key": b"x"}

    @pytest.mark.parametrize("data", [b"", b"x" * 2000, b"\0" * 1024])
    def test_another_archive_is_refused(self, data: bytes) -> None:
        with pytest.raises(FileError, match="not a backup"):
            unpack(data, "x")


def archive_of(*members: str | tarfile.TarInfo, **headers: str) -> bytes:
    """An archive with a file of one byte for each name; `headers` are those of pax of the other members."""
    archive = BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for member in members:
            if isinstance(member, str):
                file = tarfile.TarInfo(member)
                file.size = 1
                tar.addfile(file, BytesIO(b"x"))
            else:
                member.pax_headers = headers
                tar.addfile(member)
    return archive.getvalue()


def of_kind(kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo("odd")
    member.type, member.linkname = kind, "/etc/passwd"
    return member


def of_size(field: bytes) -> bytes:
    """An archive with a key, and a member whose header states its size that way."""
    header = bytearray(tarfile.TarInfo("odd").tobuf(tarfile.USTAR_FORMAT))
    header[124:136] = field
    return archive_of("key")[:1024] + summed(header)


def summed(header: bytearray) -> bytes:
    """A header with its right sum."""
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


NO_BACKUP = "not a backup made by pbem"


class TestArchivesOfStrangers:
    """Whatever `pack` never writes is one line, before anything is written."""

    @pytest.mark.parametrize(
        "name", ["../key2", "/tmp/key2", "a/../../key2", ".", "d/" * 400 + "x", "d/" * 1500 + "x", "y" * 256]
    )
    def test_names(self, name: str) -> None:
        with pytest.raises(FileError, match=r"^x: the name .* is not allowed in a backup") as refusal:
            unpack(archive_of("key", name), "x")
        assert len(str(refusal.value)) < 200

    def test_a_nul_in_a_name(self) -> None:
        with pytest.raises(FileError, match=r"the name .* is not allowed"):
            unpack(archive_of("key", tarfile.TarInfo("a"), path="a\0b"), "x")

    @pytest.mark.parametrize(
        "kind",
        [
            tarfile.SYMTYPE,
            tarfile.LNKTYPE,
            tarfile.FIFOTYPE,
            tarfile.CHRTYPE,
            tarfile.BLKTYPE,
            tarfile.CONTTYPE,
            tarfile.GNUTYPE_SPARSE,
            tarfile.GNUTYPE_LONGNAME,
            tarfile.XGLTYPE,
        ],
    )
    def test_kinds(self, kind: bytes) -> None:
        with pytest.raises(FileError, match='"odd" is neither a file nor a folder: nothing was restored'):
            unpack(archive_of("key", of_kind(kind)), "x")

    @pytest.mark.parametrize(
        "headers",
        [
            {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "1000000000"},
            {"GNU.sparse.map": "0,1", "GNU.sparse.size": "1000000000"},
            {"size": "-512"},
            {"comment": "z" * 10_000},
        ],
    )
    def test_long_headers(self, headers: dict[str, str]) -> None:
        with pytest.raises(FileError, match=NO_BACKUP):
            unpack(archive_of("key", tarfile.TarInfo("a"), **headers), "x")

    @pytest.mark.parametrize(
        "names", [("key", "key"), ("key", "./key"), ("key", "a", "a/b"), ("key", "a/b", "a")]
    )
    def test_two_of_a_name(self, names: tuple[str, ...]) -> None:
        with pytest.raises(FileError, match="twice: nothing was restored"):
            unpack(archive_of(*names), "x")

    @pytest.mark.parametrize(
        "field", [b"77777777777\0", b"\xff" * 12, b"\x80" + bytes(3) + b"\x7f" * 8, b"nothing" + bytes(5)]
    )
    def test_sizes(self, field: bytes) -> None:
        """Huge, negative, huge in another way of writing, and none."""
        with pytest.raises(FileError, match=NO_BACKUP):
            unpack(of_size(field), "x")

    def test_headers_without_end(self) -> None:
        header = bytearray(tarfile.TarInfo("odd").tobuf(tarfile.USTAR_FORMAT))
        header[156:157] = tarfile.XHDTYPE
        with pytest.raises(FileError, match=NO_BACKUP):
            unpack(summed(header) * 3000, "x")

    def test_too_many_files(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbem.player.backup.BACKUP_FILES", 3)
        assert len(unpack(archive_of("key", "a", "b"), "x")) == 3
        with pytest.raises(FileError, match="has more than 3 files or"):
            unpack(archive_of("key", "a", "b", "c"), "x")

    def test_anything(self) -> None:
        """Archives with bytes changed at random are read, or refused in a line."""
        chance = Random(8)
        good = archive_of("key", "n" * 150, "games/1/game.yaml", tarfile.TarInfo("a"), comment="1.5")
        refused = 0
        for _ in range(3000):
            data = bytearray(good)
            for _ in range(chance.choice((1, 2, 5))):
                byte = chance.choice((0, 32, 48, 55, 61, 128, 255, chance.randrange(256)))
                data[chance.randrange(len(data) // 3)] = byte
            for at in range(0, len(data), 512):  # with the right sum a header is looked into
                if data[at + 257 : at + 262] == b"ustar":
                    data[at : at + 512] = summed(data[at : at + 512])
            try:
                files = unpack(bytes(data), "x")
            except FileError:
                refused += 1
            else:
                assert sum(map(len, files.values())) <= len(data)
        assert 100 < refused < 2900

    def test_one_packed_again_by_hand(self) -> None:
        folder = of_kind(tarfile.DIRTYPE)
        assert set(unpack(archive_of(folder, "./key", "./games/a"), "x")) == {"key", "games/a"}


class TestWorkFactor:
    """The library sets it by the clock; what it has set is read back."""

    def test_as_it_is_written(self) -> None:
        from pyrage import passphrase  # type: ignore[import-untyped]

        assert 10 <= work_factor(passphrase.encrypt(b"x", WORD)) <= 30
        assert work_factor(age_file(b"x", WORD, 7)) == 7
        assert work_factor(b"age-encryption.org/v1\n-> X25519 abc\n") == 0

    @pytest.mark.parametrize("factors", [(18,), (13, 16, 19), (17, 17, 17, 17, 18)])
    def test_anew_until_it_is_enough(self, factors: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        """No computer can be made busy in the same way twice, so the library stands aside."""
        measured = iter(factors)
        monkeypatch.setattr("pyrage.passphrase.encrypt", lambda _, __: HEAD % next(measured))
        assert work_factor(encrypt(b"x", WORD)) == factors[-1] >= LEAST_WORK
        assert not list(measured)

    def test_never_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tries = count(1)
        monkeypatch.setattr("pyrage.passphrase.encrypt", lambda _, __: HEAD % (next(tries) and 17))
        with pytest.raises(
            StorageError, match="too busy or too slow to protect a backup well: nothing was wr"
        ):
            encrypt(b"x", WORD)
        assert next(tries) == 6

    def test_an_earlier_backup_of_a_busy_computer(self) -> None:
        """What pbem 0.1.0 wrote there, and any passphrase at all, is still opened."""
        file = age_file(archive_of("key", "config.yaml"), "a", 13)
        assert set(unpack(decrypt(file, "a", "x"), "x")) == {"key", "config.yaml"}

    @pytest.mark.thorough
    def test_what_takes_too_long_is_no_wrong_passphrase(self) -> None:
        """As the library sees it, which measures this computer anew each time, and on a busy one badly."""
        file = age_file(b"x", WORD, 7).replace(b" 7\n", b" 40\n", 1)
        with pytest.raises(FileError, match="too slow, or too busy at the moment"):
            decrypt(file, WORD, "x")


HEAD = b"age-encryption.org/v1\n-> scrypt c2FsdA %d\n"


class TestSettingsThatRunPrograms:
    """They are restored once the player has seen them and said yes."""

    CONFIG = (
        "mail:\n  address: anna@example.org\n  smtp:\n    host: mail.example.org\n    port: 465\n"
        "    security: tls\n    user: anna\n    password_command: [touch, 'a file']\n"
    )

    @pytest.mark.parametrize(
        ("terminal", "yes", "restored"), [(True, True, True), (True, False, False), (False, True, False)]
    )
    def test_asked(
        self,
        terminal: bool,
        yes: bool,
        restored: bool,
        both: tuple[Correspondent, Correspondent],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        (both[0].local_player.home / "config.yaml").write_text(self.CONFIG)
        home = both[0].local_player.home.with_name("new")
        monkeypatch.setattr(cli, "is_interactive", lambda: terminal)
        monkeypatch.setattr(cli, "ask_yes_no", lambda question: yes)
        restore_home(unpack(pack(both[0].local_player.home), "x"), home, cli._confirm_programs)
        said = capsys.readouterr()[0]
        file = '"a file"' if WINDOWS else "'a file'"
        assert f"mail.smtp.password_command: touch {file}" in said
        assert (home / "config.yaml").exists() == restored
        if not restored:
            assert (home / "config.yaml.old").read_text() == self.CONFIG
            assert "config.yaml.old" in said
            assert read_config(home).mail is None

    def test_nothing_is_asked_where_nothing_runs(
        self, both: tuple[Correspondent, Correspondent], capsys: pytest.CaptureFixture[str]
    ) -> None:
        (both[0].local_player.home / "config.yaml").write_text("lang: es\n")
        home = both[0].local_player.home.with_name("new")
        restore_home(unpack(pack(both[0].local_player.home), "x"), home, cli._confirm_programs)
        assert capsys.readouterr()[0] == ""
        assert (home / "config.yaml").exists()

    def test_every_such_setting(self) -> None:
        """Whatever an account has for a command is one of them."""
        commands = [name for name in Account.__struct_fields__ if name.endswith("_command")]
        account = {name: ["x", "y"] for name in commands}
        found = dict(find_programs({"mail": {"smtp": account, "imap": account}}))
        assert found.keys() == {f"mail.{server}.{name}" for server in ("smtp", "imap") for name in commands}
        assert set(map(tuple, found.values())) == {("x", "y")}


class TestNothingIsSigned:
    def test_before_a_yes(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        """Neither orders nor a share; and nothing leaves."""
        anna, _ = both
        player = restored(anna)
        file = player.home / "game.yaml"
        after = play_share_and_orders(game, anna.person())
        with pytest.raises(UnknownGame, match="may be older than your last"):
            player.save(after, file)
        with pytest.raises(UnknownGame):
            player.note_departure(game, SendChannel.SERVER)
        assert not file.exists()
        assert stored_game(replace(anna, local_player=player)).ids == game.ids
        player.store.unconfirmed.confirm(game.ids[0])
        player.save(after, file)
        player.note_departure(after, SendChannel.SERVER)
        assert not player.store.unconfirmed.has(game.ids[0])

    def test_what_arrives_is_kept_and_doubted_still(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        anna, bruno = both
        player = restored(anna)
        after = play_share_and_orders(game, anna.person())
        if after.state.writer == "us":
            after = play_share_and_orders(after, bruno.person())
        player.record(after, player.rewrite(after))
        assert stored_game(replace(anna, local_player=player)).ids == after.ids
        assert player.store.unconfirmed.has(game.ids[0])


class TestOntoAHome:
    def test_that_knows_less(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        """It is kept beside."""
        anna, _ = both
        before = pack(anna.local_player.home)
        anna.local_player.save(play_share_and_orders(game, anna.person()), anna.file)
        now = pack(anna.local_player.home)
        home = anna.local_player.home.with_name("old")
        restore_home(unpack(before, "x"), home, leave)
        games, beside = restore_home(unpack(now, "x"), home, leave)
        assert games == [game.ids[0]]
        assert beside is not None
        assert (beside / "key").exists()
        assert len(stored_game(replace(anna, local_player=LocalPlayer(home))).entries) > len(game.entries)

    def test_that_is_further(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        anna, _ = both
        before = pack(anna.local_player.home)
        anna.local_player.save(after := play_share_and_orders(game, anna.person()), anna.file)
        with pytest.raises(StorageError, match="has more of game"):
            restore_home(unpack(before, "x"), anna.local_player.home, leave)
        assert stored_game(anna).ids == after.ids
        assert [one.name for one in anna.local_player.home.parent.glob("home*")] == ["home"]

    def test_of_another_key(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        anna, bruno = both
        with pytest.raises(StorageError, match="a different key"):
            restore_home(unpack(pack(anna.local_player.home), "x"), bruno.local_player.home, leave)
        assert bruno.local_player.key.seed != anna.local_player.key.seed


class TestCommands:
    @pytest.mark.thorough
    def test_there_and_back(
        self, both: tuple[Correspondent, Correspondent], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With real passphrases, which take their time; then `move` asks, and is told."""
        anna, _ = both
        game = game_asking_anna(*both)
        file, new = tmp_path / "anna.age", replace(anna, local_player=LocalPlayer(tmp_path / "new" / "home"))
        monkeypatch.setenv("PBEM_BACKUP_PASSPHRASE", WORD)
        monkeypatch.setattr(backup, "LEAST_WORK", 0)  # however busy this computer is
        assert anna.type("backup", str(file)) == 0
        assert file.read_bytes().startswith(b"age-encryption.org/v1\n-> scrypt ")
        assert anna.local_player.key.seed not in file.read_bytes()
        monkeypatch.setenv("PBEM_BACKUP_PASSPHRASE", "wrong")
        assert new.type("restore", str(file)) == 1
        assert not new.local_player.home.exists()
        monkeypatch.setenv("PBEM_BACKUP_PASSPHRASE", WORD)
        new.local_player.home.parent.mkdir()
        assert new.type("restore", str(file)) == 0
        entries = len(game.entries)
        assert new.type("move", game.ids[0][:8], "pass") == 1
        assert len(stored_game(new).entries) == entries
        assert new.type("move", game.ids[0][:8], "pass", "--newest") == 0
        assert len(stored_game(new).entries) > entries

    def test_another_file_is_left_alone(
        self, both: tuple[Correspondent, Correspondent], tmp_path: Path
    ) -> None:
        file = tmp_path / "notes.txt"
        file.write_text("mine")
        assert both[0].type("backup", str(file)) == 1
        assert both[0].type("restore", str(file)) == 1
        assert file.read_text() == "mine"

    def test_without_a_passphrase(
        self, both: tuple[Correspondent, Correspondent], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert both[0].type("backup", str(tmp_path / "x.age")) == 1
        assert "PBEM_BACKUP_PASSPHRASE" in capsys.readouterr()[1]

    @pytest.mark.parametrize("passphrase", ["a", "eleven char", " " * 12])
    def test_a_short_passphrase(
        self,
        passphrase: str,
        both: tuple[Correspondent, Correspondent],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("PBEM_BACKUP_PASSPHRASE", passphrase)
        assert both[0].type("backup", str(tmp_path / "x.age")) == 1
        problem, hint = capsys.readouterr()[1].splitlines()
        assert problem.endswith("a passphrase needs at least 12 characters")
        assert hint.startswith("hint: several words")
        assert not (tmp_path / "x.age").exists()


def test_the_word_list() -> None:
    """The large one of the Electronic Frontier Foundation: five throws of a die for each word."""
    words = word_list()
    assert len(words) == len(set(words)) == 6**5
    assert (words[0], words[-1]) == ("abacus", "zoom")
    assert all(word.replace("-", "").isalpha() and word.isascii() and word.islower() for word in words)
