"""A clock for mutants: one that takes too long is a failure, and is kept, so that it can be seen again.

The clock is the processor's, so that a busy machine fails nobody. Mutants are judged in a process of their
own, which the system ends where one takes `MOST` seconds, and `A_BYTE` for each of its bytes: also within a
single call of C, which no exception and no Control-C would end.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TypeVar

from support.markers import WINDOWS

T = TypeVar("T")

MOST = 5.0
"""The seconds of processor time in which every small mutant must be judged."""

TIMES = 10
"""How many times as long as the median one may take."""

FLOOR = 0.25
"""Seconds below which no mutant is slow, whatever the median: whole games take half of it."""

A_BYTE = 1e-6
"""Seconds that each byte may take beside: YAML with a value in every nine bytes takes as long to read."""

_COUNT = 100_000
_COUNT_SECONDS = 0.01
"""How long it takes to count so far on the machine that `FLOOR` and `A_BYTE` are seconds of."""

_TRIES = 3
"""How often a mutant is judged before it is called slow: what else a machine does makes processors slower."""

_NOW, _RESULT, _FAILURE, _PLACE = "now", "result", "failure", "place"


class Slow(AssertionError):
    """Mutants that took too long; the words say where they are kept."""


class Clock:
    """Judges mutants one after the other, and keeps what is slow in a folder."""

    def __init__(self, folder: Path, floor: float | None = None) -> None:
        """`floor` is `FLOOR`, if nothing is said."""
        self._folder = folder
        self._floor = floor or FLOOR
        self._spent: list[float] = []
        self._slow: list[tuple[float, Path]] = []

    def judge(self, data: bytes, judge: Callable[[], T], label: str = "") -> T:
        """The outcome of a judgement on this mutant. It may be made more than once, to time it again."""
        self._note(data, label)
        more = A_BYTE * len(data)
        floor, most = self._floor + more, MOST + more
        least, result = _timed(judge, most)
        if least >= floor:
            floor *= _slowness()
        for _ in range(_TRIES - 1):
            if least < floor:
                break
            least = min(least, _timed(judge, most)[0])
        if least >= floor:
            self._slow.append((least, self._keep(len(self._spent))))
        self._spent.append(least)
        return result

    def check(self) -> None:
        """Raise `Slow` where some mutants took `TIMES` as long as the median."""
        middle = median(self._spent or [0])
        slow = [(spent, path) for spent, path in self._slow if spent >= TIMES * middle]
        if slow:
            told = "\n".join(f"{spent:.2f} s: {path}" for spent, path in sorted(slow, reverse=True))
            raise Slow(f"{len(slow)} mutants are slow, where half take {middle:.4f} s at most:\n{told}")

    def _note(self, data: bytes, label: str) -> None:
        """Lay down what is judged now: if that ends this process, it is the last thing that is known."""
        (self._folder / _NOW).write_bytes(data)
        if label:
            (self._folder / f"{_NOW}.label").write_text(label, "utf-8")

    def _keep(self, number: int) -> Path:
        return kept_mutant(self._folder, str(number))


def kept_mutant(folder: Path, name: str) -> Path:
    """The place at which the mutant that is judged now is kept."""
    path = folder / f"kept-{name}"
    path.write_bytes((folder / _NOW).read_bytes())
    label = folder / f"{_NOW}.label"
    if label.exists():
        path.with_suffix(".label").write_text(label.read_text("utf-8"), "utf-8")
    return path


def run_clocked(folder: Path, work: Callable[[Clock], T], floor: float | None = None) -> T:
    """What some work comes to that judges mutants by a clock, each kept in this folder if it is slow.

    Raises `Slow`, and `AssertionError` with the trace of whatever else the work has raised: then the mutant
    that was judged last is kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if WINDOWS:  # without a way to end what hangs: what is slow is found even so
        clock = Clock(folder, floor)
        found = work(clock)
        clock.check()
        return found
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pytest's workers have threads
        child = os.fork()
    if not child:
        _work(folder, work, floor)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGPROF:
        where = (folder / _PLACE).read_text("utf-8")
        raise Slow(f"too many seconds of processor time: {kept_mutant(folder, 'endless')}\n{where}")
    if code:
        failure = folder / _FAILURE
        told = failure.read_text("utf-8") if failure.exists() else f"it ended with {code}"
        if failure.exists() and told.startswith("Slow: "):
            raise Slow(told.removeprefix("Slow: "))
        where = f"\nat {kept_mutant(folder, 'failed')}" if (folder / _NOW).exists() else ""
        raise AssertionError(told + where)
    result: T = pickle.loads((folder / _RESULT).read_bytes())
    return result


def _work(folder: Path, work: Callable[[Clock], object], floor: float | None) -> None:
    """The life of the process that judges."""
    code = 1
    try:
        with (folder / _PLACE).open("w") as place:
            faulthandler.register(signal.SIGPROF, place, chain=True)  # says where it is, and then it ends
            clock = Clock(folder, floor)
            result = work(clock)
            clock.check()
        (folder / _RESULT).write_bytes(pickle.dumps(result))
        code = 0
    except Slow as slow:
        (folder / _FAILURE).write_text(f"Slow: {slow}", "utf-8")
    except BaseException:
        (folder / _FAILURE).write_text(traceback.format_exc(), "utf-8")
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _timed(judge: Callable[[], T], most: float) -> tuple[float, T]:
    """The processor time of a judgement, in seconds, and its outcome. `most` of them end this process."""
    with end_after(most):
        begun = time.process_time()
        result = judge()
        return time.process_time() - begun, result


def _slowness() -> float:
    """How many times slower this machine is now than the one whose seconds the limits are; 1 if it is not."""
    counted = min(
        _timed(lambda: sum(number * number % 7 for number in range(_COUNT)), MOST)[0] for _ in range(_TRIES)
    )
    return max(counted / _COUNT_SECONDS, 1.0)


@contextmanager
def end_after(seconds: float) -> Iterator[None]:
    """Within, this process is ended once it has had so many seconds of processor time."""
    if WINDOWS:
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
