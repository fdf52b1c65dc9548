"""The turning points of a game: the chance to win at each moment, from playouts of the sensible player.

The worth of a decision is the chance after it minus the chance if the sensible player had decided there; that
of draws is the chance after them minus the chance before, which is the mean over everything that could have
been drawn. All chances are those of the rules' first seat, and a draw counts as half a win.

One moment seldom decides a game: distinguishing it from its neighbours would take more playouts than anybody
waits for. The effect of several moments together is known far better. So stretches are found which change the
chance by more than they cost: a little for each stretch, and a little for each step in it.

The playouts are made by this process, or by several, each of which reads the file itself.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from math import inf
from typing import TypeAlias

from msgspec import Struct

from pbem.analysis.playouts import (
    PLAYOUT_PLAYER,
    Decision,
    Draws,
    MainLine,
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
"""The change of the chance that each stretch must exceed, however short."""

WHOLE_GAME_COST = 0.5
"""The further change required of a stretch as long as the game; a shorter one needs its share of this."""

WeightedSum = Callable[[Iterable[tuple[int, float]]], Estimate]
"""A function that gives the weighted sum of chances at moments."""


class Stretch(Struct, frozen=True):
    """The steps `first` to `last`, both included, and how luck and each seat changed the chance in them.

    `key_step` is the step that changed it most in the same direction, if its interval is clear of all others.
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
    """The stretches whose changes minus their costs have the largest sum, found by dynamic programming."""
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
    """The seat that decided, or None for draws."""
    return step.ask.seat if isinstance(step, Decision) else None


def difference_weights(steps: Iterable[int]) -> list[tuple[int, float]]:
    """The weights for the sum of the changes of these steps."""
    return [each for at in steps for each in ((at + 1, 1.0), (at, -1.0))]


def clearest_change(changes: dict[int, Estimate], sign: int) -> int | None:
    """The key of the largest change in a direction, if its interval excludes 0 and overlaps no other."""
    low = {at: min(sign * bound for bound in change.interval) for at, change in changes.items()}
    high = {at: max(sign * bound for bound in change.interval) for at, change in changes.items()}
    first = max(low, key=low.__getitem__, default=None)
    if first is None or low[first] <= max([0.0, *(high[at] for at in changes if at != first)]):
        return None
    return first


REPORT_SECONDS = 18.0
"""The default seconds for playouts, by the clock; the whole command takes 20 seconds."""

STEPS_AT_ONCE = 8
"""How many steps get more playouts in a round: those that might have changed the chance most."""

SEEDS_AT_ONCE = 4
"""How many seeds each of them gets in a round."""


class PlayoutTask(Struct, frozen=True):
    """Playouts to make: the moment to start from, the seeds, and whether to judge the decision there.

    If so, a second playout with the same seed starts after the decision.
    """

    at: int
    judges_decision: bool
    first: int
    number: int


class PlayoutPair(Struct, frozen=True):
    """The results with one seed: from a moment, and from the next moment.

    `same`: the sensible player chose the orders actually given, so one playout serves for both.
    """

    before: float
    after: float
    same: bool


PlayoutRunner: TypeAlias = Callable[[Sequence[PlayoutTask]], Iterable[list[PlayoutPair]]]
"""A function that runs the playouts of tasks, and yields their results in order."""


def run_playouts(rules: Rules, line: MainLine, game: str, task: PlayoutTask) -> list[PlayoutPair]:
    """Run the playouts of a task, with the same result on every computer. Raises as `play_out` does."""
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
    """A playout after a decision, and one after the orders the sensible player would have given."""
    orders = preferred_orders(rules, line, at, seed)
    after = play_out(rules, line, at + 1, seed)
    if orders is None:
        return PlayoutPair(after, after, True)
    return PlayoutPair(play_out(rules, line, at, seed, orders), after, False)


def preferred_orders(rules: Rules, line: MainLine, at: int, seed: str) -> Orders | None:
    """The sensible player's orders instead of a decision.

    None if they are the same, or if that is unknown because the orders are still sealed.
    """
    given = line.orders(at)
    if given is None:
        return None
    ask = line.decision(at).ask
    orders = rules.players[PLAYOUT_PLAYER](ask, seeded_random(seed, "first"))
    return None if ask.read(orders) == ask.read(given) else orders


