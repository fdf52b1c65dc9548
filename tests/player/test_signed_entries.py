"""The ledger of what was signed here and has left: never wrong after a crash, a copy or a backup."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.errors import StorageError
from pbem.player.store.game_record import Ledger
from pbem.player.store.game_store import GameStore
from pbem.player.store.record_store import GameRecords
from pbem.player.store.signed_entries import (
    SendChannel,
    SignedEntries,
    add_departure,
    add_signed,
    add_undone,
)
from support.markers import Posix, requires
from support.store_logs import parse_store_log

A, B, C = ("a" * 64, "b" * 64, "c" * 64)
GAME = "0" * 64
ELSEWHERE = "entry 7 was signed on another computer, or this home has been copied or restored since"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home in which two entries of a game were signed."""
    home = tmp_path / "home"
    sign(home, A, B)
    return home


def folder_of(home: Path) -> Path:
    return home / "games" / GAME


def sign(home: Path, *ids: str) -> None:
    change(home, lambda ledger: add_signed(ledger, folder_of(home), ids))


def let_go(home: Path, way: SendChannel, *ids: str) -> None:
    change(home, lambda ledger: add_departure(ledger, folder_of(home), ids, way))


def change(home: Path, act: Callable[[Ledger], Ledger]) -> None:
    """Change the ledger as the store does."""
    GameRecords(home).change(GAME, lambda record: replace(record, ledger=act(record.ledger)))


def read(home: Path) -> SignedEntries:
    return GameStore(home, parse_store_log).signed_entries(GAME)


def why(home: Path, *ids: str) -> str:
    return read(home).why_not_undoable(7, ids)


class TestWhatMayBeUndone:
    def test_what_was_signed_here_and_has_not_left(self, home: Path) -> None:
        assert why(home, A, B) == ""
        assert why(home, A, C).startswith(ELSEWHERE.replace("7", "8"))
        assert why(home / "none", A).startswith(ELSEWHERE)

    @pytest.mark.parametrize(
        ("way", "words"),
        [
            (SendChannel.SERVER, "entry 7 was mailed: a server has it, or might have it"),
            (SendChannel.PROGRAM, "pbem wrote a mail with entry 7 for you to send"),
            (SendChannel.CLIPBOARD, "entry 7 was printed for you to paste into a mail"),
            (SendChannel.COMMANDER, "entry 7 was mailed to a commander on your side, or might have been"),
            (SendChannel.PAGE, "entry 7 is in a page that pbem has written"),
        ],
    )
    def test_not_what_has_left(self, home: Path, way: SendChannel, words: str) -> None:
        let_go(home, way, A)
        assert why(home, A, B) == words
        assert why(home, B) == "", "what is signed after it has not"

    def test_undone_and_signed_again(self, home: Path) -> None:
        change(home, lambda ledger: add_undone(ledger, [B]))
        assert read(home).undone == {B}
        sign(home, C)
        assert why(home, A, C) == ""

    @pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
    def test_nobody_else_reads_it(self, home: Path) -> None:
        let_go(home, SendChannel.PAGE, A)
        assert {path.stat().st_mode & 0o777 for path in folder_of(home).iterdir()} == {0o600}


class TestAHomeOutOfABackup:
    """Nobody knows there what has left since."""

    def test_copied(self, home: Path, tmp_path: Path) -> None:
        copy = shutil.copytree(home, tmp_path / "copy")
        assert why(copy, A).startswith(ELSEWHERE)
        assert why(home, A) == "", "the home that was copied is what it was"

    @requires(Posix.NUMBERS)
    def test_restored_in_its_place(self, home: Path, tmp_path: Path) -> None:
        """The copy has the same bytes, times and modes, and perhaps the same inodes."""
        shutil.copytree(home, tmp_path / "backup")
        let_go(home, SendChannel.SERVER, A, B)
        shutil.rmtree(home)
        shutil.copytree(tmp_path / "backup", home)
        assert why(home, A).startswith(ELSEWHERE)

    @pytest.mark.parametrize("names", [("record.json",), ("stay",), ("record.json", "stay")])
    def test_restored_over_what_is_there(self, names: tuple[str, ...], home: Path, tmp_path: Path) -> None:
        """As programs do that write what differs, all of it or a part, into the file as it lies there."""
        shutil.copytree(home, tmp_path / "backup")
        let_go(home, SendChannel.SERVER, A, B)
        for name in names:
            (folder_of(home) / name).write_bytes((folder_of(tmp_path / "backup") / name).read_bytes())
        assert why(home, A) != ""

    def test_what_is_signed_then_is_known_again(self, home: Path, tmp_path: Path) -> None:
        copy = shutil.copytree(home, tmp_path / "copy")
        sign(copy, C)
        assert why(copy, C) == ""
        assert why(copy, B, C).startswith(ELSEWHERE)
        let_go(copy, SendChannel.PAGE, C)
        assert why(copy, C) == "entry 7 is in a page that pbem has written"

    def test_what_leaves_a_copy_is_noted(self, home: Path, tmp_path: Path) -> None:
        copy = shutil.copytree(home, tmp_path / "copy")
        let_go(copy, SendChannel.PAGE, B)
        assert why(copy, A).startswith(ELSEWHERE)
        assert why(copy, B) == "entry 7 is in a page that pbem has written"


def test_a_folder_that_takes_nothing(tmp_path: Path) -> None:
    """A file `stay` that cannot be written: then nothing is noted, and so nothing is signed."""
    (folder_of(tmp_path) / "stay").mkdir(parents=True)
    with pytest.raises(StorageError, match="cannot"):
        sign(tmp_path, A)
    assert read(tmp_path).signed == {}
