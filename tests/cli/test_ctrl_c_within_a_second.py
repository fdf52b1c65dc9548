"""Ctrl-C ends a command within a second, whatever a file makes it do; what is being written is put in order.

Python's own handler waits for the end of a step in C, which here never comes: a judge that is busy so is
planted into the real program, in a process of its own.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

from support.processes import PATH, run_python

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the signal is of POSIX")

EXAMPLE = Path(__file__).parents[2] / "examples" / "mortain-it-exits.yaml"

PLANTED = str(Path(__file__).parents[1] / "support" / "planted_faults")

IN_C = {
    "all": "all(itertools.repeat(True))",
    "isdisjoint": "set().union([-1]).isdisjoint(range(2**60))",
    "in": "-1 in iter(int, 1)",
}
"""Searches in C that do not end."""

PLACES = {
    "an option is read": "pbem.umpire.verify.agreed_data",
    "a position is drawn": "pbem.player.store.game_file.legend_of",
    "the YAML is read": "pbem.umpire.verify.parse_yaml",
}
"""What takes for ever."""


def started(folder: Path, planted: str, *command: str, **more: str) -> subprocess.Popen[str]:
    """The real command, with lines planted before it is called."""
    driver = f"import itertools, sys\nsys.argv[0] = 'pbem'\n{planted}\nfrom pbem.cli import main\nmain()\n"
    environment = {**os.environ, "PYTHONPATH": PATH, "PBEM_HOME": str(folder / "home"), **more}
    return subprocess.Popen(
        [sys.executable, "-c", driver, *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def for_ever(place: str, search: str) -> str:
    """Lines by which a function first says that it is there, and then searches without end."""
    module, _, name = place.rpartition(".")
    return (
        f"import {module} as planted\n"
        "def search(*given, **named):\n"
        "    open('searching', 'w').close()\n"
        f"    {search}\n"
        f"planted.{name} = search\n"
    )


def interrupted(process: subprocess.Popen[str], begun: Path) -> tuple[float, str]:
    """The seconds from an interrupt, once something has begun, to the end; and what is told then."""
    end = time.monotonic() + 60
    while not begun.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    assert begun.exists()
    time.sleep(0.2)  # so that it is in the search
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        _, wrong = process.communicate(timeout=20)
    finally:
        process.kill()
    return time.monotonic() - before, wrong


def everything(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.thorough
@pytest.mark.parametrize("search", IN_C)
def test_a_search_in_c(search: str, tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path / "game.yaml")
    process = started(tmp_path, for_ever(PLACES["an option is read"], IN_C[search]), "verify", "game.yaml")
    took, wrong = interrupted(process, tmp_path / "searching")
    assert took < 1
    assert (process.returncode, wrong) == (-signal.SIGINT, "")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "place"),
    [
        *product(["verify", "show", "log", "plan --try"], ["an option is read", "the YAML is read"]),
        *product(["verify", "show", "verify --strict"], ["a position is drawn"]),
    ],
)
def test_every_command(command: str, place: str, tmp_path: Path) -> None:
    """Whatever it does with the file; and nothing is left where nothing was to be written."""
    shutil.copy(EXAMPLE, tmp_path / "game.yaml")
    verb, *options = command.split()
    words = [verb, "game.yaml", *options]
    process = started(tmp_path, for_ever(PLACES[place], IN_C["all"]), *words)
    took, _ = interrupted(process, tmp_path / "searching")
    assert took < 1
    assert process.returncode == -signal.SIGINT
    assert not [name for name in everything(tmp_path) if "tmp" in name]


def test_while_a_file_is_written(tmp_path: Path) -> None:
    """The line and the code are those of before, the file is the old one, and no other one is left."""
    shutil.copy(EXAMPLE, tmp_path / "game.yaml")
    (tmp_path / "map.svg").write_text("old")
    slow = (
        "import os, time\nsync = os.fsync\n"
        "def slow(file):\n"
        "    open('searching', 'w').close()\n"
        "    time.sleep(5)\n"
        "    sync(file)\n"
        "os.fsync = slow\n"
    )
    process = started(tmp_path, slow, "picture", "game.yaml", "-o", "map.svg")
    took, wrong = interrupted(process, tmp_path / "searching")
    assert took < 1
    assert (process.returncode, wrong) == (1, "error: stopped\n")
    assert (tmp_path / "map.svg").read_text() == "old"
    assert everything(tmp_path) == {"game.yaml", "map.svg", "searching"}


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="it looks for processes in /proc")
def test_a_mail_that_a_worker_judges(tmp_path: Path) -> None:
    """The worker ends with the program, in the middle of its search."""
    text = "about pbem, planted: loop"
    (tmp_path / "odd.eml").write_text(f"From: b@example.org\nSubject: pbem\n\n{text}\n", "utf-8")
    process = started(tmp_path, "", "show", "odd.eml", PYTHONPATH=f"{PLANTED}{os.pathsep}{PATH}")
    end = time.monotonic() + 60
    while not (workers := children(process.pid)) and time.monotonic() < end:
        time.sleep(0.05)
    assert workers
    time.sleep(2)  # it has started, and reads the mail
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    before = time.monotonic()
    _, wrong = process.communicate(timeout=20)
    assert time.monotonic() - before < 1
    assert (process.returncode, wrong) == (1, "error: stopped\n")
    end = time.monotonic() + 2  # of its own a worker ends at its limit, which is more than that
    while (left := [pid for pid in workers if Path(f"/proc/{pid}").exists()]) and time.monotonic() < end:
        time.sleep(0.05)
    assert not left


def children(parent: int) -> list[str]:
    """The processes that another has started."""
    return Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()


def test_an_interrupt_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As of a command that a shell has put into the background."""
    shutil.copy(EXAMPLE, tmp_path / "game.yaml")
    planted = (
        "import signal, pbem.umpire.verify as planted\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "before = planted.agreed_data\n"
        "def sent(*given):\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    return before(*given)\n"
        "planted.agreed_data = sent\n"
    )
    process = started(tmp_path, planted, "verify", "game.yaml")
    said, wrong = process.communicate(timeout=60)
    assert (process.returncode, wrong) == (0, "")
    assert "verified: 80 entries" in said


def test_a_library_decides_for_itself() -> None:
    """Without a command, an interrupt raises KeyboardInterrupt, also while a file is judged."""
    code = (
        "import signal, sys, pbem, pbem.umpire.verify as planted\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "planted.agreed_data = lambda *given: signal.raise_signal(signal.SIGINT)\n"
        "try:\n"
        "    pbem.read(sys.argv[1])\n"
        "except KeyboardInterrupt:\n"
        "    print('caught')\n"
    )
    done = run_python("-c", code, str(EXAMPLE), cwd=None)
    assert (done.returncode, done.stdout, done.stderr) == (0, "caught\n", "")
