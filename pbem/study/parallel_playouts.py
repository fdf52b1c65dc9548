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
from pbem.study.moments import MainLine, main_line
from pbem.study.turning_points import PlayoutPair, PlayoutRunner, PlayoutTask, run_playouts
from pbem.study.worker_pool import prepare_worker
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.verify import open_game

tr = Texts("pbem")

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
