"""The numbers of a scenario that can be changed, and the search for those that give a desired balance.

A scenario says where a value comes from, in its `status`. What is known from the printed game, or follows
from it, is never changed; a reconstruction can be changed, and so can a value without a status.

Starting from the scenario as it is, each number is tried one step up or down in some games. The most
promising steps are tried in more games, as many steps as seem needed, until the difference is significant.
The best of these is taken, and so on until the balance is near enough or no further step is significant. All
trials have the same draws, game by game (`PairedDifference`), so that a difference shows early. The final
numbers are played again with other draws: those they were chosen with flatter them.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from math import comb
from typing import Any, TypeAlias

import yaml
from msgspec import Struct
from msgspec.structs import replace

from pbem.analysis.self_play import SelfPlayTask, parse_record
from pbem.analysis.statistics import wilson_interval
from pbem.base.validation import key_path, quote_value
from pbem.base.worker_pool import WorkerPool, run_tasks
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError, PbemError
from pbem.format.strict_yaml import LOADER
from pbem.texts import Texts, percent
from pbem.texts import number as decimal

tr = Texts("pbem")


ValuePath: TypeAlias = tuple[str | int, ...]
"""The keys of mappings and indices of lists from the top of a scenario to a number."""

CHANGEABLE_STATUS = "reconstruction"
"""The status of values that can be changed."""

_PART = re.compile(r"([^.\[\]]+)|\[(\d{1,9})\]")


def path_text(path: ValuePath) -> str:
    """A path in the notation of a scenario's faults: `units.117Inf.full[0]`."""
    words = ""
    for part in path:
        words = f"{words}[{part}]" if isinstance(part, int) else key_path(words, part)
    return words


def find_paths(data: Plain, names: Sequence[str]) -> list[ValuePath]:
    """The paths of all numbers with these names, such as `units.117Inf` or `units.117Inf.full[0]`.

    Raises `FileError` for an unknown name, and for one without numbers that can be changed.
    """
    paths: list[ValuePath] = []
    for name in names:
        path, part, status = _follow_name(data, name)
        below = list(_number_paths(part, path, status))
        if not below:
            raise FileError(tr("contains no reconstructed number"), where=name)
        paths += below
    return list(dict.fromkeys(paths))


def number_names(data: Plain) -> list[str]:
    """The names that `find_paths` accepts: of every number, each after those of what contains it."""
    paths = _number_paths(data, (), "")
    return list(dict.fromkeys(path_text(path[:end]) for path in paths for end in range(2, len(path) + 1)))


def _follow_name(data: Plain, name: str) -> tuple[ValuePath, Plain, str]:
    """The value with a name, with its path and the status that applies to it."""
    path: list[str | int] = []
    status = ""
    for word, number in _PART.findall(name):
        key: str | int = int(number) if number else word
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            raise FileError(_describe_missing(quote_value(str(key)), data), where=name) from None
        path.append(key)
        status = _status(data, status)
    return tuple(path), data, status


def _describe_missing(found: str, data: Plain) -> str:
    """The message that nothing has this name, and what names there are instead."""
    if not isinstance(data, Mapping):
        return tr("{found} is not a place in a list", found=found)
    return tr(
        "there is no {found} here; there are {names}", found=found, names=", ".join(map(str, data))[:200]
    )


def _number_paths(part: Plain, path: ValuePath, status: str) -> Iterator[ValuePath]:
    """The path of every number below `path` that can be changed."""
    status = _status(part, status)
    if type(part) is int and status in ("", CHANGEABLE_STATUS):
        yield path
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _number_paths(value, (*path, key), status)
    elif isinstance(part, list):
        for number, value in enumerate(part):
            yield from _number_paths(value, (*path, number), status)


def _status(part: Plain, above: str) -> str:
    """The status of a value: its own, if it is a mapping with one, else that of what contains it."""
    return str(part["status"]) if isinstance(part, dict) and "status" in part else above


def number_at(data: Plain, path: ValuePath) -> int:
    """The number at a path."""
    number: int = reduce(lambda part, key: part[key], path, data)
    return number


def with_numbers(data: Plain, numbers: Mapping[ValuePath, int]) -> Plain:
    """A copy of a scenario with other numbers."""
    other = copy.deepcopy(data)
    for (*path, last), value in numbers.items():
        reduce(lambda part, key: part[key], path, other)[last] = value
    return other


def replace_numbers(text: str, numbers: Mapping[ValuePath, int], name: str, remark: Sequence[str]) -> str:
    """A scenario's file with other numbers, another name, and a remark at the top; its comments are kept.

    The text must be a valid scenario.
    """

    top: Any = yaml.compose(text, Loader=LOADER)
    replaced = {("name",): name, **{path: str(value) for path, value in numbers.items()}}
    spans = sorted(
        ((_find_node(top, path), word) for path, word in replaced.items()), key=_start_index, reverse=True
    )
    for node, word in spans:
        text = text[: node.start_mark.index] + word + text[node.end_mark.index :]
    return "".join(f"# {line}\n" for line in remark) + "#\n" + text


