"""Paths: the cheapest are found, against a count of all paths that exist."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from pbem.core.hexes import Grid
from pbem.core.paths import Path, cheapest, ways

GRID = Grid(1, 4, 1, 3, "even")
START = "0202"

costs = st.fixed_dictionaries({at: st.integers(0, 3) for at in GRID.numbers})
"""What it costs to enter each hex; 0: it is closed."""


def everywhere(costs: dict[str, int]) -> dict[str, Path]:
    """The hexes that can be reached, the best first, each with its path."""

    def onward(at: str, path: Path) -> Iterator[tuple[str, str, int]]:
        yield from ((to, to, costs[to]) for to in GRID.adjacent(at) if costs[to])

    return dict(cheapest(START, onward))


def every_path(costs: dict[str, int], at: str = START, path: Path = ()) -> Iterator[Path]:
    """Every path that enters no hex twice."""
    yield path
    for to in GRID.adjacent(at):
        if costs[to] and to not in path and to != START:
            yield from every_path(costs, to, (*path, to))


class TestCheapest:
    """Of all paths to a hex the one that costs least is found, of equals that with the lowest numbers."""

    @given(costs)
    def test_no_path_is_better(self, costs: dict[str, int]) -> None:
        ranked = sorted((sum(costs[at] for at in path), path) for path in every_path(costs))
        best: dict[str, Path] = {}
        for _, path in ranked:
            best.setdefault(path[-1] if path else START, path)
        assert list(everywhere(costs).items()) == list(best.items())

    def test_the_start_is_reached_by_going_nowhere(self) -> None:
        assert everywhere(dict.fromkeys(GRID.numbers, 0)) == {START: ()}

    def test_of_equal_paths_the_lowest_numbers_win(self) -> None:
        found = everywhere(dict.fromkeys(GRID.numbers, 1))
        assert found["0402"] == ("0302", "0402")  # 0303 lies between as well


class TestNodes:
    """A node is more than a hex: it tells ways to be there apart, and each is followed for itself."""

    def test_a_longer_way_with_a_better_future_is_kept(self) -> None:
        well = "0102"

        def onward(node: tuple[str, bool], path: Path) -> Iterator[tuple[str, tuple[str, bool], int]]:
            """Who has not been at the well ends in 0302."""
            at, watered = node
            if at != "0302" or watered:
                yield from ((to, (to, watered or to == well), 1) for to in GRID.adjacent(at))

        found = dict(cheapest((START, False), onward))
        assert found["0302", False] == ("0302",)
        assert found["0302", True] == ("0102", "0201", "0302")
        assert found["0401", True] == ("0102", "0201", "0301", "0401")


class TestWays:
    """The cost of the way to the nearest goal is that of the cheapest path to it."""

    @given(costs)
    def test_to_one_goal(self, costs: dict[str, int]) -> None:
        """Where every step costs 1, way and path are as long as each other."""
        open_hexes = {at: min(cost, 1) for at, cost in costs.items()}
        found = ways({START: 0}, lambda at: [to for to in GRID.adjacent(at) if costs[to]], lambda at: 1)
        lengths = {at: len(path) for at, path in everywhere(open_hexes).items()}
        assert found == lengths

    def test_to_the_nearer_goal_by_what_each_costs(self) -> None:
        """In a row of hexes 0101, 0201, 0301, 0401 the second costs 5 to enter."""
        row = Grid(1, 4, 1, 1, "even")
        found = ways({"0101": 1, "0401": 3}, row.adjacent, lambda at: 5 if at == "0201" else 1)
        assert found == {"0101": 1, "0201": 2, "0301": 4, "0401": 3}
