"""Ready-made set-ups (R2), and ways to place the counters of any scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from pbem.core.paths import ways
from pbem.core.requests import Orders
from pbem.core.rules import Chooser
from pbem.core.sentences import joined
from pbem.core.shipped import data_of
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import setup
from pbem.games.rommel.rules.setup import Board
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import PACKAGE, other
from pbem.games.rommel.terms.typed import typed
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

SPREAD = "spread"
"""The set-up that fits every scenario: counters as near to the enemy's zone as possible."""


@cache
def _written() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The set-ups of `data/setups.yaml`: by name and question, the hex of each counter."""
    setups: Mapping[str, Mapping[str, Mapping[str, str]]] = data_of(PACKAGE, "setups")
    return setups


def names(state: State) -> tuple[str, ...]:
    """The names of the set-ups that answer the set-up question `state.step`."""
    wanted = setup.wanted(state).all
    fitting = (
        name
        for name, hexes in _written().items()
        if any(counter in wanted for counter in hexes.get(state.step, ()))
    )
    return (*fitting, SPREAD)


def whole(state: State) -> tuple[str, ...]:
    """The names of set-ups with a hex for just the counters to be placed: later on, the one begun with."""
    wanted = setup.wanted(state)
    return tuple(
        name
        for name in names(state)
        if name != SPREAD and {*wanted.must} <= _written()[name][state.step].keys() <= {*wanted.all}
    )


def placement(state: State, name: str) -> Orders:
    """The whole answer that a set-up gives. Raises `IllegalOrder` for one that is not among `names`.

    If its hex is taken, or not allowed, a counter goes to the nearest that is allowed; a counter that is not
    in the set-up goes to the front.
    """
    if name not in names(state):
        expected = joined([typed(known) for known in names(state)], "or")
        facts = tr("there is no set-up '{name}' here: choose {expected}", name=name, expected=expected)
        raise IllegalOrder(setup.RULE[state.step], facts)
    written = _written()[name][state.step] if name != SPREAD else {}
    must, choice, number = setup.wanted(state)
    known = [counter for counter in written if counter in choice]
    chosen = [*known, *_by_speed(state, [one for one in choice if one not in written])][:number]
    order = [*written, *_by_speed(state, [one for one in (*must, *chosen) if one not in written])]
    front, grid = _front(state), state.setting.grid

    def nearest(counter: str, hexes: Sequence[str]) -> list[str]:
        """The set-up's hex for the counter, then the nearest to it; without one, the nearest to the enemy."""
        there = written.get(counter)
        if there is None or there not in grid:
            return sorted(hexes, key=lambda at: (front[at], at))
        return sorted(hexes, key=lambda at: (grid.distance(at, there), at))

    return _placed(state, [one for one in order if one in (*must, *chosen)], nearest)


def scattered(state: State, chooser: Chooser) -> Orders:
    """A random legal placement, in any scenario."""
    must, choice, number = setup.wanted(state)
    named = (*must, *chooser.sample(choice, number))

    def anywhere(counter: str, hexes: Sequence[str]) -> Sequence[str]:
        """The hexes, rotated by a random number."""
        first = chooser.choice(range(len(hexes)))
        return (*hexes[first:], *hexes[:first])

    return _placed(state, named, anywhere)


def _by_speed(state: State, counters: Sequence[str]) -> list[str]:
    """The counters, those with the lowest movement factor first."""
    return sorted(counters, key=lambda counter: state.counter(counter).movement)


def _front(state: State) -> dict[str, int]:
    """The distance of every hex from the enemy's zone."""
    enemy = state.setting.zones[other(setup.side(state))]
    return ways(dict.fromkeys(enemy, 0), state.setting.grid.adjacent, lambda at: 1)


def _placed(
    state: State, named: Sequence[str], preferred: Callable[[str, Sequence[str]], Sequence[str]]
) -> Orders:
    """Place each counter in turn on the first of its preferred hexes that is allowed.

    A scenario has room for all (R2.4).
    """
    board = Board(state)
    hexes = {}
    for name in named:
        ahead = preferred(name, board.hexes(name))
        hexes[name] = next(at for at in ahead if board.fault(name, at) is None)
        board.put(name, hexes[name])
    return [{"place": hexes}]
