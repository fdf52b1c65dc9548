r"""Maps too wide for large hexes: the map of small hexes, and the picture around it, drawn by hand.

The pictures are raw strings that begin and end with a line of their own.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Margin, Piece
from pbem.render.ascii_map import mark_reach, small_map
from pbem.render.ascii_picture import ascii_picture

ESCAPE = re.compile(r"\x1b\[[0-9]+m")


def tank_piece(name: str, side: str = "us", *, reduced: bool = False, marks: str = "") -> Piece:
    return Piece(name, side, "tank", reduced, "3-7" if reduced else "7-7", "army", "ground", marks)


def foot_piece(name: str, side: str = "us") -> Piece:
    return Piece(name, side, "infantry", False, "4-4", "guard", "ground")


def plane_piece(name: str, side: str = "us", kind: str = "fighter") -> Piece:
    return Piece(name, side, kind, False, "4-10", "army", "air")


def wide_map(columns: int = 10, rows: int = 1, **cells: Cell) -> Legend:
    """An empty map, but for the cells given as `h0101=…`."""
    empty = [
        Cell(f"{column + 1:02}{row + 1:02}", column, row, "open", "", "", ())
        for column in range(columns)
        for row in range(rows)
    ]
    return Legend(
        columns=columns,
        rows=rows,
        cells=tuple(cells.get(f"h{cell.number}", cell) for cell in empty),
        terrain={"open": ("", "open ground"), "sea": ("sea", "sea"), "mines": ("mines", "mined")},
        marks={"*": "point", "]": "fort", "!": "out of supply"},
        sides={"us": "US", "german": "German"},
        margins=(),
        figures=(("Turn", "3 of 6"),),
        textures={"sea": "~", "mines": "#"},
        factors="combat-movement",
        kinds={"infantry": "I", "tank": "T", "fighter": "F", "bomber": "B"},
        groups={"guard": "Guard", "army": "Army"},
        reduced="struck",
        layers=("ground", "air"),
    )


def map_cell(number: str, *pieces: Piece, terrain: str = "open", marks: str = "", reach: str = "") -> Cell:
    column, row = int(number[:2]) - 1, int(number[2:]) - 1
    return Cell(number, column, row, terrain, "", marks, pieces, reach=reach)


def drawn(legend: Legend) -> str:
    return "\n".join(small_map(legend).lines(colour=False))


def line(legend: Legend, number: int) -> str:
    """A line of the map of one column: two characters for each of the two lines of a hex, from 3 on."""
    return small_map(legend).lines(colour=False)[number][3:5]


class TestMap:
    """Hexes two wide and two high, every second column a line lower, between rulers."""

    def test_counters_links_and_rulers(self) -> None:
        picture = r"""
   01  03
     02  04

01 .\ /.
     T*| ~  01
02 #   i
   F2.   .  02

   01  03
     02  04
"""
        legend = wide_map(
            4,
            2,
            h0201=map_cell("0201", tank_piece("CCA"), marks="*"),
            h0401=map_cell("0401", terrain="sea"),
            h0102=map_cell("0102", plane_piece("P-1"), plane_piece("P-2"), terrain="mines"),
            h0302=map_cell("0302", foot_piece("DF", "german")),
        )
        links = (("0101", "0201"), ("0301", "0201"), ("0301", "0302"))
        assert drawn(replace(legend, links=links)) == picture.strip("\n")

    def test_columns_of_which_the_first_is_lower(self) -> None:
        picture = r"""
     02
   01

01   .
   .    01

     02
   01
"""
        assert drawn(replace(wide_map(2), first_lower=True)) == picture.strip("\n")

    def test_every_link_has_a_character_of_its_own(self) -> None:
        """The six links of 0202, the hex in the middle."""
        hexes = r"""
     .    01
02 .\|/.
    /.\   02
03 . | .
     .    03
