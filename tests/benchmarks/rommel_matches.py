"""Matches of Rommel's practice players, for docs/decisions/0023-rommel-players.md.

    cd tests && python -m benchmarks.rommel_matches ALLIED AXIS GAMES SEED PLAYOUTS

The same arguments give the same games.
"""

from __future__ import annotations

import sys
import time
from random import Random

from msgspec import Struct

from pbem.core.requests import Ask, Orders
from pbem.core.run import Position, Run
from pbem.core.sealing import Open, Seal
from pbem.games.rommel import RULES
from pbem.games.rommel.terms.setting import ALLIED, AXIS
from pbem.study.intervals import wilson

EARLY = 8
"""A first victory point before this turn comes in good time."""


class Result(Struct):
    """How a game ended: the winner, and the turn of the first victory point (0: none)."""

    winner: str | None
    first: int


def play(players: dict[str, str], seed: int, playouts: int) -> Result:
    """One game of the shipped scenario."""
    dice, chooser = Random(f"dice{seed}"), Random(f"choose{seed}")
    run = Run(RULES, Position(RULES.begin(RULES.editions["nac"], RULES.scenarios.data("alamein"))))
    hidden: Orders = []
    while (pending := run.pending) is not None:
        if isinstance(pending, Open):
            run.answer([{"open": {"salt": "0" * 64, "orders": hidden}}])
        elif isinstance(pending, Ask):
            orders = RULES.players[players[pending.seat]](pending, chooser, range(playouts))
            if isinstance(pending, Seal):
                hidden, orders = orders, [{"seal": "1" * 64}]
            run.answer(orders)
        else:
            run.decide(dice.getrandbits(64))
    ends = [tell.facts for tell in run.told if tell.event == "turn_ends"]
    return Result(run.state.outcome.winner, next((end["turn"] for end in ends if end["held"]), 0))


def main(allied: str, axis: str, games: int, seed: int, playouts: int) -> None:
    """Play a match, and print its line of the table."""
    began = time.process_time()
    found = [play({ALLIED: allied, AXIS: axis}, seed + game, playouts) for game in range(games)]
    each = (time.process_time() - began) / games
    won = {seat: sum(one.winner == seat for one in found) for seat in (ALLIED, AXIS)}
    decided = sum(won.values())
    low, high = wilson(won[ALLIED], decided)
    early = sum(0 < one.first < EARLY for one in found)
    sys.stdout.write(
        f"{allied} against {axis}: Allied {won[ALLIED]}, Axis {won[AXIS]}, drawn {games - decided}; "
        f"Allied of the decided {low:.0%} to {high:.0%}; "
        f"first point before turn {EARLY} in {early}; {each:.2f} s a game\n"
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]))
