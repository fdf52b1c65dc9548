"""What only Windows has, tried there: `.ci/windows` runs these, elsewhere they are left out."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.base import files
from pbem.base.files import lock_folder, read_if_there, write_atomically
from pbem.errors import StorageError
from support.processes import run_pbem, run_python
from support.transcripts import ROOT

pytestmark = pytest.mark.windows

OWN = ROOT / "examples" / "mortain-de-own-scenario.yaml"
"""A game whose title has letters beyond ASCII."""
WITH_THE_REST, ALONE = 1, 0
"""How far others may open what one has open: to read it, and not at all."""


@contextmanager
def in_use(path: Path, shared: int, seconds: float = 600) -> Iterator[None]:
    """Another program has the file open; it lets go after some seconds, or at the end of the `with`."""
    from ctypes import windll  # type: ignore[attr-defined]

    read, existing, usual = 0x80000000, 3, 0x80
    handle = windll.kernel32.CreateFileW(str(path), read, shared, None, existing, usual, None)
    assert handle != -1
    timer = threading.Timer(seconds, windll.kernel32.CloseHandle, [handle])
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        windll.kernel32.CloseHandle(handle)


class TestAFileInUse:
    """An editor, a virus scanner or OneDrive has a file open, for a moment or for longer."""

    @pytest.mark.parametrize("shared", [WITH_THE_REST, ALONE])
    def test_for_a_moment(self, shared: int, tmp_path: Path) -> None:
        path = tmp_path / "game.yaml"
        path.write_bytes(b"old")
        with in_use(path, shared, seconds=0.5):
            assert read_if_there(path) == b"old"
            write_atomically(path, b"new")
        assert path.read_bytes() == b"new"

    def test_all_the_time(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(files, "REPLACE_SECONDS", 0.2)
        path = tmp_path / "game.yaml"
        path.write_bytes(b"old")
        with in_use(path, ALONE):
            with pytest.raises(StorageError, match="another program may have it open, such as an editor"):
                write_atomically(path, b"new")
            with pytest.raises(StorageError, match="cannot read"):
                read_if_there(path)
        assert path.read_bytes() == b"old"
        assert [one.name for one in tmp_path.iterdir()] == ["game.yaml"]

    def test_a_folder_is_told_at_once(self, tmp_path: Path) -> None:
        begun = time.monotonic()
        with pytest.raises(StorageError):
            read_if_there(tmp_path)
        assert time.monotonic() - begun < files.REPLACE_SECONDS


HOLDING = """
import sys, time
from pathlib import Path
from pbem.base.files import lock_folder
with lock_folder(Path(".")):
    print("locked", flush=True)
    time.sleep(600)
