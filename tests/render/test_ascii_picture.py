"""The whole picture: one drawn by hand, and what holds for all of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Margin, Piece
from pbem.render.ascii_picture import ascii_picture
from support.sample_position import MORTAIN, german, us

ESCAPE = re.compile(r"\x1b\[[0-9]+m")

PIECES = st.builds(
    Piece,
    name=st.text(min_size=1, max_size=12),
    side=st.sampled_from(["us", "german"]),
    kind=st.sampled_from(["tank", "infantry", "gun"]),
    reduced=st.booleans(),
    factors=st.sampled_from(["6-3", "10-12"]),
)


@st.composite
def legends(draw: st.DrawFn) -> Legend:
    """Small maps with any words in them."""
    words = st.text(max_size=30)
    columns, rows = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    stacks = st.lists(PIECES, max_size=5).map(tuple)
    cells = tuple(
        Cell(
            f"{column + 11}{row + 1:02}",
            column,
            row,
            "w",
            draw(words),
            draw(st.text(max_size=2)),
            draw(stacks),
        )
        for column in range(columns)
        for row in range(rows)
    )
    return replace(
        MORTAIN,
        columns=columns,
        rows=rows,
        cells=cells,
        terrain={"w": (draw(words), draw(words))},
        marks={"!": draw(words)},
        sides={"us": draw(words), "german": draw(words)},
        margins=(Margin(draw(words), draw(stacks)),),
        figures=((draw(words), draw(words)), (draw(words), draw(words))),
        factors=draw(st.text(max_size=100)),
        names={"tank": draw(words), "gun": draw(st.sampled_from(["Éclaireur", "ßß"]))},
    )


def small() -> Legend:
    cells = (
        Cell("1101", 0, 0, "H", "Hill 314", "!", (us("120Inf", "infantry", "2-4"),)),
        Cell("1201", 1, 0, ".", "", "!", (german("DF", "infantry", "2-2", reduced=True),)),
    )
    return replace(
        MORTAIN,
        columns=2,
        rows=1,
        cells=cells,
        terrain={".": ("", "clear"), "r": ("ridge", "ridge: no move"), "H": ("hill", "hill: range 3")},
        marks={"!": "suppressed"},
        margins=(
            Margin(
                "Wait off the west edge", (us("CCA", "tank", "4-4"), us("CCR", "tank", "2-1", reduced=True))
            ),
            Margin("Eliminated", ()),
        ),
        figures=(("Turn", "3 of 6"), ("Support", "used")),
        factors="against tanks - against others",
    )


class TestPicture:
    """Figures, map, key, counters on the map by side, counters off the map."""

    def test_drawn_by_hand(self) -> None:
        picture = r"""
Turn: 3 of 6 | Support: used

   _____
  /1101!\
 /  US   \
/120Inf I \_____
\ " " " " /1201!\
 \ " " " /GERMAN \
  \hill_/  DF i   \
        \         /
         \       /
          \_____/

Counters: I infantry; T tank; small letter: reduced face
  factors: against tanks - against others
Marks: ! suppressed
Terrain: blank clear; ridge ridge: no move; " hill: range 3

US                                     GERMAN
120Inf   I   2-4  1101 Hill 314        DF       i   2-2  1201
Wait off the west edge: CCA T 4-4, CCR t 2-1
"""
        assert ascii_picture(small()) == picture.strip("\n")

    def test_a_side_without_counters_on_the_map(self) -> None:
        legend = small()
        assert ascii_picture(
            replace(legend, cells=(legend.cells[0], replace(legend.cells[1], pieces=())))
        ).endswith(
            "120Inf   I   2-4  1101 Hill 314        none on the map\n"
            "Wait off the west edge: CCA T 4-4, CCR t 2-1"
        )

    def test_kinds_have_names_of_their_own(self) -> None:
        """In the player's language: the capital on the map is theirs, unless the legend has another."""
        named = replace(small(), names={"tank": "Panzer"})
        assert "Counters: I infantry; P Panzer; " in ascii_picture(named)
        assert "CCA P 4-4, CCR p 2-1" in ascii_picture(named)
        assert "Counters: I infantry; W Panzer; " in ascii_picture(replace(named, kinds={"tank": "W"}))

    def test_figures_are_not_broken(self) -> None:
        figures = (("To move", "German"), ("Card", "x" * 50), ("Support", "used"))
        assert ascii_picture(replace(small(), figures=figures)).split("\n")[:2] == [
            f"To move: German | Card: {'x' * 50}",
            "  Support: used",
        ]

    def test_colours(self) -> None:
        """One colour for each side, on the map and in the list, another for marks."""
        text = ascii_picture(small(), colour=True)
        assert "/1101\x1b[31m!\x1b[0m\\" in text
        assert "/\x1b[36m120Inf I \x1b[0m\\" in text
        assert "/\x1b[33mGERMAN \x1b[0m\\" in text
        assert "\n\x1b[36m120Inf   I   2-4  1101 Hill 314\x1b[0m" in text
        assert text.endswith(
            "\x1b[33mDF       i   2-2  1201\x1b[0m\nWait off the west edge: CCA T 4-4, CCR t 2-1"
        )


class TestSample:
    """A whole game's map of 9 by 5 hexes fits a page."""

    def test_fits_a_page(self) -> None:
        lines = ascii_picture(MORTAIN).split("\n")
        assert len(lines) < 55
        assert max(map(len, lines)) <= 78

    def test_every_number_stands_once_on_the_map(self) -> None:
        drawing, _, _ = ascii_picture(MORTAIN).partition("Counters:")
        numbers = re.findall(r"/(\d{4})[ !]\\", drawing)
        assert sorted(numbers) == [f"{column}{row:02}" for column in range(11, 20) for row in range(1, 6)]

    def test_every_counter_stands_on_the_map_and_in_the_list(self) -> None:
        drawing, _, below = ascii_picture(MORTAIN).partition("Counters:")
        for cell in MORTAIN.cells:
            for piece in cell.pieces:
                assert len(re.findall(rf"[/\\ ]{piece.name} ?[TIGtig][/\\ ]", drawing)) == 1
                assert re.search(rf"^(.*  )?{piece.name} .* {cell.number}\b", below, re.MULTILINE)


class TestAnyLegend:
    """Whatever words a file brings, the picture stays plain and narrow."""

    @settings(max_examples=60)
    @given(legends())
    def test_plain_ascii_at_most_78_wide(self, legend: Legend) -> None:
        for line in ascii_picture(legend).split("\n"):
            assert len(line) <= 78
            assert line == line.rstrip()
            assert all(" " <= character <= "~" for character in line)

    @pytest.mark.thorough
    @settings(max_examples=60)
    @given(legends())
    def test_colours_change_nothing_else(self, legend: Legend) -> None:
        assert ESCAPE.sub("", ascii_picture(legend, colour=True)) == ascii_picture(legend)

    @settings(max_examples=60)
    @given(legends())
    def test_words_do_not_move_the_hexes(self, legend: Legend) -> None:
        """The left corner and the right corner of each hex are where an empty map has them."""
        lines = ascii_picture(replace(legend, figures=())).split("\n")
        for cell in legend.cells:
            x, y = 8 * cell.column, 6 * cell.row + 3 * (cell.column % 2)
            assert lines[y + 3][x] == "/"
            assert lines[y + 4][x] == "\\"
            assert lines[y + 3][x + 10] == "\\"
            assert lines[y + 4][x + 10] == "/"
