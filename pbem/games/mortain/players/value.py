"""How a position will end, about: the chance that the Germans win.

The weights are those of a logistic regression on 35,456 positions out of 1,800 games between sensible players
of several tastes, in all editions; see docs/decisions/0022-players.md.
"""

from __future__ import annotations

from math import exp, log, tanh

from pbem.games.mortain.players.tactics import Outlook
from pbem.games.mortain.rules.state import ELIMINATED, GONE, State
from pbem.games.mortain.terms.cards import DECK
from pbem.games.mortain.terms.setting import GERMAN, US

PACE, LATITUDE = 8, 10
"""How many steps west the Germans can make in a turn, beside all else; and how many more or less decide."""


def value(state: State) -> float:
    """The chance that the Germans win, from 0 to 1."""
    if state.outcome is not None:
        return float(state.outcome.winner == GERMAN)
    german, us = Outlook(state, GERMAN), Outlook(state, US)
    time = state.setting.options.turns - state.turn + len(state.deck) / len(DECK)
    own, foes = hits_left(state, GERMAN), hits_left(state, US)
    odds = (
        -0.383
        + 0.793 * log((own + 1) / (foes + 1))
        + 1.467 * log((_factors(state, GERMAN) + 1) / (_factors(state, US) + 1))
        + 0.241 * own
        - 0.243 * foes
        + 0.254 * time
        - 0.492 * foes / (time + 0.3)
        + 0.773 * (foes - own) / (time + 1)
        + 0.270 * us.exposed
        - 0.158 * german.exposed
        - 0.172 * (state.support == "available")
        + 0.214 * tanh((PACE * time - german.way_out) / LATITUDE)
    )
    return 1 / (1 + exp(-odds))


def hits_left(state: State, side: str) -> int:
    """How many hits the units of a side can take that are not eliminated; those who have exited count."""
    units = [state.units[name] for name in state.army(side)]
    return sum([2 - unit.reduced for unit in units if unit.at != ELIMINATED])


def _factors(state: State, side: str) -> int:
    """The sum of all factors of the units that are left to a side."""
    factors = [state.factors(name) for name in state.army(side) if state.units[name].at not in GONE]
    return sum([each.at + each.ai for each in factors])
