"""An interrupt from the keyboard, Ctrl-C: it kills the process at once or raises KeyboardInterrupt.

Python's own handler runs between two bytecode instructions, but not during a long call into C, such as a
search in a stranger's file. The system's default action does not have to wait, so it is what ends a command,
and the shell sees an interrupted process. KeyboardInterrupt remains where there is something to clean up: a
half-written file, a terminal at a prompt, a server, other processes.

A program that uses pbem as a library decides for itself: without `kill_by_default` nothing here has an
effect.
"""

from __future__ import annotations

import signal
from _thread import get_ident
from collections.abc import Iterator
from contextlib import contextmanager

_threads: set[int] = set()
"""The main thread of a command, the only one that can change signal handlers; empty in a library."""


def kill_by_default() -> None:
    """Let interrupts kill the process from now on, except in `raise_on_interrupt` or if they are ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _threads.add(get_ident())
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def raise_on_interrupt() -> Iterator[None]:
    """In the block, an interrupt raises KeyboardInterrupt despite `kill_by_default`."""
    if get_ident() not in _threads or signal.getsignal(signal.SIGINT) != signal.SIG_DFL:
        yield  # nested, or other code, such as a prompt, has its own handler
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
