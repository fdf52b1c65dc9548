"""A game as a line of positions, and playouts: games continued to the end from any of them.

Between two neighbouring positions there is a decision of a seat, or what was drawn up to the next question.
Whatever was taken back is not on the line, and neither is the opening of a seal, which decides nothing: its
orders count from the moment of sealing.

Computer players continue the game, with a seed instead of draws. A position at rest contains no secret: the
next card or die is nowhere in it, and sealed orders are in it only as their seal. So a playout knows what a
player knows, and the orders in seals that the file opened later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct

from pbem.analysis.self_play import RunDriver, SeatedPlayer, seeded_random
from pbem.core.requests import Chance, Draw, Orders, Question, Tell
from pbem.core.rules import Rules
from pbem.core.run import Position, Run
from pbem.core.sealing import Open, Seal
from pbem.format.entries import Answer, Propose
from pbem.umpire.game_state import Game, ReplayedEntry
from pbem.umpire.offered_scenario import agreed_data


class Decision(Struct, frozen=True):
    """A seat's answer to a question, with the number of its entry."""

    entry: int
    ask: Question
    orders: Orders


class Draws(Struct, frozen=True):
    """The draws between two questions, such as `9S` or `3`, the entry that completed the beat, and events."""

    entry: int
    outcomes: tuple[Any, ...]
    tells: tuple[Tell, ...]


class MainLine(Struct, frozen=True):
    """The moments when a game was at rest, and the step between each two neighbours.

    `sealed` has the orders of each seal opened in the file.
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
    """A replay of the game, entry by entry, which collects moments and steps."""

    def __init__(self, game: Game) -> None:
        self._game = game
        start = game.rules.begin(game.offer.options, agreed_data(game.offer, game.rules))
        self._run = Run(game.rules, Position(start))
        self._moments = [self._run.position]
        self._steps: list[Decision | Draws] = []
        self._sealed: dict[str, Orders] = {}
        self._marks: list[tuple[Position, int]] = []
        self._before_orders: dict[int, tuple[Position, int]] = {}

    def build(self) -> MainLine:
        for chapter in self._game.replayed_entries:
            self._follow(chapter)
            self._marks.append((self._run.position, len(self._steps)))
        return MainLine(tuple(self._moments), tuple(self._steps), self._sealed)

    def _follow(self, chapter: ReplayedEntry) -> None:
        """Replay an entry, which can complete a beat, give orders, or grant a take-back."""
        body = chapter.entry.body
        self._run.told.clear()
        if chapter.beat is not None and chapter.beat.draws:
            for draw in chapter.beat.draws:
                assert isinstance(self._run.pending, Chance)
                self._run.decide(draw.outcomes.index(draw.outcome))
            outcomes = tuple(draw.outcome for draw in chapter.beat.draws)
            self._add_step(Draws(body.n, outcomes, tuple(self._run.told)))
        if (orders := getattr(body, "orders", None)) is not None:
            self._before_orders[body.n] = (self._run.position, len(self._steps))
            self._answer(body.n, orders)
        if isinstance(body, Answer) and body.accept:
            proposed = self._game.entries[body.n - 1].body
            assert isinstance(proposed, Propose)
            if proposed.what.retract is not None:
                self._return_to(self._before_orders[proposed.what.retract])
            elif proposed.what.takeback is not None:
                self._return_to(self._marks[proposed.what.takeback])

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

    def _return_to(self, mark: tuple[Position, int]) -> None:
        """Return to a position, and drop the steps after it from the line."""
        moment, steps = mark
        self._run = Run(self._game.rules, moment)
        del self._steps[steps:]
        self._moments[steps:] = [moment]


PLAYOUT_PLAYER = "sensible"
"""The computer player for both seats in playouts."""


class SeededDraws:
    """The draws of one playout: a sequence of numbers for each rule that draws.

    The same seed gives the same sequences, which start again when a deck is shuffled and thus has grown. So
    two playouts with one seed, after slightly different orders, share their draws for a long time.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._draw_counts: Counter[str] = Counter()
        self._shuffles = self._cards = 0

    def __call__(self, chance: Chance[Any, Any]) -> int:
        """The index of the drawn outcome."""
        size = len(chance.outcomes)
        if isinstance(chance, Draw):
            if size > self._cards:
                self._shuffles += 1
                self._draw_counts.clear()
            self._cards = size
        self._draw_counts[chance.rule] += 1
        number = f"{self._seed}/{self._shuffles}/{chance.rule}/{self._draw_counts[chance.rule]}".encode()
        return int.from_bytes(sha256(number).digest()[:8], "big") * size >> 64


def play_out(rules: Rules, line: MainLine, at: int, seed: str, orders: Orders | None = None) -> float:
    """The result of a playout from a moment of a game: 1 if the first seat wins, 0 if the other does.

    A draw is 0.5. `orders`, if given, answer the question at that moment. Raises `FileError` if the player
    gives orders that the rules refuse.
    """
    player = rules.players[PLAYOUT_PLAYER]
    seated = {seat: SeatedPlayer(PLAYOUT_PLAYER, player, seeded_random(seed, seat)) for seat in rules.seats}
    driver = RunDriver(seated, SeededDraws(seed), line.sealed)
    run = Run(rules, line.moments[at])
    if orders is not None:
        run.answer(driver.orders_as_signed(line.decision(at).ask, orders))
    while run.pending is not None:
        driver.answer_pending(run)
        run.told.clear()
    return first_seat_score(rules, run)


def first_seat_score(rules: Rules, run: Run) -> float:
    """The score of the first seat in a finished game: 1, 0.5 or 0."""
    winner = run.state.outcome.winner
    return 0.5 if winner is None else float(winner == rules.seats[0])