"""
        near = ("0201", "0302", "0303", "0203", "0103", "0102")
        links = tuple(("0202", number) for number in near)
        assert hexes in drawn(replace(wide_map(3, 3), links=links))

    def test_as_many_columns_as_fit(self) -> None:
        assert max(map(len, drawn(wide_map(36)).split("\n"))) == 78
        with pytest.raises(ValueError, match="37 columns of hexes need 80 characters; at most 78 fit"):
            small_map(wide_map(37))


class TestHex:
    """What is in a hex stands on its upper line, what is above it on the lower; the rest gives way."""

    def test_a_counter_before_marks_before_terrain(self) -> None:
        assert (
            line(wide_map(1, h0101=map_cell("0101", tank_piece("CCA"), terrain="mines", marks="*")), 3)
            == "T*"
        )
        assert line(wide_map(1, h0101=map_cell("0101", terrain="mines", marks="*")), 3) == "*#"
        assert line(wide_map(1, h0101=map_cell("0101", tank_piece("CCA"), terrain="mines")), 3) == "T#"

    def test_other_sides_are_small_letters(self) -> None:
        assert line(wide_map(1, h0101=map_cell("0101", tank_piece("DF", "german"))), 3) == "t"

    def test_a_stack_is_its_first_letter_and_a_number(self) -> None:
        stack = map_cell(
            "0101",
            plane_piece("Ju", "german", "bomber"),
            plane_piece("Bf", "german"),
            foot_piece("DF", "german"),
        )
        legend = wide_map(1, h0101=stack)
        assert (line(legend, 3), line(legend, 4)) == ("i", "b2")

    def test_reach_stands_on_the_upper_line(self) -> None:
        assert line(wide_map(1, h0101=map_cell("0101", terrain="mines", reach="3")), 3) == "3#"

    def test_reach_stands_below_a_counter(self) -> None:
        legend = wide_map(1, h0101=map_cell("0101", foot_piece("DF"), plane_piece("P-1"), reach="3"))
        assert (line(legend, 3), line(legend, 4)) == ("I", "3F")

    def test_reach_of_two_figures_shows_the_last(self) -> None:
        assert line(wide_map(1, h0101=map_cell("0101", reach="10")), 3) == "0"

    def test_a_kind_without_a_letter_has_its_initial(self) -> None:
        legend = replace(wide_map(1, h0101=map_cell("0101", tank_piece("CCA"))), kinds={})
        assert line(legend, 3) == "T"


class TestPicture:
    """A map of more than nine columns: small hexes, their key, and counters of a kind together."""

    LEGEND = wide_map(
        h0101=map_cell("0101", tank_piece("CCA"), marks="*"),
        h0201=map_cell("0201", tank_piece("CCB", marks="!"), plane_piece("P-1"), plane_piece("P-2")),
        h0301=map_cell("0301", foot_piece("117Inf")),
        h0401=map_cell("0401", tank_piece("CCR", reduced=True)),
        h0501=map_cell("0501", foot_piece("DF", "german"), terrain="mines", marks="]"),
    )

    def test_drawn_by_hand(self) -> None:
        picture = r"""
Turn: 3 of 6

   01  03  05  07  09
     02  04  06  08  10

01 T*  I   i] /.   .
     T   T   .   .   .  01
     F2
   01  03  05  07  09
     02  04  06  08  10

Counters: capitals: US; small letters: German; I infantry; T tank; F fighter
  B bomber; air: a line lower; a stack: its first counter, and how many
  factors: combat-movement
Marks: * point; ] fort; ! out of supply
Terrain: . open ground; ~ sea; # mined; \ | / road

