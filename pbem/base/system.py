"""The few system calls that a browser lacks, and their replacements there (decision 50).

In a browser Python runs in WebAssembly, in the worker of one tab, without other processes, users or signals.
Only the tab that holds pbem's browser lock writes.
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

SITE = os.environ.get("PBEM_SITE", "") if IN_BROWSER else ""
"""The address of the web server from which the browser has pbem; empty if it opened the one file."""


class LockTaken(Exception):
    """Another process holds a lock."""


def link_file(path: Path, name: Path) -> None:
    """Give a file a second name. Raises OSError if that exists, or if there are no hard links."""
    if IN_BROWSER:
        raise OSError("no hard links")
    os.link(path, name)


def effective_user() -> int:
    """The id of the user this process acts for; not available on Windows."""
    return os.getuid() if IN_BROWSER else os.geteuid()


def exit_at_once(code: int) -> NoReturn:
    """Exit without tearing down loaded modules. The caller must have flushed all output."""
    if IN_BROWSER:  # there the process ends with Python
        raise SystemExit(code)
    os._exit(code)


@contextmanager
def lock_file(path: Path, seconds: float, mode: int = -1) -> Iterator[None]:
    """Hold the lock of a file, created with this mode or, by default, with that of the umask.

    Raises `LockTaken` after that many seconds; OSError or NotImplementedError if there are no locks.
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
