"""The practice players, as `PLAYERS`, and the strong one's evaluation of answers, as `ADVISER`."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.rules import Adviser, Player
from pbem.games.mortain.players.basic import easy_player, random_player, sensible_player
from pbem.games.mortain.players.strong import advise, strong_player

ADVISER: Adviser = advise
PLAYERS: Mapping[str, Player] = {
    "random": random_player,
    "easy": easy_player,
    "sensible": sensible_player,
    "strong": strong_player,
}
