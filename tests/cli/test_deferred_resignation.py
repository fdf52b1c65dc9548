"""A resignation that waits, at a terminal: asked about before orders are, and told as long as it waits."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.player.local_player import LocalPlayer
from pbem.player.pending import DeferredActions
from pbem.umpire.game_state import Game
from support.transcripts import Step, perform_steps

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from support.terminal import ENTER, Screen

pytestmark = pytest.mark.thorough


def game(folder: Path) -> Game:
    player = LocalPlayer(folder / "homes/bruno")
    (kept,) = player.store.games()
    return player.open(kept.data)


@pytest.fixture
def asking(tmp_path: Path, screens: list[Screen]) -> Screen:
    """Bruno, who had wanted to resign, types `move` when it is for him to write."""
    steps = [Step("anna", "pbem new mortain --seat german", 0), Step("bruno", "pbem join mortain.yaml", 0)]
    list(perform_steps(steps, tmp_path))
    DeferredActions(tmp_path / "homes/bruno").save_resignation(game(tmp_path), certain=False)
    screens.append(Screen(tmp_path, 80, 24, "move", "mortain.yaml", PBEM_HOME="homes/bruno"))
    screens[-1].wait_for_question("mortain.yaml? [y/n]: ")
    return screens[-1]


def test_yes(tmp_path: Path, asking: Screen) -> None:
    asking.type("y" + ENTER)
    assert asking.wait_for_end() == 0
    assert game(tmp_path).entries[-1].kind == "resign"


def test_no_and_it_still_waits(tmp_path: Path, asking: Screen) -> None:
    asking.type("n" + ENTER)
    asking.wait_for_prompt("next: place")
    assert "You wanted to resign. If you still do: pbem resign mortain.yaml" in " ".join(asking.text.split())
    asking.type("quit" + ENTER)
    assert asking.wait_for_end() == 0
    assert game(tmp_path).state.ending is None
