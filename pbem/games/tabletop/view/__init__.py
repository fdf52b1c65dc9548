"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from pbem.core.rules import View
from pbem.games.tabletop.view import story, typed_orders

VIEW = View(
    read_words=typed_orders.read,
    write_words=typed_orders.write,
    typed=typed_orders.TYPED,
    prompt=typed_orders.prompt,
    story=story.describe_event,
    legend=story.legend,
    odds=lambda ask: [],
    chance=lambda state: None,
    turn=story.turn,
    further=typed_orders.further,
    forecast=story.forecast,
)
