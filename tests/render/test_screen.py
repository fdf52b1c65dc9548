r"""A position fitted into a screen: which map, which part of it, which lists, and never too much.

The pictures are raw strings that begin and end with a line of their own.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.legend import Legend
from pbem.games import load
from pbem.render.ascii_map import mark_reach
from pbem.render.screen import draw_screen, mentioned_hexes
from pbem.texts import LANGUAGES, speaking
from pbem.umpire.verify import open_game
from render.test_ascii_map_small import map_cell, plane_piece, tank_piece, wide_map
from support.sample_position import MORTAIN

ROMMEL = wide_map(
    30,
    16,
    h0203=replace(map_cell("0203", tank_piece("CCA"), plane_piece("P-1")), notes=("Daba",)),
    h1507=map_cell("1507", tank_piece("CCB", reduced=True), marks="*"),
    h3016=map_cell("3016", tank_piece("CCC")),
)
SIZES = [(140, 40), (140, 30), (80, 24), (80, 17), (60, 24), (60, 16), (40, 30), (40, 9)]


def shown(legend: Legend, width: int, height: int, *focus: str) -> str:
    return "\n".join(draw_screen(legend, width, height, focus).lines)


class TestRoom:
    """Never wider and never higher than the room there is, whatever is asked for."""

    @pytest.mark.parametrize("legend", [MORTAIN, ROMMEL], ids=["mortain", "rommel"])
    @given(
        st.integers(20, 200),
        st.integers(1, 60),
        st.lists(st.sampled_from(["1101", "1403", "1905", "0203", "1507", "3016"])),
    )
    @example(35, 2, ["1905", "1101"])
    def test_all_fits(self, legend: Legend, width: int, height: int, focus: list[str]) -> None:
        lines = draw_screen(legend, width, height, focus).lines
        assert 0 < len(lines) <= height
        assert max(map(len, lines)) <= width

    @pytest.mark.parametrize(("width", "height"), SIZES)
    def test_colour_takes_no_room(self, width: int, height: int) -> None:
        coloured = draw_screen(MORTAIN, width, height, ["1403"], colour=True).lines
        assert any("\x1b[" in line for line in coloured)
        plain = [re.sub(r"\x1b\[\d+m", "", line) for line in coloured]
        assert plain == draw_screen(MORTAIN, width, height, ["1403"]).lines

    @pytest.mark.parametrize(("width", "height"), SIZES)
    @pytest.mark.parametrize("number", ["0203", "1507", "3016"])
    def test_what_is_wanted_is_there(self, number: str, width: int, height: int) -> None:
        name = {"0203": "CCA", "1507": "CCB", "3016": "CCC"}[number]
        assert f"{number} US: {name}" in shown(ROMMEL, width, height, number)


class TestWays:
    """Large hexes where all that is wanted fits so, else small ones; lists alone where it is narrow."""

    def test_a_part_in_large_hexes(self) -> None:
        """Where all that is wanted is in it, and the whole map does not fit."""
        picture = shown(ROMMEL, 80, 18, "1507")
        assert re.search(r"/1507[ *]\\", picture)
        assert len(re.findall(r"/\d{4}[ *]\\", picture)) > 4
        assert "1507 US: CCB" in picture
        assert "(map cut N E S W)" in picture

    def test_the_whole_map_is_better_than_a_part_in_large_hexes(self) -> None:
        picture = shown(MORTAIN, 80, 18, "1303", "1402", "1403")
        assert "   11  13  15  17  19 " in picture
        assert "map cut" not in picture

    def test_the_whole_map_in_small_hexes(self) -> None:
        picture = r"""
Turn: 3 of 6 | Cards left: 31 | Support: used
  Exited: 0 of 5 | To move: German, 8S: up to 4 units
   11  13  15  17  19     US: 1103 CCA CCB; 1301 117Inf
     12  14  16  18         1402 SPTD; 1403 119Inf 823TD