def _start_index(span: tuple[Any, str]) -> int:
    start: int = span[0].start_mark.index
    return start


def _find_node(node: Any, path: ValuePath) -> Any:
    for key in path:
        if isinstance(key, int):
            node = node.value[key]
        else:
            node = next(value for name, value in node.value if name.value == key)
    return node


SCREEN, TRIAL, CHECK = 100, 300, 1000
"""The number of games in a first trial, in a promising one, and in the final check.

The last is also the most for a trial that is not yet significant.
"""

MAX_PROMISING = 3
"""The maximum number of steps tried in more games."""

MAX_STEPS = 3
"""The maximum number of steps by which a number changes at once."""

_TASK_GAMES = 25
"""The number of games in a task."""

SIGNIFICANCE = 0.05
"""The significance level: the chance that any of the steps tried together seems better when none is."""

ParameterPoint: TypeAlias = tuple[int, ...]
"""A value for each of the numbers."""


class BalanceGoal(Struct, frozen=True):
    """The share of decided games that a seat should win, and the tolerance, both from 0 to 1."""

    seat: str
    share: float
    near: float

    def is_met_by(self, balance: Balance) -> bool:
        """Whether a balance is within the tolerance."""
        return abs(self.share - balance.share) <= self.near


class Balance(Struct, frozen=True):
    """The number of decided games, and how many of them the goal's seat won."""

    won: int
    decided: int

    @property
    def share(self) -> float:
        """The share of wins, from 0 to 1; 0.5 without decided games."""
        return self.won / self.decided if self.decided else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share."""
        return wilson_interval(self.won, self.decided)

    def __str__(self) -> str:
        low, high = (decimal(100 * bound, ".1f") for bound in self.interval)
        return tr("{share} ({low} to {high})", share=percent(self.share, 1), low=low, high=high)


class PairedDifference(Struct, frozen=True):
    """Two scenarios in games with the same draws: in how many the second was better or worse for the seat.

    A draw is better than a loss. Games with the same result show no difference, so they are left out, which
    is why few games suffice.
    """

    better: int
    worse: int

    @property
    def p_value(self) -> float:
        """The chance of a split at least as uneven between two equal scenarios (McNemar's exact test)."""
        number, least = self.better + self.worse, min(self.better, self.worse)
        return float(min(1.0, 2 * sum(comb(number, few) for few in range(least + 1)) / 2**number))


class TuningResult(Struct, frozen=True):
    """The result: the changed numbers, the balance before and in the final check, and the number of games."""

    numbers: dict[ValuePath, int]
    before: Balance
    after: Balance
    games: int

    def has_reached(self, wish: BalanceGoal) -> bool | None:
        """Whether the final check meets the goal; None if its interval leaves that open."""
        if wish.is_met_by(self.after):
            return True
        low, high = self.after.interval
        return None if low <= wish.share + wish.near and high >= wish.share - wish.near else False


class ScenarioTrials:
    """Trial games of scenarios: each game is played only once, and more are added when needed.

    `games` counts them; `on_progress` is called with that count as they are played.
    """

    def __init__(
        self,
        rules: Rules,
        task: SelfPlayTask,
        paths: Sequence[ValuePath],
        wish: BalanceGoal,
        pool: WorkerPool,
    ) -> None:
        self.paths = paths
        self.games = 0
        self.on_progress: Callable[[int], None] = lambda games: None
        self.rules = rules
        self._task = task
        self._goal = wish
        self._pool = pool
        self._winners: dict[tuple[ParameterPoint, str], list[str | None]] = {}

    @property
    def seed(self) -> int:
        """The seed of all trial games."""
        return self._task.seed

    @property
    def start(self) -> ParameterPoint:
        """The numbers of the scenario as it is."""
        return tuple(number_at(self._task.scenario, path) for path in self.paths)

    def changed_numbers(self, point: ParameterPoint) -> dict[ValuePath, int]:
        """The numbers that are different from the scenario as it is."""
        return {path: new for path, old, new in zip(self.paths, self.start, point, strict=True) if new != old}

    def is_playable(self, point: ParameterPoint) -> bool:
        """Whether the rules accept the scenario with these numbers."""
        scenario = with_numbers(self._task.scenario, self.changed_numbers(point))
        if self.rules.scenarios.check(scenario):
            return False
        try:
            self.rules.begin(self._task.options, scenario)
        except PbemError:
            return False
        return True

    def balance(self, point: ParameterPoint, games: int, key: str = "tune") -> Balance:
        """The balance of the first `games` games at a point; `key` selects the draws."""
        winners = self._winners.setdefault((point, key), [])
        if games > len(winners):
            self._play(point, key, winners, games)
        won = winners[:games].count(self._goal.seat)
        return Balance(won, games - winners[:games].count(None))

    def compare(self, point: ParameterPoint, other: ParameterPoint, games: int) -> PairedDifference:
        """Compare two points in their first `games` games."""
        for each in (point, other):
            self.balance(each, games)
        here, there = (map(self._score, self._winners[each, "tune"][:games]) for each in (point, other))
        gains = [mine - before for before, mine in zip(here, there, strict=True)]
        return PairedDifference(sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains))

    def _score(self, winner: str | None) -> float:
        """The score of the goal's seat in a game: 1, 0.5 or 0."""
        return 0.5 if winner is None else float(winner == self._goal.seat)

    def _play(self, point: ParameterPoint, key: str, winners: list[str | None], games: int) -> None:
        scenario = with_numbers(self._task.scenario, self.changed_numbers(point))
        fresh: dict[int, str | None] = {}
        for _, lines in run_tasks(self._tasks(scenario, key, range(len(winners), games)), self._pool):
            for record in map(parse_record, lines.splitlines()):
                fresh[record.game] = record.winner
                self.games += 1
            self.on_progress(self.games)
        winners += [fresh[game] for game in sorted(fresh)]

    def _tasks(self, scenario: Plain, key: str, games: Sequence[int]) -> Iterator[SelfPlayTask]:
        for first in range(0, len(games), _TASK_GAMES):
            portion = tuple(games[first : first + _TASK_GAMES])
            yield replace(self._task, scenario=scenario, key=key, games=portion)


