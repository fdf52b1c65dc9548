"""Which game is meant, where its file lies, and what `pbem` alone tells of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.test_start_up import imported_modules
from pbem.cli.app import run
from pbem.correspondence.open_file import OpenedGame
from pbem.correspondence.open_named_game import open_named_game
from pbem.correspondence.outbox import Outbox
from pbem.errors import FileError, ForkedFile, VerificationError
from pbem.player.game_list import ListedGame, list_games
from pbem.player.local_player import LocalPlayer
from pbem.player.locate import parse_game_argument
from pbem.player.status import PendingQuestion
from pbem.player.store.delivery import Fate
from support.transcripts import Step, perform_steps

RULES = "pbem.games.mortain.rules"
SET_UP = "place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"


@pytest.fixture
def anna(table: Path, monkeypatch: pytest.MonkeyPatch) -> LocalPlayer:
    """Anna at the table, where she has the move."""
    monkeypatch.chdir(table)
    monkeypatch.setenv("PBEM_HOME", "homes/anna")
    return LocalPlayer(table / "homes/anna")


def names_game(player: LocalPlayer, word: str) -> bool:
    return parse_game_argument(player, word).names_game


def open_game_of(player: LocalPlayer, word: str = "") -> OpenedGame:
    return open_named_game(player, parse_game_argument(player, word))


def game_of(player: LocalPlayer) -> str:
    """The id of the one game on the shelf."""
    [game] = player.store.ids()
    return game


class TestWhatNamesAGame:
    @pytest.mark.parametrize(
        "word",
        ["mortain.yaml", "./mortain.yaml", "homes", "-", "mortain.yaml#7e8b", "gone.yaml", "a/b", "x.eml"],
    )
    def test_files_and_what_looks_like_one(self, anna: LocalPlayer, word: str) -> None:
        assert names_game(anna, word)

    @pytest.mark.parametrize(
        "word",
        [
            "pass",
            "draw",
            "last",
            "17",
            "yes",
            "move 2SS-A 1803",
            "stand down",
            "fire DF 2SS-B at 117Inf",
            "1803",
            "",
        ],
    )
    def test_orders(self, anna: LocalPlayer, word: str) -> None:
        assert not names_game(anna, word)

    def test_four_digits_of_an_id(self, anna: LocalPlayer) -> None:
        game = game_of(anna)
        assert names_game(anna, game[:4])
        assert names_game(anna, game.upper())
        assert not names_game(anna, game[:3])

    def test_a_file_before_an_id(self, anna: LocalPlayer, table: Path) -> None:
        """Whoever calls a file by the digits of an id means the file."""
        name = game_of(anna)[:8]
        (table / name).write_text("no game")
        with pytest.raises(VerificationError):
            open_game_of(anna, name)


class TestTheGameThatIsMeant:
    def test_none(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="you have no games here yet"):
            open_game_of(LocalPlayer(tmp_path))

    def test_the_players_file_if_it_is_newer(self, anna: LocalPlayer, table: Path) -> None:
        """Bruno's answer is saved over her file: the list, and whatever is typed, go by it at once."""
        steps = [
            Step("anna", 'pbem move mortain.yaml "enter DF 1901"', 0),
            Step("bruno", "pbem move mortain.yaml", 0),
        ]
        for _, printed in perform_steps(steps, table):
            assert not printed[0].startswith("error")
        [row] = list_games(anna)
        opened = open_game_of(anna)
        assert opened.game.ids[-1] == row.facts["head"] != anna.open(anna.store.find("").data).ids[-1]

    def test_its_file_is_read_once(self, anna: LocalPlayer, monkeypatch: pytest.MonkeyPatch) -> None:
        files: list[Path] = []
        read = LocalPlayer.read

        def noted(player: LocalPlayer, file: Path) -> bytes:
            files.append(file)
            return read(player, file)

        monkeypatch.setattr(LocalPlayer, "read", noted)
        assert open_game_of(anna, game_of(anna)[:4]).file == Path("mortain.yaml")
        assert files == [Path("mortain.yaml")]

    def test_the_shelf_if_the_file_is_older(self, anna: LocalPlayer, table: Path) -> None:
        offer = (table / "mortain.yaml").read_bytes()
        assert run(["move", "enter DF 1901"]) == 0
        newest = (table / "mortain.yaml").read_bytes()
        (table / "mortain.yaml").write_bytes(offer)
        opened = open_game_of(anna, game_of(anna)[:4])
        assert (opened.data, opened.file) == (newest, Path("mortain.yaml"))

    def test_a_fork_is_still_found_out(self, anna: LocalPlayer, table: Path) -> None:
        """A file that parts from the shelf is opened as it is, so that it is refused and kept."""
        shutil.copytree(table / "homes/anna", table / "homes/copy")
        steps = [
            Step("copy", "cp mortain.yaml other.yaml", 0),
            Step("copy", "pbem move other.yaml pass", 0),
            Step("anna", 'pbem move mortain.yaml "enter DF 1901"', 0),
            Step("anna", "cp other.yaml mortain.yaml", 0),
        ]
        for _ in perform_steps(steps, table):
            pass
        opened = open_game_of(anna)
        with pytest.raises(ForkedFile):
            anna.record(opened.game, opened.data)

    def test_another_game_has_taken_the_files_name(self, anna: LocalPlayer, table: Path) -> None:
        (table / "mortain.yaml").write_text("something else")
        opened = open_game_of(anna)
        assert opened.file == Path(f"mortain-{game_of(anna)[:8]}.yaml")
        assert run(["move", "enter DF 1901"]) == 0
        assert (table / "mortain.yaml").read_text() == "something else"


