"""The table of a study, for programs: each column once, and each named in the manual."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from pbem import games
from pbem.analysis.study import GAMES_FILE, TABLE_FILE, column_heads
from support.small_studies import play_study, study_plan

MANUAL = Path(__file__).parents[2] / "docs" / "STUDIES.md"


def test_an_option_and_a_figure_of_one_name(tmp_path: Path) -> None:
    """Mortain has an option `turns`, and a game its turns: both can be read, and in the lines of JSON too."""
    play_study(study_plan("mortain", 4, changed={"turns": [2, 3]}), tmp_path)
    heads, *rows = csv.reader((tmp_path / TABLE_FILE).read_text().splitlines())
    assert len(set(heads)) == len(heads)
    assert [row[heads.index("option_turns")] for row in rows] == ["2", "2", "3", "3"]
    assert [row[heads.index("turns")] for row in rows] == ["2", "2", "3", "3"], "none ends before its time"
    lines = list(map(json.loads, (tmp_path / GAMES_FILE).read_bytes().splitlines()))
    assert [line["options"]["turns"] for line in lines] == [2, 2, 3, 3]


def test_whatever_a_game_calls_its_own() -> None:
    heads = column_heads(
        ["game", "turns"], ["edition", "Winner"], ["option_game", "Turns", "attacks", "=1+1"]
    )
    assert heads == [
        "edition",
        "option_game",
        "option_turns",
        "player_edition",
        "player_Winner",
        "game",
        "winner",
        "reason",
        "rule",
        "turns",
        "decisions",
        "figure_option_game",
        "figure_Turns",
        "figure_attacks",
        "'=1+1",
        "edition lost",
        "Winner lost",
        "attacks",
    ]


def test_two_names_that_cannot_be_told_apart() -> None:
    """Invisible characters and capitals do not tell names apart."""
    heads = column_heads([], ["a", "b"], ["Points", "points", "a lost"])
    assert heads[-6:] == ["Points", "figure_points", "a lost", "seat_a lost", "b lost", "attacks"]


@pytest.mark.parametrize(("game", "option"), [("mortain", "exits_to_win"), ("rommel", "defend_again")])
def test_the_manual_names_each_column(game: str, option: str) -> None:
    """By its name, or as what stands in its place: `option_…`, a seat, a figure, `SEAT lost`."""
    rules = games.load(game)
    named = re.findall(r"^\| `([^`]+)` \|", MANUAL.read_text(encoding="utf-8"), re.M)
    heads = column_heads([option], rules.seats, ["Some figure"])
    stands_for = {
        f"option_{option}": "option_NAME",
        **dict.fromkeys(rules.seats, "SEAT"),
        **{f"{seat} lost": "SEAT lost" for seat in rules.seats},
        "Some figure": "FIGURE",
    }
    assert {stands_for.get(head, head) for head in heads} <= set(named)


def test_the_manual_names_each_key_of_a_line(tmp_path: Path) -> None:
    play_study(study_plan("mortain", 2, changed={"turns": [2, 3]}), tmp_path)
    line = json.loads((tmp_path / GAMES_FILE).read_bytes().splitlines()[0])
    named = re.findall(r"^\| `([^`]+)` \|", MANUAL.read_text(encoding="utf-8"), re.M)
    assert set(line) <= set(named)
