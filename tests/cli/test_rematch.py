"""What a finished game proposes as the next one: the same scenario, with sides changed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pbem.cli.app import run
from pbem.umpire.verify import open_game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "home")
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.mark.parametrize("by_id", [False, True])
def test_a_scenario_of_ones_own_is_taken_from_the_game(
    folder: Path, capsys: pytest.CaptureFixture[str], by_id: bool
) -> None:
    """The file of the scenario may be gone."""
    own, first = folder / "own.yaml", folder / "first.yaml"
    assert run(["scenario", "write", own.name, "--game", "mortain"]) == 0
    own.write_text(own.read_text("utf-8").replace("name: mortain", "name: winter"), "utf-8")
    begin = ["new", "mortain", first.name, "--seat", "us", "--name", "Anna", "--practice"]
    assert run([*begin, "--scenario", own.name]) == 0
    own.unlink()
    assert run(["resign", first.name, "--yes"]) == 0
    game = open_game(first.read_bytes())
    capsys.readouterr()
    assert run(["show", game.ids[0][:8] if by_id else first.name]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    (again,) = re.findall("To play again with sides swapped: pbem (new .* --practice)", printed)
    command = shlex.split(again)
    command.insert(2, "second.yaml")
    assert run(command) == 0
    second = open_game((folder / "second.yaml").read_bytes())
    assert second.offer.scenario == game.offer.scenario
    assert {game.offer.by, second.offer.by} == {"us", "german"}


def test_a_game_of_other_rules_has_no_scenario_for_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "rommel", "other.yaml", "--seat", "axis", "--name", "Anna"]) == 0
    assert run(["new", "mortain", "--seat", "us", "--scenario", "other.yaml"]) == 1
    refused = " ".join(capsys.readouterr().err.split())
    assert refused == "error: other.yaml: is a game of Rommel y Montgomery, not Stand at Mortain"
