"""The probable end of a position: the chance that the Germans win.

The weights are those of a logistic regression on 97,000 positions out of 9,000 games, in all editions, of the
keen player, now and then in another mood, against the sensible one: apart for either seat, since what a
position is worth depends on who plays it well; see docs/decisions/0022-players.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.rules.state import ELIMINATED, GONE, State
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import GERMAN, US

WEIGHTS: Mapping[str, tuple[float, ...]] = {
    GERMAN: (
        *(1.264, 2.241, 0.016, -0.914, 1.083, 0.0740, -0.0549),
        *(0.036, -0.123, 0.089, 1.412, -0.892, 0.038, -0.324, -0.066),
    ),
    US: (
        *(0.278, 2.818, -0.264, -0.560, 0.772, 0.1232, -0.0540),
        *(0.054, -0.287, 0.076, 1.169, -0.500, 0.043, -0.081, -0.100),
    ),
}
"""The weights of `_features`, by the seat that the better player has."""


def win_chance(state: State, seat: str) -> float:
    """The chance that the Germans win, from 0 to 1, if a keen player has the seat, against a sensible one."""
    if state.outcome is not None:
        return float(state.outcome.winner == GERMAN)
    odds = sum([weight * feature for weight, feature in zip(WEIGHTS[seat], _features(state), strict=True)])
    return 1 / (1 + exp(-odds))


def _features(state: State) -> tuple[float, ...]:
    """The features of a position that predict who wins: 1, hits left, time, factors, dangers, cards."""
    time = state.setting.options.turns - state.turn + len(state.deck) / len(cards.DECK)
    own, foes = hits_left(state, GERMAN), hits_left(state, US)
    germans = state.field(GERMAN)
    return (
        1,
        log((own + 1) / (foes + 1)),
        own,
        foes / (time + 0.3),
        (foes - own) / (time + 1),
        _factors_left(state, GERMAN),
        _factors_left(state, US),
        len(germans),
        sum([state.units[name].reduced for name in germans]),
        sum([state.setting.cover[state.at(name)] for name in germans]),
        _mean_exposure(state, US),
        _mean_exposure(state, GERMAN),
        sum([1 if cards.owner(card) == GERMAN else -1 for card in state.deck if card != cards.JOKER]),
        cards.JOKER in state.deck,
        state.support == "available",
    )


def _mean_exposure(state: State, side: str) -> float:
    """The expected hits per unit of a side on the map."""
    return Outlook(state, side).exposure / max(len(state.field(side)), 1)


def hits_left(state: State, side: str) -> int:
    """The hits that a side's units can take before all are eliminated, exited units included."""
    units = [state.units[name] for name in state.army(side)]
    return sum([2 - unit.reduced for unit in units if unit.at != ELIMINATED])


def _factors_left(state: State, side: str) -> int:
    """The sum of all factors of a side's remaining units."""
    factors = [state.factors(name) for name in state.army(side) if state.units[name].at not in GONE]
    return sum([each.at + each.ai for each in factors])
