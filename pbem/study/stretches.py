"""The stretches of a game in which the chance changed most, each with what luck and decisions did to it.

One moment seldom turns a game: the playouts that could tell it from its neighbours are more than anybody
waits for. What several moments have changed together is known far better. So stretches are sought which
change the chance by more than they cost, a little for each stretch and a little for each step in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from pbem.study.estimate import Estimate
from pbem.study.moments import Decision, Draws

STRETCH_COST = 0.05
"""The change of the chance that each stretch must exceed, however short it is."""

WHOLE_GAME_COST = 0.5
"""The further change required of a stretch as long as the game; a shorter one needs its share of that."""

WeightedSum = Callable[[Iterable[tuple[int, float]]], Estimate]
"""A function: the weighted sum of chances at moments."""


class Stretch(Struct, frozen=True):
    """The steps `first` to `last`, both included: how they changed the chance, by luck and by each seat.

    `key_step` is the step that changed it most in the same direction, if it is clear of all others.
    """

    first: int
    last: int
    change: Estimate
    luck: Estimate
    decisions: dict[str, Estimate]
    key_step: int | None


def find_stretches(
    steps: Sequence[Decision | Draws], chances: Sequence[Estimate], seats: Sequence[str], weigh: WeightedSum
) -> tuple[Stretch, ...]:
    """The stretches that changed the chance significantly, the largest first."""
    all_stretches = (
        _make_stretch(steps, seats, weigh, first, end)
        for first, end in _best_spans([chance.mean for chance in chances])
    )
    return tuple(
        sorted(
            (each for each in all_stretches if each.change.is_significant),
            key=lambda each: -abs(each.change.mean),
        )
    )


def _best_spans(chances: Sequence[float]) -> list[tuple[int, int]]:
    """The stretches whose changes, less their costs, have the largest sum, found by dynamic programming."""
    long = WHOLE_GAME_COST / max(len(chances) - 1, 1)
    best, came = [0.0], [-1]
    for end in range(1, len(chances)):
        worth, first = best[-1], -1
        for begin in range(end):
            gain = best[begin] + abs(chances[end] - chances[begin]) - STRETCH_COST - long * (end - begin)
            if gain > worth:
                worth, first = gain, begin
        best.append(worth)
        came.append(first)
    parts, end = list[tuple[int, int]](), len(chances) - 1
    while end > 0:
        if came[end] >= 0:
            parts.append((came[end], end))
            end = came[end]
        else:
            end -= 1
    return parts[::-1]


def _make_stretch(
    steps: Sequence[Decision | Draws], seats: Sequence[str], weigh: WeightedSum, first: int, end: int
) -> Stretch:
    """The stretch from one moment to another."""
    inside = range(first, end)
    change = weigh([(end, 1), (first, -1)])
    return Stretch(
        first,
        end - 1,
        change,
        weigh(difference_weights(at for at in inside if isinstance(steps[at], Draws))),
        {
            seat: weigh(difference_weights(at for at in inside if deciding_seat(steps[at]) == seat))
            for seat in seats
        },
        clearest_change({at: weigh([(at + 1, 1), (at, -1)]) for at in inside}, 1 if change.mean > 0 else -1),
    )


def deciding_seat(step: Decision | Draws) -> str | None:
    """The seat that decided; None for draws."""
    return step.ask.seat if isinstance(step, Decision) else None


def difference_weights(steps: Iterable[int]) -> list[tuple[int, float]]:
    """The weights for the sum of what these steps changed."""
    return [each for at in steps for each in ((at + 1, 1.0), (at, -1.0))]


def clearest_change(changes: dict[int, Estimate], sign: int) -> int | None:
    """The key of the largest change in a direction, if its interval excludes 0 and those of all others."""
    low = {at: min(sign * bound for bound in change.interval) for at, change in changes.items()}
    high = {at: max(sign * bound for bound in change.interval) for at, change in changes.items()}
    first = max(low, key=low.__getitem__, default=None)
    if first is None or low[first] <= max([0.0, *(high[at] for at in changes if at != first)]):
        return None
    return first
