"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from pbem.core.rules import View, on_demand
from pbem.core.scenario_form import ScenarioForm
from pbem.games.tabletop.view import story, typed_orders

_FORM = "pbem.games.tabletop.view.scenario_form"

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
    scenario_form=ScenarioForm(
        fields=on_demand(_FORM, "fields"),
        fill=on_demand(_FORM, "fill"),
        read=on_demand(_FORM, "read"),
        field_of=on_demand(_FORM, "field_of"),
    ),
    card_table=on_demand("pbem.games.tabletop.view.card_table", "card_table"),
)
