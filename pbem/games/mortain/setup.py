"""M2: the US player places the units that start on the map."""

from __future__ import annotations

from collections import Counter

from pbem.core.requests import Orders
from pbem.errors import IllegalOrder
from pbem.games.mortain.activation import check_known
from pbem.games.mortain.facts import counted, listed
from pbem.games.mortain.movement import MOST_IN_A_HEX
from pbem.games.mortain.orders import Place, read_placement
from pbem.games.mortain.setting import US, Setting
from pbem.games.mortain.state import State


def to_place(setting: Setting) -> tuple[str, ...]:
    """M2.1: the units that the US player places, in the scenario's order."""
    return tuple(name for name in setting.armies[US] if setting.counters[name].starts == "map")


def read(state: State, orders: Orders) -> Place:
    """M2.1: the answer to `place`. Raises `IllegalOrder`."""
    place = read_placement(state.setting.grid, orders)
    for name in place.hexes:
        check_known(state, US, name)
    check(state.setting, place)
    return place


def check(setting: Setting, place: Place) -> None:
    """M2.1: each unit once, none in the easternmost column, at most two to a hex."""
    units = to_place(setting)
    for name, at in place.hexes.items():
        if name not in units:
            raise IllegalOrder("M2.1", f"{name} is not placed; it waits off the map (M2.2)")
        if setting.grid.column(at) == setting.east:
            raise IllegalOrder("M2.1", f"{name} may not be placed on {at}, in the easternmost column")
    missing = [name for name in units if name not in place.hexes]
    if missing:
        raise IllegalOrder(
            "M2.1", f"no hex for {listed(missing)}; all {counted(len(units), 'unit')} are placed"
        )
    for at, number in Counter(place.hexes.values()).items():
        if number > MOST_IN_A_HEX:
            names = [name for name in units if place.hexes[name] == at]
            raise IllegalOrder("M2.1", f"{counted(number, 'unit')} in {at} ({listed(names)}); at most two")


def placed(state: State, place: Place) -> State:
    """The state with the units on their hexes."""
    for name in to_place(state.setting):
        state = state.moved(name, place.hexes[name])
    return state
