"""The program as a process: nothing can be written, nobody reads on, the player stops it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from support.markers import WINDOWS, Posix, requires
from support.processes import run_pbem, run_python
from support.transcripts import ROOT

pytestmark = pytest.mark.thorough

Done: TypeAlias = subprocess.CompletedProcess[str]
PBEM = [sys.executable, "-m", "pbem"]
BOUND_BY_MODES = [] if WINDOWS or os.geteuid() else ["setpriv", "--bounding-set=-dac_override", "--"]
"""What makes the modes of files and folders bind even root."""
MOVE = ["move", "mortain.yaml", "enter DF 1901"]


def _environment() -> Mapping[str, str]:
    return {**os.environ, "PBEM_HOME": "homes/anna", "PYTHONPATH": str(ROOT)}


def _pbem(table: Path, *arguments: str, under: Sequence[str] = (), **environment: str) -> Done:
    """Run the program in a process of its own, if need be under another that limits it."""
    return run_pbem(*arguments, cwd=table, under=under, PBEM_HOME="homes/anna", **environment)


def _everything(table: Path) -> dict[str, bytes]:
    """Every file in the folder, but for the store's empty lock."""
    return {
        str(file.relative_to(table)): file.read_bytes()
        for file in sorted(table.rglob("*"))
        if file.is_file() and file.name != "lock"
    }


class TestNothingCanBeWritten:
    """What cannot be saved is said, with exit code 1, and everything stays as it was."""

    @requires(Posix.MODES)
    def test_home_read_only(self, table: Path) -> None:
        before = _everything(table)
        shelf = next((table / "homes/anna/games").iterdir())
        shelf.chmod(0o500)
        done = _pbem(table, *MOVE, under=BOUND_BY_MODES)
        shelf.chmod(0o700)
        assert done.returncode == 1
        assert done.stderr.startswith("error: cannot write homes/anna/games/")
        assert "Permission denied" in done.stderr
        assert _everything(table) == before

    @requires(Posix.MODES)
    def test_folder_of_the_file_read_only(self, table: Path) -> None:
        """The move is on the shelf, from where it can be had again; the file is the old one."""
        before = (table / "mortain.yaml").read_bytes()
        table.chmod(0o500)
        done = _pbem(table, *MOVE, under=BOUND_BY_MODES)
        table.chmod(0o700)
        assert done.returncode == 1
        assert done.stderr.startswith("error: cannot write mortain.yaml: Permission denied\n")
        assert (table / "mortain.yaml").read_bytes() == before

    @requires(Posix.LIMITS)
    def test_disk_full(self, table: Path) -> None:
        """No file may grow beyond 4 KiB: the half-written file is removed.

        The record comes first, and may name an entry that was kept nowhere.
        """
        before = _everything(table)
        done = _pbem(table, *MOVE, under=["prlimit", "--fsize=4096", "--"])
        assert done.returncode == 1
        assert done.stderr.startswith("error: cannot write homes/anna/games/")
        after = _everything(table)
        assert after.keys() == before.keys()
        changed = {Path(name).name for name, data in after.items() if data != before[name]}
        assert changed <= {"record.json", "stay"}


class TestNobodyReadsOn:
    """A pipe that is closed early, or a full device, makes no traceback."""

    @pytest.mark.parametrize(
        "command", ["--help", "show mortain.yaml", "log mortain.yaml", "moves mortain.yaml"]
    )
    def test_closed_pipe(self, table: Path, command: str) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [*PBEM, *command.split()],
            cwd=table,
            env=_environment(),
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (1, "")

    def test_full_device(self, table: Path) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*PBEM, "show", "mortain.yaml"],
                cwd=table,
                env=_environment(),
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert (done.returncode, done.stderr) == (1, "error: No space left on device\n")


@pytest.mark.thorough
class TestTooMuch:
    """A number out of all proportion is refused in one line, wherever it is typed."""

    @pytest.mark.parametrize("what", ["9" * 5000, "-1", "1 ", "٣"])
    def test_entry_to_take_back_to(self, table: Path, what: str) -> None:
        before = _everything(table)
        done = _pbem(table, "propose", "mortain.yaml", "--", what)
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: what: '{what[:39]}")
        assert "is not draw, last, one of your moves or entry N\n" in done.stderr
        assert len(done.stderr) < 200
        assert _everything(table) == before

    @pytest.mark.parametrize(
        "clock", ["x", " ", "-1", "1.5", "12 ", "9" * 5000, "253402300800", "999999999999"]
    )
    def test_clock(self, table: Path, clock: str) -> None:
        before = _everything(table)
        done = _pbem(table, *MOVE, SOURCE_DATE_EPOCH=clock)
        assert done.returncode == 1
        must = "error: SOURCE_DATE_EPOCH must be seconds since 1970, at most 253402300799, not"
        assert done.stderr.startswith(f"{must} '{clock[:39]}")
        assert done.stderr.count("\n") == 1
        assert _everything(table) == before

    @pytest.mark.parametrize(
        ("clock", "told"),
        [("0", "1 January 1970, 00:00 UTC"), ("253402300799", "31 December 9999, 23:59 UTC")],
    )
    def test_clock_at_its_ends(self, table: Path, clock: str, told: str) -> None:
        done = _pbem(table, *MOVE, SOURCE_DATE_EPOCH=clock)
        assert told in done.stdout


