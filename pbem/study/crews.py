"""The crews that do the tasks: this process, processes of this computer, or the workers of a Dask cluster.

All are `concurrent.futures` executors. Results may come back in any order, and a task may be done twice after
a worker has died; the outcome is the same.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from pbem.errors import FileError, PbemError
from pbem.texts import Texts

tr = Texts("pbem")

_MOST_DEATHS = 5
"""The number of times in a row that workers may die before a task is taken for their killer."""

_CLUSTER_SECONDS = 15
"""The seconds to look for the scheduler and its first worker."""


class Task(Protocol):
    """A task as it travels to a worker: plain data that hold everything needed there."""

    def carry_out(self) -> bytes:
        """Do it, and give what comes of it. Raises `PbemError` where that cannot be done anywhere."""


def carry_out(task: Task) -> bytes:
    """Carry out a task, as a worker does."""
    return task.carry_out()


class Crew(Protocol):
    """Workers. `slots` is how many tasks are done at once."""

    @property
    def slots(self) -> int:
        """The number of tasks that are done at once, by now."""

    def submit(self, task: Task) -> Future[bytes]:
        """Have a task done."""

    def mend(self) -> None:
        """Replace workers that died, with all tasks. Raises `FileError` if it does not help."""


class Alone:
    """This process: a task is done as it is submitted."""

    slots = 1

    def submit(self, task: Task) -> Future[bytes]:
        """Do a task; what it raises comes out here."""
        done: Future[bytes] = Future()
        done.set_result(task.carry_out())
        return done

    def mend(self) -> None:
        """Do nothing: nobody died."""


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


class Cluster:
    """The workers of a Dask cluster, as many as there are at any time. It restarts what a dead one had."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor: Executor = client.get_executor(pure=False)

    @property
    def slots(self) -> int:
        """The threads of all workers: each does a task."""
        with _reaching(tr("the cluster")):
            threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, task: Task) -> Future[bytes]:
        """Have a task done."""
        with _reaching(tr("the cluster")):
            return self._executor.submit(carry_out, task)

    def mend(self) -> None:
        """The cluster does so itself."""

    def close(self) -> None:
        """Drop what was submitted, and say good-bye."""
        self._executor.shutdown(wait=False)  # which cancels
        self._client.close()


def cores() -> int:
    """The number of cores that this program may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@contextmanager
def at_home(workers: int) -> Iterator[Crew]:
    """A crew of so many processes of this computer; one is this process itself."""
    if workers == 1:
        yield Alone()
        return
    crew = Processes(workers)
    try:
        yield crew
    finally:
        crew.close()


@contextmanager
def cluster(address: str) -> Iterator[Crew]:
    """The cluster of a scheduler, by its address (`tcp://HOST:8786`) or the file that it has written.

    Raises `FileError` where there is none, or where the extra `cluster` is not installed.
    """
    connect = _dask()
    where = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
    with _reaching(address):
        client = connect(**where, timeout=_CLUSTER_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=_CLUSTER_SECONDS)
    crew = Cluster(client)
    try:
        yield crew
    finally:
        crew.close()


@contextmanager
def _reaching(whom: str) -> Iterator[None]:
    """Within, something is asked of a cluster, which may not be there. Raises `FileError`."""
    try:
        yield
    except (OSError, ValueError, TimeoutError, RuntimeError) as error:
        words = " ".join(str(error).split())[:200] or type(error).__name__
        raise FileError(tr("does not answer: {words}", words=words), where=whom) from error


def _dask() -> Callable[..., Any]:
    try:
        from distributed import Client  # here, because it is an extra, and slow to import
    except ImportError as error:
        raise FileError(
            tr("a cluster needs the package distributed, which is not here"),
            hint=tr("{command}, on every machine of the cluster", command="pip install 'pbem[cluster]'"),
        ) from error
    for name in ("distributed", "distributed.client"):  # what goes wrong is told in one line, by us
        logging.getLogger(name).setLevel(logging.CRITICAL)
    connect: Callable[..., Any] = Client
    return connect


def died(done: Future[bytes]) -> bool:
    """Whether a task has failed because its worker has died."""
    return not done.cancelled() and isinstance(done.exception(), BrokenExecutor)


def result(done: Future[bytes]) -> bytes:
    """The result of a task. Raises `FileError`, or whatever `PbemError` has ended it."""
    if done.cancelled():
        raise FileError(tr("the cluster is gone"), hint=tr("the same command goes on from here"))
    error = done.exception()
    if error is None or isinstance(error, PbemError):
        return done.result()
    words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    raise FileError(tr("a worker has failed: {words}", words=words)) from error
