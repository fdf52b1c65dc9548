"""The numbers of a scenario to change, and how far, to come near a wished balance with few games.

From where it stands, each number is tried a step up or down in some games; the most promising are tried in
more, as many steps as they seem to need, until they can be told from nothing. The best of these is kept, and
so on until the balance is near enough or nothing can be told any more. All trials have the same draws, game
by game (`Shift`), so that a difference between two shows early. The kept numbers are played once more with
other draws: those they were chosen by flatter them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import PbemError
from pbem.study.intervals import wilson
from pbem.study.record import decoded
from pbem.study.task import Task
from pbem.study.values import ValuePath, changed, number_at, place
from pbem.study.worker_pool import WorkerPool, gathered
from pbem.texts import Texts
from pbem.texts import number as decimal

tr = Texts("pbem")

SCREEN, TRIAL, CHECK = 100, 300, 1000
"""Games of a first trial, of a promising one, and of the final check; also the most of a trial that is not
yet significant."""

PROMISING = 3
"""The maximum number of steps that are tried in more games."""

FARTHEST = 3
"""The maximum number of steps that a number changes by at once."""

_PORTION = 25
"""Games of a task."""

DOUBT = 0.05
"""The significance level: the chance that any of the steps tried together seems better though none is."""

Point: TypeAlias = tuple[int, ...]
"""The value of each number."""


class Wish(Struct, frozen=True):
    """The share of the decided games that a seat should win, and the tolerance, both from 0 to 1."""

    seat: str
    share: float
    near: float

    def met(self, balance: Balance) -> bool:
        """Whether a balance lies within the tolerance."""
        return abs(self.share - balance.share) <= self.near


class Balance(Struct, frozen=True):
    """The number of decided games, and of those won by the seat of the goal."""

    won: int
    decided: int

    @property
    def share(self) -> float:
        """The share of wins, from 0 to 1; nothing decided counts as even."""
        return self.won / self.decided if self.decided else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of 95 %."""
        return wilson(self.won, self.decided)

    def __str__(self) -> str:
        figures = zip(("share", "low", "high"), (self.share, *self.interval), strict=True)
        return tr(
            "{share} % ({low} to {high})", **{name: decimal(100 * each, ".1f") for name, each in figures}
        )


class Shift(Struct, frozen=True):
    """Two scenarios in games of the same draws: in how many the second is better for the seat, or worse.

    A draw is better than a loss. Games that end alike say nothing of the difference, so they are left out:
    that is why so few games suffice.
    """

    better: int
    worse: int

    @property
    def chance(self) -> float:
        """The chance of a split at least as uneven if the two did not differ (McNemar's exact test)."""
        number, least = self.better + self.worse, min(self.better, self.worse)
        return float(min(1.0, 2 * sum(comb(number, few) for few in range(least + 1)) / 2**number))


class Tuned(Struct, frozen=True):
    """The result: the numbers that differ, the balance before and as checked at last, and all games."""

    numbers: dict[ValuePath, int]
    before: Balance
    after: Balance
    games: int

    def reached(self, wish: Wish) -> bool | None:
        """Whether the final check meets the goal; None where its interval leaves that open."""
        if wish.met(self.after):
            return True
        low, high = self.after.interval
        return None if low <= wish.share + wish.near and high >= wish.share - wish.near else False


class Bench:
    """Trial games of scenarios: each is played once, and more of them when more are asked for.

    `games` counts them; `on_progress` is called with that count as they are played.
    """

    def __init__(
        self, rules: Rules, task: Task, paths: Sequence[ValuePath], wish: Wish, pool: WorkerPool
    ) -> None:
        self.paths = paths
        self.games = 0
        self.told: Callable[[int], None] = lambda games: None
        self.rules = rules
        self._task = task
        self._wish = wish
        self._crew = pool
        self._won: dict[tuple[Point, str], list[str | None]] = {}

    @property
    def seed(self) -> int:
        """The seed of all games here."""
        return self._task.seed

    @property
    def start(self) -> Point:
        """The numbers of the scenario as it is."""
        return tuple(number_at(self._task.scenario, path) for path in self.paths)

    def numbers(self, point: Point) -> dict[ValuePath, int]:
        """The numbers that differ from the scenario as it is."""
        return {path: new for path, old, new in zip(self.paths, self.start, point, strict=True) if new != old}

    def playable(self, point: Point) -> bool:
        """Whether the rules accept the scenario with these numbers."""
        scenario = changed(self._task.scenario, self.numbers(point))
        if self.rules.scenarios.check(scenario):
            return False
        try:
            self.rules.begin(self._task.options, scenario)
        except PbemError:
            return False
        return True

    def balance(self, point: Point, games: int, key: str = "tune") -> Balance:
        """The balance of the first `games` games at a point; `key` selects the draws."""
        winners = self._won.setdefault((point, key), [])
        if games > len(winners):
            self._play(point, key, winners, games)
        won = winners[:games].count(self._wish.seat)
        return Balance(won, games - winners[:games].count(None))

    def shift(self, point: Point, other: Point, games: int) -> Shift:
        """Compare two points in their first `games` games."""
        for each in (point, other):
            self.balance(each, games)
        here, there = (map(self._worth, self._won[each, "tune"][:games]) for each in (point, other))
        gains = [mine - before for before, mine in zip(here, there, strict=True)]
        return Shift(sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains))

    def _worth(self, winner: str | None) -> float:
        """The score of the goal's seat in a game: 1, 0.5 or 0."""
        return 0.5 if winner is None else float(winner == self._wish.seat)

    def _play(self, point: Point, key: str, winners: list[str | None], games: int) -> None:
        scenario = changed(self._task.scenario, self.numbers(point))
        fresh: dict[int, str | None] = {}
        for _, lines in gathered(self._tasks(scenario, key, range(len(winners), games)), self._crew):
            for record in map(decoded, lines.splitlines()):
                fresh[record.game] = record.winner
                self.games += 1
            self.told(self.games)
        winners += [fresh[game] for game in sorted(fresh)]

    def _tasks(self, scenario: Plain, key: str, games: Sequence[int]) -> Iterator[Task]:
        for first in range(0, len(games), _PORTION):
            portion = tuple(games[first : first + _PORTION])
            yield replace(self._task, scenario=scenario, key=key, games=portion)


