"""A third party's game for studies: Three Fords, installed beside the program and nowhere else."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import games

THIRD = Path(__file__).parents[1] / "third_game"


@pytest.fixture
def fords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the game `fords` is installed for the length of a test."""
    site = tmp_path / "site"
    shutil.copytree(THIRD / "fords", site / "fords", ignore=shutil.ignore_patterns("__pycache__"))
    info = site / "fords-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: fords\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[pbem.games]\nfords = fords:RULES\n")
    monkeypatch.syspath_prepend(str(site))
    _forget()
    yield site
    _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "fords"]:
        del sys.modules[name]  # its files lie in a folder that is gone after the test
    games._added_games.cache_clear()
    games.all_versions.cache_clear()
