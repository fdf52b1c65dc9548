"""The computer players, as `PLAYERS`, and the strong one's evaluation of answers, as `ADVISER`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.rules import Adviser, Match, Player
from pbem.games.mortain.players.basic import easy_player, random_player, sensible_player
from pbem.games.mortain.players.strong import advise, strong_player

ADVISER: Adviser = advise
PLAYERS: Mapping[str, Player] = {
    "random": random_player,
    "easy": easy_player,
    "sensible": sensible_player,
    "strong": strong_player,
}
SEARCHING = ("strong",)
"""The players that make playouts for an answer."""
MATCHES: Sequence[Match] = (
    Match(
        "easy",
        "random",
        0,
        582000,
        "wwlwwwlwwwlwwwlwlwlwlwlwlwlwlwwwlwlwlwlwlwlwwwlwwwlwlwlwwwlwwwlwlwlwwwlwwwlwwwlwwwlwwwwwlwlwlwlw"
        "lwlwlwwwlwlwwwlwwwlwlwlw",
    ),
    Match(
        "sensible",
        "easy",
        0,
        583000,
        "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    ),
    Match(
        "strong",
        "sensible",
        12,
        584000,
        "lwwwlwlwwwlwwwlwwwwwwlllwlwlwwwwwwlwwwwwlwwwwwlwlwlwwwwwlwwllwwwlwlwlwlwwllwwwwwwlwwwwllwwwwlwlw"
        "wlwwllwwlwlwwlwwwwwlwwwwwllwwllw",
    ),
)
"""The matches that rate them, from `python -m benchmarks.match`, each with its playouts and seed."""
