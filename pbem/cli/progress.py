"""How far a long reading is: a line at a terminal, renewed in place; nothing where there is no terminal."""

from __future__ import annotations

import sys
import time

_PAUSE = 0.25
"""Seconds between two renewals, and before the first: what is quick needs none."""


class Progress:
    """Call it with how many mails were read of how many; `clear` takes the line away, to print something."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _PAUSE
        self._shown = ""

    def __call__(self, read: int, number: int) -> None:
        """Tell how many were read of how many, if it is time to."""
        if time.monotonic() < self._next or not sys.stderr.isatty():
            return
        self.clear()
        self._shown = f"read {read:,} of {number:,} mails"
        print(self._shown, end="", file=sys.stderr, flush=True)  # noqa: T201
        self._next = time.monotonic() + _PAUSE

    def clear(self) -> None:
        """Leave an empty line and the cursor at its beginning."""
        if self._shown:
            print(f"\r{' ' * len(self._shown)}\r", end="", file=sys.stderr, flush=True)  # noqa: T201
            self._shown = ""