class GameReport(Struct, frozen=True):
    """The chances during a game: at each moment, and how each step changed them.

    `luck` is the sum over all draws, `decisions` that over all decisions of each seat; `judged_steps` are
    the decisions that playouts have judged, `differing_steps` those of them the sensible player would not
    have made. `counts` has the number of seeds at each moment, `playouts` their total; `ended_by_clock` says
    whether there would have been more with more time. `stretches` are those that decided the game.
    """

    line: MainLine
    chances: tuple[Estimate, ...]
    changes: tuple[Estimate, ...]
    luck: Estimate
    decisions: dict[str, Estimate]
    counts: tuple[int, ...]
    playouts: int
    judged_steps: frozenset[int]
    differing_steps: frozenset[int]
    stretches: tuple[Stretch, ...]
    ended_by_clock: bool


def make_report(
    rules: Rules,
    line: MainLine,
    playouts: int,
    run: PlayoutRunner,
    progress: Callable[[int, int], None],
    seconds: float = inf,
    steps: Sequence[int] | None = None,
) -> GameReport:
    """Run this many playouts, or as many as fit into this many seconds, and make the report.

    Neither limit changes their order, so the same number always gives the same report. One seed of a decision
    can take two playouts, so the last one can exceed the number by one. Playouts are made only for `steps`,
    if given; then they alone say what is known about the others.
    """
    reckoning = ReportBuilder(rules, line)
    if steps is not None:
        reckoning.look_at(steps)
    begun = time.monotonic()
    progress(0, playouts)  # the first playouts can take long
    is_done = False
    while not is_done and (tasks := reckoning.next_tasks()):
        for task, results in zip(tasks, run(tasks), strict=True):
            reckoning.add_results(task, results)
            made, elapsed = reckoning.playouts_made, time.monotonic() - begun
            progress(min(made, playouts), _expected_playouts(made, playouts, elapsed, seconds))
            is_done = made >= playouts or elapsed >= seconds
            if is_done:
                break
    return reckoning.build(ended_by_clock=reckoning.playouts_made < playouts and is_done)


def _expected_playouts(made: int, playouts: int, elapsed: float, seconds: float) -> int:
    """The number of playouts to expect at this pace."""
    if elapsed * playouts <= made * seconds:
        return playouts
    return max(made, int(made * seconds / elapsed))


