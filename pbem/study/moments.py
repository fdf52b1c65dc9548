"""A game as a line of positions, from the first to the last, and what led from one to the next.

That is a decision of a seat, or what was drawn up to the next question. What was taken back is not on the
line, and neither is the opening of a seal, which decides nothing: its orders count from the sealing on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.core.requests import Chance, Orders, Question, Tell
from pbem.core.run import Position, Run
from pbem.core.sealing import Open, Seal
from pbem.format.shapes import Answer, Propose
from pbem.umpire.game import Game, ReplayedEntry
from pbem.umpire.scenario import agreed_data


class Decision(Struct, frozen=True):
    """A seat's answer to a question, and the number of its entry."""

    entry: int
    ask: Question
    orders: Orders


class Draws(Struct, frozen=True):
    """The draws between two questions, such as `9S` or `3`, the entry that completed the beat, and events."""

    entry: int
    outcomes: tuple[Any, ...]
    tells: tuple[Tell, ...]


class MainLine(Struct, frozen=True):
    """The moments of a game at rest, and between any two neighbours the step from one to the other.

    `sealed` has the orders under each seal that the file has opened.
    """

    moments: tuple[Position, ...]
    steps: tuple[Decision | Draws, ...]
    sealed: Mapping[str, Orders]

    def decision(self, at: int) -> Decision:
        """The step from a moment, which must be a decision."""
        step = self.steps[at]
        assert isinstance(step, Decision)
        return step

    def orders(self, at: int) -> Orders | None:
        """The orders of a decision; None if they are still sealed."""
        step = self.decision(at)
        return self.sealed.get(step.ask.take(step.orders)) if isinstance(step.ask, Seal) else step.orders


def main_line(game: Game) -> MainLine:
    """The main line of a game, from its entries."""
    return _Replay(game).build()


class _Replay:
    """A replay of the game, entry by entry, that collects moments and steps."""

    def __init__(self, game: Game) -> None:
        self._game = game
        start = game.rules.begin(game.offer.options, agreed_data(game.offer, game.rules))
        self._run = Run(game.rules, Position(start))
        self._moments = [self._run.position]
        self._steps: list[Decision | Draws] = []
        self._sealed: dict[str, Orders] = {}
        self._marks: list[tuple[Position, int]] = []

    def build(self) -> MainLine:
        for chapter in self._game.replayed_entries:
            self._follow(chapter)
            self._marks.append((self._run.position, len(self._steps)))
        return MainLine(tuple(self._moments), tuple(self._steps), self._sealed)

    def _follow(self, chapter: ReplayedEntry) -> None:
        """Replay an entry, which may complete a beat, give orders, or grant a take-back."""
        body = chapter.entry.body
        self._run.told.clear()
        if chapter.beat is not None and chapter.beat.draws:
            for draw in chapter.beat.draws:
                assert isinstance(self._run.pending, Chance)
                self._run.decide(draw.outcomes.index(draw.outcome))
            outcomes = tuple(draw.outcome for draw in chapter.beat.draws)
            self._add_step(Draws(body.n, outcomes, tuple(self._run.told)))
        if (orders := getattr(body, "orders", None)) is not None:
            self._answer(body.n, orders)
        if isinstance(body, Answer) and body.accept:
            proposed = self._game.entries[body.n - 1].body
            assert isinstance(proposed, Propose)
            if proposed.what.takeback is not None:
                self._take_back(proposed.what.takeback)

    def _answer(self, entry: int, orders: Orders) -> None:
        ask: Any = self._run.pending
        self._run.answer(orders)
        if isinstance(ask, Open):
            self._sealed[ask.seal] = ask.opening(orders).orders
            self._moments[-1] = self._run.position
        else:
            self._add_step(Decision(entry, ask, orders))

    def _add_step(self, step: Decision | Draws) -> None:
        self._steps.append(step)
        self._moments.append(self._run.position)

    def _take_back(self, entry: int) -> None:
        """Return to the position after an entry; later steps are dropped from the line."""
        moment, steps = self._marks[entry]
        self._run = Run(self._game.rules, moment)
        del self._steps[steps:]
        self._moments[steps:] = [moment]
