r"""The map of large hexes, against pictures drawn by hand.

The pictures are raw strings that begin and end with a line of their own.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Piece
from pbem.render.ascii_map import large_map
from support.sample_position import german, us

EMPTY = Legend(
    columns=1,
    rows=1,
    cells=(Cell("0101", 0, 0, "clear", "", "", ()),),
    terrain={
        "clear": ("", "open"),
        "woods": ("woods", "+1"),
        "city": ("city", "+2"),
        "hut": ("village", "+1"),
    },
    marks={"!": "suppressed"},
    sides={"us": "US", "german": "German"},
    margins=(),
    figures=(),
    textures={"woods": "^", "city": "#"},
)


def drawn(legend: Legend) -> str:
    return "\n".join(large_map(legend).lines(colour=False))


def one_hex(*pieces: Piece, terrain: str = "clear", label: str = "", marks: str = "") -> str:
    return drawn(replace(EMPTY, cells=(Cell("0101", 0, 0, terrain, label, marks, pieces),)))


def grid(columns: int, rows: int) -> Legend:
    cells = tuple(
        Cell(f"{column + 1:02}{row + 1:02}", column, row, "clear", "", "", ())
        for column in range(columns)
        for row in range(rows)
    )
    return replace(EMPTY, columns=columns, rows=rows, cells=cells)


class TestGrid:
    """Hexes are flat-topped and share their sides; columns 1, 3, 5 … sit half a hex lower."""

    def test_one_hex(self) -> None:
        picture = r"""
   _____
  /0101 \
 /       \
/         \
\         /
 \       /
  \_____/
"""
        assert one_hex() == picture.strip("\n")

    def test_one_column(self) -> None:
        picture = r"""
   _____
  /0101 \
 /       \
/         \
\         /
 \       /
  \_____/
  /0102 \
 /       \
/         \
\         /
 \       /
  \_____/
"""
        assert drawn(grid(1, 2)) == picture.strip("\n")

    def test_one_row(self) -> None:
        picture = r"""
   _____           _____
  /0101 \         /0301 \
 /       \       /       \
/         \_____/         \
\         /0201 \         /
 \       /       \       /
  \_____/         \_____/
        \         /
         \       /
          \_____/
"""
        assert drawn(grid(3, 1)) == picture.strip("\n")

    def test_two_by_two(self) -> None:
        picture = r"""
   _____
  /0101 \
 /       \
/         \_____
\         /0201 \
 \       /       \
  \_____/         \
  /0102 \         /
 /       \       /
/         \_____/
\         /0202 \
 \       /       \
  \_____/         \
        \         /
         \       /
          \_____/
"""
        assert drawn(grid(2, 2)) == picture.strip("\n")

    def test_a_missing_hex_stays_blank(self) -> None:
        picture = r"""
   _____           _____
  /0101 \         /0301 \
 /       \       /       \
/         \     /         \
\         /     \         /
 \       /       \       /
  \_____/         \_____/



"""
        legend = grid(3, 1)
        legend = replace(legend, cells=(legend.cells[0], legend.cells[2]))
        assert drawn(legend) == picture[1:-1]

    def test_nine_columns_fit(self) -> None:
        assert max(map(len, drawn(grid(9, 1)).split("\n"))) == 9 * 8 + 3

    def test_ten_columns_do_not(self) -> None:
        with pytest.raises(ValueError, match=r"^10 columns of hexes need 83 characters; at most 78 fit$"):
            drawn(grid(10, 1))


class TestHex:
    """A hex shows number, marks, side, counters and terrain."""

    def test_mark_stands_beside_the_number(self) -> None:
        assert "  /0101!\\\n" in one_hex(marks="!")

    def test_marks_without_room_are_cut(self) -> None:
        assert "  /0101~\\\n" in one_hex(marks="!*")

    def test_empty_woods_show_word_and_texture(self) -> None:
        picture = r"""
   _____
  /0101 \
 / ^ ^ ^ \
/ ^ ^ ^ ^ \
\ ^ ^ ^ ^ /
 \ ^ ^ ^ /
  \woods/
"""
        assert one_hex(terrain="woods") == picture.strip("\n")

    def test_stack_in_a_city(self) -> None:
        """The kind's initial is a capital on the full face, a small letter on the reduced one."""
        picture = r"""
   _____
  /0101 \
 /  US   \
/119Inf i \
\ 823TD G /
 \ # # # /
  \city_/
"""
        pieces = us("119Inf", "infantry", "1-2", reduced=True), us("823TD", "gun", "5-1")
        assert one_hex(*pieces, terrain="city", label="Mortain") == picture.strip("\n")

    def test_three_counters_the_longest_name_in_a_wide_line(self) -> None:
        picture = r"""
   _____
  /0101 \
 /GERMAN \
/Tiger102T\
\17StuG t /
 \2SS-A T/
  \_____/
"""
        pieces = (
            german("2SS-A", "tank", "6-3"),
            german("17StuG", "tank", "3-2", reduced=True),
            german("Tiger102", "tank", "6-2"),
        )
        assert one_hex(*pieces) == picture.strip("\n")

    def test_more_counters_are_counted(self) -> None:
        picture = r"""
   _____
  /0101 \
 /  US   \
/  CCA T  \
\  CCB T  /
 \  +2   /
  \_____/
"""
        assert one_hex(*(us(name, "tank", "4-4") for name in ("CCA", "CCB", "CCR", "CCS"))) == picture.strip(
            "\n"
        )

    def test_only_counters_are_counted(self) -> None:
        pieces = us("CCA", "tank", "4-4"), us("CCB", "tank", "4-4"), german("D", "infantry", "3-3")
        assert "\n \\  +1   /\n" in one_hex(*pieces)

    def test_both_sides_in_one_hex(self) -> None:
        picture = r"""
   _____
  /0101 \
 /  US   \
/  CCA T  \
\ GERMAN  /
 \  D i  /
  \_____/
"""
        pieces = german("D", "infantry", "2-2", reduced=True), us("CCA", "tank", "4-4")
        assert one_hex(*pieces) == picture.strip("\n")

    def test_long_names_are_cut_but_keep_the_letter(self) -> None:
        assert "/Schwere~T\\" in one_hex(german("Schwerer505", "tank", "6-2"))

    def test_long_terrain_is_cut(self) -> None:
        assert one_hex(terrain="hut").endswith("  \\vill~/")

    def test_label_of_an_empty_hex(self) -> None:
        picture = r"""
   _____
  /0101 \
 / # # # \
/ Abbaye  \
\ Blanche /
 \ # # # /
  \city_/
"""
        assert one_hex(terrain="city", label="Abbaye Blanche") == picture.strip("\n")

    def test_long_label_is_cut(self) -> None:
        assert "/St-Barth~\\" in one_hex(label="St-Barthelemy")

    def test_letters_lose_their_accents(self) -> None:
        assert "/ Jager I \\" in one_hex(us("J\u00e4ger", "infantry", "1-1"))
        assert "/Wei-Stra~\\" in one_hex(label="We\u00ed\u2013Stra\u00dfe")

    def test_foreign_and_control_characters_become_question_marks(self) -> None:
        assert "/J??ger T \\" in one_hex(us("J\u0436\u2033ger", "tank", "1-1"))
        assert "/?[2J\\? T \\" in one_hex(us("\x1b[2J\\\n", "tank", "1-1"))
