"""The statistics: Wilson's interval, and what playouts say of the chances along a game.

Against published figures, sums done by hand, and chances that are known.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, log, log10, sqrt
from random import Random

import pytest

from pbem.analysis.statistics import (
    EXACT_VARIANCE,
    Estimate,
    GaussianChain,
    PlayoutSums,
    rate_players,
    rounded_ratings,
    wilson_interval,
)
from pbem.core.rules import Match


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


def pair(*results: tuple[float, float]) -> PlayoutSums:
    """Playouts before and after a decision."""
    made = PlayoutSums()
    for before, after in results:
        made.add(before, after)
    return made


class TestByHand:
    """Normal variables add up by their precisions, the inverse of their variances."""

    def test_one_moment(self) -> None:
        """Half, with a variance of 1/4, and 12 won of 16, each of 1/4: 4 and 64 are 68, 2 and 48 50."""
        chain = GaussianChain([], [0.5], 0)
        chain.add_playouts(0, pair(*[(1.0, 1.0)] * 12, *[(0.0, 0.0)] * 4))
        found = chain.weighted_sum([(0, 1)])
        assert found.mean == pytest.approx(50 / 68)
        assert found.deviation == pytest.approx(1 / sqrt(68))

    def test_a_step_that_may_change_the_chance_widens_it(self) -> None:
        """One free step, one to come: it has half of a quarter; 1/4 known before and 1/8 more after."""
        chain = GaussianChain([True], [0.5, 0.5], 1)
        before, after, step = (chain.weighted_sum(w) for w in ([(0, 1)], [(1, 1)], [(1, 1), (0, -1)]))
        assert (before.mean, after.mean) == pytest.approx((0.5, 0.5))
        assert [each.deviation**2 for each in (before, after, step)] == pytest.approx([1 / 4, 3 / 8, 1 / 8])

    def test_what_is_seen_after_a_step_tells_of_before(self) -> None:
        """The chance after is known to be 1: before, 1/2 with precision 4, and 1 with that of the step, 4."""
        chain = GaussianChain([True], [0.5, 0.5], 0)
        chain.add_known(1, 1.0, EXACT_VARIANCE)
        assert chain.weighted_sum([(0, 1)]).mean == pytest.approx(3 / 4)
        assert chain.weighted_sum([(0, 1)]).deviation ** 2 == pytest.approx(1 / 8)
        assert chain.weighted_sum([(1, 1), (0, -1)]).mean == pytest.approx(1 / 4)

    def test_what_changes_nothing_passes_all_on(self) -> None:
        chain = GaussianChain([False, False], [0.5] * 3, 0)
        chain.add_playouts(2, pair(*[(1.0, 1.0)] * 12, *[(0.0, 0.0)] * 4))
        assert chain.weighted_sum([(0, 1)]).mean == pytest.approx(50 / 68, abs=1e-6)

    def test_pairs_that_go_alike_tell_more_of_the_step(self) -> None:
        """The same 50 of 100 won before and 60 after: as one seed each, or without regard to the seeds."""
        alike = pair(*[(1.0, 1.0)] * 50, *[(0.0, 1.0)] * 10, *[(0.0, 0.0)] * 40)
        apart = pair(*[(1.0, 1.0)] * 30, *[(1.0, 0.0)] * 20, *[(0.0, 1.0)] * 30, *[(0.0, 0.0)] * 20)
        found: list[Estimate] = []
        for pairs in (alike, apart):
            chain = GaussianChain([True], [0.5, 0.5], 0)
            chain.add_paired_playouts(0, pairs)
            found.append(chain.weighted_sum([(1, 1), (0, -1)]))
        assert found[0].deviation < found[1].deviation / 1.5
        assert found[0].mean == pytest.approx(0.1, abs=0.01)
        assert found[0].is_significant
        assert not found[1].is_significant


def walk(steps: int, chooser: Random) -> list[Fraction]:
    """Who tosses more heads than tails, an odd number of times, wins: the exact chance after each toss."""
    ahead, chances = 0, []
    for left in range(steps, -1, -1):
        good = sum(comb(left, heads) for heads in range(left + 1) if ahead + 2 * heads - left > 0)
        chances.append(Fraction(good, 2**left))
        ahead += chooser.choice((-1, 1))
    return chances


def estimated(true: list[Fraction], chooser: Random) -> GaussianChain:
    """What 12 playouts from each moment but the last say of these chances."""
    steps = len(true) - 1
    results = [[float(chooser.random() < chance) for _ in range(12)] for chance in true[:-1]]
    rough = [0.5] * (steps + 1)
    for _ in range(2):
        chain = GaussianChain([True] * steps, rough, 0)
        for at, won in enumerate(results):
            chain.add_playouts(at, pair(*((one, one) for one in won)))
        chain.add_known(steps, float(true[-1]), EXACT_VARIANCE)
        rough = [chain.weighted_sum([(at, 1)]).cautious_mean for at in range(steps + 1)]
    return chain


@cache
def games() -> list[tuple[list[Fraction], GaussianChain]]:
    """40 games of 31 tosses."""
    chooser = Random(1)
    return [(true, estimated(true, chooser)) for true in (walk(31, chooser) for _ in range(40))]


class TestAgainstChancesThatAreKnown:
    def test_intervals(self) -> None:
        inside = [
            abs(chain.weighted_sum([(at, 1)]).mean - chance) <= 1.96 * chain.weighted_sum([(at, 1)]).deviation
            for true, chain in games()
            for at, chance in enumerate(true[:-1])
        ]
        assert 0.93 <= sum(inside) / len(inside) <= 0.99

    def test_the_greatest_step_is_hardly_overstated(self) -> None:
        """By a dozen playouts alone those that are said to be the greatest would be said twice as great."""
        said = true_steps = 0.0
        for true, chain in games():
            steps = [chain.weighted_sum([(at + 1, 1), (at, -1)]).mean for at in range(len(true) - 1)]
            greatest = max(range(len(steps)), key=lambda at: abs(steps[at]))
            said += abs(steps[greatest])
            true_steps += abs(float(true[greatest + 1] - true[greatest]))
        assert true_steps < said < 1.25 * true_steps


def test_an_interval_of_95_of_100() -> None:
    low, high = Estimate(0.5, 0.1).interval
    assert (low, high) == pytest.approx((0.304, 0.696), abs=1e-4)


class TestRatings:
    """Elo's scale, from matches in which each player meets one that is rated already."""

    def test_wins_losses_and_draws(self) -> None:
        """A draw is half a win for both, and half a win is added to both: 105 to 10."""
        rating = rate_players([Match("sensible", "easy", 0, 1, "w" * 100 + "l" * 5 + "d" * 9)])
        assert rating["sensible"].mean == pytest.approx(1000 + 400 * log10(105 / 10))
        assert rating["sensible"].deviation == pytest.approx(400 / log(10) * sqrt(1 / 105 + 1 / 10))

    def test_each_match_leads_on_from_the_last(self) -> None:
        """Both leads are 22.5 to 7.5, and their variances add."""
        won = Match("sensible", "easy", 0, 1, "w" * 21 + "l" * 6 + "dd")
        ratings = rate_players([won, Match("strong", "sensible", 0, 1, won.results)])
        lead = 400 * log10(3)
        assert ratings["strong"].mean == pytest.approx(1000 + 2 * lead)
        assert ratings["strong"].deviation == pytest.approx(sqrt(2) * ratings["sensible"].deviation)

    def test_who_loses_is_below_and_an_unbeaten_one_not_infinite(self) -> None:
        ratings = rate_players([Match("easy", "random", 0, 1, "w" * 49)])
        assert ratings["easy"].mean == 1000
        assert ratings["random"].mean == pytest.approx(1000 - 400 * log10(49.5 / 0.5))

    def test_they_are_shown_in_tens(self) -> None:
        assert rounded_ratings([Match("easy", "random", 0, 1, "w" * 49)]) == {"easy": 1000, "random": 200}
        assert rounded_ratings([]) == {}
