"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from pbem.core.rules import Rules, View
from pbem.games.mortain.rules import events, fire
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.view import (
    forecast,
    legend,
    names,
    overlays,
    story,
    suggestions,
    typed_orders,
    victory_conditions,
)


def chance(state: State) -> Fraction | None:
    """The exact chance of the attack that waits for a card."""
    return None if state.attack is None else fire.hit_chance(state, state.attack)


def numbers(state: State) -> dict[str, int]:
    """The numbers in HOWTO.md that depend on options and scenario."""
    setting = state.setting
    return {
        "exits_to_win": setting.options.exits_to_win,
        "turns": setting.options.turns,
        "west": setting.west,
        "east": setting.east,
        "artillery": setting.artillery,
        "air": setting.air,
    }


VIEW = View(
    read_words=typed_orders.read,
    write_words=typed_orders.write,
    typed=typed_orders.TYPED,
    prompt=typed_orders.prompt,
    story=story.describe_event,
    legend=legend.legend,
    odds=forecast.attack_odds,
    chance=chance,
    reach=overlays.reach,
    further=suggestions.additional_orders,
    meant=suggestions.likely_orders,
    after=suggestions.state_after,
    routes=overlays.routes,
    sight=overlays.sight,
    turn=lambda state: state.turn,
    combat=lambda tell: isinstance(tell.what, (events.AttackCard, events.Misses)),
    threats=overlays.threats,
    threatening=overlays.describe_threat_scope,
    drawn=names.describe_cards,
    editions=names.edition_names,
    aim=victory_conditions.describe_victory_conditions,
    numbers=numbers,
    forecast=forecast.forecast_orders,
    allows=typed_orders.card_facts,
    why=forecast.explain_advice,
    traces=story.traces,
)


def view_of(rules: Rules) -> View:
    """The view for a version of the rules, with that version's editions."""
    return replace(VIEW, legend=partial(legend.legend, editions=rules.editions)) if rules.later else VIEW
