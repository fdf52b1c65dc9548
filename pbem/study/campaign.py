"""A study from its first game to its last: what is still to be played, handed out and gathered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from pbem.study.code_bundle import CodeBundle
from pbem.study.folder import StudyFolder
from pbem.study.intervals import wilson_interval
from pbem.study.plan import StudyPlan
from pbem.study.record import GameRecord
from pbem.study.task import SelfPlayTask
from pbem.study.worker_pool import WorkerPool, run_tasks

FIRST_ROUND = 400
"""With `until`: games of each cell before its interval is looked at."""

MAX_TASK_GAMES = 200
"""The most games of a task."""

_TASK_SECONDS = 2.0
"""The seconds that a task should take: long against the cost of submitting it, short if a crash loses it."""

ProgressListener = Callable[[int, int], None]
"""A progress listener: called with the games played, and the games to play as far as is known."""


def run_study(
    folder: StudyFolder, pool: WorkerPool, bundle: CodeBundle | None, listener: ProgressListener
) -> list[int]:
    """Play the games that the folder lacks; return the number of games of each cell that the study has.

    Raises what rules and players raise, and `FileError` where a task kills its workers.
    """
    plan = folder.plan
    goal = [plan.games_per_cell if plan.until is None else min(FIRST_ROUND, plan.games_per_cell)] * len(
        plan.cells
    )
    while True:
        _play_missing(plan, folder, pool, bundle, goal, listener)
        needed = [_games_needed(plan, folder, cell, games) for cell, games in enumerate(goal)]
        if needed == goal:
            return goal
        goal = needed


def _games_needed(plan: StudyPlan, folder: StudyFolder, cell: int, games: int) -> int:
    """The games of a cell that should make its widest interval narrow enough, judged by those played."""
    if plan.until is None or games >= plan.games_per_cell:
        return games
    width = 100 * widest_interval(list(folder.records(cell, games)))
    if width < plan.until:
        return games
    needed = games * (width / plan.until) ** 2 * 1.02
    return min(plan.games_per_cell, 4 * games, int(needed // 100 + 1) * 100)


def widest_interval(records: list[GameRecord]) -> float:
    """The width of the widest interval of a share of wins, from 0 to 1."""
    winners = [record.winner for record in records]
    shares = [wilson_interval(winners.count(winner), len(winners)) for winner in set(winners) - {None}]
    return max((high - low for low, high in shares), default=wilson_interval(0, len(winners))[1])


def _play_missing(
    plan: StudyPlan,
    folder: StudyFolder,
    pool: WorkerPool,
    bundle: CodeBundle | None,
    goal: list[int],
    listener: ProgressListener,
) -> None:
    """Play what is missing up to the goal of each cell, and write it to the folder."""
    pace = _Pace(folder, goal, listener)
    for task, lines in run_tasks(_missing_tasks(plan, bundle, folder, goal, pace), pool):
        folder.write_results(lines)
        pace.count(len(task.games), pool.slots)


def _missing_tasks(
    plan: StudyPlan, bundle: CodeBundle | None, folder: StudyFolder, goal: list[int], pace: _Pace
) -> Iterator[SelfPlayTask]:
    """Tasks of the games that are missing, from all cells in turn."""
    missing = {
        cell: [game for game in range(games) if (cell, game) not in folder] for cell, games in enumerate(goal)
    }
    keys = [plan.cell_key(cell) for cell in plan.cells]
    while missing := {cell: games for cell, games in missing.items() if games}:
        for cell, games in missing.items():
            size = pace.task_size(sum(map(len, missing.values())))
            now, missing[cell] = tuple(games[:size]), games[size:]
            conditions = plan.cells[cell]
            yield SelfPlayTask(
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

    def __init__(self, folder: StudyFolder, goal: list[int], listener: ProgressListener) -> None:
        self._slots = 1
        self._listener = listener
        self._goal = sum(goal)
        self._begun = time.monotonic()
        self._played = 0
        self._already_played = sum(
            (cell, game) in folder for cell, games in enumerate(goal) for game in range(games)
        )
        listener(self._already_played, self._goal)

    def task_size(self, left: int) -> int:
        """Games that one worker plays in some seconds: one at first, few at last so that all end together."""
        if not self._played:
            return 1
        a_second = self._played / max(time.monotonic() - self._begun, 0.001) / self._slots
        return max(1, min(MAX_TASK_GAMES, int(a_second * _TASK_SECONDS), left // (3 * self._slots)))

    def count(self, games: int, slots: int) -> None:
        """Count games as played, by so many workers, and report it."""
        self._slots = slots
        self._played += games
        self._listener(self._already_played + self._played, self._goal)
