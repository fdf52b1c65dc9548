"""Runs the numbered rule cases in `cases/`: a position, draws and orders, and the results.

A case starts at the draw of an activation card in the position of `before`, or with `set_up: true` at the
question `place`. Its `play` has the steps of every casebook (`games.casebook`), and these:

    draw: 5S                                  the rules need a card, and this one is drawn
    expect: {…}                               these parts of the position
    draws_next: true                          the rules need a card
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pbem.core.requests import Plain
from pbem.core.run import Run
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, State, Step, Unit
from pbem.games.mortain.terms.cards import DECK
from pbem.games.mortain.terms.setting import GERMAN
from support.rule_cases import Casebook, assert_chance_next, decide, load_yaml, position

CASES = Path(__file__).parents[1] / "games" / "mortain" / "cases"
SCENARIO: Plain = load_yaml(CASES / "scenario.yaml")

KEYS = {
    *("id", "rule", "source", "title", "why", "edition", "options", "terrain", "before", "set_up", "play"),
}
BEFORE = {"turn", "units", "deck", "aside", "support", "suppressed", "exits", "activated", "colours"}


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
    """The units as listed; enough other Germans have exited for `exits`, all others are gone."""
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


def _expect(run: Run, what: dict[str, Any]) -> None:
    public = position(run)
    units, deck = public["units"], public["deck"]
    found = {
        **public,
        "deck_size": len(deck),
        "in_deck": [card for card in what.get("in_deck", []) if card in deck],
        "activated": [seat for seat, done in public["activated"].items() if done],
        "colours": [colour for colour, drawn in public["colours"].items() if drawn],
        "units": {name: _shown(units[name], like) for name, like in what.get("units", {}).items()},
    }
    assert {key: found[key] for key in what} == what


def _shown(unit: dict[str, str], like: str) -> str:
    """A unit as a case writes it: `1503 reduced`; the word is left out for a full unit and for one gone."""
    if unit["face"] == "full":
        return unit["at"] + (" full" if like.endswith(" full") else "")
    return unit["at"] + (" reduced" if unit["at"] not in (ELIMINATED, EXITED) or " " in like else "")


BOOK = Casebook(
    RULES, CASES, KEYS, _start, {"draw": decide, "expect": _expect, "draws_next": assert_chance_next}
)
