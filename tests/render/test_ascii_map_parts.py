r"""Parts of a picture: the hexes around one with what is in each, one layer, the hexes in reach.

The pictures are raw strings that begin and end with a line of their own.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.hexes import Grid
from pbem.core.legend import Legend, Margin, Piece
from pbem.games.rommel import RULES
from pbem.render.ascii_map import (
    MAX_RADIUS,
    busiest_block,
    changed_hexes,
    crop_around,
    crop_block,
    explain_change_signs,
    hexes_in_contact,
    keep_layer,
    mark_reach,
    put_groups_first,
)
from pbem.render.ascii_picture import ascii_picture
from render.test_ascii_map_small import foot_piece, map_cell, plane_piece, tank_piece, wide_map
from support import commanders_game
from support.sample_position import MORTAIN


def numbers(legend: Legend) -> list[str]:
    return [cell.number for cell in legend.cells]


class TestAround:
    """The hexes within a distance of one, as large hexes, clipped at the edge of the map."""

    NOTED = replace(
        wide_map(
            12,
            3,
            h0402=replace(
                map_cell("0402", tank_piece("CCA", reduced=True, marks="!"), plane_piece("P-1"), marks="*"),
                notes=("Daba (village)", "road to 0501"),
                asides=("supply: US",),
            ),
            h0502=replace(map_cell("0502", terrain="mines"), notes=("mined",)),
            h0503=replace(map_cell("0503"), asides=("supply: US",)),
        ),
        margins=(Margin("Eliminated", (tank_piece("CCB"),)),),
    )

    def test_a_lower_hex(self) -> None:
        picture = r"""
Turn: 3 of 6

           _____
          /0401 \
         /       \
   _____/         \_____
  /0302 \         /0502 \
 /       \       / # # # \
/         \_____/ # # # # \
\         /0402*\ # # # # /
 \       / ARMY  \ # # # /
  \_____/  CCA t  \mines/
  /0303 \  P-1 F  /0503 \
 /       \       /       \
/         \_____/         \
\         /0403 \         /
 \       /       \       /
  \_____/         \_____/
        \         /
         \       /
          \_____/

Counters: T tank; F fighter; small letter: struck; factors: combat-movement
Marks: * point; ! out of supply
Terrain: blank open ground; # mined

0402 US CCA, Army tank 3-7 struck !; US P-1, Army fighter 4-10; Daba (village)
  road to 0501; supply: US
0502 mined
"""
        assert ascii_picture(crop_around(self.NOTED, "0402", 1)) == picture.strip("\n")

    def test_an_upper_hex_at_the_edge(self) -> None:
        hexes = r"""

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
\         /
 \       /
  \_____/

