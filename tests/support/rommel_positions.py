"""Positions of Rommel y Montgomery for the tests: units in given hexes, at any question."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from pbem.core.requests import Ask, Plain, Question
from pbem.core.run import Position, Run
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State, Unit

CASES = Path(__file__).parents[1] / "games" / "rommel" / "cases"
SCENARIO: Plain = yaml.safe_load((CASES / "scenario.yaml").read_text("utf-8"))


def first_state(scenario: Mapping[str, Plain] | None = None, **options: Plain) -> State:
    """The state before the set-up, with the factors of the rule cases, which no tuning changes."""
    edition = next(iter(RULES.editions.values()))
    state: State = RULES.begin({**edition, **options}, {**SCENARIO, **(scenario or {})})
    return state


def position(step: Phase, units: Mapping[str, str], **changes: Any) -> State:
    """Units as in `{'PzIII-1': '1705 struck'}`, all others eliminated; `step` comes next, on a clear day."""
    state = first_state(changes.pop("scenario", None), **changes.pop("options", {}))
    assert set(units) <= set(state.units)
    words = {name: units.get(name, ELIMINATED).split() for name in state.units}
    placed = {name: Unit(at, struck == ["struck"]) for name, (at, *struck) in words.items()}
    found = replace(state, step=step, units=placed, weather="clear", subturn=int(step == Phase.AIR))
    return replace(found, **changes)


def with_factors(name: str, *factors: int) -> dict[str, Plain]:
    """The units of the rule cases, one of them with other factors: a part of a scenario."""
    units = SCENARIO["units"]
    return {"units": {**units, name: {**units[name], "factors": list(factors)}}}


def run_of(state: State) -> Run:
    """A run of the rules from a state."""
    return Run(RULES, Position(state))


def question_of(state: State) -> Question:
    """The rules' question at the step of a state."""
    pending = run_of(state).pending
    assert isinstance(pending, Ask), pending
    return pending
