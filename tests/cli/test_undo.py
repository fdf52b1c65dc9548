"""Undo at a terminal: pbem asks what it cannot know, at the command and at the prompt of `move`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.player.local_player import LocalPlayer
from support.transcripts import Step, perform_steps

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from support.terminal import ENTER, Screen

pytestmark = pytest.mark.thorough

SET_UP = "place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"


def opened(folder: Path, screens: list[Screen], *arguments: str) -> Screen:
    """Bruno's terminal."""
    screens.append(Screen(folder, 80, 24, *arguments, PBEM_HOME="homes/bruno"))
    return screens[-1]


def entries(folder: Path) -> int:
    """How many entries the game has in his file, and on his shelf."""
    player = LocalPlayer(folder / "homes/bruno")
    (kept,) = player.store.games()
    file = (folder / "mortain.yaml").read_bytes()
    assert kept.data == file
    return len(player.open(file).ids)


@pytest.fixture
def joined(tmp_path: Path) -> Path:
    """A folder in which Bruno has just taken a seat."""
    steps = [Step("anna", "pbem new mortain --seat german", 0), Step("bruno", "pbem join mortain.yaml", 0)]
    for _, printed in perform_steps(steps, tmp_path):
        assert not printed[-1].startswith("["), printed
    return tmp_path


@pytest.mark.parametrize(("said", "code", "number"), [("n", 1, 3), ("y", 0, 2)])
def test_the_command_asks(said: str, code: int, number: int, joined: Path, screens: list[Screen]) -> None:
    assert opened(joined, screens, "move", "mortain.yaml", SET_UP).wait_for_end() == 0
    screen = opened(joined, screens, "undo", "mortain.yaml")
    screen.wait_for_question("received mortain.yaml since then? [y/n]: ")
    told = " ".join(screen.text.split())
    assert "To be undone: 2 US (place 117Inf 1301" in told
    assert "receives a different entry 2, they see the outcome of both, and can continue from either." in told
    screen.type(said + ENTER)
    assert screen.wait_for_end() == code
    assert entries(joined) == number


class TestAtThePrompt:
    """`undo` takes orders back that were typed; where there are none, what was signed before."""

    @pytest.fixture
    def asking(self, joined: Path, screens: list[Screen]) -> Screen:
        """Bruno is asked for his set-up."""
        screen = opened(joined, screens, "move", "mortain.yaml")
        screen.wait_for_prompt("next: place")
        return screen

    def test_yes(self, joined: Path, asking: Screen) -> None:
        asking.type("undo" + ENTER)
        asking.wait_for_question("received mortain.yaml since then? [y/n]: ")
        assert "To be undone: 1 US (joins the game" in asking.text
        asking.type("y" + ENTER)
        assert asking.wait_for_end() == 0
        assert "Next: nobody is playing the Americans yet" in asking.text
        assert entries(joined) == 1

    def test_no(self, joined: Path, asking: Screen) -> None:
        """And what is typed since is taken back as ever."""
        asking.type("undo" + ENTER)
        asking.wait_for_question("received mortain.yaml since then? [y/n]: ")
        asking.type("n" + ENTER)
        asking.wait_for_prompt("", "Order: ")
        asking.type("place 117Inf 1301" + ENTER)
        asking.wait_for_prompt("", "Order 2")
        asking.type("undo" + ENTER)
        asking.wait_for_prompt("Removed: place 117Inf 1301", "Order: ")
        assert entries(joined) == 2
