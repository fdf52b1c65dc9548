"""How much work a stranger may make this program do: every budget, per mail and per file, in one place.

What would cost more is refused in one line that says which budget ended it (`OverBudget`, or a `FileError` or
`MailError` with a place in the text). FORMAT sections 1 and 3 set those of the file; the others are ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

from pbem.errors import OverBudget

FILE_BYTES = 16 * 2**20
"""Of a game file (FORMAT 1)."""

FILE_NODES = 1_000_000
"""Keys and values of a game file, the log included. The finished games in `examples/` have up to 6,600."""

FILE_DEPTH = 16
"""Levels of lists and mappings in a game file (FORMAT 1)."""

FILE_ENTRIES = 20_000
"""Entries of a log (FORMAT 1)."""

HEAD_BYTES = 64 * 2**10
"""UTF-8 of `status` and `board` together (FORMAT 3)."""

HEAD_NODES = 1_000
"""Keys and values of `status` and `board` together (FORMAT 3)."""

MAIL_BYTES = 48 * 2**20
"""Of a mail: a game of 16 MiB, as base64, twice."""

SECONDS = 10.0
"""Processor time for one mail or file, all that is found in it included."""

_end: ContextVar[float] = ContextVar("_end", default=inf)


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Within, `check` lets work go on for so much processor time; an outer limit that ends sooner holds."""
    token = _end.set(min(_end.get(), time.process_time() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def check() -> None:
    """To be called in every loop whose length a stranger chooses. Raises `OverBudget` when time is up."""
    if time.process_time() > _end.get():
        raise OverBudget(f"took more than {SECONDS:g} s of processor time, the most for one mail or file")