01 .   I#  I"  .   .        1501 120Inf
     .   .   .   t3   01  German: 1503 DF; 1602 37SS 38SS
02 .   "   .   ^   .        1604 2SS-B; 1704 D
     .   T   i2  .    02    1801 2SS-A 17StuG Tiger102
03 T2  ^   i!  !   .      Wait off the west edge: CCR
     ^   I2  !   ^    03  T tank, I infantry, G gun
04 .   .   !   i!  .        capitals US, 2: two
     .   ^   t!  .    04  ! suppressed: +1 on the card of an
05 .   .   .   "   .        attack from here
     .   .   !^  .    05  ^ woods: +1, blocks sight
                          # village: +1, blocks sight
                          # city: +2, blocks sight
                          " hill: +0, blocks sight, range 3
                          factors: against tanks - against
                            infantry and guns
"""
        assert shown(MORTAIN, 60, 19) == picture.strip("\n")

    def test_lists_where_it_is_narrow(self) -> None:
        picture = """
Turn: 3 of 6 | Cards left: 31
  Support: used | Exited: 0 of 5
1403 US: 119Inf I 1-2 reduced
  823TD G 5-1
1402 US: SPTD T 4-2
(11 lines more)
(no room for a map)
T tank, I infantry, G gun
"""
        assert shown(MORTAIN, 40, 8, "1403") == picture.strip("\n")

    def test_a_wide_screen_has_the_large_map_with_its_lists(self) -> None:
        first, *rest = draw_screen(MORTAIN, 140, 36).lines
        assert first.startswith("Turn: 3 of 6 | Cards left: 31 | Support: used | Exited: 0 of 5 | To move")
        assert rest[0].startswith("   _____           _____ ")
        assert rest[0].endswith(" _____     1103 US: CCA T 4-4, CCB T 4-4")
        assert "Wait off the west edge: CCR" in "\n".join(rest)

    def test_a_wide_map_is_cut_around_what_is_wanted(self) -> None:
        picture = shown(ROMMEL, 60, 14, "1507")
        assert "     11  13  15  17  19       1507 US: CCB" in picture
        _, _, below = picture.partition("1507 US: CCB")
        assert re.findall(r"CC[AC]|map cut.*", below) == ["CCA", "CCC", "map cut N E S W)"], "behind it"

    def test_where_there_is_no_room_for_factors_all_are_named(self) -> None:
        crowd = {
            f"h{column:02}16": map_cell(f"{column:02}16", tank_piece(f"A{column}")) for column in range(1, 9)
        }
        picture = shown(wide_map(30, 16, **crowd, h2001=map_cell("2001", tank_piece("CCB"))), 60, 14, "2001")
        assert "US: 2001 CCB; 0716 A7; 0816 A8" in picture
        assert {f"A{n}" for n in range(1, 9)} <= set(re.findall(r"A\d", picture))
        assert "(map cut E S W)" in picture

    def test_where_not_all_are_named_both_sides_beside_what_is_wanted_come_first(self) -> None:
        crowd = {
            f"h{n:02}{row:02}": map_cell(f"{n:02}{row:02}", tank_piece(f"A{n}-{row}"))
            for n in range(1, 21)
            for row in range(1, 6)
        }
        crowd["h1004"] = map_cell("1004", replace(tank_piece("ENEMY"), side="german"))
        picture = "\n".join(draw_screen(wide_map(30, 16, **crowd), 79, 17, first=["1003"]).lines)
        assert picture.index("1003 A10-3") < picture.index("German: 1004 ENEMY")
        assert "lines more" in picture

    def test_lists_have_half_of_the_width_unless_that_costs_a_foremost_hex(self) -> None:
        crowd = {f"h{n:02}01": map_cell(f"{n:02}01", tank_piece(f"A{n}")) for n in range(1, 31)}
        legend = wide_map(30, 16, **crowd)
        for first, columns in (["1601"], 14), (["0701", "2201"], 16):
            picture = "\n".join(draw_screen(legend, 70, 17, first=first).lines)
            rulers = re.findall(r"^(?: {2,5}\d\d(?!\d)){4,}", picture, re.MULTILINE)
            assert len(" ".join(rulers).split()) == columns

    def test_what_shows_the_rest_is_said(self) -> None:
        crowd = {
            f"h{n:02}16": map_cell(f"{n:02}16", *map(tank_piece, (f"A{n}", f"B{n}"))) for n in range(1, 31)
        }
        lines = draw_screen(wide_map(30, 16, **crowd), 60, 14, rest="map all").lines
        assert any("lines more: map all)" in line for line in lines)

    def test_the_tracks_make_room_for_the_map(self) -> None:
        """Small hexes of Mortain take 13 lines: with two lines of tracks above them a row would be cut."""
        lines = draw_screen(MORTAIN, 80, 13).lines
        assert lines[0].startswith("   11  13  15  17  19     Turn: 3 of 6")
        assert lines[-2].startswith("     .   .   !^  .    05")

    def test_a_broad_map_leaves_lists_below(self) -> None:
        """Wanted are hexes so far apart that the map leaves no room beside it."""
        legend = wide_map(
            26, 4, h0102=map_cell("0102", tank_piece("CCA")), h2602=map_cell("2602", tank_piece("CCB"))
        )
        lines = draw_screen(legend, 60, 16, ["0102", "2602"]).lines
        assert lines[1].split()[:2] + lines[1].split()[-1:] == ["01", "03", "25"]
        assert {"0102 US: CCA T 7-7", "2602 US: CCB T 7-7"} < set(lines[-6:])


class TestKey:
    """Whatever a map of small hexes shows is in its key, however little room there is."""

    @pytest.mark.thorough
    @pytest.mark.parametrize(("width", "height"), [(79, 20), (79, 15), (59, 19), (59, 15)])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_sign_is_explained(self, language: str, width: int, height: int) -> None:
        with speaking(language):
            for state in rommel():
                legend = load("rommel").view.legend(state)
                lines = draw_screen(legend, width, height).lines
                signs, beside = parted(lines)
                explained = {word.upper() for word in beside.split() if len(word) == 1}
                assert {sign.upper() for sign in signs} <= explained, "\n".join(lines)

    def test_the_meaning_of_signs_is_not_cut(self) -> None:
        meaning = "in supply for a side: X: Axis, a: Allied, +: both"
        marked = mark_reach(load("rommel").view.legend(rommel()[1]), {"1805": "X", "1905": "a"}, meaning)
        assert meaning in parted(draw_screen(marked, 79, 15, ["1805", "1905"]).lines)[1]


@cache
def rommel() -> list[Any]:
    """States of a game on a large map, from its set-up to its end."""
    file = Path(__file__).parents[2] / "examples" / "rommel-goes-on.yaml"
    return [one.state for one in open_game(file.read_bytes()).replayed_entries[::25]]


def parted(lines: list[str]) -> tuple[set[str], str]:
    """The signs on a map of small hexes, between the numbers of its rows, and the words around it."""
    rulers = [match.end() for line in lines if (match := re.match(r"(?: {2,5}\d\d(?!\d)){4,}", line))]
    width = max(rulers) + 1
    rows = [line for line in lines if re.match(r"\d\d | {3}[^ ]| {5}[^ ]", line)]
    words = " ".join(line[width:] if line in rows else line for line in lines)
    signs = {sign for line in rows for sign in line[2:width]}
    return signs - set("0123456789. "), " ".join(words.split())


class TestPart:
    """Of hexes that are wanted and too far apart, the part of the map has as many as can be."""

    def test_the_nearest_counters_come_first(self) -> None:
        """Also where the part begins far from the map's corner."""
        legend = wide_map(
            30, 16, h1908=map_cell("1908", tank_piece("CCA")), h2508=map_cell("2508", tank_piece("CCB"))
        )
        lists = "\n".join(draw_screen(legend, 70, 20, ["2008"]).lines)
        assert re.findall(r"(\d{4}) US: ", lists) == ["1908", "2508"]

    def test_either_of_two_corners(self) -> None:
        picture = shown(ROMMEL, 60, 14, "0116", "3001")
        columns = picture.splitlines()[1] + picture.splitlines()[2]
        rows = set(re.findall(r"^(\d\d) ", picture, re.MULTILINE))
        assert ("30" in columns and "01" in rows) or ("01" in columns and "16" in rows)


