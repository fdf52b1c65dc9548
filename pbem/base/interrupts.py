"""An interrupt from the keyboard, Ctrl-C: whether it ends the program at once, or raises KeyboardInterrupt.

Python's own handler runs between two steps of Python: not while one step takes for ever, as a search in C may
for what a stranger's file holds. The system's own action needs no such moment. So a command ends by that, and
the shell sees a program that was interrupted. KeyboardInterrupt stays where there is something to put in
order: a file half written, a terminal at a question, a server, other processes.

A program that uses pbem as a library decides for itself: before `kill_by_default` nothing here does anything.
"""

from __future__ import annotations

import signal
from _thread import get_ident
from collections.abc import Iterator
from contextlib import contextmanager

_threads: set[int] = set()
"""The thread of a command, its main one, which alone may say what an interrupt does; none in a library."""


def kill_by_default() -> None:
    """From now on an interrupt ends the program at once, but within `catch`; one that is ignored stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        _threads.add(get_ident())
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def catch() -> Iterator[None]:
    """Within, an interrupt raises KeyboardInterrupt, where a command has said `kill_by_default`."""
    if get_ident() not in _threads or signal.getsignal(signal.SIGINT) != signal.SIG_DFL:
        yield  # within another, or where others have their own way, such as a prompt
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
