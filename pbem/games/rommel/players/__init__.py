"""The computer players, as `PLAYERS`, and the strong one's evaluation of answers, as `ADVISER`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.rules import Adviser, Match, Player
from pbem.games.rommel.players.basic import easy_player, random_player, sensible_player
from pbem.games.rommel.players.strong import advise, strong_player

PLAYERS: Mapping[str, Player] = {
    "random": random_player,
    "easy": easy_player,
    "sensible": sensible_player,
    "strong": strong_player,
}
ADVISER: Adviser = advise
PLAYOUTS = 300
"""The number of playouts for a report; one takes 0.2 seconds."""
MATCHES: Sequence[Match] = (
    Match("easy", "random", 0, 595000, "dwdwdwwwdwdwwwlwdwwwdwdwdwdwdwdwwwdwwwdw"),
    Match("sensible", "easy", 0, 594000, "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"),
    Match(
        "strong",
        "sensible",
        0,
        593000,
        "dwwdddwwlwlwldwddlwwwdwwdwwwldwwwdwwddlwlddwlwwwdwwwddwwwwlwldwwlwddwdwldwwwdwlw"
        "wwwwwwwddwwwwwdwwddwdwlddwwdlwdwwwlwdwww",
    ),
)
"""The matches that rate them, from `python -m benchmarks.match`, each with its playouts and seed."""
