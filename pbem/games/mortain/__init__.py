"""Stand at Mortain, a postcard wargame by Paul Rohrbaugh (2006): its rules, as `RULES`. See RULES.md.

It has four packages: `terms`; `rules`, which needs only `terms`; `view` and `players`, imported when used.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.requests import Plain
from pbem.core.rules import Rules, Sharing
from pbem.games.mortain.rules import sequence, setup, state
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.terms import options, scenario
from pbem.games.mortain.terms.scenario import SCENARIOS
from pbem.games.mortain.terms.setting import PACKAGE, SEATS, SIDES


def begin(chosen: Mapping[str, Plain], data: Plain) -> State:
    """The state before the set-up (M2). Raises `FileError` if the options or the scenario are invalid."""
    setting = scenario.read(data, options.read(chosen))
    options.check_exits(setting)
    return setup.first_state(setting)


RULES = Rules(
    name="mortain",
    version=1,
    title="Stand at Mortain",
    package=PACKAGE,
    seats=SEATS,
    editions=options.EDITIONS,
    beats=options.beats,
    scenarios=SCENARIOS,
    begin=begin,
    sequence=sequence.SEQUENCE,
    public=state.public_position,
    offers=sequence.offers,
    sides=SIDES,
    sharing=Sharing("M1"),
)
