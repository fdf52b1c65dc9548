"""Playouts: a game played on from a position to its end by practice players, with a seed in place of draws.

A position at rest holds no secret: which card or die comes next is nowhere in it, and of sealed orders it has
the seal alone. So a playout knows what a player knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from random import Random
from typing import TypeAlias

from pbem.core.requests import Chance, Orders, Question
from pbem.core.rules import Player, Rules
from pbem.core.run import Run
from pbem.core.sealing import Open, Seal
from pbem.journal.canonical import canonical

SALT = bytes(32)
"""Of the seals of a playout: nothing is kept from anybody there."""

Sealed: TypeAlias = dict[str, Orders]
"""Hidden orders by their seal."""


class Fate:
    """What chance brings in one playout: a row of numbers for each rule that calls for any.

    The same seed gives the same rows, and `drawn` says how far each has been used: so two playouts of one
    seed, from positions that differ a little, draw alike for long.
    """

    def __init__(self, seed: str, drawn: Mapping[str, int]) -> None:
        self._seed = seed
        self._drawn = Counter(drawn)

    def number(self, chance: Chance[object, object]) -> int:
        """Which of the outcomes comes."""
        self._drawn[chance.rule] += 1
        random = Random(f"{self._seed} {chance.rule} {self._drawn[chance.rule]}").random()
        return int(random * len(chance.outcomes))


def play_out(rules: Rules, run: Run, fate: Fate, player: Player, chooser: Random, sealed: Sealed) -> float:
    """Play a game to its end, both seats by the same player: 1 if the first seat wins, 0 if the other does.

    A draw is a half. `sealed` has the hidden orders that are known; the run and this mapping are used up.
    Raises `OrderError` where the player gives orders that the rules refuse.
    """
    while (pending := run.pending) is not None:
        if isinstance(pending, Chance):
            run.decide(fate.number(pending))
        elif isinstance(pending, Open):
            if pending.seal not in sealed:  # nobody but its maker knows it: what he may have sealed
                sealed[pending.seal] = player(pending, chooser)
            run.answer([{"open": {"salt": SALT.hex(), "orders": sealed[pending.seal]}}])
        else:
            run.answer(signed(pending, player(pending, chooser), sealed))
        run.told.clear()
    return result(rules, run)


def result(rules: Rules, run: Run) -> float:
    """What a game that is over is worth to the first seat."""
    winner = run.state.outcome.winner
    return 0.5 if winner is None else float(winner == rules.seats[0])


def signed(ask: Question, orders: Orders, sealed: Sealed) -> Orders:
    """Orders as they would be signed: themselves, or their seal, under which `sealed` then has them."""
    if not isinstance(ask, Seal):
        return orders
    seal = sha256(SALT + canonical(orders)).hexdigest()
    sealed[seal] = orders
    return [{"seal": seal}]
