"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from pbem.core.rules import Rules, View
from pbem.games.rommel.rules import events
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms import typed
from pbem.games.rommel.view import (
    aim,
    asking,
    forecast,
    further,
    legend,
    meant,
    odds,
    overlays,
    plans,
    reach,
    story,
    threats,
    traces,
    words,
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
    read_words=words.read,
    write_words=words.write,
    typed=typed.TYPED,
    prompt=asking.prompt,
    story=story.describe_event,
    legend=legend.legend,
    odds=odds.attack_odds,
    chance=lambda state: None,  # a list of orders has many; the story gives each before its throws
    setups=words.setups,
    reach=reach.reach,
    further=further.additional_orders,
    meant=meant.likely_orders,
    after=further.state_after,
    routes=reach.routes,
    zones=overlays.zones,
    supply=overlays.supply,
    turn=lambda state: state.turn,
    combat=lambda tell: isinstance(tell.what, (events.Dice, events.Shoots, events.Bombs, events.Flak)),
    threats=threats.threats,
    threatening=threats.describe_threat_scope,
    editions=editions,
    aim=aim.describe_victory_conditions,
    numbers=numbers,
    forecast=forecast.forecast_orders,
    why=forecast.explain_advice,
    traces=traces.traces,
    plans=plans.ready_plans,
)


def view_of(rules: Rules) -> View:
    """The view for a version of the rules, with that version's editions."""
    return replace(VIEW, legend=partial(legend.legend, editions=rules.editions)) if rules.later else VIEW
