"""Maps and lists on a screen, in every language: nothing is cut, and no text lies over the side of a hex."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pbem.core.legend import Legend
from pbem.render import ascii_map, ascii_picture
from pbem.render.ascii_map import LARGE_HEIGHT, LARGE_OUTLINE, LARGE_STRIDE, MAX_RADIUS
from pbem.render.safe_text import WIDTH, columns, keeping_accents
from pbem.texts import LANGUAGES, speaking
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.catalogues import ROOT

EXAMPLES = ROOT / "examples"
GAMES = ("mortain-de-takebacks", "mortain-it-exits", "rommel-axis-wins", "rommel-goes-on")

CUT = re.compile(r"[\w.'-]~")
"""A word that was cut; the sea is drawn with the same sign."""

pytestmark = pytest.mark.usefixtures("compiled")


@cache
def example(name: str) -> Game:
    return open_game(Path(EXAMPLES / f"{name}.yaml").read_bytes())


def legends(name: str) -> Iterator[Legend]:
    """Positions from all parts of a game, in the current language."""
    game = example(name)
    for entry in game.replayed_entries[:: max(1, len(game.replayed_entries) // 3)]:
        yield game.rules.view.legend(entry.state)


def parts(legend: Legend) -> Iterator[Legend]:
    """The map, or excerpts of it that fit in large hexes."""
    if ascii_map.large_map_fits(legend):
        yield legend
        return
    for cell in legend.cells[::47]:
        yield ascii_map.crop_around(legend, cell.number, MAX_RADIUS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
class TestMaps:
    def test_large_hexes(self, name: str, language: str) -> None:
        with speaking(language), keeping_accents():
            for legend in legends(name):
                for part in parts(legend):
                    lines = ascii_map.large_map(part).lines(colour=False)
                    assert not CUT.search("\n".join(lines)), "\n".join(lines)
                    assert_outlines(part, lines)

    def test_small_hexes_and_lists(self, name: str, language: str) -> None:
        with speaking(language), keeping_accents():
            for legend in legends(name):
                pictures = [
                    *ascii_picture.small_picture_parts(legend),
                    *map("\n".join, ascii_picture.picture_parts(legend)),
                    "\n".join(ascii_picture.list_by_counter(legend).lines(colour=False)),
                    "\n".join(ascii_picture.list_by_kind(legend).lines(colour=False)),
                ]
                for text in pictures:
                    assert not CUT.search(text), text
                    assert max(map(columns, text.split("\n")), default=0) <= WIDTH, text


def assert_outlines(legend: Legend, lines: list[str]) -> None:
    """Each hex has its sides, and all its words are between them."""
    for cell in legend.cells:
        top = LARGE_HEIGHT * cell.row + (LARGE_HEIGHT // 2 if legend.lowered(cell.column) else 0)
        for y, (x, outline) in enumerate(LARGE_OUTLINE[1:], top + 1):
            line = lines[y].ljust(WIDTH)[LARGE_STRIDE * cell.column + x :]
            assert line[0] == outline[0], (cell.number, lines[y])
            assert line[len(outline) - 1] == outline[-1], (cell.number, lines[y])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_without_a_map(language: str) -> None:
    with speaking(language), keeping_accents():
        for legend in legends("tabletop-hands-opened"):
            for lines in ascii_picture.picture_parts(legend):
                assert not CUT.search("\n".join(lines))
                assert max(map(columns, lines), default=0) <= WIDTH


@pytest.mark.parametrize(
    ("language", "screen", "file"),
    [
        ("en", "St-Barth.", "St-Barth~"),
        ("es", "ALEMÁN ", "ALEMAN~"),
        ("it", "TEDESCO", "TEDESC~"),
        ("de", "DEUTSCH\\", "DEUTSC~"),
        ("de", "Hügel", "Hoehe"),
    ],
)
def test_a_file_keeps_the_words_of_its_first_release(language: str, screen: str, file: str) -> None:
    """Files of 0.1.0 compare with those of today."""
    game = example("mortain-de-takebacks")
    with speaking(language):
        drawn = "".join(
            "\n".join(ascii_map.large_map(game.rules.view.legend(entry.state)).lines(colour=False))
            for entry in game.replayed_entries
        )
        with keeping_accents():
            shown = "".join(
                "\n".join(ascii_map.large_map(game.rules.view.legend(entry.state)).lines(colour=False))
                for entry in game.replayed_entries
            )
    assert file in drawn
    assert screen not in drawn
    assert screen in shown
    assert file not in shown
