"""One practice player against another: who wins how often, from either seat, in every edition.

    cd tests && python -m benchmarks.match GAME ONE OTHER [GAMES] [PLAYOUTS] [SEED]

So many games of each edition and seat, 5 if nothing is said, with so many playouts for an answer, 40; the
numbers of the games follow SEED. The same command gives the same table anywhere. A line comes after each
round of all editions and seats, so it may be stopped. A drawn game counts for nobody, and is told; so is, for
Rommel, a first victory point in good time.
"""

from __future__ import annotations

import sys
from collections import Counter

from pbem import games
from pbem.core.rules import Rules
from pbem.core.run import Position, Run
from pbem.study.intervals import wilson
from pbem.study.playing import Hand, Seated, stream

EARLY = 8
"""A first victory point before this turn comes in good time (docs/decisions/0023-rommel-players.md)."""


def played(rules: Rules, edition: str, players: dict[str, str], playouts: int, seed: str) -> Run:
    """A whole game."""
    begun = rules.begin(rules.editions[edition], rules.scenarios.data(rules.scenarios.names[0]))
    seated = {
        seat: Seated(name, rules.players[name], stream(seed, seat), range(playouts))
        for seat, name in players.items()
    }
    hand, run = Hand(seated, stream(seed)), Run(rules, Position(begun))
    while run.pending is not None:
        hand.settle(run)
    return run


def early(run: Run) -> bool:
    """Whether a victory point was held in good time; False for a game that knows none."""
    ends = [tell.facts for tell in run.told if tell.event == "turn_ends"]
    return any(end.get("held") and end["turn"] < EARLY for end in ends)


def main(game: str, one: str, other: str, number: int = 5, playouts: int = 40, seed: int = 1) -> None:
    """Play, and print the table so far after each round."""
    rules = games.load(game)
    won: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for round_ in range(number):
        for edition in rules.editions:
            for seat in rules.seats:
                players = {each: one if each == seat else other for each in rules.seats}
                run = played(rules, edition, players, playouts, f"{edition} {seat} {seed + round_}")
                best = run.state.outcome.winner
                for what in ("all", edition, seat) if best else ():
                    won[what] += best == seat
                    decided[what] += 1
                told[f"won by {best}" if best else "drawn"] += 1
                told[f"first point before turn {EARLY}"] += early(run)
        low, high = wilson(won["all"], decided["all"])
        parts = [f"{what} {won[what]}/{decided[what]}" for what in decided]
        parts += [f"{what}: {number}" for what, number in told.items() if number]
        share = won["all"] / max(decided["all"], 1)
        sys.stdout.write(f"{one} won {share:.0%} ({low:.0%} to {high:.0%}): {', '.join(parts)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], *map(int, sys.argv[4:]))