class TestReach:
    """The figures of hexes in reach: on the map with the key, or in words."""

    REACH = mark_reach(MORTAIN, {"1303": "1", "1404": "2"}, "steps of SPTD")

    def test_on_the_map(self) -> None:
        picture = shown(self.REACH, 140, 40, "1303", "1404")
        for part in ("\\__1__/", "\\__2__/", "1 2 3 steps of SPTD"):
            assert part in picture

    def test_in_words(self) -> None:
        assert "\n1 2 3 steps of SPTD\n1: 1303\n2: 1404\n" in shown(self.REACH, 40, 24)

    def test_hexes_below_one_another_are_a_run(self) -> None:
        reach = dict.fromkeys(("1201", "1202", "1203", "1302", "1304", "1305"), "+")
        assert "\n+: 1201-1203, 1302, 1304-1305\n" in shown(mark_reach(MORTAIN, reach, "near"), 40, 24)

    def test_a_figure_is_not_taken_for_a_number_of_counters(self) -> None:
        """Of two counters above a hex the small map writes `F2`; beside a figure 1 that would be `F21`."""
        legend = wide_map(30, 16, h0402=map_cell("0402", plane_piece("P-1"), plane_piece("P-2")))
        assert "F2." in shown(legend, 60, 24, "0402")
        marked = mark_reach(legend, {"0503": "1"}, "steps of P-1")
        assert "F+1" in shown(marked, 60, 24, "0402")


