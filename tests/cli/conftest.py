"""A game that has begun, for the tests that need one on disk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.transcripts import Step, perform_steps

if TYPE_CHECKING:  # it needs a system with pseudo-terminals
    from support.terminal import Screen

SET_UP = "place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"
GAME = [
    Step("bruno", "pbem new mortain --edition it --seat us", 0),
    Step("anna", "pbem join mortain.yaml", 0),
    Step("bruno", f"pbem move mortain.yaml '{SET_UP}'", 0),
    Step("anna", "pbem show mortain.yaml", 0),
]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game in which Anna has the move, and with the homes of both players."""
    folder = tmp_path_factory.mktemp("played")
    for _ in perform_steps(GAME, folder):
        pass
    return folder


@pytest.fixture
def table(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to do as one likes; the players' own file is the copy."""
    table = shutil.copytree(played, tmp_path / "table")
    before, now = (json.dumps(str(folder))[1:-1].encode() for folder in (played, table))
    for noted in table.glob("homes/*/games/*/record.json"):
        noted.write_bytes(noted.read_bytes().replace(before, now))
    return table


@pytest.fixture
def screens() -> Iterator[list[Screen]]:
    """The terminals of a test, put away at its end."""
    opened: list[Screen] = []
    yield opened
    for one in opened:
        one.close()
