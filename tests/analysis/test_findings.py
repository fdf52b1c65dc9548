"""What a study says: counts by hand, table, paragraph and page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem import games
from pbem.analysis.findings import DRAW, Findings, HeadToHead, compute_findings, tally_games
from pbem.analysis.self_play import GameRecord
from pbem.analysis.study import StudyPlan, open_study, run_study
from pbem.analysis.study_page import study_html
from pbem.analysis.study_text import findings_paragraph, findings_table
from pbem.base.worker_pool import InProcessPool
from support.small_studies import study_plan

SIDES = {"A": "red", "B": "blue"}


def record(winner: str | None, turns: int, points: list[int], **lost: int) -> GameRecord:
    return GameRecord(
        0, 0, winner, "because", "X1", turns, 10 * turns, {"Points": points}, lost, {"0101": turns}
    )


GAMES = [
    record("red", 2, [1, 3], A=1),
    record("blue", 3, [0, 2, 1], A=2, B=3),
    record(None, 3, [1, 1, 1]),
    record("red", 1, [5]),
]


class TestTally:
    def test_counts(self) -> None:
        tally = tally_games(GAMES, SIDES)
        assert (tally.games, tally.share("red"), tally.share("blue"), tally.share(DRAW)) == (
            4,
            0.5,
            0.25,
            0.25,
        )
        assert tally.length == pytest.approx(9 / 4)
        assert tally.deaths == {"A": 2, "B": 1}
        assert tally.fights == {"0101": 9}

    def test_by_turn(self) -> None:
        """A game that is over counts on as it was: points 1, 0, 1, 5, then 3, 2, 1, 5, then 3, 1, 1, 5."""
        tally = tally_games(GAMES, SIDES)
        assert tally.figure("Points") == [7 / 4, 11 / 4, 10 / 4]
        assert tally.losses("red") == [1 / 4, 2 / 4, 2 / 4]
        assert tally.losses("blue") == [0, 0, 1 / 4]

    def test_tallies_add_up(self) -> None:
        """Also where a figure falls."""
        both = tally_games(GAMES[:2], SIDES) + tally_games(GAMES[2:], SIDES)
        assert both.figure("Points") == tally_games(GAMES, SIDES).figure("Points")
        assert both.won == tally_games(GAMES, SIDES).won


def findings(of: StudyPlan, folder: Path) -> Findings:
    with open_study(folder, of) as results:
        played = run_study(results, InProcessPool(), None, lambda done, number: None)
        return compute_findings(games.load(of.game), results, played)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Two editions with two lengths each."""
    of = study_plan("mortain", 16, editions=["it", "de"], changed={"turns": [2, 3]})
    return findings(of, tmp_path_factory.mktemp("compared"))


class TestFindings:
    def test_cells_taken_together(self, compared: Findings) -> None:
        assert [row.name for row in compared.cells] == [
            "it, turns 2",
            "it, turns 3",
            "de, turns 2",
            "de, turns 3",
        ]
        assert {name: [row.name for row in rows] for name, rows in compared.groups.items()} == {
            "edition": ["it", "de"],
            "option_turns": ["turns 2", "turns 3"],
        }
        it, _ = compared.groups["edition"]
        assert it.tally.won == compared.cells[0].tally.won + compared.cells[1].tally.won
        assert compared.groups["option_turns"][0].tally.length <= 2

    def test_both_seats_of_two_players(self, fords: Path, tmp_path: Path) -> None:
        """Each game counts for whoever has won it, in whichever seat."""
        of = study_plan("fords", 20, ["random", "sensible"])
        assert [cell.players for cell in of.cells] == [
            {"north": "random", "south": "sensible"},
            {"north": "sensible", "south": "random"},
        ]
        told = findings(of, tmp_path)
        first, second = (row.tally.won for row in told.cells)
        won = first["north"] + second["south"]
        assert told.matches == [HeadToHead("random", "sensible", 20, won, 20 - won)]

    def test_a_table_of_78_columns(self, compared: Findings) -> None:
        lines = findings_table(compared)
        assert max(map(len, lines)) <= 78
        tally = compared.cells[0].tally
        assert f"{100 * tally.won['german'] / 4:.1f} (" in lines[1]
        assert findings_paragraph(compared).startswith(
            "16 games of Stand at Mortain, played by 'random', seed 1."
        )


class TestPage:
    def test_loads_and_runs_nothing(self, compared: Findings) -> None:
        text = study_html(compared).decode()
        assert not re.search(r"<script|<link|<img|<iframe|@import|url\(|https?:", text)
        assert "default-src 'none'" in text
        assert text.count("<details>") == 4

    def test_the_map_has_all_attacks(self, compared: Findings) -> None:
        """The strongest tint is the hex with most attacks; a figure is attacks a game."""
        text = study_html(compared).decode()
        at, most = compared.all.fights.most_common(1)[0]
        assert 'fill-opacity="0.75"' in text
        assert f">{most / 16:.1f}</text>" in text
        assert at in {cell.number for cell in compared.legend.cells}

    def test_words_of_a_stranger_are_text(self, compared: Findings) -> None:
        unit = '<b onclick="x">'
        strange = replace(
            compared,
            sides={unit: "us"},
            all=tally_games([record("us", 2, [1, 2], **{unit: 1})], {unit: "us"}),
        )
        text = study_html(strange).decode()
        assert "<b onclick" not in text
        assert "&lt;b onclick" in text


class TestAnOwnScenario:
    def test_is_said_to_be_one(self, fords: Path, tmp_path: Path) -> None:
        """And its words are harmless, on a terminal as on a page."""
        of = study_plan("fords", 5)
        strange = {"0102": "A\x1b[2J", "0202": "<i>B</i>", "0302": "C"}
        own = replace(of, scenario={**of.scenario, "name": "mine", "fords": strange})
        told = findings(own, tmp_path)
        assert 'The scenario is "mine", which does not come with the game.' in findings_paragraph(told)
        assert "\x1b" not in findings_paragraph(told)
        assert "<i>" not in study_html(told).decode()
        assert told.all.won["south"]


class TestSheet:
    def test_no_formulas(self, fords: Path, tmp_path: Path) -> None:
        from pbem.analysis.study import study_csv

        of = study_plan("fords", 1)
        evil = replace(GAMES[0], reason='=HYPERLINK("http://x")', figures={"Rafts": [2]})
        [head, line] = study_csv(of, [evil], {}).splitlines()
        assert head.startswith("edition,north,south,game,winner,reason,rule,turns,decisions,Rafts,")
        assert line.startswith("standard,random,random,0,red,\"'=HYPERLINK(")

    def test_losses_of_each_side(self, fords: Path) -> None:
        from pbem.analysis.study import study_csv

        game = replace(GAMES[0], lost={"Otter": 1, "Heron": 2, "Beaver": 2}, figures={}, fights={"0102": 4})
        owners = {"Otter": "north", "Heron": "south", "Beaver": "north"}
        [_, line] = study_csv(study_plan("fords", 1), [game], owners).splitlines()
        assert line.endswith(",2,1,4")
