"""Stepping through a game at a terminal, at four sizes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.cli.review import Replay
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.processes import run_pbem
from support.terminal import Screen
from support.transcripts import ROOT

pytestmark = pytest.mark.thorough

MORTAIN = ROOT / "examples" / "mortain-it-exits.yaml"
ROMMEL = ROOT / "examples" / "rommel-axis-wins.yaml"


@pytest.fixture(scope="module")
def mortain() -> Game:
    """A finished game of Mortain: 80 entries."""
    return open_game(MORTAIN.read_bytes())


@pytest.fixture(scope="module")
def rommel() -> Game:
    """A finished game of Rommel: 118 entries."""
    return open_game(ROMMEL.read_bytes())


class TestSteps:
    """Each way to go on; none leads out of the game."""

    def test_next_and_back(self, mortain: Game) -> None:
        replay = Replay(mortain, 2)
        replay.go("next")
        assert replay.at == 3
        replay.go("back")
        assert replay.at == 2

    def test_turns(self, mortain: Game) -> None:
        """The first turn ends with the joker of entry 14, which begins the second (see `pbem log`)."""
        replay = Replay(mortain, 5)
        replay.go("turn")
        assert replay.at == 14

    def test_combats(self, mortain: Game) -> None:
        """Entry 4 fires, entry 5 has the card; nobody fires again before entry 17, settled in 18."""
        replay = Replay(mortain)
        replay.go("combat")
        assert replay.at == 5
        replay.go("combat")
        assert replay.at == 18

    @pytest.mark.parametrize(
        ("way", "told"),
        [
            ("next", "there is nothing after this"),
            ("turn", "there are no turns after this"),
            ("combat", "there is no combat after this"),
            ("end", "you are already at the end"),
        ],
    )
    def test_nothing_after_the_end(self, mortain: Game, way: str, told: str) -> None:
        replay = Replay(mortain)
        replay.go("end")
        replay.go(way)
        assert replay.at == 79
        assert told in replay.lines(79, 24, coloured=False)[-1]

    def test_nothing_before_the_beginning(self, mortain: Game) -> None:
        replay = Replay(mortain, 1)
        for _ in range(3):
            replay.go("back")
        assert replay.at == 0

    def test_more_of_a_long_story(self, rommel: Game) -> None:
        """Every line of the story comes in its turn, the last one too."""
        replay = Replay(rommel, 16)
        seen = []
        while "lines more: m" in (text := "\n".join(replay.lines(79, 24, coloured=False))):
            seen.append(text)
            replay.go("more")
        assert "AlSup-5 moves" not in seen[0]
        assert "AlSup-5 moves" in text


class TestScreens:
    """Each step fits any terminal, and says which entry it is, what moved and what happened."""

    @pytest.mark.parametrize(("width", "height"), [(139, 40), (79, 24), (59, 24), (39, 30)])
    @pytest.mark.parametrize("game", ["mortain", pytest.param("rommel", marks=pytest.mark.thorough)])
    def test_all_steps_fit(self, game: str, width: int, height: int, request: pytest.FixtureRequest) -> None:
        replay = Replay(request.getfixturevalue(game))
        for n in range(0, len(replay.game.replayed_entries), 7):
            replay.at = n
            lines = replay.lines(width, height, coloured=False)
            assert len(lines) == height
            assert max(map(len, lines)) <= width
            assert lines[0].startswith(f"Entry {n} of ")
            by = replay.game.rules.side(replay.game.replayed_entries[n].entry.body.by)
            assert any(f" {n} {by:name}: " in f" {line}" for line in lines), n

    def test_what_moved_is_marked(self, mortain: Game) -> None:
        """Entry 22: CCA enters at 1101. The story stands below, and from 120 columns on beside the map."""
        below = "\n".join(Replay(mortain, 22).lines(79, 24, coloured=False))
        assert "\n01 T   I#" in below, "CCA, in the small hexes of a whole map"
        assert "\n   + ." in below
        assert "in hexes: + arrived, - left, !" in below
        assert "\n      CCA enters at 1101" in below
        beside = Replay(mortain, 22).lines(139, 40, coloured=False)
        assert any(line.startswith("Turn: ") and line.endswith("starts draw 14") for line in beside)
        assert any("_____" in line and line.endswith("CCA enters at 1101") for line in beside)

    def test_colour_takes_no_room(self, mortain: Game) -> None:
        coloured = Replay(mortain, 22).lines(139, 40, coloured=True)
        plain = [re.sub(r"\x1b\[\d+m", "", line) for line in coloured]
        assert plain == Replay(mortain, 22).lines(139, 40, coloured=False)
        assert plain != coloured


def test_an_own_scenario_is_said() -> None:
    """It is no game of ours: that stands on every screen."""
    game = open_game((ROOT / "examples" / "mortain-de-own-scenario.yaml").read_bytes())
    for width, height in ((139, 40), (39, 24)):
        lines = Replay(game, 9).lines(width, height, coloured=False)
        assert lines[1].startswith("scenario: ")
        assert len(lines) == height
        assert max(map(len, lines)) <= width


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (140, 40)])
def test_at_a_terminal(tmp_path: Path, screens: list[Screen], columns: int, lines: int) -> None:
    """Letters and arrows step; what was on the screen comes back at the end."""
    screen = Screen(tmp_path, columns, lines, "replay", str(MORTAIN), PBEM_HOME=str(tmp_path))
    screens.append(screen)
    screen.wait_for("Entry 0 of 79")
    screen.wait_for("offers Stand at Mortain")
    screen.type("n")
    screen.wait_for("Entry 1 of 79", "")
    screen.type("\x1b[C")
    screen.wait_for("Entry 2 of 79", "")
    screen.type("\x1b[D")
    screen.wait_for("Entry 1 of 79", "")
    screen.type("c")
    screen.wait_for("Entry 5 of 79")
    screen.wait_for("7 of hearts: 7 against 3")
    screen.type("t")
    screen.wait_for("Entry 14 of 79, turn 2", "")
    screen.type("b")
    screen.wait_for("Entry 13 of 79, turn 1", "")
    screen.type("22g")
    screen.wait_for("Entry 22 of 79", "")
    screen.type("80g")
    screen.wait_for("type an entry, 0 to 79", "")
    screen.type("e")
    screen.wait_for("Entry 79 of 79")
    screen.wait_for("The Germans win: ")
    screen.type("q")
    assert screen.wait_for_end() == 0


def test_without_a_terminal(tmp_path: Path) -> None:
    """It says what to type instead."""
    done = run_pbem("replay", str(MORTAIN), PBEM_HOME=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "error: replay needs a terminal"
    assert done.stderr.splitlines()[1] == f"hint: for the whole story at once: pbem log {MORTAIN}"
