"""Python and `pbem` in processes of their own, free ports for the servers of tests, and waiting for both."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

TESTS = Path(__file__).parents[1]
PATH = os.pathsep.join([str(TESTS), str(TESTS.parent)])


def run_python(
    *arguments: str, cwd: Path | None = None, under: Sequence[str] = (), typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Python that has run with these arguments in a folder, if need be `under` a program that limits it."""
    return subprocess.run(
        [*under, sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": PATH, **environment},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def run_pbem(
    *arguments: str, cwd: Path | None = None, under: Sequence[str] = (), typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """The program that has run."""
    return run_python("-m", "pbem", *arguments, cwd=cwd, under=under, typed=typed, **environment)


def wait_until(found: Callable[[], object]) -> bool:
    """Whether something comes true within a minute."""
    end = time.monotonic() + 60
    while not found() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(found())


LOWEST, PORTS = 20_000, 12_000
"""Linux gives 32768 and above: a port that was free a moment ago may be somebody's connection by now."""

APART = 97
"""Processes begin so far from each other, since their numbers follow each other."""

_numbers = count(os.getpid() * APART)


def free_port() -> int:
    """A port on which nobody listens, and which this process has not been given for a while."""
    while True:
        port = LOWEST + next(_numbers) % PORTS
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