class ReportBuilder:
    """The estimates from the playouts made so far, and the moments that need more.

    `judges_at` has the moments for playouts, and whether a decision is judged there.
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
        self.playouts_made = self._spread = 0
        self._spreads = True

    def next_tasks(self) -> list[PlayoutTask]:
        """The next round of playouts, as tasks; none if the chance at every moment is known.

        Half of the playouts are spread evenly, one from each moment in a round. The other half goes where the
        chance might have changed most.
        """
        promising = [] if self._spread <= self.playouts_made / 2 else self.promising_moments()
        self._spreads = not promising
        wanted, seeds = (
            (promising, SEEDS_AT_ONCE) if promising else (_coarse_to_fine(list(self.judges_at)), 1)
        )
        begun = {at: pair.number for at, pair in self._pairs.items()}
        return [
            PlayoutTask(at, self.judges_at[at], begun.get(at, 0) + n, 1)
            for n in range(seeds)
            for at in wanted
        ]

    def add_results(self, task: PlayoutTask, results: Iterable[PlayoutPair]) -> None:
        """Add the results of a task."""
        for played in results:
            self._pairs[task.at].add(played.before, played.after)
            number = 1 if played.same else 2
            self.playouts_made += number
            self._spread += number if self._spreads else 0
            if not played.same:
                self._differing.add(task.at)

    def promising_moments(self) -> list[int]:
        """The moments beside the steps that might have changed the chance most."""
        chain = self._build_chain()
        changes = [chain.weighted_sum([(at + 1, 1), (at, -1)]) for at in range(len(self._line.steps))]
        near = [at for at in range(len(changes)) if self.moments_beside(at)]
        ranked = sorted(near, key=lambda at: -changes[at].largest_magnitude)
        return sorted({near for at in ranked[:STEPS_AT_ONCE] for near in self.moments_beside(at)})

    def look_at(self, steps: Iterable[int]) -> None:
        """Make playouts for these steps only."""
        wanted = {near for step in steps for near in self.moments_beside(step)}
        self.judges_at = {at: judges for at, judges in self.judges_at.items() if at in wanted}

    def moments_beside(self, step: int) -> list[int]:
        """The moments whose playouts say most about the chance before and after a step."""
        if self.judges_at.get(step):
            return [step]
        before = [at for at in (step, step - 1) if at in self.judges_at][:1]
        return [*before, *([step + 1] if step + 1 in self.judges_at else [])]

    def _build_chain(self) -> GaussianChain:
        """The chances from all playouts so far. Orders the sensible player would give too change nothing."""
        steps = self._line.steps
        free = [isinstance(step, Draws) or at in self._differing for at, step in enumerate(steps)]
        ahead = 0 if self._result is not None else sum(free)  # as many steps again, if the game is not over
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

    def build(self, ended_by_clock: bool) -> GameReport:
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
            judged_steps=frozenset(at for at in self._pairs if self.judges_at[at]),
            differing_steps=frozenset(self._differing),
            stretches=find_stretches(line.steps, chances, self._rules.seats, chain.weighted_sum),
            ended_by_clock=ended_by_clock,
        )


def _coarse_to_fine(moments: Sequence[int]) -> list[int]:
    """The newest moment, then ever finer steps back from it: any beginning of these is spread evenly."""
    backwards = enumerate(reversed(moments))
    return [at for _, at in sorted(backwards, key=lambda placed: -(placed[0] & -placed[0] or inf))]


def significant_steps(report: GameReport) -> list[int]:
    """The steps that changed the chance significantly, the largest first."""
    changes = report.changes
    return sorted(
        (at for at in range(len(changes)) if changes[at].is_significant),
        key=lambda at: -abs(changes[at].mean),
    )


SMALL_COST = 0.05
"""A change of the chance to win that is not worth telling."""


class Blunder(Struct, frozen=True):
    """The decision that cost its side most; `is_clear` if its interval is clear of all others."""

    at: int
    is_clear: bool


def costliest_decision(report: GameReport, seats: Sequence[str], of: str) -> Blunder | None:
    """The decision of a seat that cost it most, compared with the sensible player's orders.

    None if no decision cost it anything.
    """
    sign = -1 if of == seats[0] else 1
    costs = {
        at: report.changes[at] for at in report.differing_steps if deciding_seat(report.line.steps[at]) == of
    }
    most = max(sorted(costs), key=lambda at: sign * costs[at].mean, default=None)
    if most is None or sign * costs[most].mean <= 0:
        return None
    return Blunder(most, clearest_change(costs, sign) == most)


def can_tell_costs(report: GameReport, seats: Sequence[str], of: str) -> bool:
    """Whether the playouts suffice to say that no decision of a seat cost it anything worth telling."""
    sign = -1 if of == seats[0] else 1
    steps = report.line.steps
    decided = {at for at in range(len(steps)) if deciding_seat(steps[at]) == of}
    most = max((max(sign * end for end in report.changes[at].interval) for at in decided), default=0)
    return decided <= report.judged_steps and most <= SMALL_COST


@contextmanager
def playout_runner(game: Game, positions: MainLine, data: bytes, workers: int) -> Iterator[PlayoutRunner]:
    """A runner of playouts with this many processes, or only this one; `data` is the file of the game."""
    if workers == 1:
        yield lambda tasks: (run_playouts(game.rules, positions, game.ids[0], task) for task in tasks)
        return
    others = set(multiprocessing.active_children())
    spawned = multiprocessing.get_context("spawn")  # for the same behaviour on every system
    pool = ProcessPoolExecutor(
        workers, mp_context=spawned, initializer=_prepare_playout_worker, initargs=(data,)
    )

    def run(tasks: Iterable[PlayoutTask]) -> Iterator[list[PlayoutPair]]:
        # no `map`: it cancels the remaining tasks, and then the pool's thread fails (Python 3.11) as a worker
        # ends
        for made in [pool.submit(_run_in_worker, task) for task in tasks]:
            yield made.result()

    try:
        yield run
    except BrokenExecutor:
        raise FileError(
            tr("a worker process was killed"), hint=tr("use fewer workers: {option}", option="--workers 1")
        ) from None
    finally:
        pool.shutdown(wait=False)
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()  # nobody needs playouts after the time is up


_worker_data: list[bytes] = []
"""In a worker, the file of its game; with each task it would fill the pipe, which nobody reads at the end."""


def _prepare_playout_worker(data: bytes) -> None:
    """Prepare a worker process, which ignores interrupts: the main process handles them."""
    prepare_worker()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker_data[:] = [data]


def _run_in_worker(task: PlayoutTask) -> list[PlayoutPair]:
    """Run the playouts of a task, in a worker."""
    game, positions = _open_in_worker()
    return run_playouts(game.rules, positions, game.ids[0], task)


@cache
def _open_in_worker() -> tuple[Game, MainLine]:
    """In a worker, the verified game and its main line; the file is read once."""
    game = open_game(*_worker_data)
    return game, main_line(game)
