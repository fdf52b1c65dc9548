"""The turning points of a game: the chance to win at each moment, by playouts of the sensible player.

The worth of a decision is the chance after it less the chance if the sensible player had decided there;
that of draws is the chance after them less the chance before, which is the mean over all that could have
been drawn. All chances are those of the first seat of the rules, and a drawn game counts as half a win.

One moment seldom turns a game: the playouts that could distinguish it from its neighbours are more than
anybody waits for. What several moments have changed together is known far better. So stretches are sought
which change the chance by more than they cost, a little for each stretch and a little for each step in it.

The playouts are made by this process, or by several, each with the file for itself.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import repeat
from typing import TypeAlias

from msgspec import Struct

from pbem.analysis.playouts import (
    PLAYOUT_PLAYER,
    Decision,
    Draws,
    MainLine,
    count_steps,
    first_seat_score,
    main_line,
    play_out,
)
from pbem.analysis.self_play import seeded_random
from pbem.analysis.statistics import EXACT_VARIANCE, Estimate, GaussianChain, PlayoutSums
from pbem.base.worker_pool import prepare_worker
from pbem.core.requests import Orders
from pbem.core.rules import Rules
from pbem.core.run import Run
from pbem.errors import FileError
from pbem.texts import Texts
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game

tr = Texts("pbem")


STRETCH_COST = 0.05
"""The change of the chance that each stretch must exceed, however short it is."""

WHOLE_GAME_COST = 0.5
"""The further change required of a stretch as long as the game; a shorter one needs its share of that."""

WeightedSum = Callable[[Iterable[tuple[int, float]]], Estimate]
"""A function: the weighted sum of chances at moments."""


class Stretch(Struct, frozen=True):
    """The steps `first` to `last`, both included: how they changed the chance, by luck and by each seat.

    `key_step` is the step that changed it most in the same direction, if it is clear of all others.
    """

    first: int
    last: int
    change: Estimate
    luck: Estimate
    decisions: dict[str, Estimate]
    key_step: int | None


def find_stretches(
    steps: Sequence[Decision | Draws], chances: Sequence[Estimate], seats: Sequence[str], weigh: WeightedSum
) -> tuple[Stretch, ...]:
    """The stretches that changed the chance significantly, the largest first."""
    all_stretches = (
        _make_stretch(steps, seats, weigh, first, end)
        for first, end in _best_spans([chance.mean for chance in chances])
    )
    return tuple(
        sorted(
            (each for each in all_stretches if each.change.is_significant),
            key=lambda each: -abs(each.change.mean),
        )
    )


def _best_spans(chances: Sequence[float]) -> list[tuple[int, int]]:
    """The stretches whose changes, less their costs, have the largest sum, found by dynamic programming."""
    long = WHOLE_GAME_COST / max(len(chances) - 1, 1)
    best, came = [0.0], [-1]
    for end in range(1, len(chances)):
        worth, first = best[-1], -1
        for begin in range(end):
            gain = best[begin] + abs(chances[end] - chances[begin]) - STRETCH_COST - long * (end - begin)
            if gain > worth:
                worth, first = gain, begin
        best.append(worth)
        came.append(first)
    parts, end = list[tuple[int, int]](), len(chances) - 1
    while end > 0:
        if came[end] >= 0:
            parts.append((came[end], end))
            end = came[end]
        else:
            end -= 1
    return parts[::-1]


def _make_stretch(
    steps: Sequence[Decision | Draws], seats: Sequence[str], weigh: WeightedSum, first: int, end: int
) -> Stretch:
    """The stretch from one moment to another."""
    inside = range(first, end)
    change = weigh([(end, 1), (first, -1)])
    return Stretch(
        first,
        end - 1,
        change,
        weigh(difference_weights(at for at in inside if isinstance(steps[at], Draws))),
        {
            seat: weigh(difference_weights(at for at in inside if deciding_seat(steps[at]) == seat))
            for seat in seats
        },
        clearest_change({at: weigh([(at + 1, 1), (at, -1)]) for at in inside}, 1 if change.mean > 0 else -1),
    )


def deciding_seat(step: Decision | Draws) -> str | None:
    """The seat that decided; None for draws."""
    return step.ask.seat if isinstance(step, Decision) else None


def difference_weights(steps: Iterable[int]) -> list[tuple[int, float]]:
    """The weights for the sum of what these steps changed."""
    return [each for at in steps for each in ((at + 1, 1.0), (at, -1.0))]


def clearest_change(changes: dict[int, Estimate], sign: int) -> int | None:
    """The key of the largest change in a direction, if its interval excludes 0 and those of all others."""
    low = {at: min(sign * bound for bound in change.interval) for at, change in changes.items()}
    high = {at: max(sign * bound for bound in change.interval) for at, change in changes.items()}
    first = max(low, key=low.__getitem__, default=None)
    if first is None or low[first] <= max([0.0, *(high[at] for at in changes if at != first)]):
        return None
    return first


EVEN_PART = 0.5
"""The part of the playouts that is spread evenly; the rest go to where the chance seems to change."""

STEPS_AT_ONCE = 8
"""The number of steps that get more playouts in a round: those that may have changed the chance most."""

MIN_PLAYOUTS = 2
"""The minimum number of playouts from each moment, whatever was asked for."""


class PlayoutTask(Struct, frozen=True):
    """Playouts to make: from which moment, with which seeds, and whether to judge the decision there.

    If so, another playout with the same seed starts after the decision.
    """

    at: int
    judges_decision: bool
    first: int
    number: int

    def split(self, most: int) -> Iterator[PlayoutTask]:
        """The task in parts of at most `most` seeds."""
        end = self.first + self.number
        for first in range(self.first, end, most):
            yield PlayoutTask(self.at, self.judges_decision, first, min(most, end - first))


class PlayoutPair(Struct, frozen=True):
    """The results of one seed: from a moment, and from the one after it.

    `same`: the sensible player chose the orders that were given, so one playout serves for both.
    """

    before: float
    after: float
    same: bool


PlayoutRunner: TypeAlias = Callable[[Sequence[PlayoutTask]], Iterable[list[PlayoutPair]]]
"""A function that runs playouts: the results of tasks, in their order."""


def run_playouts(rules: Rules, line: MainLine, game: str, task: PlayoutTask) -> list[PlayoutPair]:
    """Run the playouts of a task; the same for the same game, on every computer. Raises as `play_out`."""
    return [
        _judge_decision(rules, line, task.at, seed)
        if task.judges_decision
        else _playout_from(rules, line, task.at, seed)
        for n in range(task.first, task.first + task.number)
        for seed in [f"{game}/{task.at}/{n}"]
    ]


def _playout_from(rules: Rules, line: MainLine, at: int, seed: str) -> PlayoutPair:
    """A playout from a moment."""
    won = play_out(rules, line, at, seed)
    return PlayoutPair(won, won, True)


def _judge_decision(rules: Rules, line: MainLine, at: int, seed: str) -> PlayoutPair:
    """A playout after a decision, and one after what the sensible player would have ordered."""
    orders = preferred_orders(rules, line, at, seed)
    after = play_out(rules, line, at + 1, seed)
    if orders is None:
        return PlayoutPair(after, after, True)
    return PlayoutPair(play_out(rules, line, at, seed, orders), after, False)


def preferred_orders(rules: Rules, line: MainLine, at: int, seed: str) -> Orders | None:
    """The sensible player's orders in place of a decision; None if they are the same.

    None too if that is unknown, since the orders are still sealed.
    """
    given = line.orders(at)
    if given is None:
        return None
    ask = line.decision(at).ask
    orders = rules.players[PLAYOUT_PLAYER](ask, seeded_random(seed, "first"))
    return None if ask.read(orders) == ask.read(given) else orders


class GameReport(Struct, frozen=True):
    """The chances along a game: at each moment, and how each step changed them.

    `luck` is the sum over all draws, `decisions` that over all decisions of each seat; `differing_steps` are
    the decisions that the sensible player would not have made. `counts` has the number of seeds at each
    moment, `playouts` their total. `stretches` are those that turned the game.
    """

    line: MainLine
    chances: tuple[Estimate, ...]
    changes: tuple[Estimate, ...]
    luck: Estimate
    decisions: dict[str, Estimate]
    counts: tuple[int, ...]
    playouts: int
    differing_steps: frozenset[int]
    stretches: tuple[Stretch, ...]


def make_report(
    rules: Rules, line: MainLine, playouts: int, run: PlayoutRunner, progress: Callable[[int, int], None]
) -> GameReport:
    """Run so many playouts, most where the chance may have changed most, and make the report.

    More only where that are fewer than `MIN_PLAYOUTS` from each moment.
    """
    reckoning = _ReportBuilder(rules, line)
    progress(0, playouts)  # the first playouts may take long
    wanted = list(reckoning.judges_at)
    number = max(MIN_PLAYOUTS, int(EVEN_PART * playouts / (1.5 * len(wanted)))) if wanted else 0
    while wanted and number:
        tasks = [reckoning.next_task(at, number) for at in wanted]
        for task, results in zip(tasks, run(tasks), strict=True):
            reckoning.add_results(task, results)
            progress(reckoning.playouts_made, max(playouts, reckoning.playouts_made))
        wanted = reckoning.promising_moments()
        left = max(playouts - reckoning.playouts_made, 0)
        number = min(
            number, left // (2 * max(len(wanted), 1))
        )  # 2: a seed that judges a decision may take two
    return reckoning.build()


PROBES = 2
"""The playouts from the end of a game's line that say how long it may still be."""


