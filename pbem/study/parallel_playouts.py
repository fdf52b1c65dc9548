"""The makers of a report's playouts: this process, or several, each with the file for itself."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import repeat

from pbem.errors import FileError
from pbem.study.moments import Line, line
from pbem.study.turning_points import Crew, Played, Task, play
from pbem.study.worker_pool import begin
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.verify import open_game

tr = Texts("pbem")

_AT_ONCE = 2
"""The seeds in one piece of work, which an interrupt waits for."""


@contextmanager
def crew(game: Game, positions: Line, data: bytes, workers: int) -> Iterator[Crew]:
    """What runs playouts: so many processes, or this one alone; `data` is the file of the game."""
    if workers == 1:
        yield lambda tasks: (play(game.rules, positions, game.ids[0], task) for task in tasks)
        return
    spawned = multiprocessing.get_context("spawn")  # for the same behaviour on every system
    pool = ProcessPoolExecutor(workers, mp_context=spawned, initializer=_begin)
    try:
        yield lambda tasks: _shared(pool, data, tasks)
    except BrokenExecutor:
        raise FileError(
            tr("a worker process was killed"), hint=tr("take fewer: {option}", option="--workers 1")
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a worker process. It ignores interrupts: the program handles them, and cancels its work."""
    begin()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _shared(pool: ProcessPoolExecutor, data: bytes, tasks: Sequence[Task]) -> Iterator[list[Played]]:
    """The results of all tasks, each split into pieces that free workers run."""
    pieces = [list(task.pieces(_AT_ONCE)) for task in tasks]
    results = pool.map(_play, repeat(data), [piece for several in pieces for piece in several])
    for several in pieces:
        yield [played for _ in several for played in next(results)]


def _play(data: bytes, task: Task) -> list[Played]:
    """Run the playouts of a task, in a worker."""
    game, positions = _read(data)
    return play(game.rules, positions, game.ids[0], task)


@cache
def _read(data: bytes) -> tuple[Game, Line]:
    """The verified game and its main line, in a worker, which reads the file once."""
    game = open_game(data)
    return game, line(game)
