"""M2, the set-up: the US player places the units that start on the map; all others wait.

It also has good places for these units on any map, along the line they should hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from pbem.core.requests import Ask, Orders, Tell
from pbem.core.sentences import listed
from pbem.errors import IllegalOrder, Unfinished
from pbem.games.mortain.rules import events
from pbem.games.mortain.rules.activation import check_known
from pbem.games.mortain.rules.movement import MOST_IN_A_HEX, describe_overstacking
from pbem.games.mortain.rules.orders import Place, read_placement
from pbem.games.mortain.rules.state import UNPLACED, WAITING, Questions, State, Step, Unit
from pbem.games.mortain.terms.cards import DECK
from pbem.games.mortain.terms.setting import GERMAN, US, Setting
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")


def first_state(setting: Setting) -> State:
    """M1.2, M2: every unit on its full face, five US units to be placed, all others waiting."""
    units = {
        name: Unit(UNPLACED if counter.starts == "map" else WAITING)
        for name, counter in setting.counters.items()
    }
    return State(setting=setting, step=Step.SET_UP, turn=1, deck=DECK, units=units)


def units_to_place(setting: Setting) -> tuple[str, ...]:
    """M2.1: the units that the US player places, in the scenario's order."""
    return tuple(name for name in setting.armies[US] if setting.counters[name].starts == "map")


async def set_up(state: State) -> State:
    """M2.1: the US player places the units."""
    place = await Ask(state, "M2.1", US, Questions.PLACE, partial(read, state))
    for name in units_to_place(state.setting):
        state = state.with_unit_at(name, place.hexes[name])
    await Tell(state, "M2.1", events.Placed(place.hexes))
    return replace(state, step=Step.SHUFFLE)


def read(state: State, orders: Orders) -> Place:
    """M2.1: parse the answer to `place`. Raises `IllegalOrder`."""
    place = read_placement(state.setting.grid, orders)
    for name in place.hexes:
        check_known(state, US, name)
    check(state.setting, place)
    return place


def check(setting: Setting, place: Place) -> None:
    """M2.1: check that each unit is placed once, none in the easternmost column, at most two in a hex."""
    units = units_to_place(setting)
    for name, at in place.hexes.items():
        if name not in units:
            raise IllegalOrder("M2.1", tr("{unit} starts off the map and cannot be placed (M2.2)", unit=name))
        if setting.grid.column(at) == setting.east:
            facts = tr("{unit} may not be placed on {hex}, in the easternmost column", unit=name, hex=at)
            raise IllegalOrder("M2.1", facts)
    for at, number in Counter(place.hexes.values()).items():
        if number > MOST_IN_A_HEX:
            names = [name for name in units if place.hexes.get(name) == at]
            raise IllegalOrder("M2.1", describe_overstacking(US, at, names))
    missing = [name for name in units if name not in place.hexes]
    if missing:
        facts = tr("still to place: {units}; all five units must be set up", units=listed(missing))
        raise Unfinished("M2.1", facts)


HexPreference: TypeAlias = Callable[[str], tuple[int, ...]]
"""A sort key for hexes: the lowest is best."""


def placements(state: State) -> Iterator[Orders]:
    """Some placements, each with one unit per hex, then in pairs; some can be illegal."""
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
    """The hexes the US should hold: the column with the most cover in its half, west of all Germans."""
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