def tune_scenario(
    bench: ScenarioTrials, wish: BalanceGoal, most: int, report_line: Callable[[str], None]
) -> TuningResult:
    """Search from the scenario as it is, in about `most` games, which the last step and the check can exceed.

    `report_line` is called with a line for each step.
    """
    point = bench.start
    before = balance = bench.balance(point, TRIAL)
    report_line(tr("unchanged: {balance}", balance=balance))
    while bench.games < most:
        if wish.is_met_by(balance):
            balance = bench.balance(point, CHECK)
        if wish.is_met_by(balance):
            break
        step = _best_step(bench, wish, point)
        if step is None:
            report_line(tr("no further step brings a significant improvement"))
            break
        point, balance, shift = step
        shifted = tr(
            "in the same games {better} better, {worse} worse", better=shift.better, worse=shift.worse
        )
        report_line(f"{describe_changes(bench.changed_numbers(point), bench)}: {balance}; {shifted}")
    after = bench.balance(point, CHECK, "check")
    return TuningResult(bench.changed_numbers(point), before, after, bench.games)


def _best_step(
    bench: ScenarioTrials, wish: BalanceGoal, point: ParameterPoint
) -> tuple[ParameterPoint, Balance, PairedDifference] | None:
    """The best neighbour significantly different from this point, if it is nearer to the goal."""
    near = [
        other
        for which in range(len(point))
        for step in (1, -1)
        if bench.is_playable(other := _move_point(point, which, step))
    ]
    gap = wish.share - bench.balance(point, TRIAL).share
    hopes = sorted(_promising_steps(bench, point, near, gap), key=lambda hope: hope[0])[:MAX_PROMISING]
    significant = []
    for _, other in hopes:
        for games in (TRIAL, CHECK):
            shift = bench.compare(point, other, games)
            if shift.p_value * len(near) < SIGNIFICANCE:
                significant.append((bench.balance(other, games), other, shift))
                break
    away = [(abs(wish.share - balance.share), place) for place, (balance, _, _) in enumerate(significant)]
    if not away or min(away)[0] >= abs(gap):
        return None
    balance, other, shift = significant[min(away)[1]]
    return other, balance, shift


def _promising_steps(
    bench: ScenarioTrials, point: ParameterPoint, near: Sequence[ParameterPoint], gap: float
) -> Iterator[tuple[float, ParameterPoint]]:
    """The points whose first games promise to close the gap to the goal, each taken as far as needed.

    Each comes with the p-value of its first games.
    """
    base = bench.balance(point, SCREEN).share
    for other in near:
        shift = bench.compare(point, other, SCREEN)
        effect = bench.balance(other, SCREEN).share - base
        if effect * gap > 0 and (shift.better - shift.worse) * gap > 0:
            steps = max(1, min(MAX_STEPS, round(gap / effect)))
            while not bench.is_playable(far := _multiply_step(point, other, steps)):
                steps -= 1
            yield shift.p_value, far


def _multiply_step(point: ParameterPoint, other: ParameterPoint, steps: int) -> ParameterPoint:
    """The point that is `steps` times as far from `point` as `other` is."""
    return tuple(here + steps * (there - here) for here, there in zip(point, other, strict=True))


def _move_point(point: ParameterPoint, which: int, steps: int) -> ParameterPoint:
    return (*point[:which], point[which] + steps, *point[which + 1 :])


def describe_changes(numbers: Mapping[ValuePath, int], bench: ScenarioTrials) -> str:
    """The changes in words: `units.117Inf.full[1] 3 to 4`."""
    start = dict(zip(bench.paths, bench.start, strict=True))
    changes = [
        tr("{place} {old} to {new}", place=path_text(path), old=start[path], new=new)
        for path, new in numbers.items()
    ]
    return ", ".join(changes) or tr("nothing changed")
