"""How long computer players take: for a game, and for an answer.

    cd tests && python -m benchmarks.players [--quick]

Each player of each game plays both seats, in all editions in turn, with fixed seeds. A player that searches
gets 40 playouts per answer, as in a study. Times are processor time, in milliseconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from statistics import mean, median

from benchmarks.run import Figure, report
from pbem import games
from pbem.analysis.self_play import RunDriver, SeatedPlayer, seeded_random
from pbem.core.requests import Orders, Question
from pbem.core.rules import Chooser, Effort, Player, Rules
from pbem.core.run import Position, Run

PLAYOUTS = 40
FULL, QUICK = 8, 1
"""The number of games of each player."""


class Timed:
    """A player that records the times of its answers."""

    def __init__(self, player: Player) -> None:
        self.times: list[float] = []
        self._player = player

    def __call__(self, ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
        """The player's answer."""
        begun = time.process_time()
        orders = self._player(ask, chooser, effort)
        self.times.append(1000 * (time.process_time() - begun))
        return orders


def figures(number: int) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    for name in ("mortain", "rommel"):
        rules = games.load(name)
        for level, player in rules.players.items():
            timed = Timed(player)
            whole = [_game(rules, timed, one) for one in range(number)]
            yield Figure(f"{name}, {level}: a game, ms", f"{mean(whole):.0f}")
            yield Figure(f"{name}, {level}: an answer, median ms", f"{median(timed.times):.2f}")
            yield Figure(f"{name}, {level}: the slowest answer, ms", f"{max(timed.times):.1f}")


def _game(rules: Rules, player: Timed, number: int) -> float:
    """The time that a whole game takes."""
    editions = list(rules.editions.values())
    begun = rules.begin(editions[number % len(editions)], rules.scenarios.data(rules.scenarios.names[0]))
    seated = {
        seat: SeatedPlayer(seat, player, seeded_random(number, seat), range(PLAYOUTS)) for seat in rules.seats
    }
    hand, run = RunDriver(seated, seeded_random(number)), Run(rules, Position(begun))
    started = time.process_time()
    while run.pending is not None:
        hand.answer_pending(run)
    return 1000 * (time.process_time() - started)


if __name__ == "__main__":
    report(figures(QUICK if "--quick" in sys.argv[1:] else FULL))
