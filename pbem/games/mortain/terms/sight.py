"""Range and line of sight of units on a map (M5.2, M5.3)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pbem.core.hexes import Grid, between

RANGE, RANGE_FROM_A_HILL = 2, 3

EdgeRule: TypeAlias = Literal["both_block", "either_blocks"]


class Sight:
    """Lines and fields of fire, each computed when first needed."""

    def __init__(self, grid: Grid, terrain: dict[str, str], edge: EdgeRule) -> None:
        self.grid = grid
        self.terrain = terrain
        self.edge = edge
        self._blocked: dict[tuple[str, str], tuple[str, ...]] = {}
        self._fields: dict[str, frozenset[str]] = {}

    def reach(self, at: str) -> int:
        """M5.2: the range of a unit in a hex, in hexes."""
        return RANGE_FROM_A_HILL if self.terrain[at] == "hill" else RANGE

    def blocking_hexes(self, a: str, b: str) -> tuple[str, ...]:
        """M5.3: the hex between two that blocks the line of sight, or those on both sides of it, if any.

        Nothing off the map blocks it.
        """
        if (a, b) not in self._blocked:
            self._blocked[a, b] = self._find_blocking(a, b)
        return self._blocked[a, b]

    def field(self, at: str) -> frozenset[str]:
        """M5.2, M5.3: the hexes that are in range and in sight of a unit in a hex."""
        if at not in self._fields:
            near = (to for to in self.grid.numbers if 1 <= self.grid.distance(at, to) <= self.reach(at))
            self._fields[at] = frozenset(to for to in near if not self.blocking_hexes(at, to))
        return self._fields[at]

    def _find_blocking(self, a: str, b: str) -> tuple[str, ...]:
        enough = all if self.edge == "both_block" else any
        for passed in between(self.grid.hex_at(a), self.grid.hex_at(b)):
            numbers = [self.grid.number(at) for at in passed]
            blocking = tuple(at for at in numbers if at is not None and self.terrain[at] != "clear")
            if enough(at in blocking for at in numbers):
                return blocking
        return ()
