"""Positions of Stand at Mortain for the tests: units in given hexes, a card being played, options.

A whole game of random legal orders, with a fixed seed, gives positions of every kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import yaml
from msgspec.structs import replace

from pbem.core.requests import Ask, Plain, Question
from pbem.core.run import Position, Run
from pbem.errors import IllegalOrder
from pbem.games.mortain import RULES
from pbem.games.mortain.rules import activation
from pbem.games.mortain.rules.state import ELIMINATED, State, Step, Unit

CASES = Path(__file__).parents[1] / "games" / "mortain" / "cases"
SCENARIO = yaml.safe_load((CASES / "scenario.yaml").read_text("utf-8"))


def first_state(edition: str = "it", **options: Plain) -> State:
    """The state before the set-up, with the factors of the rule cases, which no tuning changes."""
    state: State = RULES.begin({**RULES.editions[edition], **options}, SCENARIO)
    return state


def position(units: Mapping[str, str], *, edition: str = "it", **changes: Any) -> State:
    """Units as in `{'DF': '1803 reduced'}`, all others eliminated; an activation card is due."""
    options = changes.pop("options", {})
    state = first_state(edition, **options)
    assert set(units) <= set(state.units)
    gone = dict.fromkeys(state.units, f"{ELIMINATED} reduced")
    placed = {
        name: Unit(text.split()[0], text.endswith(" reduced")) for name, text in {**gone, **units}.items()
    }
    return replace(state, step=Step.CARD, units=placed, **changes)


def run_of(state: State) -> Run:
    """A run of the rules from a state."""
    return Run(RULES, Position(state))


def question_on_card(state: State, card: str) -> Question:
    """The rules' question on an activation card."""
    run = run_of(state)
    draw_cards(run, card)
    assert isinstance(run.pending, Ask)
    return run.pending


def draw_cards(run: Run, *drawn: str) -> None:
    """Draw these cards, one after the other."""
    for card in drawn:
        assert run.pending is not None
        assert not isinstance(run.pending, Ask)
        run.decide(run.pending.outcomes.index(card))


def refusal(state: State, card: str, orders: Plain) -> str:
    """The rules' refusal of orders on an activation card; empty if they accept them."""
    playing = replace(state.without_card(card), card=card)
    try:
        partial(activation.read, playing)(orders)
    except IllegalOrder as error:
        return str(error)
    return ""


def event_facts(run: Run, event: str) -> list[dict[str, Any]]:
    """The facts of each event of that name."""
    return [dict(tell.facts) for tell in run.told if tell.event == event]


def random_game(edition: str, seed: int) -> Iterator[Run]:
    """The game at each question and each chance, and at its end."""
    chooser = Random(seed)
    run = Run(RULES, Position(RULES.begin(RULES.editions[edition], RULES.scenarios.data("mortain"))))
    yield run
    while run.pending is not None:
        if isinstance(run.pending, Ask):
            run.answer(RULES.players["random"](run.pending, chooser))
        else:
            run.decide(chooser.getrandbits(64))
        yield run
