"""The probable result of a game of Rommel y Montgomery, estimated from the position."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

from msgspec import Struct

from pbem.games.rommel.rules.state import State
from pbem.games.rommel.rules.victory import POINTS_TO_WIN
from pbem.games.rommel.terms.setting import ALLIED, AXIS

HALF_WEIGHT_DISTANCE = 2
"""The distance from a victory point, in hexes, at which a unit counts half."""


class Weights(Struct, frozen=True):
    """The weights in favour of the Allied, fitted to practice games (docs/decisions/0023-rommel-players.md).

    The log odds of an Allied win are `even` and so much for each combat factor of the Allied and of the
    Axis, for the balance of strength at the Allied's third best point, for each turn left, and in each
    of these for the balance of the armies.
    """

    even: float
    allied: float
    axis: float
    third: float
    turn: float
    balance: float


WEIGHTS: Mapping[str, Weights] = {
    ALLIED: Weights(even=-0.12, allied=0.0017, axis=-0.0162, third=1.30, turn=0.40, balance=0.81),
    AXIS: Weights(even=-1.27, allied=0.0027, axis=-0.0056, third=1.24, turn=0.17, balance=0.79),
}
"""By the side that moves next on the ground."""


def allied_hopes(state: State) -> float:
    """The expected result of the Allied, from 0, lost, to 1, won; a draw is a half. At movement's start."""
    if state.outcome is not None:
        return {ALLIED: 1.0, AXIS: 0.0}.get(state.outcome.winner or "", 0.5)
    weights = WEIGHTS[state.active]
    left = max(state.setting.options.turns - state.turn, 0)
    forces = {side: _force(state, side) for side in (ALLIED, AXIS)}
    allied, axis = (float(sum(forces[side].values())) for side in (ALLIED, AXIS))
    points = sorted(
        (_balance_at(state, forces, point) for point in state.setting.victory_points), reverse=True
    )
    told = (
        weights.even
        + weights.allied * allied
        + weights.axis * axis
        + weights.third * points[POINTS_TO_WIN - 1]
        + left * (weights.turn + weights.balance * log((allied + 3) / (axis + 3)))
    )
    return 1 / (1 + exp(-told))


def land_strength(state: State, side: str) -> int:
    """The combat factors of a side's land units without supply."""
    return sum(_force(state, side).values())


def _force(state: State, side: str) -> dict[str, int]:
    """The combat factors of a side's land units without supply, by hex."""
    return {state.at(name): state.combat(name) for name in state.army(side) if state.kind(name) != "supply"}


def _balance_at(state: State, forces: Mapping[str, Mapping[str, int]], point: str) -> float:
    """The balance of strength around a victory point, by distance; positive if the Allied is stronger."""
    distance = state.setting.grid.distance
    allied, axis = (
        sum(
            factor * 0.5 ** (distance(at, point) / HALF_WEIGHT_DISTANCE)
            for at, factor in forces[side].items()
        )
        for side in (ALLIED, AXIS)
    )
    return log((allied + 0.5) / (axis + 0.5))
