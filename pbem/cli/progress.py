"""The progress of long work: a line at a terminal, redrawn in place; nothing without a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from pbem.cli.terminal import put_stderr, terminal_size
from pbem.texts import Texts, number

tr = Texts("pbem")

_PAUSE = 0.25
"""Seconds between two updates, and before the first: quick work needs no line. A bar appears at once."""


class _Line:
    """A line at a terminal: `is_due` says whether it is time to update it, `clear` removes it."""

    def __init__(self, pause: float) -> None:
        self._next = time.monotonic() + pause
        self._shown = ""

    def is_due(self) -> bool:
        return time.monotonic() >= self._next and sys.stderr.isatty()

    def show(self, line: str) -> None:
        self.clear()
        self._shown = line
        print(line, end="", file=sys.stderr, flush=True)  # noqa: T201
        self._next = time.monotonic() + _PAUSE

    def clear(self) -> None:
        """Blank the line, with the cursor at its start."""
        if self._shown:
            print(f"\r{' ' * len(self._shown)}\r", end="", file=sys.stderr, flush=True)  # noqa: T201
            self._shown = ""


class MailProgress(_Line):
    """Call it with the number of mails read and their total; `clear` it before printing anything."""

    def __init__(self) -> None:
        super().__init__(_PAUSE)

    def __call__(self, read: int, number: int) -> None:
        """Show how many are read, if an update is due."""
        if self.is_due():
            self.show(tr("read {read} of {number} mails", read=read, number=number))


class SearchProgress(_Line):
    """Call it with a search's playouts so far and the seconds left, which clear the line if 0."""

    def __init__(self) -> None:
        super().__init__(_PAUSE)

    def __call__(self, playouts: int, left: float) -> None:
        """Show both, if an update is due."""
        if not left:
            self.clear()
        elif self.is_due():
            self.show(
                tr.plural(
                    "the computer is thinking: {number} playout, {seconds} s left",
                    "the computer is thinking: {number} playouts, {seconds} s left",
                    playouts,
                    seconds=number(left, ".1f"),
                )
            )


def describe_games_done(done: str, number: str) -> str:
    """How many games have been played, as a phrase."""
    return tr("{done} of {number} games", done=done, number=number)


def describe_playouts_done(done: str, number: str) -> str:
    """How many playouts have been made, as a phrase."""
    return tr("{done} of {number} playouts", done=done, number=number)


class TimeLeft(_Line):
    """A bar with the time left. Call it with the number done and the total, as often as you like.

    `what` makes a phrase of these: `1,000 of 2,000 games`.
    """

    _WIDTH = 24

    def __init__(self, what: Callable[[str, str], str]) -> None:
        super().__init__(0)
        self.done = self._number = 0
        self._waiting = ""
        self._what = what
        self._begun = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, number: int) -> None:
        """Show how many are done, if an update is due."""
        self.done, self._number = done, number
        if self._first is None:
            self._first = done
        if not self.is_due():
            return
        self._draw()

    def show_waiting(self, what: str, remedy: str) -> None:
        """Show in the bar what the work is waiting for, and print `remedy` once above it.

        An empty `what` ends the wait.
        """
        self._waiting = what
        self.clear()
        if remedy:
            put_stderr(remedy)
        if sys.stderr.isatty():
            self._draw()

    def _draw(self) -> None:
        done, whole = self.done, self._number
        full = self._WIDTH * done // max(whole, 1)
        bar = "#" * full + "." * (self._WIDTH - full)
        pace = done - (self._first or 0), whole - done, time.monotonic() - self._begun
        left = f", {self._waiting}" if self._waiting else _describe_pace(*pace)
        told = f"[{bar}] {self._what(number(done), number(whole))}{left}"
        self.show(told[: terminal_size().columns - 1])  # one line only, or it cannot be redrawn in place


def _describe_pace(done: int, more: int, seconds: float) -> str:
    """The pace, and the time left at that pace: `, 52 a second, 3 min left`."""
    if not done:
        return ""
    left = more * seconds / done
    size, unit = next((size for size in ((3600, "h"), (60, "min")) if left >= size[0]), (1, "s"))
    pace, time = (
        number(done / seconds, ",.0f" if done >= 100 * seconds else ".3g"),
        f"{max(left, 1) / size:.0f} {unit}",
    )
    return tr(", {number} a second, {time} left", number=pace, time=time)