"""
        assert hexes in ascii_picture(crop_around(wide_map(12, 3), "0101", 1))

    def test_a_window_in_the_middle_begins_with_a_lower_column(self) -> None:
        """0502 is in an upper column; the first of the window, 04, is a lower one."""
        near = crop_around(wide_map(12, 3), "0502", 1)
        assert numbers(near) == ["0401", "0402", "0501", "0502", "0503", "0601", "0602"]
        assert near.first_lower

    @given(st.integers(1, 30), st.integers(1, 16), st.integers(1, MAX_RADIUS))
    def test_distance_is_that_of_the_grid(self, column: int, row: int, radius: int) -> None:
        """And of a window of a window: the first column of the first may be an upper or a lower one."""
        grid, centre = Grid(1, 30, 1, 16, "even"), f"{column:02}{row:02}"
        outer = crop_around(wide_map(30, 16), centre, radius)
        assert numbers(outer) == [at for at in grid.numbers if grid.distance(centre, at) <= radius]
        inner = crop_around(outer, outer.cells[-1].number, radius)
        assert numbers(inner) == [
            at for at in numbers(outer) if grid.distance(outer.cells[-1].number, at) <= radius
        ]

    def test_the_largest_fits_a_line(self) -> None:
        assert (
            max(map(len, ascii_picture(crop_around(wide_map(30, 16), "1508", MAX_RADIUS)).split("\n"))) == 75
        )

    def test_no_such_hex(self) -> None:
        with pytest.raises(KeyError):
            crop_around(wide_map(), "9999", 1)

    def test_open_ground_with_no_notes_lists_its_hexes_too(self) -> None:
        tanks = replace(map_cell("0202", tank_piece("CCA")), asides=("supply: US",))
        text = ascii_picture(crop_around(wide_map(12, 3, h0202=tanks), "0202", 1))
        assert text.endswith("\n\n0202 US CCA, Army tank 7-7; supply: US")

    def test_a_map_without_notes_lists_its_counters(self) -> None:
        text = ascii_picture(crop_around(MORTAIN, "1403", 1))
        assert "\nUS " in text
        assert "\nSPTD     T   4-2  1402 Abbaye Blanche" in text
        assert "Wait off" not in text


class TestOnly:
    """One layer of the counters, on the map and off it."""

    LEGEND = replace(
        wide_map(
            h0101=map_cell("0101", foot_piece("DF"), plane_piece("P-1")),
            h0201=map_cell("0201", plane_piece("P-2")),
        ),
        margins=(Margin("Eliminated", (tank_piece("CCA"), plane_piece("P-3"))),),
    )

    @staticmethod
    def names(pieces: tuple[Piece, ...]) -> list[str]:
        return [piece.name for piece in pieces]

    def test_the_lower_layer(self) -> None:
        legend = keep_layer(self.LEGEND, "ground")
        assert [self.names(cell.pieces) for cell in legend.cells[:2]] == [["DF"], []]
        assert self.names(legend.margins[0].pieces) == ["CCA"]

    def test_the_upper_layer_stands_on_the_upper_line(self) -> None:
        text = ascii_picture(keep_layer(self.LEGEND, "air"))
        assert "\n01 F   .   .   .   .\n     F   .   .   .   .  01\n\n" in text
        assert "a line lower" not in text
        assert text.endswith("\nEliminated: P-3")


class TestReaching:
    """Figures in the hexes in reach, explained in the key."""

    def test_in_large_hexes_they_stand_for_the_terrain(self) -> None:
        legend = replace(MORTAIN, marks={"!": "suppressed"})
        text = ascii_picture(mark_reach(legend, {"1101": "2", "1602": "1"}, "steps of CCA"))
        assert text.count("\\__2__/") == 1
        assert text.count("\\__1__/") == 1
        assert text.count("woods/") == ascii_picture(legend).count("woods/") - 1
        assert "\nMarks: 1 2 3 steps of CCA; ! suppressed\n" in text

    def test_without_any_the_hexes_stay_as_they_are(self) -> None:
        assert mark_reach(MORTAIN, {}, "steps of CCA").cells == MORTAIN.cells


class TestTheBusiestBlock:
    """The part of a map that a letter shows."""

    @staticmethod
    def hexes(legend: Legend, worths: dict[str, int], columns: int, rows: int) -> tuple[str, str, int]:
        inside = numbers(crop_block(legend, *busiest_block(legend, worths, columns, rows)))
        return inside[0], inside[-1], len(inside)

    def test_what_is_worth_most_together(self) -> None:
        legend = wide_map(5, 4)
        assert self.hexes(legend, {"0101": 3, "0403": 2, "0503": 2}, 2, 1) == ("0403", "0503", 2)
        assert self.hexes(legend, {"0101": 5, "0403": 2, "0503": 2}, 1, 1) == ("0101", "0101", 1)

    def test_of_equal_ones_the_most_central(self) -> None:
        assert self.hexes(wide_map(5, 3), {}, 1, 1) == ("0302", "0302", 1)
        assert self.hexes(wide_map(5, 3), {"0302": 1}, 3, 3) == ("0201", "0403", 9)

    def test_a_smaller_map_stays(self) -> None:
        assert self.hexes(wide_map(3, 2), {"0101": 1}, 9, 9) == ("0101", "0302", 6)


def test_in_contact() -> None:
    """With an enemy beside or in the same hex; not with one two hexes away."""
    legend = wide_map(
        9,
        h0101=map_cell("0101", tank_piece("A")),
        h0201=map_cell("0201", tank_piece("B", "german")),
        h0501=map_cell("0501", tank_piece("C")),
        h0601=map_cell("0601", tank_piece("D")),
        h0801=map_cell("0801", tank_piece("E", "german"), plane_piece("F")),
    )
    assert hexes_in_contact(legend) == ["0101", "0201", "0801"]


def test_roads_end_where_a_part_does() -> None:
    legend = replace(wide_map(4), roads=(("0101", "0201"), ("0201", "0301")))
    assert crop_block(legend, range(2), range(1)).roads == (("0101", "0201"),)


class TestChanges:
    """What is not as it was: where counters came, where they left, who is changed, who is gone."""

    BEFORE = wide_map(
        4,
        4,
        h0101=map_cell("0101", tank_piece("CCA")),
        h0202=map_cell("0202", tank_piece("CCB")),
        h0303=map_cell("0303", tank_piece("CCC")),
        h0404=map_cell("0404", tank_piece("CCR")),
    )

    def test_signs(self) -> None:
        after = wide_map(
            4,
            4,
            h0102=map_cell("0102", tank_piece("CCA")),
            h0202=map_cell("0202", tank_piece("CCB", reduced=True)),
            h0404=map_cell("0404", tank_piece("CCR")),
        )
        assert changed_hexes(self.BEFORE, after) == {"0101": "-", "0102": "+", "0202": "!", "0303": "x"}

    def test_a_hex_left_by_one_and_entered_by_another(self) -> None:
        after = wide_map(
            4, 4, h0101=map_cell("0101", tank_piece("CCB")), h0202=map_cell("0202", tank_piece("CCA"))
        )
        assert changed_hexes(self.BEFORE, after) == {"0101": "+", "0202": "+", "0303": "x", "0404": "x"}

    def test_nothing(self) -> None:
        assert changed_hexes(self.BEFORE, self.BEFORE) == {}

    def test_signs_have_a_key_of_their_own(self) -> None:
        picture = ascii_picture(mark_reach(self.BEFORE, {"0101": "-"}, explain_change_signs()))
        assert "Marks: in hexes: + arrived, - left, ! changed, x gone" in picture


def test_a_commanders_counters_come_first() -> None:
    """FORMAT 11: in each stack and off the map, and his group in the lists; nothing else is otherwise."""
    legend = RULES.view.legend(commanders_game.game_before_move().state.run.state)
    his = put_groups_first(legend, "axis", ["italian"])
    (before,), (after,) = ([cell for cell in one.cells if cell.number == "1204"] for one in (legend, his))
    names = [piece.name for piece in before.pieces]
    assert names.index("Bf109-1") < names.index("MC202-1")
    assert [piece.name for piece in after.pieces][:2] == ["MC202-1", "MC202-2"]
    assert sorted(piece.name for piece in after.pieces) == sorted(names)
    assert next(iter(his.groups)) == "italian"
    assert put_groups_first(legend, "allied", ["italian"]).cells == legend.cells, "the Axis has the Italians"
