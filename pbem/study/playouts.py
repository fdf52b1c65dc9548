"""Playouts: a game played on from a position to its end by practice players, with a seed in place of draws.

A position at rest holds no secret: which card or die comes next is nowhere in it, and of sealed orders it has
the seal alone. So a playout knows what a player knows; what the file has opened later is known besides.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any

from pbem.core.requests import Chance, Draw, Orders
from pbem.core.rules import Rules
from pbem.core.run import Run
from pbem.study.moments import MainLine
from pbem.study.playing import RunDriver, SeatedPlayer, seeded_random

PLAYOUT_PLAYER = "sensible"
"""The player of both seats in playouts."""


class SeededDraws:
    """The draws of one playout: a sequence of numbers for each rule that draws.

    The same seed gives the same sequences, which begin anew when a deck is shuffled, that is, has grown. So
    two playouts of one seed, after orders that differ a little, have the same draws for long.
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

    A drawn game is a half. `orders`, if given, answer the question at that moment. Raises `FileError` where
    the player gives orders that the rules refuse.
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
