"""The numbers of a scenario to change, and how far, to come near a wished balance with few games.

From where it stands, each number is tried a step up or down in some games; the most promising are tried in
more, as many steps as they seem to need; the best is kept, and so on until the balance is near enough. All
trials have the same draws, game by game, so that a difference between two shows early. The kept numbers are
played once more with other draws: those they were chosen by flatter them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import PbemError
from pbem.study.campaign import gathered
from pbem.study.crews import Crew
from pbem.study.intervals import wilson
from pbem.study.record import decoded
from pbem.study.task import Task
from pbem.study.values import Path, changed, number, place
from pbem.texts import Texts
from pbem.texts import number as decimal

tr = Texts("pbem")

SCREEN, TRIAL, CHECK = 100, 300, 1000
"""Games of a first trial, of the promising ones, and of the last check."""

PROMISING = 3
"""The number of changes that are tried in more games."""

FARTHEST = 3
"""Steps that a number goes at once, at most."""

_PORTION = 25
"""Games of a task."""

Point: TypeAlias = tuple[int, ...]
"""The value of each number."""


class Wish(Struct, frozen=True):
    """The share of the decided games that a seat should win, and how near is near enough: from 0 to 1."""

    seat: str
    share: float
    near: float

    def met(self, balance: Balance) -> bool:
        """Whether a balance is near enough, as far as known."""
        return abs(self.share - balance.share) <= self.near


class Balance(Struct, frozen=True):
    """The number of decided games, and of those that the seat of the wish has won."""

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


class Tuned(Struct, frozen=True):
    """The result: the numbers that differ, the balance before and as checked at last, and all games."""

    numbers: dict[Path, int]
    before: Balance
    after: Balance
    games: int


class Bench:
    """A bench to try scenarios: games are played once, and more of them when more are asked for.

    `games` counts them; `told` hears of that as they are played.
    """

    def __init__(self, rules: Rules, task: Task, paths: Sequence[Path], wish: Wish, crew: Crew) -> None:
        self.paths = paths
        self.games = 0
        self.told: Callable[[int], None] = lambda games: None
        self._rules = rules
        self._task = task
        self._wish = wish
        self._crew = crew
        self._won: dict[tuple[Point, str], list[str | None]] = {}

    @property
    def seed(self) -> int:
        """The seed of all games here."""
        return self._task.seed

    @property
    def start(self) -> Point:
        """The scenario as it is."""
        return tuple(number(self._task.scenario, path) for path in self.paths)

    def numbers(self, point: Point) -> dict[Path, int]:
        """The numbers that a point changes."""
        return {path: new for path, old, new in zip(self.paths, self.start, point, strict=True) if new != old}

    def playable(self, point: Point) -> bool:
        """Whether the rules take such a scenario."""
        scenario = changed(self._task.scenario, self.numbers(point))
        if self._rules.scenarios.check(scenario):
            return False
        try:
            self._rules.begin(self._task.options, scenario)
        except PbemError:
            return False
        return True

    def balance(self, point: Point, games: int, key: str = "tune") -> Balance:
        """The balance of the first so many games at a point; `key` says which draws."""
        winners = self._won.setdefault((point, key), [])
        if games > len(winners):
            self._play(point, key, winners, games)
        won = winners[:games].count(self._wish.seat)
        return Balance(won, games - winners[:games].count(None))

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


def tuned(bench: Bench, wish: Wish, most: int, said: Callable[[str], None]) -> Tuned:
    """Search from the scenario as it is; in `most` games, and those of the last step and the check."""
    point = bench.start
    before = here = bench.balance(point, TRIAL)
    said(tr("as it is: {balance}", balance=here))
    while bench.games < most:
        if wish.met(here):
            here = bench.balance(point, CHECK)
        if wish.met(here):
            break
        found = _step(bench, wish, point, here)
        if found is None:
            said(tr("no further step comes nearer"))
            break
        point, here = found
        said(f"{words(bench.numbers(point), bench)}: {here}")
    after = bench.balance(point, CHECK, "check")
    return Tuned(bench.numbers(point), before, after, bench.games)


def _step(bench: Bench, wish: Wish, point: Point, here: Balance) -> tuple[Point, Balance] | None:
    """The best of the next points, if it is nearer to the wish; one number goes some steps."""
    gap = wish.share - here.share
    promising = sorted(_promises(bench, point, gap), key=lambda promise: promise[0])[:PROMISING]
    tried = {other: bench.balance(other, TRIAL) for _, other in promising}
    best = min(tried, key=lambda other: abs(wish.share - tried[other].share), default=None)
    if best is None or abs(wish.share - tried[best].share) >= abs(gap):
        return None
    return best, tried[best]


def _promises(bench: Bench, point: Point, gap: float) -> Iterator[tuple[float, Point]]:
    """The promise of each number that closes the gap to the wish: how much should be left, and where it goes.

    The effect of a step is taken from a few games with the draws of the same games here.
    """
    base = bench.balance(point, SCREEN).share
    for which in range(len(point)):
        for step in (1, -1):
            near = _moved(point, which, step)
            if not bench.playable(near):
                continue
            effect = bench.balance(near, SCREEN).share - base
            if effect * gap > 0:
                steps = max(1, min(FARTHEST, round(gap / effect)))
                while not bench.playable(far := _moved(point, which, step * steps)):
                    steps -= 1
                yield abs(gap - effect * steps), far
                break  # the other direction would do the opposite


def _moved(point: Point, which: int, steps: int) -> Point:
    return (*point[:which], point[which] + steps, *point[which + 1 :])


def words(numbers: Mapping[Path, int], bench: Bench) -> str:
    """The changes in words: `units.117Inf.full[1] 3 to 4`."""
    start = dict(zip(bench.paths, bench.start, strict=True))
    told = [
        tr("{place} {old} to {new}", place=place(path), old=start[path], new=new)
        for path, new in numbers.items()
    ]
    return ", ".join(told) or tr("nothing changed")
