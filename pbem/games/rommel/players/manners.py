"""Manners of fighting: how a commander weighs risk, haste, and places.

Values are in combat factors. Of a pair of values one is for the first turn, one for the last; between them it
changes steadily.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.rommel.terms.setting import ALLIED, AXIS


class Manner(Struct, frozen=True):
    """One manner of fighting."""

    risk: tuple[float, float]
    """The weight of own losses in an attack."""
    caution: tuple[float, float]
    """The weight of the danger of a hex."""
    pace: tuple[float, float] = (0.6, 1.5)
    """The value of being one hex nearer to the goal."""
    take_point: tuple[float, float] = (3.0, 12.0)
    """The value of striking from a victory point."""
    hold_point: float = 12.0
    """The value of standing on a victory point."""
    hold_fort: float = 3.0
    """The value to the Axis of standing on a fortification."""
    far: float = 10.0
    """How many hexes farther a unit goes to a point without units than to one with all that it needs."""
    shot: float = 0.0
    """The weight of the value of a shot from a hex; above 0 guns are kept for fire, and join no strike."""
    twice: bool = False
    """Whether a tank on a victory point is attacked in two combats: the first only strikes it (R1.3)."""
    aims: frozenset[str] = frozenset()
    """The victory points to aim at; empty for all."""


SENSIBLE: Mapping[str, Manner] = {
    ALLIED: Manner(risk=(0.75, 0.3), caution=(0.15, 0.1), pace=(0.8, 1.8), far=15.0),
    AXIS: Manner(risk=(1.0, 1.0), caution=(5.0, 3.0), pace=(0.0, 0.3), hold_fort=30.0),
}
"""By seat: the sensible player's manner."""


STRONG: Mapping[str, Manner] = {
    ALLIED: Manner(risk=(0.1, 0.05), caution=(0.0, 0.0), pace=(2.0, 4.0), far=25.0, shot=4.0, twice=True),
    AXIS: replace(SENSIBLE[AXIS], caution=(2.0, 1.0), shot=1.0, twice=True),
}
"""By seat: the manner that did best in matches, of those tried for whole games."""

CANDIDATE_MANNERS: Mapping[str, tuple[Manner, ...]] = {
    ALLIED: (
        STRONG[ALLIED],
        replace(STRONG[ALLIED], far=8.0),
        replace(STRONG[ALLIED], risk=(0.5, 0.2), pace=(1.0, 2.0)),
        replace(STRONG[ALLIED], hold_point=30.0),
        replace(STRONG[ALLIED], shot=1.0),
    ),
    AXIS: (
        STRONG[AXIS],
        replace(STRONG[AXIS], caution=(1.2, 0.6)),
        replace(STRONG[AXIS], shot=2.5),
    ),
}
"""By seat: the manners that the strong player tries in playouts, the most trusted first.

In none the Allied waits or the Axis leaves its line: playouts of one turn do not show what that costs.
"""
