"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem.core.rules import Rules, View, on_demand
from pbem.games.mortain.rules import events, fire
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.view import legend, typed_orders


def chance(state: State) -> Fraction | None:
    """The exact chance of the attack awaiting a card; None if there is none."""
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


if TYPE_CHECKING:
    from fractions import Fraction

_HERE = "pbem.games.mortain.view"

VIEW = View(
    read_words=typed_orders.read,
    write_words=typed_orders.write,
    typed=typed_orders.TYPED,
    prompt=typed_orders.prompt,
    instruct=on_demand(f"{_HERE}.suggestions", "instruct"),
    story=on_demand(f"{_HERE}.story", "describe_event"),
    legend=legend.legend,
    mails=100,  # also in the README
    odds=on_demand(f"{_HERE}.forecast", "attack_odds"),
    chance=chance,
    reach=on_demand(f"{_HERE}.overlays", "reach"),
    further=on_demand(f"{_HERE}.suggestions", "additional_orders"),
    meant=on_demand(f"{_HERE}.suggestions", "likely_orders"),
    after=on_demand(f"{_HERE}.suggestions", "state_after"),
    routes=on_demand(f"{_HERE}.overlays", "routes"),
    sight=on_demand(f"{_HERE}.overlays", "sight"),
    turn=lambda state: state.turn,
    combat=lambda tell: isinstance(tell.what, (events.AttackCard, events.Misses)),
    threats=on_demand(f"{_HERE}.overlays", "threats"),
    threatening=on_demand(f"{_HERE}.overlays", "describe_threat_scope"),
    drawn=on_demand(f"{_HERE}.names", "describe_cards"),
    editions=on_demand(f"{_HERE}.names", "edition_names"),
    aim=on_demand(f"{_HERE}.victory_conditions", "describe_victory_conditions"),
    reconstruction=on_demand(f"{_HERE}.names", "describe_reconstruction"),
    numbers=numbers,
    forecast=on_demand(f"{_HERE}.forecast", "forecast_orders"),
    allows=typed_orders.card_facts,
    why=on_demand(f"{_HERE}.forecast", "explain_advice"),
    traces=on_demand(f"{_HERE}.story", "traces"),
)


def view_of(rules: Rules) -> View:
    """The view for a version of the rules, with that version's editions."""
    return replace(VIEW, legend=partial(legend.legend, editions=rules.editions)) if rules.later else VIEW
