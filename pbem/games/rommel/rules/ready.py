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
from pbem.games.rommel.terms.setting import PACKAGE, other_side
from pbem.games.rommel.terms.typed import order_words
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

SPREAD = "spread"
"""The set-up that fits every scenario: counters as near to the enemy's zone as possible."""


@cache
def _shipped_set_ups() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The set-ups of `data/setups.yaml`: by name and question, the hex of each counter."""
    setups: Mapping[str, Mapping[str, Mapping[str, str]]] = data_of(PACKAGE, "setups")
    return setups


def ready_names(state: State) -> tuple[str, ...]:
    """The names of the set-ups that answer the set-up question `state.step`."""
    wanted = setup.placement_needs(state).all
    fitting = (
        name
        for name, hexes in _shipped_set_ups().items()
        if any(counter in wanted for counter in hexes.get(state.step, ()))
    )
    return (*fitting, SPREAD)


def complete_names(state: State) -> tuple[str, ...]:
    """The names of set-ups with a hex for just the counters to be placed: later on, the one begun with."""
    wanted = setup.placement_needs(state)
    return tuple(
        name
        for name in ready_names(state)
        if name != SPREAD and {*wanted.must} <= _shipped_set_ups()[name][state.step].keys() <= {*wanted.all}
    )


def ready_placement(state: State, name: str) -> Orders:
    """The whole answer that a set-up gives. Raises `IllegalOrder` for one that is not among `names`.

    If its hex is taken, or not allowed, a counter goes to the nearest that is allowed; a counter that is not
    in the set-up goes to the front.
    """
    if name not in ready_names(state):
        expected = joined([order_words(known) for known in ready_names(state)], "or")
        facts = tr("there is no set-up '{name}' here: choose {expected}", name=name, expected=expected)
        raise IllegalOrder(setup.RULE[state.step], facts)
    written = _shipped_set_ups()[name][state.step] if name != SPREAD else {}
    must, choice, number = setup.placement_needs(state)
    known = [counter for counter in written if counter in choice]
    chosen = [*known, *_slowest_first(state, [one for one in choice if one not in written])][:number]
    order = [*written, *_slowest_first(state, [one for one in (*must, *chosen) if one not in written])]
    front, grid = _distances_to_front(state), state.setting.grid

    def nearest(counter: str, hexes: Sequence[str]) -> list[str]:
        """The set-up's hex for the counter, then the nearest to it; without one, the nearest to the enemy."""
        there = written.get(counter)
        if there is None or there not in grid:
            return sorted(hexes, key=lambda at: (front[at], at))
        return sorted(hexes, key=lambda at: (grid.distance(at, there), at))

    return _place_each(state, [one for one in order if one in (*must, *chosen)], nearest)


def random_placement(state: State, chooser: Chooser) -> Orders:
    """A random legal placement, in any scenario."""
    must, choice, number = setup.placement_needs(state)
    named = (*must, *chooser.sample(choice, number))

    def anywhere(counter: str, hexes: Sequence[str]) -> Sequence[str]:
        """The hexes, rotated by a random number."""
        first = chooser.choice(range(len(hexes)))
        return (*hexes[first:], *hexes[:first])

    return _place_each(state, named, anywhere)


def _slowest_first(state: State, counters: Sequence[str]) -> list[str]:
    """The counters, those with the lowest movement factor first."""
    return sorted(counters, key=lambda counter: state.counter(counter).movement)


def _distances_to_front(state: State) -> dict[str, int]:
    """The distance of every hex from the enemy's zone."""
    enemy = state.setting.zones[other_side(setup.placing_side(state))]
    return ways(dict.fromkeys(enemy, 0), state.setting.grid.adjacent, lambda at: 1)


def _place_each(
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
