"""The ledger of what was signed here and has left: never wrong after a crash, a copy or a backup."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pbem.errors import StorageError
from pbem.player.store.signed_entries import Ledger, SendChannel
from support.markers import Posix, requires

A, B, C = ("a" * 64, "b" * 64, "c" * 64)
ELSEWHERE = "entry 7 was signed on another computer, or this home was copied or restored since"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a game in which two entries were signed here."""
    folder = tmp_path / "game"
    Ledger(folder).note_signed([A, B])
    return folder


def why(folder: Path, *ids: str) -> str:
    return Ledger(folder).read().why_not_undoable(7, ids)


class TestWhatMayBeUndone:
    def test_what_was_signed_here_and_has_not_left(self, folder: Path) -> None:
        assert why(folder, A, B) == ""
        assert why(folder, A, C).startswith(ELSEWHERE.replace("7", "8"))
        assert Ledger(folder / "none").read().why_not_undoable(7, [A]).startswith(ELSEWHERE)

    @pytest.mark.parametrize(
        ("way", "words"),
        [
            (SendChannel.SERVER, "entry 7 was mailed: a server has it, or may have"),
            (SendChannel.PROGRAM, "a mail with entry 7 was made, for you to send"),
            (SendChannel.CLIPBOARD, "entry 7 was printed, to be pasted into a mail"),
            (SendChannel.COMMANDER, "entry 7 was mailed to a commander of your side, or may have been"),
            (SendChannel.PAGE, "entry 7 stands in a page that was written"),
        ],
    )
    def test_not_what_has_left(self, folder: Path, way: SendChannel, words: str) -> None:
        Ledger(folder).note_departure([A], way)
        assert why(folder, A, B) == words
        assert why(folder, B) == "", "what is signed after it has not"

    def test_undone_and_signed_again(self, folder: Path) -> None:
        Ledger(folder).note_undone([B])
        assert Ledger(folder).read().undone == {B}
        Ledger(folder).note_signed([C])
        assert why(folder, A, C) == ""

    @pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
    def test_nobody_else_reads_it(self, folder: Path) -> None:
        Ledger(folder).note_departure([A], SendChannel.PAGE)
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


class TestAHomeOutOfABackup:
    """Nobody knows there what has left since."""

    def test_copied(self, folder: Path, tmp_path: Path) -> None:
        copy = shutil.copytree(folder, tmp_path / "copy")
        assert why(copy, A).startswith(ELSEWHERE)
        assert why(folder, A) == "", "the home that was copied is what it was"

    @requires(Posix.NUMBERS)
    def test_restored_in_its_place(self, folder: Path, tmp_path: Path) -> None:
        """The copy has the same bytes, times and modes, and perhaps the same inodes."""
        shutil.copytree(folder, tmp_path / "backup")
        Ledger(folder).note_departure([A, B], SendChannel.SERVER)
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "backup", folder)
        assert why(folder, A).startswith(ELSEWHERE)

    @pytest.mark.parametrize("names", [("ledger",), ("stay",), ("ledger", "stay")])
    def test_restored_over_what_is_there(self, names: tuple[str, ...], folder: Path, tmp_path: Path) -> None:
        """As programs do that write what differs, all of it or a part, into the file as it lies there."""
        shutil.copytree(folder, tmp_path / "backup")
        Ledger(folder).note_departure([A, B], SendChannel.SERVER)
        for name in names:
            (folder / name).write_bytes((tmp_path / "backup" / name).read_bytes())
        assert why(folder, A) != ""

    def test_what_is_signed_then_is_known_again(self, folder: Path, tmp_path: Path) -> None:
        copy = shutil.copytree(folder, tmp_path / "copy")
        Ledger(copy).note_signed([C])
        assert why(copy, C) == ""
        assert why(copy, B, C).startswith(ELSEWHERE)
        Ledger(copy).note_departure([C], SendChannel.PAGE)
        assert why(copy, C) == "entry 7 stands in a page that was written"

    def test_what_leaves_a_copy_is_noted(self, folder: Path, tmp_path: Path) -> None:
        copy = shutil.copytree(folder, tmp_path / "copy")
        Ledger(copy).note_departure([B], SendChannel.PAGE)
        assert why(copy, A).startswith(ELSEWHERE)
        assert why(copy, B) == "entry 7 stands in a page that was written"


class TestDamage:
    def test_a_line_that_a_crash_has_cut(self, folder: Path) -> None:
        """Its act was not begun; the next line stands on its own."""
        whole = (folder / "ledger").read_bytes()
        for cut in (1, 30, 70):
            (folder / "ledger").write_bytes(whole + f"left {A} server\n".encode()[:-cut])
            assert why(folder, A) == ""
            Ledger(folder).note_signed([C])
            assert (folder / "ledger").read_bytes() == whole + f"signed {C}\n".encode()

    def test_anything_else_is_said(self, folder: Path) -> None:
        (folder / "ledger").write_bytes(b"handed over\n" + (folder / "ledger").read_bytes())
        with pytest.raises(StorageError, match="is damaged: 'handed over'") as caught:
            why(folder, A)
        assert (
            caught.value.hint == "remove it: then what you have signed in this game so far cannot be undone"
        )

    def test_a_folder_that_takes_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "ledger").mkdir()
        with pytest.raises(StorageError, match="cannot"):
            Ledger(tmp_path).note_signed([A])
