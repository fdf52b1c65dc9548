"""Cheapest paths over hex numbers, under any game's rules of movement.

A path lists the hexes entered: the starting hex is not in it, its last hex is where it ends. A game puts
into a *node* what its rules must know of a path to judge its next step (its hex, whether it kept to roads,
which guns have fired). Of two paths to the same node only the better is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import TypeAlias, TypeVar

Path: TypeAlias = tuple[str, ...]

N = TypeVar("N", bound=Hashable)


def cheapest(start: N, onward: Callable[[N, Path], Iterable[tuple[str, N, int]]]) -> Iterator[tuple[N, Path]]:
    """Every node that can be reached, `start` first, each with its best path, the cheapest paths first.

    `onward` gives the steps from a node and the best path to it: the hex entered, the node this
    leads to, and what the step costs, at least 1. The best path costs least; of equal ones it is the one with
    the lowest hex numbers, compared hex by hex.
    """
    ahead: list[tuple[int, Path, N]] = [(0, (), start)]
    reached: set[N] = set()
    while ahead:
        cost, path, node = heappop(ahead)
        if node in reached:
            continue
        reached.add(node)
        yield node, path
        for to, beyond, step in onward(node, path):
            if beyond not in reached:
                heappush(ahead, (cost + step, (*path, to), beyond))


def ways(
    goals: Mapping[str, int], around: Callable[[str], Iterable[str]], enter: Callable[[str], int]
) -> dict[str, int]:
    """The cost of the cheapest way from every hex to any of some goals; `goals` has the cost of each goal.

    `around` gives the hexes from which a hex can be entered, `enter` the cost of entering it.
    """
    ahead = [(cost, goal) for goal, cost in goals.items()]
    costs: dict[str, int] = {}
    while ahead:
        cost, at = heappop(ahead)
        if at not in costs:
            costs[at] = cost
            for near in around(at):
                if near not in costs:
                    heappush(ahead, (cost + enter(at), near))
    return costs
