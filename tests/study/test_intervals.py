"""Wilson's interval against published figures."""

from __future__ import annotations

import pytest

from pbem.analysis.statistics import wilson_interval


@pytest.mark.parametrize(
    ("times", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_newcombe(times: int, of: int, low: float, high: float) -> None:
    """R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17
    (1998), 857-872, table I, method 3: the score method without continuity correction."""
    assert wilson_interval(times, of) == pytest.approx((low, high), abs=0.00006)


def test_is_the_same_from_the_other_side() -> None:
    low, high = wilson_interval(20, 20)
    assert (1 - high, 1 - low) == pytest.approx(wilson_interval(0, 20))
    assert high == 1.0


def test_nothing_counted_says_nothing() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
