"""The easy player: the sensible one, who overlooks things."""

from __future__ import annotations

from pbem.core.requests import Orders
from pbem.core.rules import Chooser, Effort
from pbem.games.mortain.players.at_random import random_player
from pbem.games.mortain.players.sensible import sensible_player
from pbem.games.mortain.rules.orders import Question

MISTAKE_SHARE = 0.3
"""The share of answers that are random legal orders."""


def easy_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The sensible player's orders, or now and then random ones."""
    player = random_player if chooser.random() < MISTAKE_SHARE else sensible_player
    return player(ask, chooser)