def usual_playouts(rules: Rules, line: MainLine, game: str) -> int:
    """The playouts of a report if the player names no number: fewer where the game is still in progress.

    Its playouts are longer: of `behind` steps so far and `ahead` to come, one has `ahead + behind / 2` on
    average, where one of a finished game of that length has `(ahead + behind) / 2`. So both take the same
    time. The same on every computer.
    """
    behind, last = len(line.steps), len(line.moments) - 1
    ahead = sum(count_steps(rules, line, last, f"{game}/{last}/probe {n}") for n in range(PROBES)) / PROBES
    return int(rules.playouts * (ahead + behind) / (2 * ahead + behind)) if ahead else rules.playouts


class _ReportBuilder:
    """The estimates from the playouts made so far, and the moments where more are wanted.

    `judges_at` has the moments from which playouts are made, and whether a decision is judged there.
    """

    def __init__(self, rules: Rules, line: MainLine) -> None:
        self._rules, self._line = rules, line
        last = Run(rules, line.moments[-1])
        self._result = None if last.pending is not None else first_seat_score(rules, last)
        decisions = [at for at, step in enumerate(line.steps) if isinstance(step, Decision)]
        open_ended = range(len(line.moments) - (self._result is not None))
        alone = set(open_ended) - {near for at in decisions for near in (at, at + 1)}
        self.judges_at = {at: at not in alone for at in sorted({*decisions, *alone})}
        self._pairs: dict[int, PlayoutSums] = defaultdict(PlayoutSums)
        self._differing: set[int] = set()
        self.playouts_made = 0

    def next_task(self, at: int, number: int) -> PlayoutTask:
        """The next playouts from a moment."""
        return PlayoutTask(at, self.judges_at[at], self._pairs[at].number, number)

    def add_results(self, task: PlayoutTask, results: Iterable[PlayoutPair]) -> None:
        """Add the results of a task."""
        for played in results:
            self._pairs[task.at].add(played.before, played.after)
            self.playouts_made += 1 if played.same else 2
            if not played.same:
                self._differing.add(task.at)

    def promising_moments(self) -> list[int]:
        """The moments beside the steps that may have changed the chance most."""
        chain = self._build_chain()
        changes = [chain.weighted_sum([(at + 1, 1), (at, -1)]) for at in range(len(self._line.steps))]
        ranked = sorted(range(len(changes)), key=lambda at: -changes[at].largest_magnitude)
        return sorted({near for at in ranked[:STEPS_AT_ONCE] for near in self._moments_beside(at)})

    def _moments_beside(self, step: int) -> list[int]:
        """The moments whose playouts say most of the chance before and after a step."""
        if self.judges_at.get(step):
            return [step]
        before = [at for at in (step, step - 1) if at in self.judges_at][:1]
        return [*before, *([step + 1] if step + 1 in self.judges_at else [])]

    def _build_chain(self) -> GaussianChain:
        """The chances by all playouts so far. Orders that the sensible player gives too change nothing."""
        steps = self._line.steps
        free = [isinstance(step, Draws) or at in self._differing for at, step in enumerate(steps)]
        ahead = 0 if self._result is not None else sum(free)  # as many steps again, if the game goes on
        rough = [0.5] * len(self._line.moments)
        for _ in range(2):
            chain = self._feed_playouts(GaussianChain(free, rough, ahead))
            rough = [chain.weighted_sum([(at, 1)]).cautious_mean for at in range(len(rough))]
        return chain

    def _feed_playouts(self, chain: GaussianChain) -> GaussianChain:
        """The chain with all playouts added."""
        for at, pair in self._pairs.items():
            if at in self._differing:
                chain.add_paired_playouts(at, pair)
            else:
                chain.add_playouts(at, pair)
        if self._result is not None:
            chain.add_known(len(self._line.steps), self._result, EXACT_VARIANCE)
        return chain

    def build(self) -> GameReport:
        """The report from all playouts so far."""
        chain, line = self._build_chain(), self._line
        steps = range(len(line.steps))
        counts = [0] * len(line.moments)
        for at, pair in self._pairs.items():
            for near in (at, at + 1) if self.judges_at[at] else (at,):
                counts[near] += pair.number
        chances = tuple(chain.weighted_sum([(at, 1)]) for at in range(len(line.moments)))
        return GameReport(
            line=line,
            chances=chances,
            changes=tuple(chain.weighted_sum([(at + 1, 1), (at, -1)]) for at in steps),
            luck=chain.weighted_sum(
                difference_weights(at for at in steps if isinstance(line.steps[at], Draws))
            ),
            decisions={
                seat: chain.weighted_sum(
                    difference_weights(at for at in steps if deciding_seat(line.steps[at]) == seat)
                )
                for seat in self._rules.seats
            },
            counts=tuple(counts),
            playouts=self.playouts_made,
            differing_steps=frozenset(self._differing),
            stretches=find_stretches(line.steps, chances, self._rules.seats, chain.weighted_sum),
        )


