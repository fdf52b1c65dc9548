"""Ratings: Glickman's worked example, and what must hold of any."""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext

import pytest

from pbem.club.glicko import RatedGame, Rating, rate_period

ONE, HALF, NOUGHT = Decimal(1), Decimal("0.5"), Decimal(0)


def rating(points: int, deviation: int) -> Rating:
    return Rating(Decimal(points), Decimal(deviation))


def test_the_worked_example() -> None:
    """Example of the Glicko-2 system, Glickman 2022: 1464.06, 151.52 and 0.05999, where he rounds within."""
    before = {
        "you": rating(1500, 200),
        "first": rating(1400, 30),
        "second": rating(1550, 100),
        "third": rating(1700, 300),
    }
    games = [
        RatedGame("you", "first", ONE),
        RatedGame("second", "you", ONE),
        RatedGame("you", "third", NOUGHT),
    ]
    after = rate_period(before, games)["you"]
    assert abs(after.rating - Decimal("1464.06")) < Decimal("0.02")
    assert abs(after.deviation - Decimal("151.52")) < Decimal("0.01")
    assert after.volatility.quantize(Decimal("0.00001")) == Decimal("0.06000")
    assert abs(after.volatility - Decimal("0.05999")) < Decimal("0.00001")


def test_whoever_does_not_play_is_less_sure() -> None:
    """Step 6: the deviation grows by the volatility, and never beyond a newcomer's."""
    after = rate_period({"idle": rating(1600, 100), "new": Rating()}, [])
    assert after["idle"].rating == 1600
    # sqrt((100/173.7178)^2 + 0.06^2) * 173.7178, reckoned by hand
    assert after["idle"].deviation.quantize(Decimal("0.001")) == Decimal("100.542")
    assert after["new"].deviation == 350


def test_equals_who_draw_stay_where_they_are() -> None:
    after = rate_period({}, [RatedGame("a", "b", HALF)])
    assert after["a"].rating == after["b"].rating == 1500
    assert after["a"].deviation == after["b"].deviation < 350


def test_a_seat_that_gives_much_gives_less_for_winning() -> None:
    """The winner at the better seat earns less; the loser there loses more; even seats are between."""
    gained = {
        edge: rate_period({}, [RatedGame("a", "b", ONE, Decimal(edge))])["a"].rating
        for edge in (-100, 0, 100)
    }
    assert gained[100] < gained[0] < gained[-100]
    # where the seat is worth 100 points, a win there is a win against one who is 100 points weaker
    same = rate_period({"b": rating(1400, 350)}, [RatedGame("a", "b", ONE)])["a"].rating
    assert gained[100] == same


def test_it_is_the_same_whatever_the_arithmetic_around_it() -> None:
    games = [RatedGame("a", "b", ONE), RatedGame("b", "c", HALF), RatedGame("c", "a", ONE)]
    expected = rate_period({}, games)
    with localcontext() as context:
        context.prec = 6
        assert rate_period({}, games) == expected
    assert getcontext().prec == 28


@pytest.mark.parametrize("score", [ONE, NOUGHT])
def test_a_long_row_of_surprises_is_bounded(score: Decimal) -> None:
    """Without a bound of the volatility two who arrange their games would be rated by millions."""
    games = [RatedGame("strong", "weak", score) for _ in range(60)]
    after = rate_period({"strong": rating(2800, 30), "weak": rating(200, 30)}, games)
    assert all(0 < one.volatility <= Decimal("0.1") and 0 < one.deviation < 350 for one in after.values())
    assert all(-500 < one.rating < 3500 for one in after.values())
