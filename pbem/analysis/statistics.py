"""The uncertainty of a share, and estimates of the chances during a game from playouts.

The chance at a moment is known from the playouts from there, and from those of its neighbours, as far as it
is unlikely to have changed in between. The size of its steps is known in advance: a chance of v that has to
become 0 or 1 in n steps makes steps whose squares are v (1 - v) / n on average, since chance alone is as
likely to raise it as to lower it. So each step is taken to be normal around 0 with that variance, and the
playouts correct it: a Gaussian chain, whose normal equations are solved exactly. A jump supported by few
playouts is thus treated as what it probably is, mostly noise, and the largest of a hundred is hardly
overstated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import copysign, hypot, log, sqrt

from msgspec import Struct

from pbem.core.rules import DRAWN, LOST, WON, Match

Z95 = 1.959963984540054
"""The normal quantile of a 95% interval."""


def wilson_interval(times: int, of: int) -> tuple[float, float]:
    """The 95% Wilson interval, within 0 to 1, of a share of `times` out of `of`.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927). Without any
    observation it is 0 to 1.
    """
    if not of:
        return 0.0, 1.0
    share, spread = times / of, Z95 * Z95 / of
    middle = share + spread / 2
    half = Z95 * sqrt(share * (1 - share) / of + spread / (4 * of))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return (0.0 if times == 0 else low), (1.0 if times == of else high)


EVEN_VARIANCE = 0.25
"""The variance of the result of an even game, 0 or 1."""

MIN_CHANCE = 0.02
"""Before the end no chance is taken to be less than this, or more than its complement."""

EXACT_VARIANCE = 1e-9
"""The variance given to what is known exactly."""


class Estimate(Struct, frozen=True):
    """A chance, or a difference of chances, with its standard deviation."""

    mean: float
    deviation: float

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that contains the value with a probability of 95%."""
        return self.mean - Z95 * self.deviation, self.mean + Z95 * self.deviation

    @property
    def cautious_mean(self) -> float:
        """The chance, moved towards a half by its deviation."""
        return self.mean + copysign(min(self.deviation, abs(0.5 - self.mean)), 0.5 - self.mean)

    @property
    def largest_magnitude(self) -> float:
        """The largest magnitude in that interval."""
        return abs(self.mean) + Z95 * self.deviation

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.mean) > Z95 * self.deviation


RATED_FIRST, FIRST_RATING = "easy", 1000
"""The player whose rating is fixed, and the rating."""

RATING_SCALE = 400 / log(10)
"""Elo's scale: a player 400 points ahead wins ten games for each one lost."""


def rate_players(matches: Iterable[Match]) -> dict[str, Estimate]:
    """The ratings of players on Elo's scale, each from a match against one already rated.

    A lead is the logarithm of the ratio of wins to losses. A draw is half a win for each, and half a win is
    added to both to keep it finite (J. B. S. Haldane, 1956). Its variance is the sum of their reciprocals;
    the variances of all matches between a player and `RATED_FIRST` add up.
    """
    ratings = {RATED_FIRST: Estimate(FIRST_RATING, 0.0)}
    for match in matches:
        half = match.results.count(DRAWN) / 2 + 0.5
        won, lost = match.results.count(WON) + half, match.results.count(LOST) + half
        lead, deviation = RATING_SCALE * log(won / lost), RATING_SCALE * sqrt(1 / won + 1 / lost)
        known, rated = (match.other, match.one) if match.other in ratings else (match.one, match.other)
        base = ratings[known]
        mean = base.mean + (lead if rated == match.one else -lead)
        ratings[rated] = Estimate(mean, hypot(base.deviation, deviation))
    return ratings


def rounded_ratings(matches: Iterable[Match]) -> dict[str, int]:
    """The ratings to show to people, in tens; empty without matches, since a single rating says nothing."""
    ratings = rate_players(matches)
    if len(ratings) == 1:
        return {}
    return {player: 10 * round(rating.mean / 10) for player, rating in ratings.items()}


