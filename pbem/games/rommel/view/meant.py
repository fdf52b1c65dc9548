"""The possible meanings of pointing at units and at a hex: orders as typed, which the rules may refuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.typed import AT, ON, TO
from pbem.games.rommel.view.facts import order_text


def likely_orders(ask: Question, units: Sequence[str], at: str) -> Iterator[str]:
    """The orders that pointing at units and a hex may mean, the likeliest first; without a hex: nearby."""
    state = ask.state
    hexes = [at] if at else [near for name in units for near in _hexes_near(state, name)]
    match ask.question:
        case Phase.AIR:
            if at and units:
                yield from (
                    order_text(f"dogfight {' '.join(units)} {ON} {on}") for on in _enemies(ask, at, units)
                )
            yield from (order_text(f"fly {name} {TO} {to}") for to in hexes for name in units)
        case Phase.MOVE:
            yield from (order_text(f"move {name} {TO} {to}") for to in hexes for name in units)
        case Phase.FIRE:
            yield from (
                order_text(f"fire {name} {AT} {on}") for on in _enemies(ask, at, units) for name in units
            )
        case Phase.COMBAT:
            yield from (
                order_text(f"attack {' '.join(units)} {ON} {on}") for on in _enemies(ask, at, units) if units
            )
        case _:
            yield from (order_text(f"place {name} {to}") for to in hexes for name in units)


def _hexes_near(state: State, name: str) -> Sequence[str]:
    """The hexes next to a unit; for one that is off the map any hex, since none is near."""
    grid = state.setting.grid
    lies = name in state.units and state.on_map(name)  # fortifications are not in `units`
    return grid.adjacent(state.at(name)) if lies else grid.numbers[:1]


def _enemies(ask: Question, at: str, units: Sequence[str]) -> Iterator[str]:
    """The enemies in a hex; without one, all enemies on the map, the nearest first."""
    state = ask.state
    here = next((state.at(name) for name in units if name in state.units and state.on_map(name)), "")
    if at:
        found = [*([state.ground[at]] if at in state.ground else []), *state.sky.get(at, ())]
    else:
        found = [name for name in state.units if state.on_map(name)]
        if here:  # near enemies are more likely
            found.sort(key=lambda name: state.setting.grid.distance(state.at(name), here))
    return (name for name in found if state.side(name) != ask.seat)
