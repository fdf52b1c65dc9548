"""The practice players, as `PLAYERS`: one that gives any legal orders, and one with some sense."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.rules import Player
from pbem.games.mortain.players.at_random import random_player
from pbem.games.mortain.players.sensible import sensible_player

PLAYERS: Mapping[str, Player] = {"random": random_player, "sensible": sensible_player}