class TestList:
    """What is kept of a game for lists is derived from its bytes, and believed for them alone."""

    @pytest.mark.thorough
    def test_not_opened_twice(self, anna: LocalPlayer) -> None:
        assert RULES in imported_modules()
        assert RULES not in imported_modules()
        assert RULES not in imported_modules("games")

    def test_anew_for_other_bytes(self, anna: LocalPlayer) -> None:
        [before] = list_games(anna)
        assert run(["move", game_of(anna), "enter DF 1901"]) == 0
        [after] = list_games(anna)
        assert (before.facts["entries"], after.facts["entries"]) == (3, 4)
        assert before.waits_for(str(anna.public_key))
        assert not after.waits_for(str(anna.public_key))

    def test_as_if_never_kept(self, anna: LocalPlayer) -> None:
        [first] = list_games(anna)
        beside = anna.home / "games" / first.game / "listed.json"
        assert [first] == list(list_games(anna))
        for spoilt in (b"", b"{", b"[]", b"\xff", beside.read_bytes()[:-30]):
            beside.write_bytes(spoilt)
            assert [first] == list(list_games(anna))

    def test_a_damaged_copy(self, anna: LocalPlayer) -> None:
        kept = anna.store.find("")
        kept.path.write_text("damage")
        [row] = list_games(anna)
        assert row.problem.startswith("this is not a game")
        assert run([]) == 0


class TestWhoseMove:
    @pytest.mark.parametrize(
        ("owing", "key", "last", "waits"),
        [
            ("us", "mine", "his", True),
            ("us", "his", "mine", False),
            ("us", "mine", "mine", True),
            ("us", "", "his", False),
            ("us", "", "mine", False),
            ("", "", "his", False),
        ],
    )
    def test_by_keys(self, owing: str, key: str, last: str, waits: bool) -> None:
        """An offer waits for nobody, nor does a game that is over."""
        row = ListedGame(
            found_in="", game="", asked=PendingQuestion(what="orders", seat=owing or None), key=key, last=last
        )
        assert row.waits_for("mine") is waits

    @pytest.mark.parametrize(
        ("owing", "key", "last", "free"),
        [
            ("us", "", "his", True),
            ("us", "", "mine", False),
            ("us", "his", "mine", False),
            ("", "", "his", False),
        ],
    )
    def test_a_seat_to_take(self, owing: str, key: str, last: str, free: bool) -> None:
        row = ListedGame(
            found_in="", game="", asked=PendingQuestion(what="orders", seat=owing or None), key=key, last=last
        )
        assert row.may_be_joined("mine") is free

    def test_no_passphrase_is_asked_for(self, anna: LocalPlayer, capsys: pytest.CaptureFixture[str]) -> None:
        anna.protect_key("secret")
        assert run([]) == 0
        assert "YOUR MOVE" in capsys.readouterr().out


