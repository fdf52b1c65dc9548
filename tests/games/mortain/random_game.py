"""A whole game between two players who give any legal orders, with a fixed seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pbem.core.requests import Ask
from pbem.core.run import Position, Run
from pbem.games.mortain import RULES


def random_game(edition: str, seed: int) -> Iterator[Run]:
    """The game as it stands at each question and each chance, and at its end."""
    chooser = Random(seed)
    run = Run(RULES, Position(RULES.begin(RULES.editions[edition], RULES.scenarios.data("mortain"))))
    yield run
    while run.pending is not None:
        if isinstance(run.pending, Ask):
            run.answer(RULES.players["random"](run.pending, chooser))
        else:
            run.decide(chooser.getrandbits(64))
        yield run
