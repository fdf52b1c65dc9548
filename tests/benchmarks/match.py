"""One computer player against another: who wins how often, from either seat, in every edition.

    cd tests && python -m benchmarks.match GAME ONE OTHER [GAMES] [PLAYOUTS] [SEED]

Plays GAMES games of each edition and seat (default: 5), with PLAYOUTS playouts per answer (default: 40); SEED
determines the games. The same command gives the same table anywhere. With `2s` for PLAYOUTS each answer may
take two seconds by the clock, as with `--think 2`; the line then also says how many playouts an answer had,
and how busy the machine was. A line is printed after each round of all editions and seats, so it can be
stopped early. A drawn game counts for nobody, and is listed; so is, for Rommel, an early first victory point.
Each line ends with the results of all games so far, in the form of `pbem.core.rules.Match`.

Besides the game's own players there is `beginner`, who has read only the rules: it gives the best line of
`pbem hint` one time in three, and otherwise any legal orders.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from statistics import median

from pbem import games
from pbem.analysis.self_play import RunDriver, SeatedPlayer, seeded_random
from pbem.analysis.statistics import wilson_interval
from pbem.core.requests import Orders, Question
from pbem.core.rules import DRAWN, LOST, WON, Chooser, Effort, Player, Rules
from pbem.core.run import Position, Run
from pbem.player import clock

EARLY = 8
"""A first victory point before this turn is early (docs/decisions/0023-rommel-players.md)."""


class Clocked:
    """An effort by the clock, which starts again for each answer; `taken` has the playouts of each."""

    def __init__(self, seconds: float) -> None:
        self.taken: list[int] = []
        self._seconds = seconds

    def __iter__(self) -> Iterator[int]:
        """The effort for one answer."""
        self.taken.append(0)
        for item in clock.count_within(self._seconds):
            self.taken[-1] += 1
            yield item

    def said(self) -> str:
        """How many playouts an answer had, and the machine's load over the last minute and the last 15."""
        load, _, longer = os.getloadavg()
        return f"; playouts an answer: {median(self.taken):.0f}, load {load:.0f} ({longer:.0f})"


HINTS_FOLLOWED = 1 / 3
"""The share of a beginner's answers that are the best line of `hint`."""


def players_of(rules: Rules) -> dict[str, Player]:
    """The game's players, and the beginner who reads the hints."""

    def beginner(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
        if rules.adviser is not None and chooser.random() < HINTS_FOLLOWED:
            return rules.adviser(ask, chooser, effort)[0].orders
        return rules.players["random"](ask, chooser)

    return {**rules.players, "beginner": beginner}


def played(rules: Rules, edition: str, players: dict[str, str], effort: Effort, seed: str) -> Run:
    """A whole game."""
    begun, known = (
        rules.begin(rules.editions[edition], rules.scenarios.data(rules.scenarios.names[0])),
        players_of(rules),
    )
    seated = {
        seat: SeatedPlayer(name, known[name], seeded_random(seed, seat), effort)
        for seat, name in players.items()
    }
    hand, run = RunDriver(seated, seeded_random(seed)), Run(rules, Position(begun))
    while run.pending is not None:
        hand.answer_pending(run)
    return run


def match_round(
    rules: Rules, one: str, other: str, effort: Effort, number: int
) -> Iterator[tuple[str, str, Run]]:
    """The games of a round, as edition, seat of `one`, and run: in each edition, one from either seat."""
    for edition in rules.editions:
        for seat in rules.seats:
            players = {each: one if each == seat else other for each in rules.seats}
            yield edition, seat, played(rules, edition, players, effort, f"{edition} {seat} {number}")


def result(run: Run, seat: str) -> str:
    """The result of a game for a seat, in the form of `Match.results`."""
    winner = run.state.outcome.winner
    return DRAWN if winner is None else WON if winner == seat else LOST


def early(run: Run) -> bool:
    """Whether a victory point was held early; False for a game without victory points."""
    ends = [tell.facts for tell in run.told if tell.event == "turn_ends"]
    return any(end.get("held") and end["turn"] < EARLY for end in ends)


def main(game: str, one: str, other: str, number: str = "5", playouts: str = "40", seed: str = "1") -> None:
    """Play, and print the table so far after each round."""
    rules = games.load(game)
    clocked = Clocked(float(playouts.removesuffix("s"))) if playouts.endswith("s") else None
    effort = clocked or range(int(playouts))
    won: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    told: Counter[str] = Counter()
    results = ""
    for round_ in range(int(number)):
        for edition, seat, run in match_round(rules, one, other, effort, int(seed) + round_):
            best = run.state.outcome.winner
            results += result(run, seat)
            for what in ("all", edition, seat) if best else ():
                won[what] += best == seat
                decided[what] += 1
            told[f"won by {best}" if best else "drawn"] += 1
            told[f"first point before turn {EARLY}"] += early(run)
        low, high = wilson_interval(won["all"], decided["all"])
        parts = [f"{what} {won[what]}/{decided[what]}" for what in decided]
        parts += [f"{what}: {number}" for what, number in told.items() if number]
        share, busy = won["all"] / max(decided["all"], 1), clocked.said() if clocked else ""
        line = f"{one} won {share:.0%} ({low:.0%} to {high:.0%}): {', '.join(parts)}{busy}; {results}\n"
        sys.stdout.write(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
