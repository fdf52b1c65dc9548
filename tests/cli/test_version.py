"""What `pbem --version` knows, for people and for programs."""

from __future__ import annotations

import json

import pytest

import pbem
from pbem import games
from pbem.cli.app import run


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == (
        f"pbem {pbem.__version__}\nRules: mortain/1, rommel/2, rommel/1, tabletop/1\nGame files: version 1\n"
    )


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "pbem": pbem.__version__,
        "rules": ["mortain/1", "rommel/2", "rommel/1", "tabletop/1"],
        "file": 1,
        "home": 2,
    }


def test_a_game_that_cannot_be_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named in one line, and the others are told."""
    monkeypatch.setattr(games, "names", lambda: ["broken", "mortain"])
    assert run(["--version"]) == 0
    printed = capsys.readouterr()
    assert "Rules: mortain/1\n" in printed.out
    assert printed.err.startswith("warning: the game 'broken' is not installed")


def test_json_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json"]) == 2
    assert capsys.readouterr().err.startswith("error: --json: use it with --version")
