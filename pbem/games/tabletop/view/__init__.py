"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from pbem.core.rules import View, on_demand
from pbem.games.tabletop.view import story, typed_orders

VIEW = View(
    read_words=typed_orders.read,
    write_words=typed_orders.write,
    typed=typed_orders.TYPED,
    prompt=typed_orders.prompt,
    instruct=on_demand("pbem.games.tabletop.view.card_table", "instruct"),
    story=story.describe_event,
    legend=story.legend,
    odds=lambda ask: [],
    chance=lambda state: None,
    turn=story.turn,
    further=typed_orders.further,
    forecast=story.forecast,
    traces=story.traces,
    card_table=on_demand("pbem.games.tabletop.view.card_table", "card_table"),
)
