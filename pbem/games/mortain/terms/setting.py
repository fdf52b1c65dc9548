"""The setting of a game of Mortain: options, map and counters, lines of sight (M5.2, M5.3), names of sides.

See `data/` and RULES.md.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal, TypeAlias

import msgspec

from pbem.core.hexes import Grid, between
from pbem.core.sides import Side
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")


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
        """M5.3: the hex that blocks the line of sight between two hexes, or those on both sides of it.

        Empty if there is none; nothing off the map blocks it.
        """
        if (a, b) not in self._blocked:
            self._blocked[a, b] = self._find_blocking(a, b)
        return self._blocked[a, b]

    def field(self, at: str) -> frozenset[str]:
        """M5.2, M5.3: the hexes in range and in sight of a unit in a hex."""
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


PACKAGE = "pbem.games.mortain"
"""The package that contains the game's `data/`."""

GERMAN, US = "german", "us"
SEATS = (GERMAN, US)


def enemy(seat: str) -> str:
    """The other seat."""
    return US if seat == GERMAN else GERMAN


Kind = Literal["tank", "infantry", "gun"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All the options in RULES.md; an edition is a preset of them."""

    activation_rounding: Literal["up", "down", "down_at_least_one"]
    early_joker: Literal["ends_turn", "until_both_activated", "until_both_could"]
    tiger_free: Literal["stacked", "with_another", "always"]
    support_costs: Literal["activation", "one_unit"]
    support_target: Literal["unit", "hex", "chosen"]
    east_column: Literal["german_only", "open"]
    los_edge: Literal["both_block", "either_blocks"]
    turns: Annotated[int, msgspec.Meta(ge=1)]
    exits_to_win: Annotated[int, msgspec.Meta(ge=1)]


class Factors(msgspec.Struct, frozen=True):
    """The anti-tank and anti-infantry factors on one face of a counter."""

    at: int
    ai: int


class Counter(msgspec.Struct, frozen=True):
    """A unit as printed (M1.1). It starts on the `map` (M2.1), or enters from turn `arrives` on (M2.2)."""

    name: str
    side: str
    kind: Kind
    full: Factors
    reduced: Factors
    starts: Literal["map", "west", "east"]
    arrives: int
    tiger: bool


class Setting(msgspec.Struct, frozen=True, dict=True):
    """Options, counters in the scenario's order, map, terrain of every hex, and strengths of support.

    `roads` holds each link between two hexes once.
    """

    options: Options
    counters: dict[str, Counter]
    grid: Grid
    terrain: dict[str, str]
    labels: dict[str, str]
    modifiers: dict[str, int]
    artillery: int
    air: int
    roads: tuple[tuple[str, str], ...]

    @cached_property
    def armies(self) -> dict[str, tuple[str, ...]]:
        """The units of each side, in the scenario's order."""
        return {
            side: tuple(name for name, counter in self.counters.items() if counter.side == side)
            for side in SEATS
        }

    @cached_property
    def tiger(self) -> str:
        """The name of Tiger 102, of which a scenario has exactly one (M1.1)."""
        return next(name for name, counter in self.counters.items() if counter.tiger)

    @cached_property
    def stacking(self) -> dict[str, tuple[str, ...]]:
        """M4.2: the units of each side that count for stacking: all but Tiger 102."""
        return {
            side: tuple(name for name in army if name != self.tiger) for side, army in self.armies.items()
        }

    @cached_property
    def columns(self) -> dict[int, tuple[str, ...]]:
        """The hexes of each column, from the north."""
        found: dict[int, tuple[str, ...]] = {}
        for at in self.grid.numbers:
            column = self.grid.column(at)
            found[column] = (*found.get(column, ()), at)
        return found

    @cached_property
    def cover(self) -> dict[str, int]:
        """M5.5: the terrain modifier of every hex."""
        return {at: self.modifiers[kind] for at, kind in self.terrain.items()}

    @property
    def west(self) -> int:
        """The westernmost column: the German exit, the entry of CCA, CCB and CCR."""
        return self.grid.first_column

    @property
    def east(self) -> int:
        """The easternmost column: the German entry."""
        return self.grid.last_column

    @cached_property
    def sight(self) -> Sight:
        """M5.2, M5.3: the ranges and lines of sight."""
        return Sight(self.grid, self.terrain, self.options.los_edge)


SIDES = {
    GERMAN: Side(
        name=tr.sense("name of a side", "German"),
        the=tr("the Germans"),
        of=tr("of the Germans"),
        to=tr("to the Germans"),
        many=True,
    ),
    US: Side(
        name=tr.sense("name of a side", "US"),
        the=tr("the Americans"),
        of=tr("of the Americans"),
        to=tr("to the Americans"),
        many=True,
    ),
}
"""The names of each side in sentences (M1)."""
