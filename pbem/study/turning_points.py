"""The turning points of a game: the chance to win at each moment, by playouts of the sensible player.

The worth of a decision is the chance after it less the chance if the sensible player had decided there;
that of draws is the chance after them less the chance before, which is the mean over all that could have
been drawn. All chances are those of the first seat of the rules, and a drawn game counts as half a win.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from pbem.core.requests import Orders
from pbem.core.rules import Rules
from pbem.core.run import Run
from pbem.study.estimate import KNOWN, Chain, Estimate, Pair
from pbem.study.moments import Decision, Draws, Line
from pbem.study.playing import stream
from pbem.study.playouts import PLAYER, play_out, result
from pbem.study.stretches import Stretch, clearest, differences, seat_of, stretches

EVENLY = 0.5
"""The part of the playouts that is spread evenly; the rest go to where the chance seems to change."""

AT_ONCE = 8
"""The number of steps that get more playouts in a round: those that may have changed the chance most."""

LEAST = 2
"""The minimum number of playouts from each moment, whatever was asked for."""


class Task(Struct, frozen=True):
    """Playouts to make: from which moment, with which seeds, and whether to judge the decision there.

    If so, another playout with the same seed starts after the decision.
    """

    at: int
    judging: bool
    first: int
    number: int

    def pieces(self, most: int) -> Iterator[Task]:
        """The task in parts of at most `most` seeds."""
        end = self.first + self.number
        for first in range(self.first, end, most):
            yield Task(self.at, self.judging, first, min(most, end - first))


class Played(Struct, frozen=True):
    """The results of one seed: from a moment, and from the one after it.

    `same`: the sensible player chose the orders that were given, so one playout serves for both.
    """

    before: float
    after: float
    same: bool


Crew: TypeAlias = Callable[[Sequence[Task]], Iterable[list[Played]]]
"""A function that runs playouts: the results of tasks, in their order."""


def play(rules: Rules, line: Line, game: str, task: Task) -> list[Played]:
    """Run the playouts of a task; the same for the same game, on every computer. Raises as `play_out`."""
    return [
        _judged(rules, line, task.at, seed) if task.judging else _alone(rules, line, task.at, seed)
        for n in range(task.first, task.first + task.number)
        for seed in [f"{game}/{task.at}/{n}"]
    ]


def _alone(rules: Rules, line: Line, at: int, seed: str) -> Played:
    """A playout from a moment."""
    won = play_out(rules, line, at, seed)
    return Played(won, won, True)


def _judged(rules: Rules, line: Line, at: int, seed: str) -> Played:
    """A playout after a decision, and one after what the sensible player would have ordered."""
    orders = preferred(rules, line, at, seed)
    after = play_out(rules, line, at + 1, seed)
    if orders is None:
        return Played(after, after, True)
    return Played(play_out(rules, line, at, seed, orders), after, False)


def preferred(rules: Rules, line: Line, at: int, seed: str) -> Orders | None:
    """The sensible player's orders in place of a decision; None if they are the same.

    None too if that is unknown, since the orders are still sealed.
    """
    given = line.orders(at)
    if given is None:
        return None
    ask = line.decision(at).ask
    orders = rules.players[PLAYER](ask, stream(seed, "first"))
    return None if ask.read(orders) == ask.read(given) else orders


class Report(Struct, frozen=True):
    """The chances along a game: at each moment, and how each step changed them.

    `luck` is the sum over all draws, `decisions` that over all decisions of each seat; `differing_steps` are
    the decisions that the sensible player would not have made. `counts` has the number of seeds at each
    moment, `playouts` their total. `stretches` are those that turned the game.
    """

    line: Line
    chances: tuple[Estimate, ...]
    changes: tuple[Estimate, ...]
    luck: Estimate
    decided: dict[str, Estimate]
    counts: tuple[int, ...]
    playouts: int
    differing: frozenset[int]
    stretches: tuple[Stretch, ...]


def reckon(
    rules: Rules, line: Line, playouts: int, run: Crew, progress: Callable[[int, int], None]
) -> Report:
    """Run about so many playouts, most where the chance may have changed most, and make the report."""
    reckoning = _Reckoning(rules, line)
    wanted = list(reckoning.judging)
    number = max(LEAST, int(EVENLY * playouts / (1.5 * len(wanted)))) if wanted else 0
    while wanted:
        tasks = [reckoning.task(at, number) for at in wanted]
        for task, results in zip(tasks, run(tasks), strict=True):
            reckoning.take(task, results)
            progress(reckoning.made, playouts)
        wanted = reckoning.promising() if reckoning.made < playouts else []
    return reckoning.report()


class _Reckoning:
    """The estimates from the playouts made so far, and the moments where more are wanted.

    `judges_at` has the moments from which playouts are made, and whether a decision is judged there.
    """

    def __init__(self, rules: Rules, line: Line) -> None:
        self._rules, self._line = rules, line
        last = Run(rules, line.moments[-1])
        self._result = None if last.pending is not None else result(rules, last)
        decisions = [at for at, step in enumerate(line.steps) if isinstance(step, Decision)]
        open_ended = range(len(line.moments) - (self._result is not None))
        alone = set(open_ended) - {near for at in decisions for near in (at, at + 1)}
        self.judging = {at: at not in alone for at in sorted({*decisions, *alone})}
        self._pairs: dict[int, Pair] = defaultdict(Pair)
        self._differing: set[int] = set()
        self.made = 0

    def task(self, at: int, number: int) -> Task:
        """The next playouts from a moment."""
        return Task(at, self.judging[at], self._pairs[at].number, number)

    def take(self, task: Task, results: Iterable[Played]) -> None:
        """Add the results of a task."""
        for played in results:
            self._pairs[task.at].add(played.before, played.after)
            self.made += 1 if played.same else 2
            if not played.same:
                self._differing.add(task.at)

    def promising(self) -> list[int]:
        """The moments beside the steps that may have changed the chance most."""
        chain = self._chain()
        changes = [chain.weigh([(at + 1, 1), (at, -1)]) for at in range(len(self._line.steps))]
        ranked = sorted(range(len(changes)), key=lambda at: -changes[at].most)
        return sorted({near for at in ranked[:AT_ONCE] for near in self._beside(at)})

    def _beside(self, step: int) -> list[int]:
        """The moments whose playouts say most of the chance before and after a step."""
        if self.judging.get(step):
            return [step]
        before = [at for at in (step, step - 1) if at in self.judging][:1]
        return [*before, *([step + 1] if step + 1 in self.judging else [])]

    def _chain(self) -> Chain:
        """The chances by all playouts so far. Orders that the sensible player gives too change nothing."""
        steps = self._line.steps
        free = [isinstance(step, Draws) or at in self._differing for at, step in enumerate(steps)]
        ahead = 0 if self._result is not None else sum(free)  # as many steps again, if the game goes on
        rough = [0.5] * len(self._line.moments)
        for _ in range(2):
            chain = self._told(Chain(free, rough, ahead))
            rough = [chain.weigh([(at, 1)]).cautious for at in range(len(rough))]
        return chain

    def _told(self, chain: Chain) -> Chain:
        """The chain with all playouts added."""
        for at, pair in self._pairs.items():
            if at in self._differing:
                chain.compare(at, pair)
            else:
                chain.observe(at, pair)
        if self._result is not None:
            chain.know(len(self._line.steps), self._result, KNOWN)
        return chain

    def report(self) -> Report:
        """The report from all playouts so far."""
        chain, line = self._chain(), self._line
        steps = range(len(line.steps))
        counts = [0] * len(line.moments)
        for at, pair in self._pairs.items():
            for near in (at, at + 1) if self.judging[at] else (at,):
                counts[near] += pair.number
        chances = tuple(chain.weigh([(at, 1)]) for at in range(len(line.moments)))
        return Report(
            line=line,
            chances=chances,
            changes=tuple(chain.weigh([(at + 1, 1), (at, -1)]) for at in steps),
            luck=chain.weigh(differences(at for at in steps if isinstance(line.steps[at], Draws))),
            decided={
                seat: chain.weigh(differences(at for at in steps if seat_of(line.steps[at]) == seat))
                for seat in self._rules.seats
            },
            counts=tuple(counts),
            playouts=self.made,
            differing=frozenset(self._differing),
            stretches=stretches(line.steps, chances, self._rules.seats, chain.weigh),
        )


def turning_points(report: Report) -> list[int]:
    """The steps that changed the chance significantly, the largest first."""
    changes = report.changes
    return sorted(
        (at for at in range(len(changes)) if changes[at].sure), key=lambda at: -abs(changes[at].mean)
    )


class Blunder(Struct, frozen=True):
    """The decision that cost its side most; `is_clear` where its interval is clear of all others."""

    at: int
    clear: bool


def costliest(report: Report, seats: Sequence[str], of: str) -> Blunder | None:
    """The decision of a seat that cost it most, against what the sensible player would have ordered.

    None where none cost it anything.
    """
    sign = -1 if of == seats[0] else 1
    costs = {at: report.changes[at] for at in report.differing if seat_of(report.line.steps[at]) == of}
    most = max(sorted(costs), key=lambda at: sign * costs[at].mean, default=None)
    if most is None or sign * costs[most].mean <= 0:
        return None
    return Blunder(most, clearest(costs, sign) == most)
