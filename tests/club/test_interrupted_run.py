"""Control-C in the middle of a first run: one line, nothing half written, and the next run goes on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.club import game
from pbem.club.collect import CACHE_FILE
from support.club_games import write_games
from support.processes import PATH
from support.processes import run_pbem as ran

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal"),
]


def known(home: Path) -> int:
    """How many files are remembered."""
    try:
        with closing(sqlite3.connect(f"file:{home / CACHE_FILE}?mode=ro", uri=True)) as found:
            return int(found.execute("SELECT count(*) FROM found").fetchone()[0])
    except sqlite3.OperationalError:  # not begun yet
        return 0


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.long), "2"])
def test_stopped_and_gone_on_with(workers: str, tmp_path: Path) -> None:
    folder = write_games(tmp_path / "games", *(game(number) for number in range(150)))
    home, out = tmp_path / "home", tmp_path / "out"
    command = ["club", str(folder), "--workers", workers, "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": PATH, "PBEM_HOME": str(home)}
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", *command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while not known(home):
            assert process.poll() is None, "it was done before it could be stopped"
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, workers too
        said, wrong = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said == ""
    assert wrong.splitlines()[-1].startswith("stopped after reading ")
    assert "Traceback" not in wrong
    assert not out.exists()
    assert 0 < known(home) < 150
    again = ran(*command, PBEM_HOME=str(home))
    assert again.returncode == 0
    fresh = ran(*command[:-1], str(tmp_path / "fresh"), PBEM_HOME=str(tmp_path / "other home"))
    assert fresh.returncode == 0
    for path in (tmp_path / "fresh").iterdir():
        assert path.read_bytes() == (out / path.name).read_bytes()