OTHERS = ("msgspec", "typer", "cryptography", "filelock", "json")
MODULES = ["yaml", *(pytest.param(name, marks=pytest.mark.thorough) for name in OTHERS)]


class TestModulesThatLieInTheFolder:
    """`python -m pbem` takes its modules from where it is installed, not from beside the game file."""

    @pytest.mark.parametrize(
        "module", ["yaml", *(pytest.param(one, marks=pytest.mark.thorough) for one in OTHERS)]
    )
    def test_not_imported(self, table: Path, module: str) -> None:
        (table / f"{module}.py").write_text("raise SystemExit('a stranger was imported')")
        done = _pbem(table, "show", "mortain.yaml")
        assert (done.returncode, done.stderr) == (0, "")

    def test_no_game_of_a_stranger(self, table: Path) -> None:
        """Games are found by what is installed; a folder that says it is installed here is not."""
        (table / "evil-1.dist-info").mkdir()
        (table / "evil-1.dist-info" / "METADATA").write_text("Name: evil\nVersion: 1\n")
        (table / "evil-1.dist-info" / "entry_points.txt").write_text("[pbem.games]\nevil = evil:RULES\n")
        done = _pbem(table, "new", "evil", "--seat", "axis")
        assert done.returncode == 2
        assert done.stderr.startswith("error: game: must be mortain, rommel, tabletop, not 'evil'")

    @pytest.mark.skipif(WINDOWS, reason="there pbem lies beside what it needs")
    def test_from_a_checkout(self, tmp_path: Path) -> None:
        """pbem itself is found in the current folder, and there alone; what it needs is not."""
        shutil.copytree(ROOT / "pbem", tmp_path / "pbem")
        (tmp_path / "msgspec.py").write_text("raise SystemExit('a stranger was imported')")
        third_party = [path for path in sys.path if path and not (Path(path) / "pbem/__init__.py").exists()]
        path = os.pathsep.join(third_party)
        done = run_python("-S", "-m", "pbem", "--help", cwd=tmp_path, PYTHONPATH=path)
        assert (done.returncode, done.stdout[:11], done.stderr) == (0, "Usage: pbem", "")

    def test_what_the_player_put_there_stays(self, table: Path) -> None:
        """With -P Python adds no folder, so none is taken away, even if the player names this one."""
        (table / "msgspec.py").write_text("raise SystemExit('as you wish')")
        path = os.pathsep.join([str(table), str(ROOT)])
        done = run_python("-P", "-m", "pbem", "show", "mortain.yaml", cwd=table, PYTHONPATH=path)
        assert done.stderr == "as you wish\n"


class TestThePlayerStopsIt:
    """Control-C ends the program with one line; nothing is written."""

    @requires(Posix.SIGNALS)
    def test_interrupt(self, table: Path) -> None:
        before = _everything(table)
        with subprocess.Popen(
            [*PBEM, "resign", "mortain.yaml"],
            cwd=table,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=0,
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.read(1) == "R"  # it asks: Resign this game?
            process.send_signal(signal.SIGINT)
            assert process.stderr.read().endswith("error: stopped\n")
        assert process.returncode == 1
        assert _everything(table) == before


class TestCompletion:
    """The shells' completion scripts name the program; a shell that asks is told the commands."""

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_script(self, tmp_path: Path, shell: str) -> None:
        done = run_pbem(cwd=tmp_path, _PBEM_COMPLETE=f"source_{shell}")
        assert done.returncode == 0
        assert re.search(r"\b_PBEM_COMPLETE=complete_" + shell, done.stdout)

    def test_commands(self, tmp_path: Path) -> None:
        asked = {"COMP_WORDS": "pbem mov", "COMP_CWORD": "1"}
        done = run_pbem(cwd=tmp_path, _PBEM_COMPLETE="complete_bash", **asked)
        assert sorted(done.stdout.split()) == ["move", "moves"]
