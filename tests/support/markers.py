"""Which tests run where: the needs of a test that Windows lacks, and the rows that only a long run tries.

A test that needs POSIX has a mark; a helper shared by many tests skips the test when it begins. With
PBEM_LONG=1 every row of a table is tried, otherwise a sample.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from enum import Enum
from typing import Any

import pytest

WINDOWS = sys.platform == "win32"


class Posix(Enum):
    """A need that only POSIX meets, or that is tested with programs available only there."""

    TERMINAL = "a POSIX terminal"
    MODES = "modes of files"
    FORK = "a fork, or a process killed by a signal"
    SIGNALS = "Control-C sent to a process as a signal"
    LIMITS = "limits of memory, time and sizes for a process"
    TIMES = "the processor time of a program that has run"
    LINKS = "symbolic links, which a user of Windows may not make, or pipes with names"
    ERRORS = "an error of its own for a folder that is a file"
    SHELL = "bash and programs beside it"
    FONTS = "the fonts of Windows, which Wine has not"
    ZLIB = "the zlib of Linux, byte for byte"
    BUILD = "a wheel that pip builds, at which Wine crashes or hangs"
    NUMBERS = "numbers of files that are not given again at once, as those of NTFS are not: Wine has Linux's"
    COLONS = "colons in the names of files"
    SERVER = "Dovecot"
    BROWSER = "Chromium or Firefox"
    GIT = "Git, and the history of the repository"


def requires(need: Posix) -> pytest.MarkDecorator:
    """The mark of a test with this need."""
    return pytest.mark.skipif(WINDOWS, reason=_skip_reason(need))


def skip_without(need: Posix) -> None:
    """On Windows, skip the running test."""
    if WINDOWS:
        pytest.skip(_skip_reason(need))


KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
"""The signal that ends a process at once, whatever it is doing."""


def echo_command(word: str) -> list[str]:
    """A command that prints a word, without a shell."""
    return [sys.executable, "-c", "import sys; print(sys.argv[1])", word] if WINDOWS else ["echo", word]


def _skip_reason(need: Posix) -> str:
    return f"it wants {need.value}"


LONG = bool(os.environ.get("PBEM_LONG"))


def sample_rows(rows: Iterable[Any], every: int) -> list[Any]:
    """Parameter rows: the first of every `every` as they are, the others marked `long`."""
    return [row if n % every == 0 else _mark_long(row) for n, row in enumerate(rows)]


def _mark_long(row: Any) -> Any:
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.long)
