"""Practice at a level, and `pbem hint`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.base.home import home
from pbem.cli.app import run
from pbem.player import clock
from pbem.player.local_player import LocalPlayer, Opponent, practice_player, save_opponent


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def levels() -> list[tuple[str, float]]:
    """Who plays in the games where it was said."""
    path = practice_player(LocalPlayer(home())).home / "opponents.json"
    return (
        [(one["player"], one["think"]) for one in json.loads(path.read_text()).values()]
        if path.exists()
        else []
    )


class TestLevels:
    """`--practice` with a level, or without one wherever it stands."""

    @pytest.mark.parametrize(
        "words", ["m.yaml --seat us --practice", "--practice m.yaml --seat us", "m.yaml --practice --seat us"]
    )
    def test_without_a_level(self, words: str) -> None:
        assert run(["new", "mortain", *words.split()]) == 0
        assert Path("m.yaml").exists()
        assert levels() == []

    def test_with_a_level(self) -> None:
        assert (
            run(["new", "mortain", "m.yaml", "--practice", "Strong", "--think", "0.01", "--seat", "german"])
            == 0
        )
        assert levels() == [("strong", 0.01)]
        assert run(["move", "m.yaml", "pass"]) == 0

    @pytest.mark.parametrize(
        ("game", "seat", "has_no_effect"), [("mortain", "us", False), ("rommel", "axis", True)]
    )
    def test_time_for_a_player_that_does_not_look_ahead(
        self, game: str, seat: str, has_no_effect: bool, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The game begins, and a line says that the time is no use."""
        assert run(["new", game, "g.yaml", "--seat", seat, "--practice", "strong", "--think", "0.01"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert (
            "does not look ahead in Rommel y Montgomery, so --think has no effect" in said
        ) == has_no_effect

    def test_their_ratings_are_in_the_help(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["new", "--help"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        for title in ("Stand at Mortain", "Rommel y Montgomery"):
            assert re.search(title + r" random \d+, easy 1000, sensible \d+, strong \d+", said)

    def test_a_slip(self, capsys: pytest.CaptureFixture[str]) -> None:
        """It is no file, and nothing is written."""
        assert run(["new", "mortain", "--practice", "stong", "--seat", "us"]) == 2
        assert "must be random, easy, sensible, strong, not 'stong'" in capsys.readouterr().err
        assert not list(Path().glob("*.yaml"))

    def test_a_level_that_is_no_more(self, capsys: pytest.CaptureFixture[str]) -> None:
        """It is said when the opponent is asked, which it is as soon as a red card comes."""
        assert run(["new", "mortain", "m.yaml", "--practice", "easy", "--seat", "german"]) == 0
        player = practice_player(LocalPlayer(home()))
        [game] = json.loads((player.home / "opponents.json").read_text())
        save_opponent(player, game, Opponent("wise"))
        while run(["move", "m.yaml", "pass"]) == 0:
            capsys.readouterr()
        told = capsys.readouterr().err
        assert "there is no player 'wise'; there are random, easy, sensible, strong" in told
        assert told.count("\n") == 2


class TestHint:
    """The best answers, and the file says nothing of it."""

    def test_three_answers(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["new", "mortain", "m.yaml", "--practice", "--seat", "german"]) == 0
        before = Path("m.yaml").read_bytes()
        capsys.readouterr()
        assert run(["hint", "m.yaml", "--think", "0.05"]) == 0
        first, *rest = capsys.readouterr().out.splitlines()
        assert first.endswith("(M3.3)") or first.endswith("(M3.4)")
        assert rest[0].startswith("1. ")
        assert max(map(len, rest)) <= 78
        assert run(["hint", "m.yaml", "--think", "0.05", "--json"]) == 0
        [best, *_] = json.loads(capsys.readouterr().out)
        assert Path("m.yaml").read_bytes() == before
        assert run(["move", "m.yaml", *best["words"]]) == 0

    @pytest.mark.thorough
    def test_a_guess_has_no_interval(self, capsys: pytest.CaptureFixture[str]) -> None:
        """In Rommel a playout ends before the game does. In a storm nobody can stand down."""
        assert run(["new", "rommel", "r.yaml", "--practice", "--seat", "allied"]) == 0
        for orders in ("setup historical", "setup historical", "stand down"):
            run(["move", "r.yaml", orders])
        capsys.readouterr()
        assert run(["hint", "r.yaml", "--think", "0.05"]) == 0
        told = capsys.readouterr().out
        assert "to win, estimated from " in told
        assert "%: " not in told

    def test_not_your_move(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["new", "mortain", "m.yaml", "--seat", "german"]) == 0
        assert run(["hint", "m.yaml"]) == 4


def test_thinking() -> None:
    """No time at all is no playout; an hour is as many as are taken."""
    assert list(clock.count_within(0)) == []
    effort = clock.count_within(3600)
    assert [next(effort), next(effort)] == [0, 1]
