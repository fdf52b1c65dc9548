"""The practice players, as `PLAYERS`: one that gives any legal orders, and one with some sense."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.rules import Adviser, Player
from pbem.games.rommel.players.at_random import random_player
from pbem.games.rommel.players.easy import easy_player
from pbem.games.rommel.players.sensible import sensible_player
from pbem.games.rommel.players.strong import advise, strong_player

PLAYERS: Mapping[str, Player] = {
    "random": random_player,
    "easy": easy_player,
    "sensible": sensible_player,
    "strong": strong_player,
}
ADVISER: Adviser = advise
PLAYOUTS = 300
"""Of a report: one takes 0.2 seconds."""
