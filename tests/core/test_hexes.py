"""Hexes against plane geometry, which is worked out here a second time and in another way."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.hexes import Grid, Hex, between, distance, neighbours

hexes = st.builds(Hex, st.integers(-4, 4), st.integers(-4, 4))

MORTAIN = Grid(11, 19, 1, 5, "even")


def centre(at: Hex) -> tuple[int, int]:
    """The centre in half radii to the east, and half heights to the south."""
    return 3 * at.q, 2 * at.r + at.q


class TestNeighbours:
    """A hex has six neighbours, and their centres are all one hex height away."""

    @given(hexes)
    def test_they_are_six_hexes_at_the_distance_of_touching_ones(self, at: Hex) -> None:
        x, y = centre(at)
        around = [(centre(near)[0] - x, centre(near)[1] - y) for near in neighbours(at)]
        assert around == [(0, -2), (3, -1), (3, 1), (0, 2), (-3, 1), (-3, -1)]


class TestDistance:
    """The distance is the number of steps on the shortest way."""

    def test_it_is_what_walking_finds(self) -> None:
        start = Hex(0, 0)
        walked = {start: 0}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for near in neighbours(at):
                if near not in walked and walked[at] < 4:
                    walked[near] = walked[at] + 1
                    queue.append(near)
        assert len(walked) == 1 + 6 + 12 + 18 + 24
        assert all(distance(start, at) == steps for at, steps in walked.items())

    @given(hexes, hexes, hexes)
    def test_it_is_a_metric(self, a: Hex, b: Hex, c: Hex) -> None:
        assert (distance(a, b) == 0) == (a == b)
        assert distance(a, b) == distance(b, a)
        assert distance(a, c) <= distance(a, b) + distance(b, c)


def clipped(a: Hex, b: Hex, at: Hex) -> tuple[Fraction, Fraction] | None:
    """The part of the line a-b inside the polygon of a hex, from 0 at `a` to 1 at `b`.

    With the corners at (±2, 0) and (±1, ±1) the hex is where |y|, |x + y| / 2 and |x - y| / 2 are at most 1.
    """
    (ax, ay), (bx, by), (x, y) = centre(a), centre(b), centre(at)
    first, last = Fraction(0), Fraction(1)
    for p, q, most in ((0, 1, 1), (1, 1, 2), (1, -1, 2)):
        begin = p * (ax - x) + q * (ay - y)
        slope = p * (bx - ax) + q * (by - ay)
        if slope == 0:
            if abs(begin) > most:
                return None
            continue
        ends = sorted((Fraction(-most - begin, slope), Fraction(most - begin, slope)))
        first, last = max(first, ends[0]), min(last, ends[1])
    return (first, last) if first < last else None


class TestBetween:
    """A line passes the hexes that it crosses, and both hexes along whose common side it runs."""

    @pytest.mark.parametrize(
        ("a", "b", "passed"),
        [
            ("1503", "1504", []),
            ("1503", "1505", [["1504"]]),
            ("1503", "1703", [["1602", "1603"]]),
            ("1503", "1704", [["1603"]]),
            ("1503", "1604", [["1504", "1603"]]),
            ("1501", "1403", [["1502"], ["1402"]]),
            ("1403", "1705", [["1504"], ["1604"]]),
            ("1101", "1301", [["1201"]]),
        ],
    )
    def test_by_hand(self, a: str, b: str, passed: list[list[str]]) -> None:
        found = [
            [number for at in item if (number := MORTAIN.number(at))]
            for item in between(MORTAIN.hex_at(a), MORTAIN.hex_at(b))
        ]
        assert found == passed

    @given(hexes, hexes)
    def test_it_is_what_clipping_the_line_with_each_hex_finds(self, a: Hex, b: Hex) -> None:
        parts: dict[tuple[Fraction, Fraction], set[Hex]] = {}
        for q in range(-5, 6):
            for r in range(-5, 6):
                at = Hex(q, r)
                part = clipped(a, b, at)
                if part and a != b and at not in (a, b):
                    parts.setdefault(part, set()).add(at)
        assert [set(item) for item in between(a, b)] == [parts[part] for part in sorted(parts)]

    @given(hexes, hexes)
    def test_the_way_back_passes_the_same(self, a: Hex, b: Hex) -> None:
        assert [set(item) for item in between(b, a)] == [set(item) for item in reversed(between(a, b))]


class TestGrid:
    """Printed numbers: column, then row; every second column sits half a hex further south."""

    def test_numbers_run_by_column_then_row(self) -> None:
        assert Grid(9, 10, 1, 2, "odd").numbers == ("0901", "0902", "1001", "1002")

    @pytest.mark.parametrize(
        ("number", "around"),
        [
            ("1503", ["1502", "1602", "1603", "1504", "1403", "1402"]),
            ("1603", ["1602", "1703", "1704", "1604", "1504", "1503"]),
            ("1101", ["1201", "1102"]),
            ("1905", ["1904", "1805", "1804"]),
        ],
    )
    def test_adjacent_hexes_by_hand(self, number: str, around: list[str]) -> None:
        assert list(MORTAIN.adjacent(number)) == around

    @pytest.mark.parametrize("steps", [-1, 0, 1, 2, 5])
    def test_what_lies_within_a_distance(self, steps: int) -> None:
        for number in ("1503", "1101", "1905"):
            near = {at for at in MORTAIN.numbers if MORTAIN.distance(number, at) <= steps}
            assert MORTAIN.within(number, steps) == near
            assert MORTAIN.within(number, steps) == near  # asked again, it is remembered

    @pytest.mark.parametrize("first", [11, 12])
    @pytest.mark.parametrize("lower", ["even", "odd"])
    def test_the_lower_columns_sit_lower(self, first: int, lower: Literal["even", "odd"]) -> None:
        """Two hexes touch where 3 x² + y² is 4, x in columns and y in half hexes down the page."""
        grid = Grid(first, first + 3, 1, 4, lower)

        def page(number: str) -> tuple[int, int]:
            column, row = int(number[:2]), int(number[2:])
            return column, 2 * row + ((column % 2 == 0) == (lower == "even"))

        for a in grid.numbers:
            for b in grid.numbers:
                x, y = page(a)[0] - page(b)[0], page(a)[1] - page(b)[1]
                assert (b in grid.adjacent(a)) == (3 * x * x + y * y == 4)
                assert (grid.distance(a, b) == 1) == (b in grid.adjacent(a))

    def test_a_number_and_its_hex_go_together(self) -> None:
        assert [MORTAIN.number(MORTAIN.hex_at(number)) for number in MORTAIN.numbers] == list(MORTAIN.numbers)
        assert [MORTAIN.column(number) for number in ("1101", "1905")] == [11, 19]

    @pytest.mark.parametrize("stranger", ["1106", "1001", "111", "", None, 1101])
    def test_what_is_not_on_the_map(self, stranger: object) -> None:
        assert stranger not in MORTAIN

    def test_off_the_map_there_is_no_number(self) -> None:
        assert MORTAIN.number(Hex(-1, 0)) is None
