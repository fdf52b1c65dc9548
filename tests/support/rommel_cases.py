"""Runs the numbered rule cases in `cases/`: a position, rolls and orders, and the results.

A case starts at a step of the sequence of play, in the position of `before`:

    at: ground_move                   the step; a set-up step begins with every unit unplaced
    active: allied                    the side whose part it is
    turn: 2, weather: dust, subturn: 1
    units: {125Inf: '1605', PzIII-1: '1705 struck'}      units not listed are eliminated
    forts: ['1703'], cleared: ['1805'], aa: {88mm-1: hold}, stood_down: [axis], landing: {Spit-1: '2508'}
    obliged: {20-Aus: [61-Tre]}, fired: [25pdr-1], fired_at_aircraft: [Bofors-1]

Its `options` and `scenario` replace values of the default edition and of `cases/scenario.yaml`.

Its `play` has the steps of every casebook (`games.casebook`), and these:

    throw: 5                          the rules need a die, and this face is rolled; several: `throws`
    hidden_refused: {rule, orders}    the placement would be refused before it is sealed
    hidden: […]                       it would be sealed
    expect: {…}                       these parts of the position
    told: {event, …}                  an event since the last answer or roll has these facts
    throws_next: true                 the rules need a die
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pbem.core.requests import Orders, Plain
from pbem.core.run import Run
from pbem.core.sealing import Seal
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import ELIMINATED, OFF_MAP, UNPLACED, Hold, Phase, State, Unit
from pbem.games.rommel.terms.setting import ALLIED
from support.rule_cases import (
    Casebook,
    assert_accepted,
    assert_chance_next,
    assert_refused,
    decide,
    load_yaml,
    pending,
    position,
)

CASES = Path(__file__).parents[1] / "games" / "rommel" / "cases"
SCENARIO: Plain = load_yaml(CASES / "scenario.yaml")

KEYS = {"id", "rule", "source", "title", "why", "options", "scenario", "before", "play"}
BEFORE = {
    *("at", "active", "turn", "weather", "subturn", "units", "forts", "cleared"),
    *("aa", "stood_down", "landing", "obliged", "fired", "fired_at_aircraft"),
}
SET_UP = (
    Phase.AXIS_FIRST_SETUP,
    Phase.AXIS_SCREEN_SETUP,
    Phase.ALLIED_SCREEN_SETUP,
    Phase.AXIS_OPEN,
    Phase.ALLIED_LAST_SETUP,
)
SEALED = (Phase.ALLIED_SCREEN_SETUP, Phase.AXIS_OPEN)
"""The steps at which the Axis's placement is under a seal, whichever it is."""


def _start(case: dict[str, Any]) -> State:
    options = {**next(iter(RULES.editions.values())), **case.get("options", {})}
    state: State = RULES.begin(options, {**SCENARIO, **case.get("scenario", {})})
    before = case["before"]
    assert set(before) <= BEFORE, f"unknown keys: {set(before) - BEFORE}"
    step = Phase(before["at"])
    return replace(
        state,
        step=step,
        active=before.get("active", ALLIED),
        turn=before.get("turn", 1),
        weather=before.get("weather", None if step in (*SET_UP, Phase.WEATHER) else "clear"),
        subturn=before.get("subturn", int(step == Phase.AIR)),
        units=_units(state, before.get("units", {}), UNPLACED if step in SET_UP else ELIMINATED),
        forts=tuple(sorted(before.get("forts", []))),
        cleared=tuple(sorted(before.get("cleared", []))),
        seal="0" * 64 if step in SEALED else None,
        flak=_standing(state, before.get("aa", {})),
        stood_down=tuple(before.get("stood_down", [])),
        landing=before.get("landing", {}),
        obliged={name: tuple(targets) for name, targets in before.get("obliged", {}).items()},
        fired=tuple(before.get("fired", [])),
        fired_at_aircraft=tuple(before.get("fired_at_aircraft", [])),
    )


def _units(state: State, listed: dict[str, str], others: str) -> dict[str, Unit]:
    """The units as listed; all others are off the map."""
    assert set(listed) <= set(state.units), f"unknown units: {set(listed) - set(state.units)}"
    return {name: _unit(listed.get(name, others)) for name in state.units}


def _unit(text: str) -> Unit:
    at, _, struck = text.partition(" ")
    assert struck in ("", "struck"), f"unknown face: {text}"
    return Unit(at, bool(struck))


def _standing(state: State, listed: dict[str, Hold]) -> dict[str, Hold]:
    assert set(listed) <= set(state.flak), f"no guns that fire at aircraft: {set(listed) - set(state.flak)}"
    return {**state.flak, **listed}


def _throw(run: Run, face: int) -> None:
    _throws(run, [face])


def _throws(run: Run, faces: list[int]) -> None:
    run.told.clear()
    for face in faces:
        decide(run, face)


def _hidden_refused(run: Run, what: dict[str, Any]) -> None:
    assert isinstance(run.pending, Seal), f"nothing is sealed, but {pending(run)}"
    assert_refused(run.pending.read, what)


def _hidden(run: Run, orders: Orders) -> None:
    assert isinstance(run.pending, Seal), f"nothing is sealed, but {pending(run)}"
    assert_accepted(run.pending.read, orders)


def _expect(run: Run, what: dict[str, Any]) -> None:
    public = position(run)
    units = {name: _shown(unit) for name, unit in public["units"].items()}
    found = {key: _part({**public, "units": units}[key], like) for key, like in what.items()}
    assert found == what


def _part(value: Plain, like: Plain) -> Plain:
    """The parts of a mapping that a case names; all of it if the case has none."""
    return {key: value.get(key) for key in like} if isinstance(value, dict) and like else value


def _shown(unit: dict[str, Plain]) -> str:
    """A unit as a case writes it: `1705 struck`."""
    at: str = unit["at"]
    return f"{at} struck" if unit["struck"] and at not in OFF_MAP else at


def _told(run: Run, what: dict[str, Plain]) -> None:
    told = [{**tell.facts, "event": tell.event, "rule": tell.rule} for tell in run.told]
    found = [facts for facts in told if what == {key: facts.get(key) for key in what}]
    assert found, f"told: {told}"


BOOK = Casebook(
    RULES,
    CASES,
    KEYS,
    _start,
    {
        "throw": _throw,
        "throws": _throws,
        "hidden_refused": _hidden_refused,
        "hidden": _hidden,
        "expect": _expect,
        "told": _told,
        "throws_next": assert_chance_next,
    },
)
