"""What does not change in a game of Mortain: options, map, counters. See `data/` and RULES.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from pbem.core.hexes import Grid

GERMAN, US = "german", "us"
SEATS = (GERMAN, US)

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
    turns: int
    exits_to_win: int


@dataclass(frozen=True)
class Factors:
    """Anti-tank and anti-infantry, as on one face of a counter."""

    at: int
    ai: int


@dataclass(frozen=True)
class Counter:
    """A unit as printed (M1.1). `starts` is `map` (M2.1), `west` or `east` (M2.2); `arrives` the first turn."""

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

    @property
    def west(self) -> int:
        """The westernmost column: the German exit, the entry of CCA, CCB and CCR."""
        return self.grid.first_column

    @property
    def east(self) -> int:
        """The easternmost column: the German entry."""
        return self.grid.last_column
