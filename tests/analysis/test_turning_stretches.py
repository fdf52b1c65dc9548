"""Where a game turned: against chances that are known, and intervals done by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

import pytest

from pbem.analysis.playouts import Draws
from pbem.analysis.statistics import Estimate
from pbem.analysis.turning_points import Stretch, clearest_change, find_stretches


def found(chances: Sequence[float], deviation: float = 0.01) -> tuple[Stretch, ...]:
    """The stretches of a game whose chances are known, each as well as the others."""

    def weigh(weights: Iterable[tuple[int, float]]) -> Estimate:
        sums: dict[int, float] = {}
        for at, weight in weights:
            sums[at] = sums.get(at, 0) + weight
        mean = sum(weight * chances[at] for at, weight in sums.items())
        return Estimate(mean, deviation * sqrt(sum(weight**2 for weight in sums.values())))

    steps = [Draws(at, (), ()) for at in range(len(chances) - 1)]
    return find_stretches(steps, [weigh([(at, 1)]) for at in range(len(chances))], ("one", "other"), weigh)


def test_a_climb_a_fall_and_a_jump() -> None:
    """Level, 40 points up in ten steps, level, 20 down in five, level, and 30 in a single one."""
    climb = [0.4 + 0.04 * step for step in range(11)]
    fall = [0.8 - 0.04 * step for step in range(6)]
    chances = [*[0.4] * 10, *climb, *[0.8] * 10, *fall, *[0.6] * 10, 0.9, 0.9]
    told = found(chances)
    assert [(one.first, one.last) for one in told] == [(10, 19), (46, 46), (31, 35)]
    assert [one.change.mean for one in told] == pytest.approx([0.4, 0.3, -0.2])
    assert [one.key_step for one in told] == [None, 46, None], "of equal steps none is the greatest"
    assert all(one.luck.mean == pytest.approx(one.change.mean) for one in told), "nobody decides here"


def test_one_step_stands_out_of_a_climb() -> None:
    chances = [*[0.2] * 10, 0.25, 0.3, 0.55, 0.6, *[0.6] * 10]
    [one] = found(chances)
    assert (one.first, one.last, one.key_step) == (9, 12, 11)
    [unsure] = found(chances, deviation=0.08)
    assert unsure.key_step is None, "its interval is not clear of the others"


def test_a_slow_drift_and_noise_are_no_turn() -> None:
    """Thirty points in a whole game are less than is asked of so long a stretch; four to and fro too."""
    assert found([0.3 + 0.3 * step / 60 for step in range(61)]) == ()
    assert found([0.5 + 0.02 * (-1) ** step for step in range(40)]) == ()


def test_what_may_be_nothing_is_not_told() -> None:
    chances = [*[0.5] * 10, *[0.7] * 10]
    assert len(found(chances)) == 1
    assert found(chances, deviation=0.2) == ()


@pytest.mark.parametrize(
    ("changes", "sign", "first"),
    [
        ({1: (0.30, 0.02), 2: (0.10, 0.02)}, 1, 1),  # 0.26 and 0.14: clear
        ({1: (0.30, 0.06), 2: (0.10, 0.06)}, 1, None),  # 0.18 and 0.22
        ({1: (0.30, 0.02), 2: (-0.50, 0.02)}, 1, 1),
        ({1: (0.30, 0.02), 2: (-0.50, 0.02)}, -1, 2),
        ({1: (0.10, 0.06)}, 1, None),  # from -0.02 on: perhaps nothing
        ({}, 1, None),
    ],
)
def test_most_only_where_the_interval_is_clear(
    changes: dict[int, tuple[float, float]], sign: int, first: int | None
) -> None:
    assert clearest_change({at: Estimate(*each) for at, each in changes.items()}, sign) == first
