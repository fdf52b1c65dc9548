"""Runs the numbered rule cases in `cases/`: a position, what is thrown and ordered, and what follows.

A case starts at a step of the sequence of play, in the position of `before`:

    at: ground_move                   the step; a set-up step begins with every unit unplaced
    active: allied                    the side whose part it is
    turn: 2, weather: dust, subturn: 1
    units: {125Inf: '1605', PzIII-1: '1705 struck'}      those that are not listed are eliminated
    forts: ['1703'], cleared: ['1805'], aa: {88mm-1: hold}, stood_down: [axis], landing: {Spit-1: '2508'}
    obliged: {20-Aus: [61-Tre]}, fired: [25pdr-1]

Its `options` and `scenario` replace values of the default edition and of `cases/scenario.yaml`.

Its `play` is a list of steps, each with one key:

    throw: 5                          the rules wait for a die, and this face comes; several: `throws`
    asks: {seat, question, rule}      so much of what is asked (any of these keys)
    refused: {rule, orders, facts}    the seat asked tries this, and nothing changes
    orders: […]                       the seat asked answers
    hidden_refused: {rule, orders}    the placement would be refused before it is sealed
    hidden: […]                       it would be sealed
    expect: {…}                       so much of the position
    told: {event, …}                  an event since the last answer or throw has these facts
    throws_next: true                 the rules wait for a die
    over: {winner, rule}              the game has ended
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from pbem.core.requests import Ask, Orders, Plain, Throw
from pbem.core.run import Position, Run, public
from pbem.core.sealing import Seal
from pbem.errors import IllegalOrder
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import ELIMINATED, OFF_MAP, UNPLACED, Hold, Phase, State, Unit
from pbem.games.rommel.terms.setting import ALLIED

CASES = Path(__file__).parent / "cases"
SCENARIO: Plain = yaml.load((CASES / "scenario.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)

KEYS = {"id", "rule", "source", "title", "why", "options", "scenario", "before", "play"}
BEFORE = {
    *("at", "active", "turn", "weather", "subturn", "units", "forts", "cleared"),
    *("aa", "stood_down", "landing", "obliged", "fired"),
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


@dataclass(frozen=True)
class Case:
    """One case as it stands in its file."""

    id: str
    data: dict[str, Any]


def cases() -> list[Case]:
    """Every case of every chapter, in the order of the rules."""
    found = []
    for path in sorted(CASES.glob("*_*.yaml"), key=lambda path: int(path.name.partition("_")[0])):
        for data in yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader):
            assert set(data) <= KEYS, f"unknown keys in {data.get('id')}: {set(data) - KEYS}"
            found.append(Case(data["id"], data))
    return found


def play(case: Case) -> None:
    """Play a case from its position to its last step."""
    run = Run(RULES, Position(_start(case.data)))
    for step in case.data["play"]:
        [(verb, what)] = step.items()
        try:
            STEPS[verb](run, what)
        except AssertionError as failure:
            raise AssertionError(f"{case.id} {case.data['title']}: {step}: {failure}") from failure


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
        assert isinstance(run.pending, Throw), f"no die is due, but {_pending(run)}"
        run.decide(run.pending.outcomes.index(face))


def _asks(run: Run, what: dict[str, str]) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {_pending(run)}"
    asked = _public(run)["asks"]
    assert {key: asked[key] for key in what} == what


def _refused(run: Run, what: dict[str, Any]) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {_pending(run)}"
    before, pending = _public(run), run.pending
    _is_refused(run.answer, what)
    assert _public(run) == before
    assert run.pending is pending


def _is_refused(take: Callable[[Orders], Any], what: dict[str, Any]) -> None:
    with pytest.raises(IllegalOrder) as refusal:
        take(what["orders"])
    assert refusal.value.rule == what["rule"], str(refusal.value)
    assert what.get("facts", "") in str(refusal.value), str(refusal.value)


def _orders(run: Run, orders: Orders) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {_pending(run)}"
    run.told.clear()
    _is_taken(run.answer, orders)


def _is_taken(take: Callable[[Orders], Any], orders: Orders) -> None:
    try:
        take(orders)
    except IllegalOrder as refusal:
        raise AssertionError(f"refused: {refusal}") from refusal


def _hidden_refused(run: Run, what: dict[str, Any]) -> None:
    assert isinstance(run.pending, Seal), f"nothing is sealed, but {_pending(run)}"
    _is_refused(run.pending.read, what)


def _hidden(run: Run, orders: Orders) -> None:
    assert isinstance(run.pending, Seal), f"nothing is sealed, but {_pending(run)}"
    _is_taken(run.pending.read, orders)


def _expect(run: Run, what: dict[str, Any]) -> None:
    position = _public(run)
    units = {name: _shown(unit) for name, unit in position["units"].items()}
    found = {key: _part({**position, "units": units}[key], like) for key, like in what.items()}
    assert found == what


def _part(value: Plain, like: Plain) -> Plain:
    """So much of a mapping as a case names; all of it where the case has none."""
    return {key: value.get(key) for key in like} if isinstance(value, dict) and like else value


def _shown(unit: dict[str, Plain]) -> str:
    """A unit as a case writes it: `1705 struck`."""
    at: str = unit["at"]
    return f"{at} struck" if unit["struck"] and at not in OFF_MAP else at


def _told(run: Run, what: dict[str, Plain]) -> None:
    told = [{**tell.facts, "event": tell.event, "rule": tell.rule} for tell in run.told]
    found = [facts for facts in told if what == {key: facts.get(key) for key in what}]
    assert found, f"told: {told}"


def _throws_next(run: Run, what: bool) -> None:
    assert isinstance(run.pending, Throw) is what, _pending(run)


def _over(run: Run, what: dict[str, str | None]) -> None:
    assert run.pending is None, f"the game goes on: {_pending(run)}"
    outcome = run.state.outcome
    assert outcome is not None
    found = {"winner": outcome.winner, "rule": outcome.rule}
    assert {key: found[key] for key in what} == what


def _public(run: Run) -> dict[str, Any]:
    return public(RULES, run.state, run.pending if isinstance(run.pending, Ask) else None)


def _pending(run: Run) -> str:
    """What the rules wait for, for a message."""
    if isinstance(run.pending, Ask):
        return f"{run.pending.seat} is asked {run.pending.question} ({run.pending.rule})"
    return "the game is over" if run.pending is None else f"a die is due ({run.pending.rule})"


STEPS: dict[str, Callable[[Run, Any], None]] = {
    "throw": _throw,
    "throws": _throws,
    "asks": _asks,
    "refused": _refused,
    "orders": _orders,
    "hidden_refused": _hidden_refused,
    "hidden": _hidden,
    "expect": _expect,
    "told": _told,
    "throws_next": _throws_next,
    "over": _over,
}
