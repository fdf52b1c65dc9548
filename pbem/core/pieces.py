"""The part of the state common to games with counters on a map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

C = TypeVar("C")


class Pieces(Struct, Generic[C], frozen=True):
    """A state with units: `setting` holds their counters `C` and the grid, `units` the place of each.

    A game's state declares both again, with its own types.
    """

    setting: Any
    units: Mapping[str, Any]

    def counter(self, name: str) -> C:
        """The counter of a unit, as printed."""
        counter: C = self.setting.counters[name]
        return counter

    def side(self, name: str) -> str:
        """The seat a unit belongs to."""
        side: str = self.setting.counters[name].side
        return side

    def at(self, name: str) -> str:
        """The place of a unit: its hex, or the game's word for a place off the map."""
        at: str = self.units[name].at
        return at

    def on_map(self, name: str) -> bool:
        """Whether a unit is in a hex of the map."""
        return self.units[name].at in self.setting.grid
