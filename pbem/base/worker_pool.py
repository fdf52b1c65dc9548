"""Worker pools that run tasks: in this process or others of this computer; `dask_cluster` has another.

All return `concurrent.futures` futures. Results can arrive in any order, and a task can run twice after a
worker has died; the outcome is the same.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Protocol, TypeVar

from pbem.errors import FileError, PbemError
from pbem.texts import Texts
from pbem.version import __version__

tr = Texts("pbem")

_MAX_DEATHS = 5
"""How many times in a row workers can die before a task is taken for the cause."""

_CHECK_SECONDS = 1.0
"""After how many seconds without a result the pool checks that it has workers."""


class Task(Protocol):
    """A task as sent to a worker: plain data that contains everything needed there."""

    def carry_out(self) -> bytes:
        """Do the task and return its result. Raises `PbemError` if no worker could do it."""


T = TypeVar("T", bound=Task)


def run_task(task: Task) -> bytes:
    """Run a task, in a worker."""
    return task.carry_out()


class WorkerPool(Protocol):
    """A pool of workers."""

    @property
    def slots(self) -> int:
        """The number of tasks that run at once."""

    def submit(self, task: Task) -> Future[bytes]:
        """Submit a task."""

    def replace_dead(self) -> None:
        """Replace dead workers; all tasks must be submitted again. Raises `FileError` if they keep dying."""

    def check_alive(self) -> None:
        """After some time without results, check that there are workers, and report it if not."""


class InProcessPool:
    """This process only: a task runs as it is submitted."""

    slots = 1

    def submit(self, task: Task) -> Future[bytes]:
        """Run a task; its exceptions are raised here."""
        done: Future[bytes] = Future()
        done.set_result(task.carry_out())
        return done

    def replace_dead(self) -> None:
        """Do nothing: there is no worker that could die."""

    def check_alive(self) -> None:
        """Do nothing: this process is alive."""


class ProcessPool:
    """Worker processes on this computer."""

    def __init__(self, number: int) -> None:
        self.slots = number
        self._deaths = 0
        self._pool = self._start_pool()

    def submit(self, task: Task) -> Future[bytes]:
        """Submit a task; a dead worker is reported by its future."""
        try:
            done = self._pool.submit(run_task, task)
        except BrokenExecutor as error:  # a worker has died, and no future has reported it yet
            done = Future()
            done.set_exception(error)
        done.add_done_callback(self._reset_deaths)
        return done

    def replace_dead(self) -> None:
        """Replace all processes. Raises `FileError` if they keep dying."""
        self._deaths += 1
        if self._deaths > _MAX_DEATHS:
            raise FileError(
                tr.plural(
                    "the system killed the worker processes {number} time in a row",
                    "the system killed the worker processes {number} times in a row",
                    self._deaths,
                )
            )
        self._pool.shutdown(wait=False)
        self._pool = self._start_pool()

    def check_alive(self) -> None:
        """Do nothing: a process that dies is reported by the future of its task."""

    def close(self) -> None:
        """Cancel pending tasks; the processes end after their current one."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _reset_deaths(self, done: Future[bytes]) -> None:
        if not done.cancelled() and done.exception() is None:
            self._deaths = 0

    def _start_pool(self) -> ProcessPoolExecutor:
        spawned = multiprocessing.get_context("spawn")  # for the same behaviour on every system
        return ProcessPoolExecutor(self.slots, mp_context=spawned, initializer=prepare_worker)


def prepare_worker() -> None:
    """Prepare a worker process to end when it should, and quietly.

    An interrupt from the keyboard reaches the workers too, and must not make them print a traceback. They get
    no notice when the main process is killed, so each watches for that in a thread.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    study = multiprocessing.parent_process()
    if study is not None:
        study.join()
        os._exit(1)


def cores() -> int:
    """The number of cores available to this process."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@contextmanager
def local_pool(workers: int) -> Iterator[WorkerPool]:
    """A pool of this many processes on this computer; for one, this process itself."""
    if workers == 1:
        yield InProcessPool()
        return
    pool = ProcessPool(workers)
    try:
        yield pool
    finally:
        pool.close()


def has_lost_worker(done: Future[bytes]) -> bool:
    """Whether a task failed because its worker died."""
    return not done.cancelled() and isinstance(done.exception(), BrokenExecutor)


def task_result(done: Future[bytes]) -> bytes:
    """The result of a task. Raises the `PbemError` of the task, or `FileError` for any other failure."""
    if done.cancelled():
        raise FileError(
            tr("the cluster's scheduler has stopped"),
            hint=tr("to continue from here, run the same command again"),
        )
    error = done.exception()
    if error is None or isinstance(error, PbemError):
        return done.result()
    if type(error).__name__ == "KilledWorker":  # Dask's class; Dask might not be installed
        raise FileError(
            tr("every worker that took this task crashed, one after another"),
            hint=tr(
                "the machine may have too little memory. To continue from here, run the same command again"
            ),
        ) from error
    if isinstance(error, ImportError | AttributeError):
        raise FileError(
            tr("a worker in the cluster has no pbem, or a different version"), hint=same_program_hint()
        ) from error
    words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    raise FileError(tr("a worker has failed: {words}", words=words)) from error


def run_tasks(tasks: Iterator[T], pool: WorkerPool) -> Iterator[tuple[T, bytes]]:
    """Run tasks, taken from the iterator as needed, and yield each with its result as it finishes.

    Raises what the tasks raise, and `FileError` if a task kills its workers.
    """
    waiting: dict[Future[bytes], T] = {}
    resubmitted: list[T] = []
    while True:
        while len(waiting) < 2 * pool.slots and (
            task := resubmitted.pop() if resubmitted else next(tasks, None)
        ):
            waiting[pool.submit(task)] = task
        if not waiting:
            return
        while not (done := wait(waiting, timeout=_CHECK_SECONDS, return_when=FIRST_COMPLETED).done):
            pool.check_alive()
        dead = [waiting.pop(each) for each in done if has_lost_worker(each)]
        for each in done & waiting.keys():
            task = waiting.pop(each)
            yield task, task_result(each)
        if dead:
            resubmitted += [*dead, *waiting.values()]
            waiting.clear()
            pool.replace_dead()


def same_program_hint() -> str:
    """The hint that all machines of a cluster need the same version of pbem."""
    return tr(
        "run {command} on every machine in the cluster, then restart its workers",
        command=f"pip install 'pbem[cluster]=={__version__}'",
    )
