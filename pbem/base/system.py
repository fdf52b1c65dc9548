"""The few calls of a system that a browser lacks, and what stands for them there (decision 50).

In a browser Python runs in WebAssembly, in the worker of one tab: no other process, user or signal is there.
The tab that holds the lock of the browser for this program is the only one that writes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

IN_BROWSER = sys.platform == "emscripten"
"""Whether this Python runs in a browser."""


class LockTaken(Exception):
    """Another process holds a lock."""


def link_file(path: Path, name: Path) -> None:
    """Give a file another name. Raises OSError where that exists, or where there are no links."""
    if IN_BROWSER:
        raise OSError("no hard links")
    os.link(path, name)


def effective_user() -> int:
    """The id of the user on whose behalf the program runs; not for Windows."""
    return os.getuid() if IN_BROWSER else os.geteuid()


def exit_at_once(code: int) -> NoReturn:
    """Exit the program without tearing down what it has loaded; what was printed must have been flushed."""
    if IN_BROWSER:  # there the end of the process is the end of Python
        raise SystemExit(code)
    os._exit(code)


@contextmanager
def lock_file(path: Path, seconds: float, mode: int = -1) -> Iterator[None]:
    """Hold the lock of a file, made with that mode, or as the umask has it.

    Raises `LockTaken` after so many seconds; OSError, NotImplementedError where there are no locks.
    """
    if IN_BROWSER:
        yield
        return
    from filelock import FileLock, Timeout  # 26 ms: most commands lock nothing

    lock = FileLock(path, timeout=seconds, mode=mode)
    try:
        lock.acquire()
    except Timeout as error:
        raise LockTaken from error
    try:
        yield
    finally:
        lock.release()
