"""Ready-made set-ups (R2), and ways to place the counters of any scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml

from pbem.core.requests import Orders
from pbem.core.rules import Chooser
from pbem.errors import IllegalOrder
from pbem.games.rommel import setup
from pbem.games.rommel.setting import other
from pbem.games.rommel.setup import Board
from pbem.games.rommel.state import State

SPREAD = "spread"
"""The set-up that fits every scenario: counters as near to the enemy's zone as there is room."""


@cache
def _written() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The set-ups of `data/setups.yaml`: by name and question, the hex of each counter."""
    text = (files("pbem.games.rommel") / "data" / "setups.yaml").read_text("utf-8")
    setups: Mapping[str, Mapping[str, Mapping[str, str]]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return setups


def names(state: State) -> tuple[str, ...]:
    """The set-ups that answer the question `state.step`, which is one of the set-up."""
    return (*(name for name in _written() if _fits(state, name)), SPREAD)


def placement(state: State, name: str) -> Orders:
    """The whole answer that a set-up gives. Raises `IllegalOrder` for one that is not among `names`."""
    if name == SPREAD:
        return spread(state)
    if name not in names(state):
        expected = " or ".join(names(state))
        raise IllegalOrder(setup.RULE[state.step], f"found no set-up '{name}' here, expected {expected}")
    return [{"place": dict(_written()[name][state.step])}]


def _fits(state: State, name: str) -> bool:
    """Whether a set-up covers the question and is legal as things stand, in a scenario of one's own too."""
    hexes = _written()[name].get(state.step)
    if hexes is None:
        return False
    try:
        setup.read(state, [{"place": dict(hexes)}])
    except IllegalOrder:
        return False
    return True


def scattered(state: State, chooser: Chooser) -> Orders:
    """A legal placement by chance, in any scenario."""
    must, choice, number = setup.wanted(state)
    return _placed(state, (*must, *chooser.sample(choice, number)), chooser.choice)


def spread(state: State) -> Orders:
    """A legal placement in any scenario: near the enemy's zone, what walks in front of what drives."""
    must, choice, number = setup.wanted(state)
    grid, enemy = state.setting.grid, sorted(state.setting.zones[other(setup.side(state))])
    front = {at: min(grid.distance(at, there) for there in enemy) for at in grid.numbers}
    named = sorted((*must, *choice[:number]), key=lambda name: state.counter(name).movement)
    return _placed(state, named, lambda hexes: min(hexes, key=lambda at: (front[at], at)))


def _placed(state: State, named: Sequence[str], choose: Callable[[Sequence[str]], str]) -> Orders:
    """Each counter in turn on one of the hexes that are left for it; a scenario has room for all (R2.4)."""
    board = Board(state)
    hexes = {}
    for name in named:
        hexes[name] = choose([at for at in board.hexes(name) if board.fault(name, at) is None])
        board.put(name, hexes[name])
    return [{"place": hexes}]