"""


def test_the_lock_of_a_program_that_died(tmp_path: Path) -> None:
    """It goes with the program, however that ended."""
    with subprocess.Popen([sys.executable, "-c", HOLDING], cwd=tmp_path, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"locked"
        with pytest.raises(StorageError), lock_folder(tmp_path, taken=StorageError("taken")):
            pass
        holder.kill()
    with lock_folder(tmp_path):
        pass


class TestStreams:
    """A pipe and a file hold UTF-8, whatever the code page of the console."""

    @pytest.mark.thorough
    def test_a_story_in_a_file(self, tmp_path: Path) -> None:
        """As `cmd` does it, in a folder with a blank."""
        folder = tmp_path / "my games"
        folder.mkdir()
        with (folder / "story.txt").open("wb") as story:
            subprocess.run([sys.executable, "-m", "pbem", "show", OWN], stdout=story, cwd=folder, check=True)
        told = (folder / "story.txt").read_text("utf-8")
        assert told == run_pbem("show", str(OWN)).stdout
        assert not told.isascii()

    @pytest.mark.parametrize("typed", ["José".encode(), b"Jos\x82"], ids=["UTF-8", "as cmd's echo"])
    def test_an_accent_in_a_pipe(self, typed: bytes) -> None:
        read = "from pbem.cli.terminal import prepare_streams as p; p(); print(input())"
        done = subprocess.run([sys.executable, "-c", read], input=typed, capture_output=True, check=True)
        assert done.stdout.decode().strip() == "José"

    def test_told_otherwise(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", "from pbem.cli.terminal import prepare_streams as p; p(); print('é')"],
            env={"PYTHONIOENCODING": "cp850"},
            capture_output=True,
            check=True,
        )
        assert done.stdout.strip() == b"\x82"


class TestNames:
    """Names that Windows has for itself, and long ones: a game is written or one line says why not."""

    @pytest.mark.parametrize(
        "name",
        [
            *("con", "a:b.yaml"),
            *(
                pytest.param(one, marks=pytest.mark.thorough)
                for one in ("nul.yaml", "what?.yaml", "end.", "x" * 300, "\\\\?\\Z:\\no\\g.yaml")
            ),
        ],
    )
    def test_written_or_refused(self, name: str, tmp_path: Path) -> None:
        done = run_pbem("new", "mortain", name, "--seat", "us", "--name", "A", cwd=tmp_path, PBEM_HOME="home")
        assert "Traceback" not in done.stderr
        if done.returncode:
            assert done.stderr.startswith("error: "), done.stderr
        else:
            assert run_pbem("verify", name, cwd=tmp_path, PBEM_HOME="home").returncode == 0

    def test_a_home_below_a_long_folder(self, tmp_path: Path) -> None:
        """Longer than the 260 characters that Windows allows if nobody has told it otherwise."""
        home = tmp_path / ("long " * 20).strip() / ("longer " * 20).strip()
        done = run_pbem(
            "new", "mortain", "g.yaml", "--seat", "us", "--name", "A", cwd=tmp_path, PBEM_HOME=str(home)
        )
        assert "Traceback" not in done.stderr
        assert done.returncode == 0 or str(home) in done.stderr, done.stderr

    def test_a_hint_names_a_path_as_typed(self, tmp_path: Path) -> None:
        """With drive, backslashes and blanks, in the quotation marks of `cmd` and PowerShell."""
        file = tmp_path / "my game.yaml"
        done = run_pbem(
            "new", "mortain", str(file), "--seat", "us", "--name", "A", PBEM_HOME=str(tmp_path / "h")
        )
        assert f'pbem join "{file.name}"' in " ".join(done.stdout.split())
        bare = run_python("-m", "pbem", cwd=tmp_path, PBEM_HOME=str(tmp_path / "h"))
        assert "Traceback" not in bare.stderr


TYPED = """@echo off
pbem new mortain "my game.yaml" --seat us --practice --name Jos\x82
pbem show "my game.yaml" > story.txt
echo n | pbem resign "my game.yaml"
pbem verify *.yaml
"""
"""In the code page of consoles."""


def test_as_typed_into_cmd(tmp_path: Path) -> None:
    """A blank in a name, an accent, a story in a file, an answer by a pipe, a pattern."""
    folder = tmp_path / "my games"
    folder.mkdir()
    (folder / "typed.bat").write_bytes(TYPED.encode("latin-1").replace(b"\n", b"\r\n"))
    path = os.pathsep.join([str(Path(sys.executable).parent / "Scripts"), os.environ["PATH"]])
    done = subprocess.run(
        ["cmd", "/c", "typed.bat"],
        cwd=folder,
        env={**os.environ, "PATH": path, "PBEM_HOME": "my home"},
        capture_output=True,
        check=True,
    )
    told = done.stdout.decode()
    assert 'pbem show "my game.yaml"' in told
    assert "Nothing was done, because you did not type yes." in told
    assert "10 passes" in told
    assert '"José" (you)' in (folder / "story.txt").read_text("utf-8")


def test_the_home_folder_is_that_of_the_user(tmp_path: Path) -> None:
    user = tmp_path / "José"
    user.mkdir()
    done = run_pbem("key", PBEM_HOME="", USERPROFILE=str(user))
    assert str(user / ".pbem" / "key") in " ".join(done.stdout.split())
    assert (user / ".pbem" / "key").exists()