class PlayoutSums(Struct):
    """Sums over playouts before and after a decision, in pairs with the same seed."""

    number: int = 0
    before: float = 0
    after: float = 0
    squares: float = 0
    """The sum of the squares of the differences."""

    def add(self, before: float, after: float) -> None:
        """Add the results of two playouts with one seed."""
        self.number += 1
        self.before += before
        self.after += after
        self.squares += (after - before) ** 2


class GaussianChain:
    """The chances from the first moment of a game to the last."""

    def __init__(self, free: Sequence[bool], rough: Sequence[float], ahead: int) -> None:
        """The chain before any playout.

        `free` says which steps can change the chance; `rough` is its approximate value at each moment, on
        which the variances depend; `ahead` is the number of such steps after the last one.
        """
        self._variances = [
            v * (1 - v) for v in (min(max(chance, MIN_CHANCE), 1 - MIN_CHANCE) for chance in rough)
        ]
        self._diagonal = [0.0] * len(rough)
        self._off_diagonal = [0.0] * len(free)
        self._right_side = [0.0] * len(rough)
        self.add_known(0, 0.5, EVEN_VARIANCE)
        left = sum(free) + ahead
        for at, may_change in enumerate(free):
            precision = 1 / (self._variances[at] / left if may_change else EXACT_VARIANCE)
            left -= may_change
            self._diagonal[at] += precision
            self._diagonal[at + 1] += precision
            self._off_diagonal[at] -= precision

    def add_known(self, at: int, chance: float, variance: float) -> None:
        """Add what is known about the chance at one moment."""
        self._diagonal[at] += 1 / variance
        self._right_side[at] += chance / variance

    def add_playouts(self, at: int, pair: PlayoutSums) -> None:
        """Add the playouts from one moment."""
        self.add_known(at, pair.before / pair.number, self._variances[at] / pair.number)

    def add_paired_playouts(self, at: int, pair: PlayoutSums) -> None:
        """Add the paired playouts from a moment and from the one after it.

        The covariance is smoothed as if there were one more pair with none, since a few equal results prove
        little.
        """
        n, variance = pair.number, (self._variances[at] + self._variances[at + 1]) / 2
        apart = (pair.squares - (pair.after - pair.before) ** 2 / n + 2 * variance) / (n + 1)
        common = max(variance - apart / 2, -variance / 2)
        scale = n / (variance**2 - common**2)
        own, between = variance * scale, -common * scale
        before, after = pair.before / n, pair.after / n
        self._diagonal[at] += own
        self._diagonal[at + 1] += own
        self._off_diagonal[at] += between
        self._right_side[at] += own * before + between * after
        self._right_side[at + 1] += own * after + between * before

    def weighted_sum(self, weights: Iterable[tuple[int, float]]) -> Estimate:
        """The weighted sum of chances at moments: a difference has the weights 1 and -1."""
        target = [0.0] * len(self._diagonal)
        for at, weight in weights:
            target[at] += weight
        solved = self._solve(target)
        mean = sum(map(float.__mul__, solved, self._right_side))
        return Estimate(mean, sqrt(max(sum(map(float.__mul__, solved, target)), 0.0)))

    def _solve(self, target: Sequence[float]) -> list[float]:
        """Solve the tridiagonal system of precisions: eliminate downwards, substitute back upwards."""
        pivots, right = [self._diagonal[0]], [target[0]]
        for beside, own, aim in zip(self._off_diagonal, self._diagonal[1:], target[1:], strict=True):
            factor = beside / pivots[-1]
            pivots.append(own - factor * beside)
            right.append(aim - factor * right[-1])
        solved = [right[-1] / pivots[-1]]
        for beside, pivot, aim in zip(self._off_diagonal[::-1], pivots[-2::-1], right[-2::-1], strict=True):
            solved.append((aim - beside * solved[-1]) / pivot)
        return solved[::-1]
