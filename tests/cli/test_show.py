"""What `show` prints fits: forty lines where nobody sits, the terminal where somebody does."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.cli.app import run
from support.terminal import Screen
from support.transcripts import ROOT

pytestmark = pytest.mark.thorough

EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
LOOKS: tuple[list[str], ...] = ([], ["--threats"], ["--zones"], ["--supply"], ["--los", "1403"])


def printed(*arguments: str) -> tuple[int, list[str]]:
    """The exit code of a command, and the lines it printed."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = run(list(arguments))
    return code, out.getvalue().splitlines()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))


FIRST = ("mortain-it-exits", "rommel-axis-wins")
MAPPED = [file for file in EXAMPLES if not file.stem.startswith("tabletop")]
WHOLE = re.compile(r"\d+ \w+ \d{4}, \d\d:\d\d UTC|\S+")
"""What is not broken: a time, or else a word."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, marks=() if file.stem in FIRST else pytest.mark.long, id=file.stem)
        for file in MAPPED
    ],
)
def test_forty_lines(file: Path) -> None:
    """Now and at any entry, whatever is laid over the map; --whole prints more than fits."""
    for look in (*LOOKS, ["--at", "20"], ["--at", "60", "--threats"]):
        code, lines = printed("show", str(file), *look)
        if code == 2:  # the game knows nothing of the kind
            continue
        assert code == 0
        assert 10 < len(lines) <= 40, look
        assert max(map(len, lines)) <= 78
    assert len(printed("show", str(file), "--whole")[1]) > 40


@pytest.mark.parametrize("look", [[], ["--threats"], ["--at", "9"], ["--whole"]])
def test_an_own_scenario_is_said(look: list[str]) -> None:
    """It is no game of ours: whatever is looked at, that is said."""
    _, lines = printed("show", str(ROOT / "examples" / "mortain-de-own-scenario.yaml"), *look)
    assert any(line.startswith("  scenario: ") for line in lines)


class TestAt:
    """A position as it was, with what was known then: nothing of what came later."""

    MORTAIN = str(ROOT / "examples" / "mortain-it-exits.yaml")

    def test_a_position(self) -> None:
        """After entry 22 CCA stands in 1101; its story ends in entry 38 (`log --unit CCA`)."""
        _, lines = printed("show", self.MORTAIN, "--at", "22")
        text = "\n".join(lines)
        assert "1101 US: CCA" in text
        assert "CCA enters at 1101" in text
        assert text.endswith("\nAfter entry 22 of 79"), "nothing is left out"
        _, later = printed("show", self.MORTAIN, "--at", "38")
        assert "US eliminated: 120Inf, CCA" in "\n".join(later)

    def test_what_shows_the_rest(self) -> None:
        _, lines = printed("show", str(ROOT / "examples" / "rommel-goes-on.yaml"), "--at", "22")
        _, _, below = "\n".join(lines).rpartition("After entry 22 of ")
        assert "\nFor the full view: pbem show " in below  # on two lines where the file's path is long
        assert below.endswith(" --whole")

    def test_what_was_asked(self) -> None:
        _, lines = printed("show", self.MORTAIN, "--at", "39")
        asked = "the Americans are to move. Queen of hearts: activate one unit, or units of one hex"
        assert f"After entry 39 of 79: {asked}" in " ".join(" ".join(lines).split())

    def test_no_such_entry(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["show", self.MORTAIN, "--at", "80"]) == 2
        assert "there is no entry 80 in this game: 0 to 79" in capsys.readouterr().err

    def test_what_the_game_has_not(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["show", self.MORTAIN, "--zones"]) == 2
        assert "Stand at Mortain has no zones of control" in capsys.readouterr().err

    def test_two_at_once(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["show", self.MORTAIN, "--zones", "--threats"]) == 2
        assert "the map has room for only one of --zones and --threats" in capsys.readouterr().err


@pytest.mark.parametrize(("columns", "lines"), [(140, 40), (80, 24), (60, 24), (40, 30)])
@pytest.mark.parametrize(
    "look", [pytest.param([], id=""), pytest.param(["--threats"], id="threats", marks=pytest.mark.thorough)]
)
def test_whole_at_a_terminal(
    table: Path, screens: list[Screen], columns: int, lines: int, look: list[str]
) -> None:
    """The first line and the last are on the screen together, and no line has been broken by it."""
    screen = Screen(table, columns, lines, "show", "mortain.yaml", "--no-color", *look, COLUMNS="")
    screens.append(screen)
    assert screen.wait_for_end() == 0
    assert screen.rows[0].startswith("Stand at Mortain, ")
    assert screen.printed == screen.text
    assert any("120Inf" in row for row in screen.rows)
    assert max(map(len, screen.rows)) < columns


class TestLeftOut:
    """What finds no room is said, with the command that has it; lines are broken once."""

    def test_all_of_a_map_at_eighty_columns(self, table: Path, screens: list[Screen]) -> None:
        screen = Screen(table, 80, 24, "show", "mortain.yaml", "--no-color", COLUMNS="")
        screens.append(screen)
        assert screen.wait_for_end() == 0
        assert "map cut" not in screen.text
        assert [row[:2] for row in screen.rows if re.match(r"0\d [.A-Z]", row)] == [
            "01",
            "02",
            "03",
            "04",
            "05",
        ]

    def test_a_map_that_is_cut(self, table: Path, screens: list[Screen]) -> None:
        """Not every counter has room with its factors, but all that are on the map are named beside it."""
        screen = Screen(table, 60, 24, "show", "mortain.yaml", "--no-color", COLUMNS="")
        screens.append(screen)
        assert screen.wait_for_end() == 0
        assert {"117Inf", "119Inf", "120Inf", "823TD", "SPTD"} <= set(re.findall(r"\w+", screen.text))
        assert any("I infantry" in row for row in screen.rows)
        assert "For the full view: pbem show mortain.yaml --whole" in screen.rows

    def test_no_map(self, table: Path, screens: list[Screen]) -> None:
        screen = Screen(table, 40, 30, "show", "mortain.yaml", "--no-color", COLUMNS="")
        screens.append(screen)
        assert screen.wait_for_end() == 0
        assert "(no room for a map)" in screen.rows
        assert "For the full view: pbem show mortain.yaml --whole" in " ".join(screen.text.split())

    def test_events_stand_under_their_entry(self, table: Path, screens: list[Screen]) -> None:
        """What comes right after the lines left out is the title of an entry."""
        screen = Screen(table, 40, 24, "show", "mortain.yaml", "--no-color", "--at", "2", COLUMNS="")
        screens.append(screen)
        assert screen.wait_for_end() == 0
        at = next(n for n, row in enumerate(screen.rows) if "earlier lines: --whole" in row)
        assert screen.rows[at + 1].startswith("  2 US: place 117Inf 1301")

    def test_lines_are_broken_once(self, table: Path, screens: list[Screen]) -> None:
        """Each line of the question but the last is full: the next one's first word has no room in it."""
        screen = Screen(table, 60, 24, "show", "mortain.yaml", "--no-color", COLUMNS="")
        screens.append(screen)
        assert screen.wait_for_end() == 0
        first = next(n for n, row in enumerate(screen.rows) if row.startswith("Next: "))
        last = next(n for n, row in enumerate(screen.rows) if row.startswith("Type: "))
        question = screen.rows[first:last]
        assert len(question) > 1
        for line, following in pairwise(question):
            assert len(line) + 1 + len(following.split()[0]) > 59, question


@pytest.mark.parametrize("command", [[], ["games"], ["moves"], ["log"]], ids=str)
def test_narrow_lines_are_broken_once(table: Path, screens: list[Screen], command: list[str]) -> None:
    """What goes on in a line that is indented as far, or farther, had no room in the one before."""
    screen = Screen(table, 40, 50, *command, COLUMNS="")
    screens.append(screen)
    assert screen.wait_for_end() == 0
    begins = re.compile(
        r" *(German: |file:|owed|Type:|enter|pass|Next:|[0-9]+ \w+:|"
        r"now|The |Turn |waiting since|4S:|german:|2026)"
    )
    for line, following in pairwise(row for row in screen.rows if row):
        if following.startswith("  ") and not begins.match(following):
            [first] = WHOLE.findall(following)[:1]
            assert len(line) + 1 + len(first) > 39, (line, following)
