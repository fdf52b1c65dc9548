"""Manners of fighting: what a commander makes of risk, of haste, and of places.

Values are in combat factors. Of a pair one is for the first turn, one for the last; between them it changes
steadily.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

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
    AXIS: Manner(risk=(1.0, 1.0), caution=(0.4, 0.2)),
}
"""The sensible player's, by seat."""
