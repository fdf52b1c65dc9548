"""A study from its first game to its last: what is still to be played, handed out and gathered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from pbem.study.code_bundle import Parcel
from pbem.study.folder import Folder
from pbem.study.intervals import wilson
from pbem.study.plan import Plan
from pbem.study.record import Record
from pbem.study.task import Task
from pbem.study.worker_pool import WorkerPool, gathered

FIRST_ROUND = 400
"""With `until`: games of each cell before its interval is looked at."""

MOST_AT_ONCE = 200
"""The most games of a task."""

_SECONDS = 2.0
"""The seconds that a task should take: long against the cost of submitting it, short if a crash loses it."""

Told = Callable[[int, int], None]
"""A progress listener: called with the games played, and the games to play as far as is known."""


def carry_out(folder: Folder, pool: WorkerPool, bundle: Parcel | None, listener: Told) -> list[int]:
    """Play the games that the folder lacks; return the number of games of each cell that the study has.

    Raises what rules and players raise, and `FileError` where a task kills its workers.
    """
    plan = folder.plan
    goal = [plan.each if plan.until is None else min(FIRST_ROUND, plan.each)] * len(plan.cells)
    while True:
        _play(plan, folder, pool, bundle, goal, listener)
        needed = [_enough(plan, folder, cell, games) for cell, games in enumerate(goal)]
        if needed == goal:
            return goal
        goal = needed


def _enough(plan: Plan, folder: Folder, cell: int, games: int) -> int:
    """The games of a cell that should make its widest interval narrow enough, judged by those played."""
    if plan.until is None or games >= plan.each:
        return games
    width = 100 * widest(list(folder.records(cell, games)))
    if width < plan.until:
        return games
    needed = games * (width / plan.until) ** 2 * 1.02
    return min(plan.each, 4 * games, int(needed // 100 + 1) * 100)


def widest(records: list[Record]) -> float:
    """The width of the widest interval of a share of wins, from 0 to 1."""
    winners = [record.winner for record in records]
    shares = [wilson(winners.count(winner), len(winners)) for winner in set(winners) - {None}]
    return max((high - low for low, high in shares), default=wilson(0, len(winners))[1])


def _play(
    plan: Plan, folder: Folder, pool: WorkerPool, bundle: Parcel | None, goal: list[int], listener: Told
) -> None:
    """Play what is missing up to the goal of each cell, and write it to the folder."""
    pace = _Pace(folder, goal, listener)
    for task, lines in gathered(_tasks(plan, bundle, folder, goal, pace), pool):
        folder.add(lines)
        pace.count(len(task.games), pool.slots)


def _tasks(plan: Plan, bundle: Parcel | None, folder: Folder, goal: list[int], pace: _Pace) -> Iterator[Task]:
    """Tasks of the games that are missing, from all cells in turn."""
    missing = {
        cell: [game for game in range(games) if (cell, game) not in folder] for cell, games in enumerate(goal)
    }
    keys = [plan.key(cell) for cell in plan.cells]
    while missing := {cell: games for cell, games in missing.items() if games}:
        for cell, games in missing.items():
            size = pace.size(sum(map(len, missing.values())))
            now, missing[cell] = tuple(games[:size]), games[size:]
            conditions = plan.cells[cell]
            yield Task(
                plan.rules,
                plan.scenario,
                conditions.options,
                conditions.players,
                plan.playouts,
                plan.seed,
                keys[cell],
                cell,
                now,
                bundle,
            )


class _Pace:
    """The pace of a study: the size of tasks, and the progress reported. No result depends on it."""

    def __init__(self, folder: Folder, goal: list[int], listener: Told) -> None:
        self._slots = 1
        self._told = listener
        self._all = sum(goal)
        self._begun = time.monotonic()
        self._new = 0
        self._old = sum((cell, game) in folder for cell, games in enumerate(goal) for game in range(games))
        listener(self._old, self._all)

    def size(self, left: int) -> int:
        """Games that one worker plays in some seconds: one at first, few at last so that all end together."""
        if not self._new:
            return 1
        a_second = self._new / max(time.monotonic() - self._begun, 0.001) / self._slots
        return max(1, min(MOST_AT_ONCE, int(a_second * _SECONDS), left // (3 * self._slots)))

    def count(self, games: int, slots: int) -> None:
        """Count games as played, by so many workers, and report it."""
        self._slots = slots
        self._new += games
        self._told(self._old + self._new, self._all)
