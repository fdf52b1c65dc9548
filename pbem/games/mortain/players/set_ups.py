"""Set-ups of the US that won most: the anti-tank guns under cover, infantry before them, SPTD behind.

Each was tried in some two thousand games of the keen player against the sensible one, and wins about as often
as the others. They were found for the map that ships; where they are not legal, the player sets up as the
sensible one does.
"""

from __future__ import annotations

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Chooser
from pbem.games.mortain.players.sensible import sensible_player
from pbem.games.mortain.rules.orders import Question

INFANTRY = ("117Inf", "119Inf", "120Inf")
GUNS = ("823TD", "SPTD")
GOOD_SET_UPS = (
    (("1204", "1302", "1404"), ("1303", "1101")),
    (("1204", "1402", "1404"), ("1303", "1101")),
    (("1101", "1203", "1504"), ("1303", "1302")),
    (("1305", "1402", "1404"), ("1302", "1203")),
    (("1305", "1402", "1404"), ("1203", "1201")),
    (("1202", "1703", "1803"), ("1302", "1202")),
)
"""The hexes of the infantry, whose units are all alike, and those of the guns."""


def set_up(ask: Question, chooser: Chooser) -> Orders:
    """One of the good set-ups, with the infantry in random order."""
    infantry, guns = chooser.choice(GOOD_SET_UPS)
    mixed = chooser.sample(infantry, len(infantry))
    orders = [{"place": {**dict(zip(INFANTRY, mixed, strict=True)), **dict(zip(GUNS, guns, strict=True))}}]
    return orders if accepts(ask.read, orders) else sensible_player(ask, chooser)
