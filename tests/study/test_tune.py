"""Tuning: toward the wish, with few games, and checked by games that nothing was chosen by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.cli.app import run
from pbem.journal.strict import read_yaml
from pbem.study.crews import Alone
from pbem.study.tune import CHECK, Balance, Bench, Tuned, Wish, tuned
from pbem.study.values import ours
from pbem.umpire.scenario import faults
from study.studies import plan, task


def bench(wish: Wish) -> Bench:
    """Three Fords with one raft: the faces at which it is lost.

    Random guards meet it one time in three. So north wins p / 3 : 1 - (1 - p) / 3 with a chance p that it is
    lost then: 20 % with three faces of six, 14 % with two, as it is where two of the three are the same.
    """
    of = plan("fords", 1, changed={"rafts": [1]})
    return Bench(games.load("fords"), task(of, ()), ours(of.scenario, ["repelled_by"]), wish, Alone())


def search(wish: Wish, most: int = 5000) -> tuple[Tuned, list[str]]:
    said: list[str] = []
    return tuned(bench(wish), wish, most, said.append), said


@pytest.mark.thorough
def test_comes_nearer(fords: Path) -> None:
    wish = Wish("south", 0.86, 0.02)
    result, said = search(wish)
    faces = [4, 5, 6]
    for (_, number), face in result.numbers.items():
        faces[int(number)] = face
    assert len(set(faces)) == 2
    assert abs(result.before.share - 0.80) < 0.07  # three standard deviations
    assert abs(result.after.share - 0.86) < 0.033
    assert result.after.decided == CHECK
    assert said[0].startswith("as it is: ")
    assert said[1].startswith("repelled_by[")


def test_what_is_near_enough_stays(fords: Path) -> None:
    result, _ = search(Wish("south", 0.80, 0.08))
    assert result.numbers == {}
    assert result.games == 2 * CHECK


def test_trials_have_the_same_draws(fords: Path) -> None:
    """A scenario that differs in nothing that was met gives the very same games."""
    where = bench(Wish("south", 0.5, 0.02))
    assert where.start == (4, 5, 6)
    one = where.balance((4, 5, 6), 60)
    assert where.balance((6, 5, 4), 60) == one
    assert where.games == 120
    assert where.balance((4, 5, 6), 60) == one
    assert where.games == 120  # once played is enough
    assert where.balance((4, 5, 6), 60, "check") != Balance(0, 0)


def test_only_what_the_rules_take_is_tried(fords: Path) -> None:
    where = bench(Wish("south", 0.5, 0.02))
    assert where.playable((4, 5, 1))
    assert not where.playable((4, 5, 7))


@pytest.mark.thorough
def test_the_command_prints_a_scenario_to_play(fords: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wish = ["--value", "repelled_by", "--wish", "south=98", "--within", "1", "--workers", "1"]
    assert run(["study", "tune", "fords", *wish, "--player", "random"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("# Tuned by pbem study tune: south should win 98 % of the decided games\n")
    tuned_data: Any = read_yaml(told.out.encode())
    assert not faults(tuned_data, games.load("fords"))
    assert tuned_data["name"] == "fords-tuned"
    assert len(set(tuned_data["repelled_by"])) < 3
    assert told.err.startswith("as it is: ")


def test_help_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "tune", "--help"]) == 0
    assert "Example: pbem study tune mortain" in capsys.readouterr().out
