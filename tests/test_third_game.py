"""A game that is a distribution of its own plays without a line of the core (docs/WRITING-A-GAME.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the third game installed in it, from its own source."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps"]
    subprocess.run([*pip, "--target", str(folder), str(TESTS / "third_game")], check=True)
    return folder


def ran(site: Path, home: Path, *command: str) -> str:
    """What a command prints, with the game installed; it must succeed."""
    environment = {**os.environ, "PYTHONPATH": str(site), "PBEM_HOME": str(home), "COLUMNS": "80"}
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_demo_is_verified(site: Path, tmp_path: Path) -> None:
    told = ran(site, tmp_path, sys.executable, "-m", "pbem", "demo", "d", "--game", "fords")
    assert "seals its orders as" in told
    assert "opens its sealed orders: cross 0" in told
    assert "9 holds  sealed orders" in told


def test_contract_holds(site: Path, tmp_path: Path) -> None:
    told = ran(site, tmp_path, sys.executable, str(TESTS / "random_play.py"), "fords", "0", "100")
    assert told.startswith("100 games hold")


def test_is_found_beside_the_others(site: Path, tmp_path: Path) -> None:
    names = "from pbem.games import names; print(*names())"
    assert ran(site, tmp_path, sys.executable, "-c", names).split() == ["fords", "mortain", "rommel"]


def test_core_does_not_know_it() -> None:
    for path in (TESTS.parent / "pbem").rglob("*.py"):
        assert "fords" not in path.read_text("utf-8"), path
