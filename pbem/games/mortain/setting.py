"""What does not change in a game of Mortain: options, map, counters. See `data/` and RULES.md."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from pbem.core.hexes import Grid, between

GERMAN, US = "german", "us"
SEATS = (GERMAN, US)

RANGE, RANGE_FROM_A_HILL = 2, 3

Kind = Literal["tank", "infantry", "gun"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of RULES.md, all of them; an edition is a preset of all."""

    activation_rounding: Literal["up", "down", "down_at_least_one"]
    early_joker: Literal["ends_turn", "until_both_activated", "until_both_could"]
    tiger_free: Literal["stacked", "with_another", "always"]
    support_costs: Literal["activation", "one_unit"]
    support_target: Literal["unit", "hex", "chosen"]
    east_column: Literal["german_only", "open"]
    los_edge: Literal["both_block", "either_blocks"]
    turns: Annotated[int, msgspec.Meta(ge=1)]
    exits_to_win: Annotated[int, msgspec.Meta(ge=1)]


@dataclass(frozen=True)
class Factors:
    """Anti-tank and anti-infantry, as on one face of a counter."""

    at: int
    ai: int


@dataclass(frozen=True)
class Counter:
    """A unit as printed (M1.1): `starts` is `map` (M2.1), `west` or `east` (M2.2), from turn `arrives` on."""

    name: str
    side: str
    kind: Kind
    full: Factors
    reduced: Factors
    starts: Literal["map", "west", "east"]
    arrives: int
    tiger: bool


@dataclass(frozen=True)
class Setting:
    """Options, counters in the scenario's order, map, terrain of every hex, and strengths of support."""

    options: Options
    counters: dict[str, Counter]
    grid: Grid
    terrain: dict[str, str]
    labels: dict[str, str]
    modifiers: dict[str, int]
    artillery: int
    air: int

    @cached_property
    def armies(self) -> dict[str, tuple[str, ...]]:
        """The units of each side, in the scenario's order."""
        return {
            side: tuple(name for name, counter in self.counters.items() if counter.side == side)
            for side in SEATS
        }

    @property
    def west(self) -> int:
        """The westernmost column: the German exit, the entry of CCA, CCB and CCR."""
        return self.grid.first_column

    @property
    def east(self) -> int:
        """The easternmost column: the German entry."""
        return self.grid.last_column

    def reach(self, at: str) -> int:
        """M5.2: how many hexes a unit fires from a hex."""
        return RANGE_FROM_A_HILL if self.terrain[at] == "hill" else RANGE

    def sees(self, a: str, b: str) -> bool:
        """M5.3: whether nothing between two hexes blocks the line."""
        return not self.blocked_by(a, b)

    def blocked_by(self, a: str, b: str) -> tuple[str, ...]:
        """M5.3: the hex between two that blocks the line, or those at its sides; off the map nothing does."""
        enough = all if self.options.los_edge == "both_block" else any
        for passed in between(self.grid.hex_at(a), self.grid.hex_at(b)):
            numbers = [self.grid.number(at) for at in passed]
            blocking = tuple(at for at in numbers if at is not None and self.terrain[at] != "clear")
            if enough(at in blocking for at in numbers):
                return blocking
        return ()

    @cached_property
    def fields_of_fire(self) -> dict[str, tuple[str, ...]]:
        """M5.2, M5.3: the hexes that a unit in each hex reaches and sees."""
        return {
            at: tuple(
                to
                for to in self.grid.numbers
                if 1 <= self.grid.distance(at, to) <= self.reach(at) and self.sees(at, to)
            )
            for at in self.grid.numbers
        }
