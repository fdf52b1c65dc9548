"""Run the rules of a game: start, answer, fork.

There is no event loop. A step of the sequence of play is a coroutine; `Run` calls its `send` with
each answer and holds the request at which it pauses. Coroutines cannot be copied, states can: a game
at rest is the state at the start of the current step and the answers given since, and a fork runs
only that step again.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from pbem.core.requests import Ask, Chance, Orders, Plain, Question, Request, Tell
from pbem.core.rules import OVER, Rules
from pbem.errors import IllegalOrder


class Position(msgspec.Struct, frozen=True):
    """A game at rest: the state at the start of the current step, and the answers given since."""

    checkpoint: Any
    answers: tuple[Any, ...] = ()


class Run:
    """A running game, started from a position.

    `pending` is the question or chance the rules are waiting for, None when the game is over; `state` is the
    current state. `told` collects events until the caller clears it.
    """

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules = rules
        self.told: list[Tell] = []
        self.pending: Question | Chance[Any, Any] | None = None
        self._begin(position.checkpoint)
        for answer in position.answers:
            self._give(answer)

    def __reduce__(self) -> tuple[Any, ...]:
        # A coroutine cannot be pickled: unpickling runs the current step again, as `fork` does.
        return _run_at, (self.rules, self.position)

    @property
    def position(self) -> Position:
        """The current position, from which the run can be restored."""
        return Position(self._checkpoint, tuple(self._answers))

    def fork(self) -> Run:
        """An independent run from the same position, without the events so far."""
        return _run_at(self.rules, self.position)

    def answer(self, orders: Orders) -> None:
        """Answer the pending question. If the rules refuse, raises `OrderError` and changes nothing."""
        assert isinstance(self.pending, Ask)
        self._give(judged(self.rules, self.pending.take, orders))

    def decide(self, number: int) -> Any:
        """Decide the pending chance by its outcome `number` mod k (FORMAT 5). Returns the outcome."""
        assert isinstance(self.pending, Chance)
        outcome = self.pending.outcomes[number % len(self.pending.outcomes)]
        self._give(outcome)
        return outcome

    def _begin(self, state: Any) -> None:
        """Start the step named by `state`, and run to its first request."""
        self._checkpoint = self.state = state
        self._answers: list[Any] = []
        self._coroutine: Coroutine[Request[Any, Any], Any, Any] | None = None
        if state.step == OVER:
            self.pending = None
            return
        self._coroutine = self.rules.sequence[state.step](state)
        self._resume(None)

    def _give(self, answer: Any) -> None:
        self._answers.append(answer)
        self._resume(answer)

    def _resume(self, answer: Any) -> None:
        """Send the answer, collect events, and stop at the next question or chance."""
        assert self._coroutine is not None
        send = self._coroutine.send
        try:
            while isinstance(request := send(answer), Tell):
                self.told.append(request)
                answer = None
        except StopIteration as finished:
            self._begin(finished.value)
            return
        assert isinstance(request, (Ask, Chance))
        self.state, self.pending = request.state, request


def _run_at(rules: Rules, position: Position) -> Run:
    """The run at a position, without the events that led to it."""
    run = Run(rules, position)
    run.told.clear()
    return run


def judged(rules: Rules, read: Callable[[Orders], Any], orders: Orders) -> Any:
    """The typed answer from a question's `read`. Raises `OrderError`; an `IllegalOrder` names the game."""
    try:
        return read(orders)
    except IllegalOrder as refused:
        refused.game = rules.called
        raise


def public(rules: Rules, state: Any, pending: Question | None) -> dict[str, Plain]:
    """The public position, which is digested (FORMAT 7), with the pending question, None after the end."""
    asks = None
    if pending is not None:
        asks = {"seat": pending.seat, "question": str(pending.question), "rule": pending.rule}
    return {**rules.public(state), "asks": asks}
