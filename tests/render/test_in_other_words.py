"""Positions in a language of marks: what is shown of them is translated, plain ASCII, and not too wide."""

from __future__ import annotations

import re

import pytest
from games.mortain.random_game import random_game
from pseudo import words_outside_marks

from pbem.core.legend import Cell, Legend, Margin
from pbem.games.mortain import RULES
from pbem.render.ascii_picture import ascii_picture, small_picture_parts
from pbem.render.safe_text import WIDTH
from pbem.render.screen import draw_screen
from pbem.render.svg import svg_picture


def positions() -> list[Legend]:
    """Some positions of a game, as they are said now."""
    return [RULES.view.legend(run.state) for run in [*random_game("it", 5)][::40]]


def names(legend: Legend) -> re.Pattern[str]:
    """What stays: the names of counters and places, factors, letters of kinds, marks, the edition."""
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    pieces = [piece for place in places for piece in place.pieces]
    labels = {word for cell in legend.cells for word in re.findall("[A-Za-z]+", cell.label)}
    known = sorted({piece.name for piece in pieces} | labels, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, known))})\b|\b(AT|AI|[A-Z]|it)\b|[Wwv^*#]+")


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
            assert all(line.isascii() and len(line) <= size[0] for line in lines)
