"""The crews that do the tasks: this process, or processes of this computer; `clusters` has those of Dask.

All are `concurrent.futures` executors. Results may come back in any order, and a task may be done twice after
a worker has died; the outcome is the same.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from socket import gethostname
from typing import Protocol

from pbem import __version__
from pbem.errors import FileError, PbemError
from pbem.render.words import safe
from pbem.texts import Texts

tr = Texts("pbem")

_MOST_DEATHS = 5
"""The number of times in a row that workers may die before a task is taken for their killer."""


class Task(Protocol):
    """A task as it travels to a worker: plain data that hold everything needed there."""

    def carry_out(self) -> bytes:
        """Do it, and give what comes of it. Raises `PbemError` where that cannot be done anywhere."""


def carry_out(task: Task) -> bytes:
    """Carry out a task, as a worker does."""
    return task.carry_out()


class WorkerPool(Protocol):
    """Workers. `slots` is how many tasks are done at once."""

    @property
    def slots(self) -> int:
        """The number of tasks that are done at once, by now."""

    def submit(self, task: Task) -> Future[bytes]:
        """Have a task done."""

    def mend(self) -> None:
        """Replace workers that died, with all tasks. Raises `FileError` if it does not help."""

    def look(self) -> None:
        """See, where nothing has come back for a while, whether anybody works, and tell if not."""


class Alone:
    """The crew of this process alone: a task is done as it is submitted."""

    slots = 1

    def submit(self, task: Task) -> Future[bytes]:
        """Do a task; what it raises comes out here."""
        done: Future[bytes] = Future()
        done.set_result(task.carry_out())
        return done

    def mend(self) -> None:
        """Do nothing: nobody died."""

    def look(self) -> None:
        """Do nothing: it works."""


class Processes:
    """Processes of this computer."""

    def __init__(self, number: int) -> None:
        self.slots = number
        self._deaths = 0
        self._pool = self._started()

    def submit(self, task: Task) -> Future[bytes]:
        """Have a task done."""
        try:
            done = self._pool.submit(carry_out, task)
        except BrokenExecutor as error:  # a worker has died, and nobody has been told yet
            done = Future()
            done.set_exception(error)
        done.add_done_callback(self._note)
        return done

    def mend(self) -> None:
        """Start all processes anew."""
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise FileError(
                tr.plural(
                    "the worker processes were killed {number} time in a row",
                    "the worker processes were killed {number} times in a row",
                    self._deaths,
                )
            )
        self._pool.shutdown(wait=False)
        self._pool = self._started()

    def look(self) -> None:
        """Do nothing: a process that dies is told by what it was at."""

    def close(self) -> None:
        """Let the processes end after the task that they are at."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _note(self, done: Future[bytes]) -> None:
        if not done.cancelled() and done.exception() is None:
            self._deaths = 0

    def _started(self) -> ProcessPoolExecutor:
        spawned = multiprocessing.get_context("spawn")  # the same on every system
        return ProcessPoolExecutor(self.slots, mp_context=spawned, initializer=begin)


def begin() -> None:
    """Prepare a process for its first task, so that it ends when it should, and quietly.

    An interrupt from the keyboard reaches the workers too, and what they would print concerns nobody. A
    program that is killed tells them nothing, so each watches for that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_the_program, daemon=True).start()


def _end_with_the_program() -> None:
    study = multiprocessing.parent_process()
    if study is not None:
        study.join()
        os._exit(1)


def cores() -> int:
    """The number of cores that this program may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@contextmanager
def at_home(workers: int) -> Iterator[WorkerPool]:
    """A crew of so many processes of this computer; one is this process itself."""
    if workers == 1:
        yield Alone()
        return
    crew = Processes(workers)
    try:
        yield crew
    finally:
        crew.close()


def died(done: Future[bytes]) -> bool:
    """Whether a task has failed because its worker has died."""
    return not done.cancelled() and isinstance(done.exception(), BrokenExecutor)


def result(done: Future[bytes]) -> bytes:
    """The result of a task. Raises `FileError`, or whatever `PbemError` has ended it."""
    if done.cancelled():
        raise FileError(
            tr("the scheduler of the cluster has ended"), hint=tr("the same command goes on from here")
        )
    error = done.exception()
    if error is None or isinstance(error, PbemError):
        return done.result()
    if type(error).__name__ == "KilledWorker":  # Dask's, which is not here where nobody needs it
        raise FileError(
            tr("the workers that were given this task died, one after the other"),
            hint=tr("such as those with too little memory; the same command goes on from here"),
        ) from error
    if isinstance(error, ImportError | AttributeError):
        raise FileError(
            tr("a worker of the cluster has no pbem, or another version of it"), hint=everywhere()
        ) from error
    words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    raise FileError(tr("a worker has failed: {words}", words=words)) from error


def other_program() -> FileError:
    """The refusal of a task by a worker that has other code than whoever sent it."""
    words = tr("the worker on {host} has another version of this program", host=safe(gethostname()))
    return FileError(words, hint=everywhere())


def everywhere() -> str:
    """The hint that all machines of a cluster need the same program."""
    return tr(
        "{command}, on every machine of the cluster; then restart its workers",
        command=f"pip install 'pbem[cluster]=={__version__}'",
    )
