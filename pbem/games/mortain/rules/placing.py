"""Good places for the US units: the line that they hold, and ways to place them (M2.1) on any map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pbem.core.requests import Orders
from pbem.games.mortain.rules.setup import units_to_place
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.terms.setting import GERMAN, Setting

HexPreference: TypeAlias = Callable[[str], tuple[int, ...]]
"""A sort key for hexes: the lowest is the best."""


def placements(state: State) -> Iterator[Orders]:
    """Some placements, each with one unit to a hex, then in pairs; some may be illegal."""
    setting = state.setting
    units = units_to_place(setting)
    allowed = [at for at in setting.grid.numbers if setting.grid.column(at) != setting.east]
    for liking in _hex_preferences(state):
        hexes = sorted(allowed, key=liking)
        for each in (1, 2):
            yield [{"place": {name: hexes[number // each % len(hexes)] for number, name in enumerate(units)}}]


def _hex_preferences(state: State) -> list[HexPreference]:
    """Hold the line, block the exit, seek cover, seek hills, go forward."""
    setting = state.setting
    grid, held = setting.grid, line_to_hold(state)

    def cover(at: str) -> int:
        return -setting.cover[at]

    def off_centre(at: str) -> int:
        return abs(2 * grid.column(at) - setting.west - setting.east)

    return [
        lambda at: (at not in held, cover(at)),
        lambda at: (grid.column(at), cover(at)),
        lambda at: (cover(at), off_centre(at)),
        lambda at: (setting.terrain[at] != "hill", off_centre(at)),
        lambda at: (-grid.column(at), cover(at)),
    ]


def line_to_hold(state: State) -> list[str]:
    """The hexes that the US should hold: the column with most cover in its half, west of all Germans."""
    setting = state.setting
    grid = setting.grid
    middle = (setting.west + setting.east) // 2
    germans = [grid.column(state.at(name)) for name in state.field(GERMAN)]
    last = max(setting.west, min([middle, *(column - 1 for column in germans)]))
    best = max(range(setting.west, last + 1), key=lambda column: _column_cover(setting, column))
    return list(setting.columns[best])


def _column_cover(setting: Setting, column: int) -> int:
    """The value of holding a column: its terrain modifiers, and its hills for their range."""
    terrain = [setting.terrain[at] for at in setting.columns[column]]
    return sum(setting.modifiers[kind] for kind in terrain) + terrain.count("hill")
