"""A worker process that judges what a stranger sent, so that a crash or endless loop harms nothing else.

Limits within the judging code can miss a loop in C, an allocation or a crash. So that code runs in its own
process, which is killed when it exceeds its processor time, wall-clock time or memory. It gets plain data and
returns plain data; it has no key, and on Linux it cannot write files. It is spawned, never forked. It serves
until it ends: then the next task starts a new process. A process that is idle when its `Worker` is closed
serves the next `Worker`. In a browser there are no processes: see `Worker.run`.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import NoReturn, Self, TypeVar, cast

from pbem.base.interrupts import raise_on_interrupt
from pbem.base.limits import WORKER_BYTES, WORKER_CLOCK_SECONDS, WORKER_SECONDS
from pbem.base.system import IN_BROWSER
from pbem.errors import JudgingFailed, PbemError, WorkerEnded
from pbem.messages import Messages, Said
from pbem.texts import speaking, spoken

tr = Messages("pbem")

T = TypeVar("T")

_LOOK_SECONDS = 0.1
"""The seconds between two checks of a worker's memory and time, if the system does not limit them."""


_NOT_LAST, _LAST = b"0", b"1"
"""The byte before a worker's result: whether the worker has grown too large for another task."""

_idle: list[tuple[int, SpawnProcess, Connection]] = []
"""The idle process, if any, with the id of the process that started it."""


def end_idle_worker() -> None:
    """Kill the idle process, if any."""
    while _idle:
        owner, process, pipe = _idle.pop()
        pipe.close()
        if owner == os.getpid():
            process.kill()
            process.join()


