"""Ways to place the US units (M2.1) that make sense on any map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pbem.core.requests import Orders
from pbem.games.mortain.setting import Setting
from pbem.games.mortain.setup import to_place

Liking: TypeAlias = Callable[[str], tuple[int, ...]]
"""What one looks for in a hex: the lowest comes first."""


def placements(setting: Setting) -> Iterator[Orders]:
    """Some placements, each spread out one unit to a hex, then in pairs; not all need be legal."""
    units = to_place(setting)
    allowed = [at for at in setting.grid.numbers if setting.grid.column(at) != setting.east]
    for liking in _likings(setting):
        hexes = sorted(allowed, key=liking)
        for each in (1, 2):
            yield [{"place": {name: hexes[number // each % len(hexes)] for number, name in enumerate(units)}}]


def _likings(setting: Setting) -> list[Liking]:
    """Block the way in the west or in the middle, seek cover, seek hills, go forward."""
    grid = setting.grid
    middle = (grid.first_column + grid.last_column) // 2

    def cover(at: str) -> int:
        return -setting.modifiers[setting.terrain[at]]

    return [
        lambda at: (grid.column(at) - grid.first_column, cover(at)),
        lambda at: (abs(grid.column(at) - middle + 1), cover(at)),
        lambda at: (cover(at), abs(grid.column(at) - middle)),
        lambda at: (setting.terrain[at] != "hill", abs(grid.column(at) - middle)),
        lambda at: (grid.last_column - grid.column(at), cover(at)),
    ]
