"""A worker process: what it may do; whatever ends it is told, and the next task is done."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.base.limits import WORKER_BYTES
from pbem.base.workers import Worker, end_idle_worker
from pbem.errors import FileError, PbemError, VerificationError, WorkerEnded
from pbem.texts import speaking, spoken

on_linux = pytest.mark.skipif("sys.platform != 'linux'", reason="limits that Linux keeps itself")


@pytest.fixture
def worker() -> Iterator[Worker]:
    end_idle_worker()
    with Worker() as worker:
        yield worker
    end_idle_worker()


def double(value: int) -> int:
    return 2 * value


def pid() -> int:
    return os.getpid()


def loop_in_c() -> None:
    all(itertools.repeat(True))


def sleep() -> None:
    time.sleep(60)


def take_memory() -> None:
    bytearray(3 * 2**30)


def touch_memory() -> None:
    for step in itertools.count():
        HOARD.append(b"x" * 2**24 + str(step).encode())


HOARD: list[bytes] = []


def fill_half() -> int:
    HOARD.append(bytes(WORKER_BYTES // 2))
    return os.getpid()


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def leave() -> None:
    os._exit(3)


def refuse_entry() -> None:
    raise VerificationError(4, 7, expected="a", found="b", hint="ask for it")


def refuse_file() -> None:
    raise FileError("is wrong", where="log[3]", hint="look")


def fail() -> None:
    raise KeyError("Falaise")


def write(path: Path) -> None:
    path.write_bytes(b"x")


def test_one_process_serves_until_it_is_closed(worker: Worker) -> None:
    assert worker.run(double, 21) == 42
    first = worker.run(pid)
    assert first == worker.run(pid) != os.getpid()
    worker.close()
    with pytest.raises(WorkerEnded):
        worker.run(pid)


def test_an_idle_process_serves_the_next(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the folder in which the program is by then; one alone is kept."""
    first = worker.run(pid)
    worker.close()
    monkeypatch.chdir(tmp_path)
    with Worker() as second, Worker() as third:
        assert second.run(pid) == first != third.run(pid)
        assert second.run(os.getcwd) == str(tmp_path)
        other = third.run(pid)
    end_idle_worker()
    assert not {first, other} & {int(path.name) for path in Path("/proc").glob("[0-9]*")}


def test_nothing_to_do_starts_no_process(worker: Worker) -> None:
    assert worker._process is None


def test_speaks_the_readers_language(worker: Worker) -> None:
    with speaking("de"):
        assert worker.run(spoken) == "de"
    assert worker.run(spoken) == "en"


def test_refusals_come_back_whole(worker: Worker) -> None:
    with pytest.raises(VerificationError) as entry:
        worker.run(refuse_entry)
    assert (entry.value.step, entry.value.entry, entry.value.hint) == (4, 7, "ask for it")
    assert str(entry.value) == "step 4, log[7]: this should be a, not b"
    with pytest.raises(FileError) as file:
        worker.run(refuse_file)
    assert (str(file.value), file.value.where, file.value.hint) == ("log[3]: is wrong", "log[3]", "look")


def test_whatever_else_is_raised_is_named(worker: Worker) -> None:
    first = worker.run(pid)
    with pytest.raises(PbemError, match="KeyError: 'Falaise'"):
        worker.run(fail)
    assert worker.run(pid) == first


@on_linux
@pytest.mark.parametrize(
    ("task", "words"),
    [
        (loop_in_c, "it took more than 1 s of processor time, the limit"),
        (take_memory, "it took more than 2,048 MiB of memory, the limit"),
        (crash, "the judging process crashed (SIGSEGV)"),
        (leave, "the judging process ended with exit code 3"),
    ],
)
def test_whatever_ends_it_is_told(worker: Worker, task: object, words: str) -> None:
    before = worker.run(pid)
    with pytest.raises(WorkerEnded) as ended:
        worker.run(task, seconds=1)  # type: ignore[arg-type]
    assert str(ended.value) == words
    assert worker.run(pid) != before or task is take_memory  # which is an exception like others


def test_a_task_that_waits_for_ever_ends_by_the_clock(worker: Worker) -> None:
    with pytest.raises(WorkerEnded, match="it took more than 0\\.5 s, the limit"):
        worker.run(sleep, clock_seconds=0.5)
    assert worker.run(double, 2) == 4


@pytest.mark.thorough
@on_linux
def test_processor_time_is_counted_for_each_task(worker: Worker) -> None:
    """Two tasks of a second each, of which each may take more, together take more than one may."""
    for _ in range(3):
        assert worker.run(spend, 0.6, seconds=1) >= 0.6


def spend(seconds: float) -> float:
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass
    return time.process_time() - begun


@on_linux
def test_it_writes_nothing(worker: Worker, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File too large"):
        worker.run(write, tmp_path / "written")
    assert (tmp_path / "written").read_bytes() == b""


@on_linux
def test_what_one_task_leaves_is_not_the_next_ones_fault(worker: Worker) -> None:
    assert worker.run(fill_half) != worker.run(fill_half)


class TestWithoutLimitsOfTheSystem:
    """Elsewhere than on Linux the program itself looks at what the process takes."""

    @pytest.fixture(autouse=True)
    def another_system(self, monkeypatch: pytest.MonkeyPatch) -> None:
        if sys.platform == "linux":
            monkeypatch.setattr("pbem.base.workers._limited_by_system", lambda: False)

    @pytest.mark.thorough
    def test_processor_time(self, worker: Worker) -> None:
        """Wine does not say how much another process has taken; then the clock ends it."""
        words = "it took more than 1 s of processor time" if sys.platform == "linux" else "it took more than"
        with pytest.raises(WorkerEnded, match=words):
            worker.run(loop_in_c, seconds=1, clock_seconds=20)
        assert worker.run(double, 2) == 4

    def test_memory(self, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbem.base.workers.WORKER_BYTES", 2**28)
        with pytest.raises(WorkerEnded, match="it took more than 256 MiB of memory"):
            worker.run(touch_memory)
        assert worker.run(double, 2) == 4
