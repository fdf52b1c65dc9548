"""The ready-made plan of this game, beside those that serve in every game."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.rules import ReadyPlan
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")

GROUNDED = ("when asked air", "do stand down", "despite hits, range")
"""Four times a turn each side is asked for its aircraft (R4). Who leaves them where they are need not hear
each time who was hit on the ground: it is told once, at his next movement."""


def plans() -> Mapping[str, ReadyPlan]:
    """The plans by their names."""
    says = tr("leave the aircraft on the ground; before you move you learn what was hit")
    return {"grounded": ReadyPlan(says, GROUNDED)}