class TestMentioned:
    """Orders and events name hexes, by their numbers or by the counters in them."""

    def test_hexes_and_counters(self) -> None:
        orders = [{"fire": ["CCA", "nobody"], "at": "37SS"}, {"move": {"CCR": ["1105", "9999"]}, "by": 7}]
        assert mentioned_hexes(MORTAIN, orders) == ["1103", "1105", "1602"]


class TestFirst:
    """What comes before all else that is wanted: the window and the lists are around it."""

    def test_is_in_the_window(self) -> None:
        crowd = {
            f"h{column:02}02": map_cell(f"{column:02}02", tank_piece(f"A{column}")) for column in range(3, 9)
        }
        legend = wide_map(30, 16, **crowd, h2812=map_cell("2812", tank_piece("CCB")))
        focus = [number[1:] for number in crowd] + ["2812"]
        without = draw_screen(legend, 80, 14, focus).lines
        assert " 28" not in without[2], "of the ruler"
        with_it = draw_screen(legend, 80, 14, focus, ["2812"]).lines
        assert " 28 " in with_it[2]
        assert "2812 US: CCB" in with_it[1], "first of the list"

    def test_a_broad_screen_has_large_hexes_where_it_has_room_for_them(self) -> None:
        everything = [cell.number for cell in MORTAIN.cells]
        assert "_____" not in "\n".join(draw_screen(MORTAIN, 139, 25, everything).lines)
        assert "  _____ " in "\n".join(draw_screen(MORTAIN, 139, 25, everything, ["1403", "1503"]).lines)

    def test_most_of_the_rows_are_enough_for_a_broad_screen(self) -> None:
        everything = [cell.number for cell in MORTAIN.cells]
        drawn = draw_screen(MORTAIN, 139, 30, everything)
        assert "  _____ " in "\n".join(drawn.lines)
        assert not drawn.whole_map
