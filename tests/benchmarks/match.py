"""One practice player against another: who wins how often, from either seat, in every edition.

    cd tests && python -m benchmarks.match mortain strong sensible [GAMES] [PLAYOUTS] [SEED]

So many games of each edition and seat, 5 if nothing is said, with so many playouts for an answer, 40; the
numbers of the games follow SEED. The same command gives the same table anywhere. A line comes after each
round of all editions and seats, so it may be stopped. A drawn game counts for nobody, and is told.
"""

from __future__ import annotations

import sys
from collections import Counter

from pbem import games
from pbem.core.rules import Rules
from pbem.core.run import Position, Run
from pbem.study.intervals import wilson
from pbem.study.playing import Hand, Seated, stream


def winner(rules: Rules, edition: str, players: dict[str, str], playouts: int, seed: str) -> str | None:
    """The seat that wins a game; None for a draw."""
    begun = rules.begin(rules.editions[edition], rules.scenarios.data(rules.scenarios.names[0]))
    seated = {
        seat: Seated(name, rules.players[name], stream(seed, seat), range(playouts))
        for seat, name in players.items()
    }
    hand, run = Hand(seated, stream(seed)), Run(rules, Position(begun))
    while run.pending is not None:
        hand.settle(run)
    seat: str | None = run.state.outcome.winner
    return seat


def main(game: str, one: str, other: str, number: int = 5, playouts: int = 40, seed: int = 1) -> None:
    """Play, and print the table so far after each round."""
    rules = games.load(game)
    won: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for round_ in range(number):
        for edition in rules.editions:
            for seat in rules.seats:
                players = {each: one if each == seat else other for each in rules.seats}
                best = winner(rules, edition, players, playouts, f"{edition} {seat} {seed + round_}")
                for what in ("all", edition, seat) if best else ("drawn",):
                    won[what] += best == seat
                    played[what] += 1
        low, high = wilson(won["all"], played["all"])
        parts = ", ".join(f"{what} {won[what]}/{played[what]}" for what in played)
        sys.stdout.write(
            f"{one} won {won['all'] / max(played['all'], 1):.0%} ({low:.0%} to {high:.0%}): {parts}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], *map(int, sys.argv[4:]))
