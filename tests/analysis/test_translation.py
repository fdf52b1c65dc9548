"""Studies and reports in a language of marks: all that they say is translated, and nothing that they keep."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from msgspec.structs import replace

from analysis.test_findings import findings
from analysis.test_turning_points import EXAMPLES
from pbem import games
from pbem.analysis.playouts import main_line
from pbem.analysis.report_text import describe_report as retold
from pbem.analysis.self_play import numeric_figures
from pbem.analysis.study_page import study_html
from pbem.analysis.study_text import describe_study
from pbem.analysis.turning_points import make_report
from pbem.games.mortain.terms.scenario import SCENARIOS
from pbem.games.mortain.view.names import place_name
from pbem.games.mortain.view.typed_orders import TYPED
from pbem.texts import ENGLISH, number, speaking
from pbem.umpire.verify import open_game
from support.marked_language import words_outside_marks
from support.small_studies import play_study, study_plan
from web.test_chances_panel import even_chances

NAMES = re.compile(
    r"pbem study.*|Stand at Mortain|\b(it|de|es|en|turns|random|sensible|german|us)\b|[MF]\d+(\.\d+)?"
    r"|\b[A-H]\b|\b(10|[2-9AJQK])[CDHS]\b|\b(\d+[A-Z][A-Za-z]*-?[A-Z]?|[A-Z]{1,4}|Tiger ?102|Joker)\b"
)
"""Titles, editions, options, players, seats, rules, cards, units, turning points."""

pytestmark = pytest.mark.usefixtures("pseudo")


def test_what_a_study_keeps_is_in_english(tmp_path: Path) -> None:
    of = study_plan("mortain", 3)
    marked = play_study(of, tmp_path / "marked")
    with speaking(ENGLISH):
        assert play_study(of, tmp_path / "english") == marked


@pytest.mark.parametrize(("game", "scenario"), [("mortain", "mortain"), ("rommel", "alamein")])
def test_the_turn_is_found_by_no_word(game: str, scenario: str) -> None:
    """It is no figure of its own, whatever it is called."""
    rules = games.load(game)
    edition = next(iter(rules.editions.values()))
    legend = rules.view.legend(rules.begin(edition, rules.scenarios.data(scenario)))
    assert legend.turn in dict(legend.figures)
    counted = replace(legend, figures=tuple((name, "3 of 6") for name, _ in legend.figures))
    assert numeric_figures(counted).keys() == dict(legend.figures).keys() - {legend.turn}


def test_a_reason_of_a_foreign_package_stays_as_it_is_kept(tmp_path: Path) -> None:
    """Records are files that anybody may change, and a package's catalogue is found by importing it."""
    found = findings(study_plan("mortain", 1), tmp_path)
    foreign = {"package": "antigravity", "text": "A reason, {why}", "places": {"why": "so"}}
    with speaking("de"):
        assert replace(found, reasons={"A reason, so": foreign}).say_reason("A reason, so") == "A reason, so"


def test_of_a_study(tmp_path: Path) -> None:
    of = study_plan("mortain", 8, ["random", "sensible"], editions=["it", "de"], changed={"turns": [2, 3]})
    found = findings(of, tmp_path)
    assert words_outside_marks(describe_study(found).replace("\n", " "), NAMES) == set()
    html = study_html(found).decode()
    assert html.startswith('<!doctype html>\n<html lang="marks">')
    said = re.findall(r"(?<=>)[^<]+(?=<)", html.partition("</style>")[2])
    assert words_outside_marks(unescape("\n".join(said)), NAMES) - PLACES == set()


@pytest.mark.parametrize("width", [78, 40])
def test_of_a_report(width: int) -> None:
    game = open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes())
    report = make_report(game.rules, main_line(game), 20, even_chances, lambda made, wanted: None)
    lines = retold(game, report, width)
    assert max(map(len, lines)) <= width
    assert words_outside_marks(" ".join(lines), NAMES) <= set(TYPED)


def test_numbers_have_the_marks_of_the_language() -> None:
    assert (number(12345), number(0.5, ".1f"), number(1234.5, ",.1f")) == ("12.345", "0,5", "1.234,5")
    with speaking(ENGLISH):
        assert (number(12345), number(0.5, ".1f")) == ("12,345", "0.5")


HEXES = SCENARIOS.data("mortain")["map"]["hexes"]
PLACES = {word for at in HEXES.values() for word in re.findall(r"[^\W\d_]+", place_name(at.get("label", "")))}
