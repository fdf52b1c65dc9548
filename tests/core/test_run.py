"""Runs, with a little game of three steps: start, answer, decide, fork."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from pbem.core.requests import Ask, Chance, Event, Orders, Question, Tell, Throw
from pbem.core.rules import OVER, Rules
from pbem.core.run import Position, Run, public
from pbem.errors import IllegalOrder


@dataclass(frozen=True)
class Score:
    """The state of a game in which one throws a die, says how often it counts, and is told the sum."""

    step: str = "throw"
    pips: int = 0


class Thrown(Event, frozen=True):
    pips: int


class Sum(Event, frozen=True):
    pips: int


def times(orders: Orders) -> int:
    if orders not in ([1], [2]):
        raise IllegalOrder("1.2", "once or twice")
    factor: int = orders[0]
    return factor


async def throw(state: Score) -> Score:
    pips = await Throw(state, "1.1", (1, 2, 3, 4, 5, 6))
    state = replace(state, pips=pips)
    await Tell(state, "1.1", Thrown(pips))
    factor = await Ask(state, "1.2", "north", "times", times)
    return replace(state, step="end", pips=pips * factor)


async def end(state: Score) -> Score:
    await Tell(state, "1.3", Sum(state.pips))
    return replace(state, step=OVER)


class Dice:
    called = "dice"
    sequence = {"throw": throw, "end": end}  # noqa: RUF012

    def public(self, state: Score) -> dict[str, Any]:
        return {"pips": state.pips}


RULES = cast(Rules, Dice())


@pytest.fixture
def run() -> Run:
    return Run(RULES, Position(Score()))


class TestRun:
    """A run goes on through steps and events up to the next question, the next chance or the end."""

    def test_it_begins_at_the_first_request(self, run: Run) -> None:
        assert isinstance(run.pending, Chance)
        assert run.pending.outcomes == (1, 2, 3, 4, 5, 6)

    @pytest.mark.parametrize(("number", "pips"), [(0, 1), (5, 6), (6, 1), (2**256 + 1, 6)])
    def test_chance_is_the_number_modulo_the_outcomes(self, run: Run, number: int, pips: int) -> None:
        """2**256 is 4 modulo 6, as every power of 4 is, and outcome 4 + 1 is the six."""
        assert run.decide(number) == pips
        assert run.state.pips == pips

    def test_events_are_gathered_and_the_state_follows_in_mid_step(self, run: Run) -> None:
        run.decide(3)
        assert [(tell.event, tell.facts) for tell in run.told] == [("thrown", {"pips": 4})]
        assert run.state == Score("throw", 4)

    def test_a_refused_answer_changes_nothing(self, run: Run) -> None:
        run.decide(3)
        before = (run.state, run.pending, run.position)
        with pytest.raises(IllegalOrder) as refused:
            run.answer([3])
        assert refused.value.game == "dice"
        assert (run.state, run.pending, run.position) == before

    def test_the_end(self, run: Run) -> None:
        run.decide(3)
        run.answer([2])
        assert run.pending is None
        assert run.state == Score(OVER, 8)
        assert [tell.event for tell in run.told] == ["thrown", "sum"]


class TestFork:
    """A fork stands where the run stands, tells nothing twice, and goes its own way."""

    def test_in_mid_step(self, run: Run) -> None:
        run.decide(3)
        fork = run.fork()
        assert fork.state == run.state
        assert fork.told == []
        fork.answer([2])
        assert fork.state.pips == 8
        assert run.state.pips == 4

    def test_a_pickled_run_goes_on_where_it_stood(self, run: Run) -> None:
        """As from one process to another: its coroutine cannot be pickled, and no event is told twice."""
        run.decide(3)
        again = pickle.loads(pickle.dumps(run))
        assert (again.state, again.told) == (Score("throw", 4), [])
        again.answer([2])
        assert (again.state, run.state) == (Score(OVER, 8), Score("throw", 4))

    def test_a_position_starts_the_same_run_again(self, run: Run) -> None:
        run.decide(3)
        again = Run(RULES, run.position)
        assert again.state == run.state
        assert public(RULES, again.state, cast(Question, again.pending)) == {
            "pips": 4,
            "asks": {"seat": "north", "question": "times", "rule": "1.2"},
        }


class TestPublic:
    """The public position says what is asked, or null."""

    def test_at_the_end(self, run: Run) -> None:
        run.decide(0)
        run.answer([1])
        assert public(RULES, run.state, None) == {"pips": 1, "asks": None}
