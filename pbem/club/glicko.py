"""Glicko-2: ratings with their uncertainty, in decimal arithmetic, so that every computer gets the same.

Mark E. Glickman, Example of the Glicko-2 system (2022). A rating period is a list of games, and ratings
change only at its end. Decimal's square root, exponential and logarithm are correctly rounded everywhere;
those of floating point are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import TypeAlias

from msgspec import Struct

TAU = Decimal("0.5")
"""The constant that limits the change of a volatility in a period (step 1)."""

MAX_VOLATILITY = Decimal("0.1")
"""The maximum volatility: arranged results could otherwise raise it without limit."""

SCALE = Decimal("173.7178")
"""Rating points per unit of the internal scale (step 2)."""

_START_RATING = Decimal(1500)
_TOLERANCE = Decimal("0.000001")
_PI_SQUARED = Decimal("9.869604401089358618834490999876151135")
_EXACT = Context(prec=34, rounding=ROUND_HALF_EVEN)
_ONE = Decimal(1)


class Rating(Struct, frozen=True):
    """A rating, its deviation (95 % lie within two deviations), and its volatility."""

    rating: Decimal = _START_RATING
    deviation: Decimal = Decimal(350)
    volatility: Decimal = Decimal("0.06")


class RatedGame(Struct, frozen=True):
    """A game: the `score` of `player`, 1, 0.5 or 0; `edge` is their seat's advantage in rating points."""

    player: str
    opponent: str
    score: Decimal
    edge: Decimal = Decimal(0)


_Result: TypeAlias = tuple[Rating, Decimal, Decimal]
"""The opponent's rating, the player's score, and the edge of the player's own seat."""


def rate_period(ratings: Mapping[str, Rating], matches: Sequence[RatedGame]) -> dict[str, Rating]:
    """The ratings after a period, of everybody who had one or has played.

    The order of the games can change the last digit, so pass them in a defined order.
    """
    played: dict[str, list[_Result]] = {name: [] for name in ratings}
    for match in matches:
        player, opponent = (ratings.get(name, Rating()) for name in (match.player, match.opponent))
        played.setdefault(match.player, []).append((opponent, match.score, match.edge))
        played.setdefault(match.opponent, []).append((player, _ONE - match.score, -match.edge))
    with localcontext(_EXACT):
        return {
            name: _updated_rating(ratings.get(name, Rating()), results) for name, results in played.items()
        }


def _updated_rating(before: Rating, results: Sequence[_Result]) -> Rating:
    """Steps 2 to 8 for one player."""
    mu, phi = (before.rating - _START_RATING) / SCALE, before.deviation / SCALE
    if not results:
        deviation = SCALE * (phi**2 + before.volatility**2).sqrt()
        return Rating(before.rating, min(deviation, Rating().deviation), before.volatility)
    information = gain = Decimal(0)
    for other, score, edge in results:
        weight = _ONE / (_ONE + 3 * (other.deviation / SCALE) ** 2 / _PI_SQUARED).sqrt()
        theirs = (other.rating - edge - _START_RATING) / SCALE
        expected = _ONE / (_ONE + (-weight * (mu - theirs)).exp())
        information += weight**2 * expected * (_ONE - expected)
        gain += weight * (score - expected)
    variance = _ONE / information
    volatility = _volatility(phi, before.volatility, variance, variance * gain)
    spread = _ONE / (_ONE / (phi**2 + volatility**2) + information)
    return Rating(_START_RATING + SCALE * (mu + spread * gain), SCALE * spread.sqrt(), volatility)


def _volatility(phi: Decimal, sigma: Decimal, variance: Decimal, delta: Decimal) -> Decimal:
    """Step 5, by the Illinois algorithm."""
    begin = (sigma**2).ln()

    def slope(x: Decimal) -> Decimal:
        square = x.exp()
        spread = phi**2 + variance + square
        return square * (delta**2 - spread) / (2 * spread**2) - (x - begin) / TAU**2

    low = begin
    if delta**2 > phi**2 + variance:
        high = (delta**2 - phi**2 - variance).ln()
    else:
        high = begin - TAU
        while slope(high) < 0:
            high -= TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return min((low / 2).exp(), MAX_VOLATILITY)
