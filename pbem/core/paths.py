"""Cheapest paths between numbered hexes, under any game's movement rules.

A path lists the hexes entered, from the first step to the last; the starting hex is not in it. A *node* holds
what the rules must know about a path to judge its next step: its hex, whether it kept to roads, which guns
have fired. Of two paths to the same node only the better is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import TypeAlias, TypeVar

Path: TypeAlias = tuple[str, ...]
"""The hexes entered, in order."""

N = TypeVar("N", bound=Hashable)


def cheapest(start: N, onward: Callable[[N, Path], Iterable[tuple[str, N, int]]]) -> Iterator[tuple[N, Path]]:
    """Every reachable node with its best path, `start` first, the cheapest paths first.

    `onward` yields the steps from a node and the best path to it: the hex entered, the node it leads to, and
    the cost, at least 1. The best path is the cheapest; of equal ones, the one with the lowest hex numbers,
    compared hex by hex.
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
    """The cost of the cheapest way from each hex to any goal; `goals` maps each goal to its own cost.

    `around` gives the hexes a hex can be entered from, `enter` the cost of entering it.
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