US                                     GERMAN
Guard                                  Guard
I 4-4: 117Inf 0301                     I 4-4: DF 0501
Army
T 7-7: CCA 0101, CCB 0201!
T 3-7 struck: CCR 0401
F 4-10: P-1 0201, P-2 0201
"""
        links = (("0101", "0201"), ("0601", "0701"))  # the mark in 0101 covers the first
        assert ascii_picture(replace(self.LEGEND, links=links, link="road")) == picture.strip("\n")

    def test_no_links_no_key_of_them(self) -> None:
        assert "Terrain: . open ground; ~ sea; # mined\n" in ascii_picture(self.LEGEND)

    def test_long_lists_go_on_below(self) -> None:
        """A list is at most 38 characters wide, with a blank beside the other side's."""
        cells = {f"h01{row:02}": map_cell(f"01{row:02}", foot_piece(f"{row}-Guard")) for row in range(1, 6)}
        text = ascii_picture(wide_map(10, 5, **cells))
        assert "\nI 4-4: 1-Guard 0101, 2-Guard 0102\n  3-Guard 0103, 4-Guard 0104\n  5-Guard 0105" in text

    def test_a_game_without_kinds_and_groups(self) -> None:
        legend = replace(self.LEGEND, kinds={}, groups={}, layers=())
        assert re.search(
            r"\nF 4-10: P-1 0201, P-2 0201  .*\nI 4-4: 117Inf 0301\nT 7-7: CCA", ascii_picture(legend)
        )

    def test_counters_off_the_map_by_name(self) -> None:
        margins = (Margin("Eliminated", (foot_piece("119Inf"), tank_piece("CCS"))), Margin("Exited", ()))
        assert ascii_picture(replace(self.LEGEND, margins=margins)).endswith("\nEliminated: 119Inf, CCS")

    def test_many_counters_off_the_map_by_kind(self) -> None:
        pieces = (*(foot_piece(f"{n}Inf") for n in range(20)), *(tank_piece(f"CC{n}") for n in range(5)))
        margins = (Margin("To come", pieces),)
        assert ascii_picture(replace(self.LEGEND, margins=margins)).endswith("\nTo come: 20 infantry, 5 tank")

    def test_the_hexes_in_reach(self) -> None:
        text = ascii_picture(mark_reach(self.LEGEND, {"0601": "2", "0201": "1"}, "steps of 117Inf"))
        assert "\n     T   T   2   .   .  01\n     1F\n" in text
        assert "\nMarks: 1 2 3 steps of 117Inf; * point; ] fort; ! out of supply\n" in text


class TestAnyLegend:
    """Whatever words a file brings, the picture stays plain and narrow, and hexes stay in their places."""

    PIECES = st.builds(
        Piece,
        name=st.text(min_size=1, max_size=12),
        side=st.sampled_from(["us", "german"]),
        kind=st.sampled_from(["tank", "infantry", "fighter", "mule"]),
        reduced=st.booleans(),
        factors=st.text(max_size=12),
        group=st.sampled_from(["army", "guard", ""]),
        layer=st.sampled_from(["ground", "air", ""]),
        marks=st.text(max_size=2),
    )
    CELLS = st.builds(
        Cell,
        number=st.just("0101"),
        column=st.just(0),
        row=st.just(0),
        terrain=st.sampled_from(["open", "sea", "mines"]),
        label=st.text(max_size=20),
        marks=st.text(max_size=3),
        pieces=st.lists(PIECES, max_size=4).map(tuple),
        reach=st.sampled_from(["", "3", "12"]),
    )

    @settings(max_examples=60)
    @given(CELLS, st.integers(10, 36), st.text(max_size=90))
    def test_plain_narrow_and_in_place(self, first: Cell, columns: int, words: str) -> None:
        margins = (Margin(words, first.pieces),)
        legend = replace(wide_map(columns, 2, h0101=first), margins=margins, factors=words, link=words)
        text = ascii_picture(legend)
        lines = text.split("\n")
        assert all(len(line) <= 78 and line == line.rstrip() for line in lines)
        assert all(" " <= character <= "~" for line in lines for character in line)
        assert lines[5][7:] == lines[7][7:] == "   ".join("." * ((columns - 1) // 2))
        assert ESCAPE.sub("", ascii_picture(legend, colour=True)) == text
