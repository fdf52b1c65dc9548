"""What people type and read: the game's `VIEW`."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from pbem.core.rules import Rules, View, on_demand
from pbem.games.rommel.rules import events
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import TYPED
from pbem.games.rommel.view import legend
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def numbers(state: State) -> dict[str, int]:
    """The numbers in HOWTO.md that depend on options and scenario, and an option that version 1 lacks."""
    setting = state.setting
    return {
        "aa_then_fight": setting.options.aa_then_fight,
        "turns": setting.options.turns,
        "air_subturns": setting.options.air_subturns,
        "flak_range": setting.flak_range,
        "supply_radius": setting.supply_radius,
    }


def editions() -> dict[str, str]:
    """The only edition, which is the text of the rules."""
    return {"nac": tr("the NAC booklet")}


_HERE = "pbem.games.rommel.view"


def reconstruction() -> str:
    """Which parts of the game are reconstructed."""
    return tr(
        "The rules are the authors'. The map and the counters are our reconstruction where the printed "
        "ones are lost."
    )


VIEW = View(
    read_words=on_demand(f"{_HERE}.typed_orders", "read"),
    write_words=on_demand(f"{_HERE}.typed_orders", "write"),
    typed=TYPED,
    prompt=on_demand(f"{_HERE}.typed_orders", "prompt"),
    instruct=on_demand(f"{_HERE}.instruction", "instruct"),
    story=on_demand(f"{_HERE}.story", "describe_event"),
    legend=legend.legend,
    mails=90,  # also in the README
    odds=on_demand(f"{_HERE}.forecast", "attack_odds"),
    further_odds=on_demand(f"{_HERE}.forecast", "further_odds"),
    chance=lambda state: None,  # a list of orders has many; the story gives each before its throws
    setups=on_demand(f"{_HERE}.typed_orders", "setups"),
    reach=on_demand(f"{_HERE}.reach", "reach"),
    further=on_demand(f"{_HERE}.suggestions", "additional_orders"),
    meant=on_demand(f"{_HERE}.suggestions", "likely_orders"),
    after=on_demand(f"{_HERE}.suggestions", "state_after"),
    routes=on_demand(f"{_HERE}.reach", "routes"),
    zones=on_demand(f"{_HERE}.overlays", "zones"),
    supply=on_demand(f"{_HERE}.overlays", "supply"),
    turn=lambda state: state.turn,
    combat=lambda tell: isinstance(tell.what, (events.Dice, events.Shoots, events.Bombs, events.Flak)),
    threats=on_demand(f"{_HERE}.overlays", "threats"),
    threatening=on_demand(f"{_HERE}.overlays", "describe_threat_scope"),
    editions=editions,
    aim=on_demand(f"{_HERE}.victory_conditions", "describe_victory_conditions"),
    reconstruction=reconstruction,
    numbers=numbers,
    forecast=on_demand(f"{_HERE}.forecast", "forecast_orders"),
    why=on_demand(f"{_HERE}.forecast", "explain_advice"),
    traces=on_demand(f"{_HERE}.story", "traces"),
    plans=on_demand(f"{_HERE}.suggestions", "ready_plans"),
)


def view_of(rules: Rules) -> View:
    """The view for a version of the rules, with that version's editions."""
    return replace(VIEW, legend=partial(legend.legend, editions=rules.editions)) if rules.later else VIEW
