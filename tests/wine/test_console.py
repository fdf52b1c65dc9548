"""A console of Windows, as Wine shows it in a terminal: the prompt, Tab and Control-C."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.screens import INTERRUPT, TAB, Screen

from wine.program import PYTHON, OnWindows

pytestmark = pytest.mark.wine


class Console(Screen):
    """A console of Windows of 80 columns with the program in it."""

    program = ("wine", PYTHON, "-m", "pbem")

    def __init__(self, folder: Path, *arguments: str) -> None:
        super().__init__(folder, 80, 30, *arguments, PBEM_HOME="home")


def test_the_prompt(tmp_path: Path) -> None:
    """It asks, Tab completes, and Control-C stops it with nothing written."""
    with OnWindows() as windows:
        windows.run(tmp_path, "new", "mortain", "game.yaml", "--seat", "us", "--practice", "--name", "José")
    before = (tmp_path / "game.yaml").read_bytes()
    console = Console(tmp_path, "move", "game.yaml")
    console.until("at most two to a hex", "Order: ")
    console.type("place 117Inf 15")
    console.until("Order: place 117Inf 15")
    console.type(TAB)
    console.until("1501 1502 1503")
    console.type(INTERRUPT)
    console.until("error: stopped")
    assert console.end() == 1
    console.close()
    assert (tmp_path / "game.yaml").read_bytes() == before


def test_a_study(tmp_path: Path) -> None:
    """Control-C reaches its processes too: what they have done is kept."""
    console = Console(tmp_path, "study", "mortain", "--games", "100000", "--workers", "2")
    console.until("a second")
    console.type(INTERRUPT)
    console.until("the same command goes on from there")
    assert console.end() == 1
    console.close()
