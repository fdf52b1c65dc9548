"""Positions and stories in a language of marks: all of it is translated but names and orders, and fits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.core.legend import Cell, Legend, Margin
from pbem.games import load
from pbem.games.mortain import RULES
from pbem.games.mortain.terms.scenario import SCENARIOS
from pbem.games.mortain.view.typed_orders import TYPED
from pbem.player.status import describe_next_step, pending_question
from pbem.render.ascii_map import EDGE_WIDTH
from pbem.render.ascii_picture import ascii_picture, small_picture_parts
from pbem.render.safe_text import WIDTH, columns, to_ascii
from pbem.render.screen import draw_screen
from pbem.render.story import recent_events, story, summary
from pbem.render.svg import svg_picture
from pbem.texts import LANGUAGES, speaking
from pbem.umpire.verify import open_game
from support.marked_language import words_outside_marks
from support.mortain_positions import random_game


def positions() -> list[Legend]:
    """Some positions of a game, as they are said now."""
    return [RULES.view.legend(run.state) for run in [*random_game("it", 5)][::40]]


def names(legend: Legend) -> re.Pattern[str]:
    """What stays: the names of counters and places, factors, letters of kinds, marks, the edition."""
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    pieces = [piece for place in places for piece in place.pieces]
    labels = {word for cell in legend.cells for word in re.findall(r"[^\W\d_]+", cell.label)}
    known = sorted({piece.name for piece in pieces} | labels, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, known))})\b|\b(AT|AI|[A-Z]|it)\b|[Wwv^*#]+")


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("language", "letters"), [("de", "Hügel"), ("es", "comodín"), ("it", "Unità"), ("en", "Forêt")]
)
def test_accents_are_on_a_screen_and_not_in_a_file(language: str, letters: str) -> None:
    with speaking(language):
        (legend, *_) = positions()
        screen = "\n".join(draw_screen(legend, 120, 60).lines)
        assert letters in screen
        assert ascii_picture(legend).isascii()


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["mortain", "rommel", "tabletop"])
def test_no_word_for_terrain_is_cut(name: str, language: str) -> None:
    """On the edge of a large hex; without accents too, because `ö` is `oe` in a file."""
    rules = load(name)
    edition = next(iter(rules.editions.values()))
    with speaking(language):
        for scenario in rules.scenarios.names:
            legend = rules.view.legend(rules.begin(edition, rules.scenarios.data(scenario)))
            words = [word for word, _ in legend.terrain.values()]
            assert [word for word in words if len(to_ascii(word)) > EDGE_WIDTH] == []


@pytest.mark.usefixtures("pseudo")
class TestNothingIsForgotten:
    def test_on_a_board(self) -> None:
        """The marks are no ASCII: a `?` stands for each."""
        for legend in positions():
            for text in (ascii_picture(legend), "\n".join(small_picture_parts(legend))):
                assert text.isascii()
                assert max(map(len, text.split("\n"))) <= WIDTH
            key = " ".join(small_picture_parts(legend)[2].split())
            left = re.sub(r"\?[^?]*\?", " ", key)
            assert words_outside_marks(left, names(legend)) == set()

    def test_in_a_picture(self) -> None:
        for legend in positions():
            said = re.findall(r"(?<=>)[^<]+(?=<)", svg_picture(legend, "").partition("</style>")[2])
            assert words_outside_marks("\n".join(said), names(legend)) == set()

    @pytest.mark.parametrize("size", [(40, 10), (78, 20), (120, 30)])
    def test_on_a_screen(self, size: tuple[int, int]) -> None:
        for legend in positions():
            lines = draw_screen(legend, *size).lines
            assert all(columns(line) <= size[0] for line in lines)


EXAMPLES = [
    Path(__file__).parents[2] / "examples" / f"mortain-{name}.yaml" for name in ("de-takebacks", "es-resigns")
]
SHIPPED = SCENARIOS.data("mortain")
NAMES = re.compile(
    r'"[^"]*"|Stand at Mortain|mortain/[\d.]+|SHA256:\S+|\b[0-9a-f]{12}\b|\d{4}-\d\d-\d\dT\S+|\b\w+=\w+'
    r"|\b\w+~|Tiger 102|\b(10|[2-9AJQK])[CDHS]\b|\bJoker\b|\b(AT|AI)\b|\bM\d+(\.\d)?\b"
    + r"|\b(german|us|es|it|en|de)\b|"
    + "|".join(sorted(map(re.escape, SHIPPED["units"]), key=len, reverse=True))
)
PLACES = {
    word for at in SHIPPED["map"]["hexes"].values() for word in re.findall("[A-Za-z]+", at.get("label", ""))
}
KEYS = ("modifiers", "hill", "value", "title", "mortain")
"""Of what an own scenario changes."""


@pytest.mark.usefixtures("pseudo")
def test_nothing_is_forgotten() -> None:
    told = ""
    for file in EXAMPLES:
        game = open_game(file.read_bytes())
        told += "\n".join(
            [story(game, None), *recent_events(game, game.replayed_entries, []), summary(game, None)]
        )
        told += describe_next_step(pending_question(game, None), game, None, "game.yaml").replace(
            "game.yaml", ""
        )
    assert words_outside_marks(" ".join(told.split()), NAMES) - PLACES <= {*TYPED, *KEYS, "UTC"}
    for said in (
        "proposes to undo everything after",
        "agrees: the game goes back",
        "refuses",
        "joins the game",
        "resigns",
    ):
        assert f"\u27e6{said}" in told
