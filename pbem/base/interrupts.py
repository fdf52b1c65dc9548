"""An interrupt from the keyboard, Ctrl-C: it kills the program at once or raises KeyboardInterrupt.

Python's own handler runs between two bytecode instructions, but not during a long call in C, such as a
search in a stranger's file. The default action of the system needs no such moment. So that is what ends a
command, and the shell sees an interrupted program. KeyboardInterrupt remains where there is something to
clean up: a half-written file, a terminal at a question, a server, other processes.

A program that uses pbem as a library decides for itself: without `kill_by_default` nothing here acts.
"""

from __future__ import annotations

import signal
from _thread import get_ident
from collections.abc import Iterator
from contextlib import contextmanager

_threads: set[int] = set()
"""The main thread of a command, the only one that may change signal handlers; empty in a library."""


def kill_by_default() -> None:
    """From now on an interrupt kills the program, except within `raise_on_interrupt`, or if it is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _threads.add(get_ident())
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def raise_on_interrupt() -> Iterator[None]:
    """Within, an interrupt raises KeyboardInterrupt despite `kill_by_default`."""
    if get_ident() not in _threads or signal.getsignal(signal.SIGINT) != signal.SIG_DFL:
        yield  # nested, or where other code has its own handler, such as a prompt
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
