"""Runs the numbered rule cases in `cases/`: a position, what is drawn and ordered, and what follows.

A case starts at the draw of an activation card in the position of `before`, or with `set_up: true`
at the question `place`. Its `play` is a list of steps, each with one key:

    draw: 5S                                  the rules wait for a card, and this one comes
    asks: {seat, question, rule}              so much of what is asked (any of these keys)
    refused: {rule, orders, facts}            the seat asked tries this, and nothing changes
    orders: […]                               the seat asked answers
    expect: {…}                               so much of the position
    draws_next: true                          the rules wait for a card
    over: {winner, rule}                      the game has ended
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Plain
from pbem.core.run import Position, Run, public
from pbem.errors import IllegalOrder
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, State, Step, Unit
from pbem.games.mortain.terms.cards import DECK
from pbem.games.mortain.terms.setting import GERMAN

CASES = Path(__file__).parent / "cases"
SCENARIO: Plain = yaml.load((CASES / "scenario.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)

KEYS = {
    "id",
    "rule",
    "source",
    "title",
    "why",
    "edition",
    "options",
    "terrain",
    "before",
    "set_up",
    "play",
}
BEFORE = {"turn", "units", "deck", "aside", "support", "suppressed", "exits", "activated", "colours"}


@dataclass(frozen=True)
class Case:
    """One case as it stands in its file."""

    id: str
    data: dict[str, Any]


def cases() -> list[Case]:
    """Every case of every chapter, in the order of the rules."""
    found = []
    for path in sorted(CASES.glob("[0-9]_*.yaml")):
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
    options = {**RULES.editions[case.get("edition", "it")], **case.get("options", {})}
    begun: State = RULES.begin(options, SCENARIO)
    setting = replace(begun.setting, terrain={**begun.setting.terrain, **case.get("terrain", {})})
    state: State = replace(begun, setting=setting)
    if case.get("set_up"):
        return state
    before = case.get("before", {})
    assert set(before) <= BEFORE, f"unknown keys: {set(before) - BEFORE}"
    return replace(
        state,
        step=Step.CARD,
        turn=before.get("turn", 1),
        deck=tuple(card for card in DECK if card in before.get("deck", DECK)),
        aside=tuple(before.get("aside", [])),
        support=before.get("support", "available"),
        suppressed=before.get("suppressed"),
        activated=tuple(before.get("activated", [])),
        colours=tuple(before.get("colours", [])),
        units=_units(state, before),
    )


def _units(state: State, before: dict[str, Any]) -> dict[str, Unit]:
    """The units as listed; as many further Germans as `exits` wants have exited, all others are gone."""
    listed = before.get("units", {})
    assert set(listed) <= set(state.units), f"unknown units: {set(listed) - set(state.units)}"
    units = {}
    exited = before.get("exits", 0) - sum(text.startswith(EXITED) for text in listed.values())
    for name in state.units:
        if name in listed:
            units[name] = _unit(listed[name])
        elif state.side(name) == GERMAN and exited > 0:
            units[name] = Unit(EXITED)
            exited -= 1
        else:
            units[name] = Unit(ELIMINATED, reduced=True)
    return units


def _unit(text: str) -> Unit:
    at, _, face = text.partition(" ")
    assert face in ("", "full", "reduced"), f"unknown face: {text}"
    return Unit(at, face == "reduced")


def _draw(run: Run, card: str) -> None:
    assert isinstance(run.pending, Draw), f"no card is due, but {_pending(run)}"
    assert card in run.pending.outcomes, f"{card} is not in the deck"
    run.decide(run.pending.outcomes.index(card))


def _asks(run: Run, what: dict[str, str]) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {_pending(run)}"
    asked = _public(run)["asks"]
    assert {key: asked[key] for key in what} == what


def _refused(run: Run, what: dict[str, Any]) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {_pending(run)}"
    before, pending = _public(run), run.pending
    with pytest.raises(IllegalOrder) as refusal:
        run.answer(what["orders"])
    assert refusal.value.rule == what["rule"], str(refusal.value)
    assert what.get("facts", "") in str(refusal.value)
    assert _public(run) == before
    assert run.pending is pending


def _orders(run: Run, orders: list[Plain]) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {_pending(run)}"
    try:
        run.answer(orders)
    except IllegalOrder as refusal:
        raise AssertionError(f"refused: {refusal}") from refusal


def _expect(run: Run, what: dict[str, Any]) -> None:
    position = _public(run)
    units, deck = position["units"], position["deck"]
    found = {
        **position,
        "deck_size": len(deck),
        "in_deck": [card for card in what.get("in_deck", []) if card in deck],
        "activated": [seat for seat, done in position["activated"].items() if done],
        "colours": [colour for colour, drawn in position["colours"].items() if drawn],
        "units": {name: _shown(units[name], like) for name, like in what.get("units", {}).items()},
    }
    assert {key: found[key] for key in what} == what


def _shown(unit: dict[str, str], like: str) -> str:
    """A unit as a case writes it: `1503 reduced`; the word is left out for a full one and for one gone."""
    if unit["face"] == "full":
        return unit["at"] + (" full" if like.endswith(" full") else "")
    return unit["at"] + (" reduced" if unit["at"] not in (ELIMINATED, EXITED) or " " in like else "")


def _draws_next(run: Run, what: bool) -> None:
    assert isinstance(run.pending, Draw) is what, _pending(run)


def _over(run: Run, what: dict[str, str]) -> None:
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
        return f"{run.pending.seat} is asked ({run.pending.rule})"
    return "the game is over" if run.pending is None else f"a card is due ({run.pending.rule})"


STEPS: dict[str, Callable[[Run, Any], None]] = {
    "draw": _draw,
    "asks": _asks,
    "refused": _refused,
    "orders": _orders,
    "expect": _expect,
    "draws_next": _draws_next,
    "over": _over,
}