class TestMailsThatNobodyWasToldOfAgain:
    @pytest.mark.parametrize(
        ("fate", "words"),
        [
            (Fate.RETURNED, "Your mail bounced."),
            (Fate.REFUSED, "refused your mail, so your opponent does not have it."),
        ],
    )
    def test_told(
        self, anna: LocalPlayer, capsys: pytest.CaptureFixture[str], fate: Fate, words: str
    ) -> None:
        assert run(["move", "enter DF 1901"]) == 0
        [row] = list_games(anna)
        outbox = Outbox(anna.home)
        outbox.save(row.game, row.facts["head"], b"a mail")
        outbox.save_fate(row.game, row.facts["head"], fate, "no such mailbox")
        capsys.readouterr()
        assert run([]) == 0
        assert f"{words}\n{'':14}Type: pbem mail send mortain.yaml\n" in capsys.readouterr().out

    def test_not_mailed_yet(self, anna: LocalPlayer, capsys: pytest.CaptureFixture[str]) -> None:
        """Only whoever sends his mails with `pbem` is told: of the others nothing is known."""
        assert run(["move", "enter DF 1901"]) == 0
        run([])
        assert "mailed" not in capsys.readouterr().out
        Outbox(anna.home).save(game_of(anna), "0" * 64, b"an earlier mail")
        run([])
        assert "has not been mailed. Type: pbem mail send mortain.yaml" in " ".join(
            capsys.readouterr().out.split()
        )


class TestOtherSpellings:
    """What a person may well type."""

    def test_a_game_in_capitals(self, anna: LocalPlayer, tmp_path: Path) -> None:
        assert run(["new", "Mortain", "other.yaml", "--seat", "german", "--name", "Anna"]) == 0
        assert Path("other.yaml").exists()

    @pytest.mark.parametrize("words", [["takeback", "last"], ["take-back", "last"], ["last"]])
    def test_a_take_back(
        self, anna: LocalPlayer, words: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """German orders there are none yet: the words are understood, the move is not there."""
        assert run(["propose", "mortain.yaml", *words]) == 2
        assert "you have no move to take back" in capsys.readouterr().err

    def test_a_file_that_lies_here(
        self, anna: LocalPlayer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Whoever has no games yet is told of the file in the folder."""
        monkeypatch.setenv("PBEM_HOME", "homes/nobody")
        assert run(["join", "--name", "Bruno"]) == 1
        assert (
            "hint: if the offer is in the file in this folder: pbem join mortain.yaml"
            in capsys.readouterr().err
        )
        assert run(["show"]) == 1
        assert "hint: to look at the file in this folder: pbem show mortain.yaml" in capsys.readouterr().err

    def test_yours_come_first(self, anna: LocalPlayer, capsys: pytest.CaptureFixture[str]) -> None:
        """Of three games the one with Anna's move is the first in the list, whatever its id."""
        for name in ("a", "b"):
            assert run(["new", "mortain", f"{name}.yaml", "--seat", "german", "--name", "Anna"]) == 0
        capsys.readouterr()
        assert run(["games"]) == 0
        rows = [line for line in capsys.readouterr().out.splitlines() if "Stand at Mortain" in line]
        assert ["YOUR MOVE" in row for row in rows] == [True, False, False]


@pytest.mark.usefixtures("compiled", "anna")
def test_what_pbem_alone_says_in_german(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To Bruno, of the game in which Anna has the move, and that his last entry lies unsent; to Anna."""
    monkeypatch.setenv("PBEM_HOME", "homes/bruno")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_785_585_600 + 3 * 86_400))
    assert run(["--lang", "de"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert ": die Deutschen sind am Zug, seit 2 Tagen" in told
    monkeypatch.setenv("PBEM_HOME", "homes/anna")
    assert run(["--lang", "de"]) == 0
    assert "Gib ein: pbem show mortain.yaml" in capsys.readouterr().out