def significant_steps(report: GameReport) -> list[int]:
    """The steps that changed the chance significantly, the largest first."""
    changes = report.changes
    return sorted(
        (at for at in range(len(changes)) if changes[at].is_significant),
        key=lambda at: -abs(changes[at].mean),
    )


class Blunder(Struct, frozen=True):
    """The decision that cost its side most; `is_clear` where its interval is clear of all others."""

    at: int
    is_clear: bool


def costliest_decision(report: GameReport, seats: Sequence[str], of: str) -> Blunder | None:
    """The decision of a seat that cost it most, against what the sensible player would have ordered.

    None where none cost it anything.
    """
    sign = -1 if of == seats[0] else 1
    costs = {
        at: report.changes[at] for at in report.differing_steps if deciding_seat(report.line.steps[at]) == of
    }
    most = max(sorted(costs), key=lambda at: sign * costs[at].mean, default=None)
    if most is None or sign * costs[most].mean <= 0:
        return None
    return Blunder(most, clearest_change(costs, sign) == most)


_PIECE_SEEDS = 2
"""The seeds in one piece of work, which an interrupt waits for."""


@contextmanager
def playout_runner(game: Game, positions: MainLine, data: bytes, workers: int) -> Iterator[PlayoutRunner]:
    """What runs playouts: so many processes, or this one alone; `data` is the file of the game."""
    if workers == 1:
        yield lambda tasks: (run_playouts(game.rules, positions, game.ids[0], task) for task in tasks)
        return
    spawned = multiprocessing.get_context("spawn")  # for the same behaviour on every system
    pool = ProcessPoolExecutor(workers, mp_context=spawned, initializer=_prepare_playout_worker)
    try:
        yield lambda tasks: _run_in_pool(pool, data, tasks)
    except BrokenExecutor:
        raise FileError(
            tr("a worker process was killed"), hint=tr("take fewer: {option}", option="--workers 1")
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _prepare_playout_worker() -> None:
    """Prepare a worker process. It ignores interrupts: the program handles them, and cancels its work."""
    prepare_worker()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_in_pool(
    pool: ProcessPoolExecutor, data: bytes, tasks: Sequence[PlayoutTask]
) -> Iterator[list[PlayoutPair]]:
    """The results of all tasks, each split into pieces that free workers run."""
    pieces = [list(task.split(_PIECE_SEEDS)) for task in tasks]
    results = pool.map(_run_in_worker, repeat(data), [piece for several in pieces for piece in several])
    for several in pieces:
        yield [played for _ in several for played in next(results)]


def _run_in_worker(data: bytes, task: PlayoutTask) -> list[PlayoutPair]:
    """Run the playouts of a task, in a worker."""
    game, positions = _open_in_worker(data)
    return run_playouts(game.rules, positions, game.ids[0], task)


@cache
def _open_in_worker(data: bytes) -> tuple[Game, MainLine]:
    """The verified game and its main line, in a worker, which reads the file once."""
    game = open_game(data)
    return game, main_line(game)