class Worker:
    """A process for one task at a time, started with the first one; a context manager that closes it."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._busy = False
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @raise_on_interrupt()  # else pbem, killed by an interrupt, would leave its worker running
    def run(
        self,
        function: Callable[..., T],
        /,
        *arguments: object,
        seconds: float | None = None,
        clock_seconds: float | None = None,
    ) -> T:
        """The result of a module-level function, run in the worker with the current language of this process.

        It can take `seconds` of processor time and `clock_seconds` by the clock; the defaults are those of
        one mail. Arguments and result are pickled. Raises any `PbemError` or `OSError` that the function
        raises, `JudgingFailed` for any other exception, and `WorkerEnded` if the worker exceeded a limit or
        crashed.
        """
        seconds = WORKER_SECONDS if seconds is None else seconds
        clock_seconds = WORKER_CLOCK_SECONDS if clock_seconds is None else clock_seconds
        if IN_BROWSER:  # there all of pbem is a worker, which its page can end
            raised, result = pickle.loads(_run_task(function, arguments))
            if raised:
                raise result
            return cast("T", result)
        task = pickle.dumps((function, arguments, spoken(), os.getcwd(), seconds))
        if self._closed:
            raise WorkerEnded("it is closed")
        if self._process is None:
            self._start()
        process, pipe = self._process, self._pipe
        assert process
        assert pipe
        last = self._busy = True
        try:
            pipe.send_bytes(task)
            last = self._receive(process, pipe, seconds, clock_seconds) == _LAST
            raised, result = pickle.loads(pipe.recv_bytes())
            self._busy = False
        except (EOFError, ConnectionError):
            raise WorkerEnded(_describe_end(self._wait_for_end(process), seconds)) from None
        finally:
            if last or self._busy:  # also after an interrupt of this process
                self._end()
        if raised:
            raise result
        return cast("T", result)

    def close(self) -> None:
        """Release the process if it is idle, else kill it, even if another thread is awaiting its result."""
        self._closed = True
        if self._process and self._pipe and not self._busy and not _idle:
            _idle.append((os.getpid(), self._process, self._pipe))
            self._process = self._pipe = None
        self._end()

    def _end(self) -> None:
        self._busy = False
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()
            process.close()

    def _start(self) -> None:
        if _idle:
            owner, process, pipe = _idle.pop()
            if owner == os.getpid() and process.is_alive():  # not one of a parent process
                self._process, self._pipe = process, pipe
                return
        context = get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, _limited_by_system()), daemon=True)
        with _interrupts_held():
            self._process.start()
        there.close()  # so that the pipe ends with the worker

    def _receive(
        self, process: SpawnProcess, pipe: Connection, seconds: float, clock_seconds: float
    ) -> bytes:
        """The first bytes that arrive. Raises `WorkerEnded` at a limit the system does not enforce."""
        end = time.monotonic() + clock_seconds
        watch = None if _limited_by_system() else _Watch(process.pid)
        while (left := end - time.monotonic()) > 0:
            if wait([pipe, process.sentinel], min(left, _LOOK_SECONDS) if watch else left):
                return pipe.recv_bytes()
            if watch and watch.bytes() > WORKER_BYTES:
                raise WorkerEnded(_memory_limit_message())
            if watch and watch.seconds() > seconds:
                raise WorkerEnded(_time_limit_message(seconds))
        raise WorkerEnded(tr("it took more than {seconds} s, the limit", seconds=f"{clock_seconds:g}"))

    def _wait_for_end(self, process: SpawnProcess) -> int:
        """The exit code of a process whose pipe has ended; negative if a signal killed it."""
        process.join(_LOOK_SECONDS * 50)
        return process.exitcode or 0


def _limited_by_system() -> bool:
    """Whether the system enforces limits of memory and processor time."""
    return sys.platform == "linux"


class _Watch:
    """Measures the memory and processor time of a running task, if the system does not limit them."""

    def __init__(self, pid: int | None) -> None:
        from psutil import NoSuchProcess, Process  # here, because Linux does not need it

        self._gone = NoSuchProcess
        self._process = Process(pid)
        self._before = 0.0
        self._before = self.seconds()

    def bytes(self) -> int:
        """The resident size of the process in bytes; 0 if it has ended."""
        with suppress(self._gone):
            return int(self._process.memory_info().rss)
        return 0

    def seconds(self) -> float:
        """The processor seconds used since the task began; 0 if the process has ended."""
        with suppress(self._gone):
            times = self._process.cpu_times()
            return float(times.user + times.system) - self._before
        return 0.0


def _describe_end(code: int, seconds: float) -> Said:
    """Why a worker ended, from its exit code."""
    if os.name != "posix" or code >= 0:
        return tr("the judging process ended with exit code {code}", code=code)
    if code == -signal.SIGXCPU:
        return _time_limit_message(seconds)
    if code == -signal.SIGKILL:
        return tr("the system killed the judging process, perhaps for lack of memory")
    return tr("the judging process crashed ({signal})", signal=signal.Signals(-code).name)


def _time_limit_message(seconds: float) -> Said:
    return tr("it took more than {seconds} s of processor time, the limit", seconds=f"{seconds:g}")


def _memory_limit_message() -> Said:
    return tr("it took more than {mebibytes} MiB of memory, the limit", mebibytes=WORKER_BYTES // 2**20)


# From here on: code that runs in the worker.


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start a process in the block that ignores Ctrl-C, which would end its imports with a traceback."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker  # here, because a browser's Python lacks what it imports

    resource_tracker.ensure_running()  # whose start would enable interrupts again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, limited: bool) -> NoReturn:
    """Do tasks until the other end of the pipe closes; `limited`: the system enforces the limits."""
    _be_silent()
    if limited:
        _confine()
    with suppress(EOFError, OSError):
        while True:
            function, arguments, language, folder, seconds = pickle.loads(pipe.recv_bytes())
            os.chdir(folder)  # for relative paths
            if limited:
                _limit("RLIMIT_CPU", int(time.process_time() + seconds) + 1)
            with speaking(language):
                answer = _run_task(function, arguments)
            pipe.send_bytes(_LAST if limited and _is_large() else _NOT_LAST)
            pipe.send_bytes(answer)
    os._exit(0)


def _run_task(function: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    """Run the function. Returns whether it raised, with its result or exception, pickled."""
    try:
        return pickle.dumps((False, function(*arguments)))
    except (PbemError, OSError) as error:
        error.__traceback__ = None
        return pickle.dumps((True, error))
    except MemoryError:
        return pickle.dumps((True, WorkerEnded(_memory_limit_message())))
    except Exception as error:  # whatever a stranger's bytes can cause
        words = " ".join(str(error).split())[:200]
        name = type(error).__name__
        return pickle.dumps((True, JudgingFailed(f"{name}: {words}" if words else name)))


def _be_silent() -> None:
    """Print nothing, and ignore interrupts from the keyboard, which are meant for the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _confine() -> None:
    """Have the system limit this process's memory and forbid it to write files, even bytecode."""
    sys.dont_write_bytecode = True
    _limit("RLIMIT_AS", WORKER_BYTES)
    _limit("RLIMIT_FSIZE", 0)
    _limit("RLIMIT_CORE", 0)


def _limit(name: str, most: int) -> None:
    """Set a soft limit of this process, never above the hard one."""
    import resource  # here, because Windows has none

    what: int = getattr(resource, name)
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _is_large() -> bool:
    """Whether earlier tasks left half of the memory in use, so that the next one needs a new process."""
    with open("/proc/self/statm", "rb") as file:
        pages = int(file.read().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE") > WORKER_BYTES // 2
