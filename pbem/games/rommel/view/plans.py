"""The ready-made plans of this game, beside those for every game."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.rules import ReadyPlan
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")

GROUNDED = ("when asked air", "do stand down", "despite hits, range")
"""Each side is asked about its aircraft four times a turn (R4). A player who leaves them where they are need
not stop each time for hits on the ground: they are reported together at his next movement."""


def ready_plans() -> Mapping[str, ReadyPlan]:
    """The plans by their names."""
    says = tr("leave the aircraft on the ground; before you move you learn what was hit")
    return {"grounded": ReadyPlan(says, GROUNDED)}
