"""The processes of this computer that judge a club's files: one that ends at a file costs that file alone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue

import msgspec
from msgspec import Struct

from pbem.base.limits import CLUB_CLOCK_SECONDS, CLUB_SECONDS
from pbem.base.workers import Worker
from pbem.club.classify import Batch, FileFindings
from pbem.errors import WorkerEnded, describe_unforeseen_error
from pbem.study.worker_pool import Task, WorkerPool, run_task
from pbem.texts import ENGLISH, speaking


class JudgingTask(Struct, frozen=True):
    """The task of judging a batch, with the digests of its files."""

    batch: Batch
    digests: tuple[bytes, ...]

    def carry_out(self) -> bytes:
        """Judge the files of the batch."""
        return self.batch.carry_out()


class JudgingPool:
    """A `WorkerPool` of so many confined processes, each started when it is first needed."""

    def __init__(self, number: int) -> None:
        self.slots = number
        self._workers = [Worker() for _ in range(number)]
        self._free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(number)

    def submit(self, task: Task) -> Future[bytes]:
        """Submit a batch of files; the result is a `FileFindings` for each."""
        assert isinstance(task, JudgingTask)
        return self._threads.submit(self._judge, task.batch)

    def replace_dead(self) -> None:
        """Do nothing: a process that has ended is replaced at the next batch."""

    def check_alive(self) -> None:
        """Do nothing: each batch has a time limit."""

    def close(self) -> None:
        """End the processes at once."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def _judge(self, batch: Batch) -> bytes:
        worker = self._free.get()
        try:
            return judge_batch(worker, batch)
        finally:
            self._free.put(worker)


@contextmanager
def judging_pool(number: int) -> Iterator[WorkerPool]:
    """A pool of so many processes, closed at the end."""
    pool = JudgingPool(number)
    try:
        yield pool
    finally:
        pool.close()


def judge_batch(worker: Worker, batch: Batch) -> bytes:
    """Judge files in the worker; where that ends its process, each file by itself."""
    try:
        return worker.run(run_task, batch, seconds=CLUB_SECONDS, clock_seconds=CLUB_CLOCK_SECONDS)
    except WorkerEnded as ended:
        if len(batch.files) == 1:
            with speaking(ENGLISH):  # as everything in a club's tables
                return msgspec.msgpack.encode(
                    [FileFindings(problems=(str(describe_unforeseen_error(ended)),))]
                )
    results = [msgspec.msgpack.decode(judge_batch(worker, Batch((data,)))) for data in batch.files]
    return msgspec.msgpack.encode([findings for [findings] in results])
