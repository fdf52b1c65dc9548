"""Manners of fighting: what a commander makes of risk, of haste, and of places.

Values are in combat factors. Of a pair one is for the first turn, one for the last; between them it changes
steadily.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.rommel.terms.setting import ALLIED, AXIS


class Manner(Struct, frozen=True):
    """One manner of fighting."""

    risk: tuple[float, float]
    """How much of a loss of one's own counts in an attack."""
    caution: tuple[float, float]
    """How much of the danger of a hex counts."""
    pace: tuple[float, float] = (0.6, 1.5)
    """What a hex nearer to where the army is wanted is worth."""
    take_point: tuple[float, float] = (3.0, 12.0)
    """What it is worth to strike from a victory point."""
    hold_point: float = 12.0
    """What it is worth to stand on a victory point."""
    hold_fort: float = 3.0
    """The same for a fortification, to the Axis."""
    far: float = 10.0
    """How many hexes farther a unit is sent to a point where nobody goes than to one with all it needs."""
    aims: frozenset[str] = frozenset()
    """The victory points to go for; empty for all."""


SENSIBLE: Mapping[str, Manner] = {
    ALLIED: Manner(risk=(1.0, 0.3), caution=(0.25, 0.1)),
    AXIS: Manner(risk=(1.0, 1.0), caution=(5.0, 3.0), pace=(0.0, 0.3), hold_fort=30.0),
}
"""The sensible player's, by seat."""


PLANS: Mapping[str, tuple[Manner, ...]] = {
    ALLIED: (
        replace(SENSIBLE[ALLIED], caution=(0.08, 0.03)),
        replace(SENSIBLE[ALLIED], caution=(0.8, 0.3)),
        replace(SENSIBLE[ALLIED], caution=(2.0, 1.0), pace=(0.3, 0.7)),
        replace(SENSIBLE[ALLIED], pace=(1.5, 3.0)),
        replace(SENSIBLE[ALLIED], risk=(2.5, 1.0)),
        replace(SENSIBLE[ALLIED], far=4.0),
        replace(SENSIBLE[ALLIED], far=25.0),
        replace(SENSIBLE[ALLIED], hold_point=25.0),
    ),
    AXIS: (
        replace(SENSIBLE[AXIS], caution=(0.1, 0.05)),
        replace(SENSIBLE[AXIS], caution=(1.0, 0.6)),
        replace(SENSIBLE[AXIS], caution=(2.5, 1.5), pace=(0.3, 0.7)),
        replace(SENSIBLE[AXIS], pace=(1.2, 3.0)),
        replace(SENSIBLE[AXIS], risk=(2.5, 2.0)),
        replace(SENSIBLE[AXIS], hold_fort=10.0),
        replace(SENSIBLE[AXIS], hold_point=25.0),
        replace(SENSIBLE[AXIS], far=25.0),
    ),
}
"""By seat: the other manners that a player who looks ahead tries out beside the sensible one."""
