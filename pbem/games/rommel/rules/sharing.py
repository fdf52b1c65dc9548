"""R9: sides shared by nationality: among how many, and whose units an order commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.core.requests import Plain
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.printed import SIDE_OF_NATION
from pbem.games.rommel.terms.setting import SEATS

NATIONS_OF_SEAT: Mapping[str, tuple[str, ...]] = {
    seat: tuple(nation for nation, side in SIDE_OF_NATION.items() if side == seat) for seat in SEATS
}
"""R9.1: the nationalities of each side, each of which may have a commander of its own."""

MOST_COMMANDERS = 2
"""R9.2: how many commanders there may be beside the two leads, both sides together."""

_UNIT_KEYS = ("place", "land", "move", "fly", "bomb", "fire", "attack", "dogfight", "units")
"""The keys of orders (R10) whose values name the units that carry them out."""


def nations_ordered(state: State, order: Plain) -> frozenset[str]:
    """R9.1: the nationalities whose units an order commands; none if it names no unit, like a pass."""
    named = [name for key in _UNIT_KEYS if key in order for name in _units_in(order[key])]
    counters = state.setting.counters
    return frozenset(counters[name].nation for name in named if name in counters)


def _units_in(value: Plain) -> Iterable[str]:
    """The units in a name, a list of names, or a mapping from names to hexes."""
    if isinstance(value, str):
        return [value]
    return [name for name in value if isinstance(name, str)] if isinstance(value, (list, dict)) else []
