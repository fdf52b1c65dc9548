"""Stand at Mortain, a postcard wargame by Paul Rohrbaugh (2006): its rules, as `RULES`. See RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.games.mortain import offers, options, position, scenario, sequence
from pbem.games.mortain.setting import SEATS
from pbem.games.mortain.state import State


def begin(chosen: Mapping[str, Plain], data: Plain) -> State:
    """The state before the set-up (M2). Raises `FileError` for options or a scenario that are wrong."""
    setting = scenario.read(data, options.read(chosen))
    options.check_exits(setting)
    return sequence.first_state(setting)


def beats(chosen: Mapping[str, Plain], data: Plain) -> int:
    """FORMAT section 4: twice the most beats of one game. Raises `FileError` for wrong options."""
    return options.beats(options.read(chosen))


RULES = Rules(
    name="mortain",
    version=1,
    title="Stand at Mortain",
    package=__name__,
    seats=SEATS,
    editions=options.EDITIONS,
    scenarios=scenario.SHIPPED,
    sequence=sequence.SEQUENCE,
    scenario=scenario.shipped,
    scenario_text=scenario.text,
    check_scenario=scenario.check,
    begin=begin,
    beats=beats,
    public=position.public,
    outcome=attrgetter("outcome"),
    offers=offers.offers,
)
