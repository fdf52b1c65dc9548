"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from pbem.core.rules import Rules, View
from pbem.games.rommel.rules import events
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import TYPED
from pbem.games.rommel.view import (
    forecast,
    legend,
    overlays,
    reach,
    story,
    suggestions,
    typed_orders,
    victory_conditions,
)
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def numbers(state: State) -> dict[str, int]:
    """The numbers in HOWTO.md that depend on options and scenario."""
    setting = state.setting
    return {
        "turns": setting.options.turns,
        "air_subturns": setting.options.air_subturns,
        "flak_range": setting.flak_range,
        "supply_radius": setting.supply_radius,
    }


def editions() -> dict[str, str]:
    """The name of the only edition, which is the text of the rules."""
    return {"nac": tr("the NAC booklet")}


VIEW = View(
    read_words=typed_orders.read,
    write_words=typed_orders.write,
    typed=TYPED,
    prompt=typed_orders.prompt,
    story=story.describe_event,
    legend=legend.legend,
    odds=forecast.attack_odds,
    chance=lambda state: None,  # a list of orders has many; the story gives each before its throws
    setups=typed_orders.setups,
    reach=reach.reach,
    further=suggestions.additional_orders,
    meant=suggestions.likely_orders,
    after=suggestions.state_after,
    routes=reach.routes,
    zones=overlays.zones,
    supply=overlays.supply,
    turn=lambda state: state.turn,
    combat=lambda tell: isinstance(tell.what, (events.Dice, events.Shoots, events.Bombs, events.Flak)),
    threats=overlays.threats,
    threatening=overlays.describe_threat_scope,
    editions=editions,
    aim=victory_conditions.describe_victory_conditions,
    numbers=numbers,
    forecast=forecast.forecast_orders,
    why=forecast.explain_advice,
    traces=story.traces,
    plans=suggestions.ready_plans,
)


def view_of(rules: Rules) -> View:
    """The view for a version of the rules, with that version's editions."""
    return replace(VIEW, legend=partial(legend.legend, editions=rules.editions)) if rules.later else VIEW
