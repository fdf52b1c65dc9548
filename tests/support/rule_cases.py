"""Runs numbered rule cases: a position, draws and orders, and the results.

A game's `casebook` says what else its cases can contain. Their `play` is a list of steps, each with one key:

    asks: {seat, question, rule}      these parts of the question (any of these keys)
    refused: {rule, orders, facts}    the seat to decide tries this, and nothing changes
    orders: […]                       the seat to decide answers
    over: {winner, rule}              the game has ended
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from pbem.core.requests import Ask, Chance, Orders, Plain
from pbem.core.rules import Rules
from pbem.core.run import Position, Run, public
from pbem.errors import IllegalOrder

Verb: TypeAlias = Callable[[Run, Any], None]


def load_yaml(file: Path) -> Any:
    """The content of a YAML file."""
    return yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)


@dataclass(frozen=True)
class Casebook:
    """The cases of a game: their folder, the keys they can have, how one starts, and its own steps."""

    rules: Rules
    folder: Path
    keys: set[str]
    start: Callable[[dict[str, Any]], Any]
    own: Mapping[str, Verb]

    def cases(self) -> list[dict[str, Any]]:
        """Every case of every chapter, in the order of the rules."""
        chapters = sorted(self.folder.glob("*_*.yaml"), key=lambda path: int(path.name.partition("_")[0]))
        found = [case for path in chapters for case in load_yaml(path)]
        for case in found:
            assert set(case) <= self.keys, f"unknown keys in {case.get('id')}: {set(case) - self.keys}"
        return found

    def play(self, case: dict[str, Any], **others: Verb) -> None:
        """Play a case from its position to its last step; `others` replace some steps."""
        common: dict[str, Verb] = {
            "asks": assert_asks,
            "refused": assert_orders_refused,
            "orders": give_orders,
            "over": assert_over,
        }
        verbs = {**common, **self.own, **others}
        run = Run(self.rules, Position(self.start(case)))
        for step in case["play"]:
            [(verb, what)] = step.items()
            try:
                verbs[verb](run, what)
            except AssertionError as failure:
                raise AssertionError(f"{case['id']} {case['title']}: {step}: {failure}") from failure


def assert_asks(run: Run, what: dict[str, str]) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {pending(run)}"
    asked = position(run)["asks"]
    assert {key: asked[key] for key in what} == what


def assert_orders_refused(run: Run, what: dict[str, Any]) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {pending(run)}"
    before, asked = position(run), run.pending
    assert_refused(run.answer, what)
    assert position(run) == before
    assert run.pending is asked


def assert_refused(take: Callable[[Orders], Any], what: dict[str, Any]) -> None:
    with pytest.raises(IllegalOrder) as refusal:
        take(what["orders"])
    assert refusal.value.rule == what["rule"], str(refusal.value)
    assert what.get("facts", "") in str(refusal.value), str(refusal.value)


def give_orders(run: Run, orders: Orders) -> None:
    assert isinstance(run.pending, Ask), f"nothing is asked, but {pending(run)}"
    run.told.clear()
    assert_accepted(run.answer, orders)


def assert_accepted(take: Callable[[Orders], Any], orders: Orders) -> None:
    try:
        take(orders)
    except IllegalOrder as refusal:
        raise AssertionError(f"refused: {refusal}") from refusal


def decide(run: Run, outcome: Plain) -> None:
    """Draw this card or roll this face."""
    assert isinstance(run.pending, Chance), f"nothing is left to chance, but {pending(run)}"
    assert outcome in run.pending.outcomes, f"{outcome} cannot come, only {run.pending.outcomes}"
    run.decide(run.pending.outcomes.index(outcome))


def assert_chance_next(run: Run, what: bool) -> None:
    assert isinstance(run.pending, Chance) is what, pending(run)


def assert_over(run: Run, what: dict[str, str | None]) -> None:
    assert run.pending is None, f"the game goes on: {pending(run)}"
    outcome = run.state.outcome
    assert outcome is not None
    found = {"winner": outcome.winner, "rule": outcome.rule}
    assert {key: found[key] for key in what} == what


def position(run: Run) -> dict[str, Any]:
    """The position both players see."""
    return public(run.rules, run.state, run.pending if isinstance(run.pending, Ask) else None)


def pending(run: Run) -> str:
    """What the rules need next, for a message."""
    match run.pending:
        case Ask(seat=seat, question=question, rule=rule):
            return f"{seat} is asked {question} ({rule})"
        case Chance(rule=rule):
            return f"a card or a die is due ({rule})"
        case _:
            return "the game is over"
