"""Rommel y Montgomery, a board wargame by NAC (1982): its rules, as `RULES`. See RULES.md.

It has four packages: `terms`; `rules`, which needs only `terms`; `view` and `players`, imported when used.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.requests import Plain
from pbem.core.rules import Rules, Sharing
from pbem.core.versions import lacking
from pbem.games.rommel.rules import orders, sequence, setup, state
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms import options, scenario
from pbem.games.rommel.terms.scenario import SCENARIOS
from pbem.games.rommel.terms.setting import NAME, PACKAGE, SEATS, SIDES


def begin(chosen: Mapping[str, Plain], data: Plain) -> State:
    """The state before the set-up (R2). Raises `FileError` if the options or the scenario are invalid."""
    return setup.first_state(scenario.read(data, options.read(chosen)))


RULES = Rules(
    name=NAME,
    version=2,
    title="Rommel y Montgomery",
    package=PACKAGE,
    seats=SEATS,
    editions=options.EDITIONS,
    scenarios=SCENARIOS,
    sequence=sequence.SEQUENCE,
    begin=begin,
    beats=options.beats,
    public=state.public_position,
    offers=sequence.offers,
    sides=SIDES,
    sharing=Sharing(
        "R9.1", orders.NATIONS_OF_SEAT, orders.nations_ordered, most=(orders.MOST_COMMANDERS, "R9.2")
    ),
    earlier={
        1: lacking(
            {"aa_then_fight": True, "forts_anywhere": False, "set_up_in_mines": "infantry"},
            positions=("fired_at_aircraft",),
        )
    },
)
