"""Cheapest paths over hex numbers, under whatever rules of movement a game has.

A path lists the hexes entered: the starting hex is not in it, its last hex is where it ends. What a game's
rules must know of a path to judge its next step (its hex, whether it kept to roads, which guns have fired)
it puts into a *node*. Of two paths to the same node only the better is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heappop, heappush
from typing import TypeAlias, TypeVar

Path: TypeAlias = tuple[str, ...]

N = TypeVar("N", bound=Hashable)


def cheapest(start: N, onward: Callable[[N, Path], Iterable[tuple[str, N, int]]]) -> Iterator[tuple[N, Path]]:
    """Every node that can be reached, `start` first, each with its best path: the best paths come first.

    `onward` gives the steps from a node and the best path to it: the hex entered, the node this
    leads to, and what the step costs, at least 1. The best path costs least; of equal ones it is the one with
    the lowest hex numbers, compared hex by hex.
    """
    ahead: list[tuple[int, Path, N]] = [(0, (), start)]
    found: set[N] = set()
    while ahead:
        cost, path, node = heappop(ahead)
        if node in found:
            continue
        found.add(node)
        yield node, path
        for to, beyond, step in onward(node, path):
            if beyond not in found:
                heappush(ahead, (cost + step, (*path, to), beyond))
