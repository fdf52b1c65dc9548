"""The worker pool of a Dask cluster, with however many workers there are at any time."""

from __future__ import annotations

import json
import logging
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from pbem.analysis.code_bundle import GAME_CODE, check_program
from pbem.base.files import read_regular
from pbem.base.worker_pool import Task, WorkerPool, run_task
from pbem.errors import FileError
from pbem.render.safe_text import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.code_fingerprint import code_fingerprint

tr = Texts("pbem")

_SECONDS = 3
"""The timeout of the connection to the scheduler, in seconds."""

_PATIENCE = 2.0
"""After how many seconds a lack of workers is reported: a restarted one is back sooner."""

_CALL = "__import__('pbem.analysis.dask_cluster', fromlist=['']).run_packed_task(program, task)"
"""The call that a worker evaluates.

It names pbem's modules only as text: a worker that cannot import what it unpickles dies silently, whereas
this way it reports that pbem is missing.
"""

WaitListener: TypeAlias = Callable[[str, str], None]
"""A listener: called with what the study is waiting for ("" once it continues), and with the remedy."""


class DaskPool:
    """The workers of a Dask cluster, which itself restarts a dead worker's tasks."""

    def __init__(self, client: Any, address: str, listener: WaitListener) -> None:
        self._client = client
        self._address = address
        self._listener = listener
        self._executor: Executor = client.get_executor(pure=False)
        self._empty_since: float | None = None
        self._reported = False

    @property
    def slots(self) -> int:
        """The number of threads of all workers; each runs a task."""
        return max(1, self._count_threads())

    def submit(self, task: Task) -> Future[bytes]:
        """Submit a task. Raises `FileError` if there is no scheduler."""
        with _scheduler_errors(self._address):
            return self._executor.submit(
                eval, _CALL, {"program": code_fingerprint(GAME_CODE), "task": pickle.dumps(task)}
            )

    def replace_dead(self) -> None:
        """Do nothing: the cluster does so itself."""

    def check_alive(self) -> None:
        """Report that there are no workers, or some again. Raises `FileError` if there is no scheduler."""
        if self._count_threads():
            if self._reported:
                self._listener("", "")
            self._empty_since, self._reported = None, False
            return
        now = time.monotonic()
        self._empty_since = now if self._empty_since is None else self._empty_since
        if not self._reported and now - self._empty_since >= _PATIENCE:
            self._reported = True
            self._listener(
                tr("waiting for workers"),
                tr(
                    "the cluster has no workers. To start one: {command}",
                    command=f"dask worker {self._address} --nthreads 1",
                ),
            )

    def _count_threads(self) -> int:
        """The number of tasks the workers can run at once. Raises `FileError` if there is no scheduler."""
        with _scheduler_errors(self._address):
            if self._client.status == "closed":
                raise OSError
            threads: dict[str, int] = self._client.nthreads()
        return sum(threads.values())

    def close(self) -> None:
        """Cancel all submitted tasks, and close the connection."""
        self._executor.shutdown(wait=False)  # this cancels them
        self._client.close()


def run_packed_task(program: str, task: bytes) -> bytes:
    """Unpickle and run a task, in a worker. Raises `FileError` if the sender's code is different.

    `program` is the fingerprint of the sender's code. It is checked first, because different code might
    misread the pickle.
    """
    check_program(program)
    unpickled: Task = pickle.loads(task)
    return run_task(unpickled)


@contextmanager
def dask_pool(address: str, listener: WaitListener = lambda waiting, remedy: None) -> Iterator[WorkerPool]:
    """The pool of a scheduler's workers, from its address (`tcp://HOST:8786`) or its scheduler file.

    Raises `FileError` if there is no scheduler, or if the extra `cluster` is not installed.
    """
    client_of = _import_client()
    at = address if "://" in address else _read_scheduler_file(Path(address))
    with _scheduler_errors(at, "" if at == address else address):
        client = client_of(at, timeout=_SECONDS, set_as_default=False)
    pool = DaskPool(client, at, listener)
    try:
        yield pool
    finally:
        pool.close()


def _read_scheduler_file(file: Path) -> str:
    """Read the address from a scheduler file. Raises `FileError` if it is not one."""
    hint = tr(
        "start a scheduler, which writes this file: {command}. Or give the scheduler's address, "
        "such as {address}",
        command=f"dask scheduler --scheduler-file {quote_path(file)}",
        address="tcp://192.0.2.7:8786",
    )
    try:
        address = json.loads(read_regular(file))["address"]
    except FileNotFoundError:
        raise FileError(
            tr("there is no such file, and this is not an address"), where=quote_path(file), hint=hint
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise FileError(tr("is not a scheduler's file"), where=quote_path(file), hint=hint) from None
    return str(address)


@contextmanager
def _scheduler_errors(address: str, file: str = "") -> Iterator[None]:
    """Turn errors of the scheduler's connection in the block into `FileError`."""
    try:
        yield
    except (OSError, ValueError, RuntimeError, AttributeError) as error:
        hint = tr(
            "to start it: {command}", command=f"dask scheduler{f' --scheduler-file {file}' if file else ''}"
        )
        if file:
            problem = tr(
                "no scheduler answers at {address}, the address in this file", address=safe_text(address)
            )
            raise FileError(problem, where=quote_path(file), hint=hint) from error
        raise FileError(tr("no scheduler answers there"), where=safe_text(address), hint=hint) from error


def _import_client() -> Callable[..., Any]:
    try:
        from distributed import Client  # here: an optional dependency, and slow to import
    except ImportError as error:
        raise FileError(
            tr("a cluster needs the package distributed, which is not installed"),
            hint=tr("{command}, on every machine in the cluster", command="pip install 'pbem[cluster]'"),
        ) from error
    for name in ("distributed", "distributed.client"):  # pbem reports errors itself, in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    connect: Callable[..., Any] = Client
    return connect
