"""The possible meanings of pointing at units and at a hex: orders as typed, which the rules may refuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.requests import Plain
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, WAITING, Questions, State
from pbem.games.mortain.terms.setting import US
from pbem.games.mortain.view import words


def likely_orders(ask: Question, units: Sequence[str], at: str) -> Iterator[str]:
    """The orders that pointing at units and a hex may mean, the likeliest first; without a hex: nearby."""
    if ask.question == Questions.PLACE:
        hexes = [at] if at else ask.state.setting.grid.numbers
        found: Iterator[Plain] = ({"place": {name: near}} for near in hexes for name in units)
    elif ask.question == Questions.ACTIVATE:
        found = _orders_at_hex(ask, units, at) if at else _moves_nearby(ask.state, units)
    else:
        found = iter(())
    return (line for order in found for line in words.write([order]))


def _orders_at_hex(ask: Question, units: Sequence[str], at: str) -> Iterator[Plain]:
    """M4, M5.1, M6: attacks on the enemy in the hex, or movement there."""
    enemies = [name for name in ask.state.stack(at) if ask.state.side(name) != ask.seat]
    if units:
        yield from ({"fire": list(units), "at": name} for name in enemies)
        yield from (_movement_order(ask.state, name, at) for name in units)
    elif ask.seat == US:
        yield from ({"artillery": [name]} for name in enemies)


def _moves_nearby(state: State, units: Sequence[str]) -> Iterator[Plain]:
    """M4: movement of each unit to every adjacent hex, or onto the map."""
    grid = state.setting.grid
    for name in units:
        at = state.at(name)
        near = grid.adjacent(at) if at not in (WAITING, EXITED, ELIMINATED) else grid.numbers[:1]
        yield from (_movement_order(state, name, to) for to in near)


def _movement_order(state: State, name: str, to: str) -> Plain:
    """The order that takes a unit to a hex: a waiting unit enters."""
    return {"enter": name, "at": to} if state.at(name) == WAITING else {"move": name, "to": to}
