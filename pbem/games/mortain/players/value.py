"""The probable end of a position: the chance that the Germans win.

The weights are those of a logistic regression on 195,000 positions out of 14,400 games of the keen and the
sensible player in either seat, in all editions; see docs/decisions/0022-players.md.
"""

from __future__ import annotations

from math import exp, log, tanh

from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.rules.state import ELIMINATED, GONE, WAITING, State
from pbem.games.mortain.terms.cards import DECK
from pbem.games.mortain.terms.setting import GERMAN, US

PACE, LATITUDE = 8, 10
"""The steps west that the Germans can make in a turn, beside all else; and the margin that decides."""


def value(state: State) -> float:
    """The chance that the Germans win, from 0 to 1."""
    if state.outcome is not None:
        return float(state.outcome.winner == GERMAN)
    german, us = Outlook(state, GERMAN), Outlook(state, US)
    time = state.setting.options.turns - state.turn + len(state.deck) / len(DECK)
    own, foes = hits_left(state, GERMAN), hits_left(state, US)
    odds = (
        -1.167
        + 0.947 * log((own + 1) / (foes + 1))
        + 1.526 * log((_factors(state, GERMAN) + 1) / (_factors(state, US) + 1))
        + 0.301 * own
        - 0.270 * foes
        + 0.392 * time
        - 0.589 * foes / (time + 0.3)
        + 0.862 * (foes - own) / (time + 1)
        + 0.262 * us.exposed
        - 0.174 * german.exposed
        - 0.150 * (state.support == "available")
        - 0.551 * tanh((PACE * time - german.way_out) / LATITUDE)
        + 0.087 * _cover(state)
        - 0.254 * _still_to_go(state)
        + 0.170 * sum([at not in GONE for at in state.places(US)])
    )
    return 1 / (1 + exp(-odds))


def _cover(state: State) -> int:
    """The sum of the terrain modifiers that cover the Germans."""
    return sum([state.setting.cover[state.at(name)] for name in state.field(GERMAN)])


def _still_to_go(state: State) -> float:
    """The columns between the remaining Germans and the western one, on average."""
    setting = state.setting
    outside = setting.east - setting.west + 1
    left = [at for at in state.places(GERMAN) if at not in GONE]
    columns = [outside if at == WAITING else setting.grid.column(at) - setting.west for at in left]
    return sum(columns) / max(len(columns), 1)


def hits_left(state: State, side: str) -> int:
    """The hits that a side's units can take before all are eliminated; those that have exited count."""
    units = [state.units[name] for name in state.army(side)]
    return sum([2 - unit.reduced for unit in units if unit.at != ELIMINATED])


def _factors(state: State, side: str) -> int:
    """The sum of all factors of the units that are left to a side."""
    factors = [state.factors(name) for name in state.army(side) if state.units[name].at not in GONE]
    return sum([each.at + each.ai for each in factors])