def tuned(bench: Bench, wish: Wish, most: int, report_line: Callable[[str], None]) -> Tuned:
    """Search from the scenario as it is, in about `most` games: the last step and the check may exceed them.

    `said` is called with a line for each step."""
    point = bench.start
    before = balance = bench.balance(point, TRIAL)
    report_line(tr("as it is: {balance}", balance=balance))
    while bench.games < most:
        if wish.met(balance):
            balance = bench.balance(point, CHECK)
        if wish.met(balance):
            break
        step = _step(bench, wish, point)
        if step is None:
            report_line(tr("no further step can be told from nothing and comes nearer"))
            break
        point, balance, shift = step
        shifted = tr(
            "in the same games {better} better, {worse} worse", better=shift.better, worse=shift.worse
        )
        report_line(f"{changes_in_words(bench.numbers(point), bench)}: {balance}; {shifted}")
    after = bench.balance(point, CHECK, "check")
    return Tuned(bench.numbers(point), before, after, bench.games)


def _step(bench: Bench, wish: Wish, point: Point) -> tuple[Point, Balance, Shift] | None:
    """The best neighbour that differs significantly from this point, if it is nearer to the goal."""
    near = [
        other
        for which in range(len(point))
        for step in (1, -1)
        if bench.playable(other := _moved(point, which, step))
    ]
    gap = wish.share - bench.balance(point, TRIAL).share
    hopes = sorted(_promising(bench, point, near, gap), key=lambda hope: hope[0])[:PROMISING]
    significant = []
    for _, other in hopes:
        for games in (TRIAL, CHECK):
            shift = bench.shift(point, other, games)
            if shift.chance * len(near) < DOUBT:
                significant.append((bench.balance(other, games), other, shift))
                break
    away = [(abs(wish.share - balance.share), place) for place, (balance, _, _) in enumerate(significant)]
    if not away or min(away)[0] >= abs(gap):
        return None
    balance, other, shift = significant[min(away)[1]]
    return other, balance, shift


def _promising(
    bench: Bench, point: Point, near: Sequence[Point], gap: float
) -> Iterator[tuple[float, Point]]:
    """The points whose first games promise to close the gap to the goal, each as far as it should go.

    Each comes with the p-value of that promise.
    """
    base = bench.balance(point, SCREEN).share
    for other in near:
        shift = bench.shift(point, other, SCREEN)
        effect = bench.balance(other, SCREEN).share - base
        if effect * gap > 0 and (shift.better - shift.worse) * gap > 0:
            steps = max(1, min(FARTHEST, round(gap / effect)))
            while not bench.playable(far := _farther(point, other, steps)):
                steps -= 1
            yield shift.chance, far


def _farther(point: Point, other: Point, steps: int) -> Point:
    """The point that is `steps` times as far from `point` as `other` is."""
    return tuple(here + steps * (there - here) for here, there in zip(point, other, strict=True))


def _moved(point: Point, which: int, steps: int) -> Point:
    return (*point[:which], point[which] + steps, *point[which + 1 :])


def changes_in_words(numbers: Mapping[ValuePath, int], bench: Bench) -> str:
    """The changes as text: `units.117Inf.full[1] 3 to 4`."""
    start = dict(zip(bench.paths, bench.start, strict=True))
    changes = [
        tr("{place} {old} to {new}", place=place(path), old=start[path], new=new)
        for path, new in numbers.items()
    ]
    return ", ".join(changes) or tr("nothing changed")
