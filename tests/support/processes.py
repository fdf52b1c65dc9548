"""Python and `pbem` in separate processes, free ports for test servers, and waiting for both."""

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
    """Run Python with these arguments in a folder, possibly `under` a program that limits it."""
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
    """Run pbem, like `run_python`."""
    return run_python("-m", "pbem", *arguments, cwd=cwd, under=under, typed=typed, **environment)


def wait_until(found: Callable[[], object]) -> bool:
    """Whether a condition comes true within a minute."""
    end = time.monotonic() + 60
    while not found() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(found())


LOWEST, PORTS = 20_000, 12_000
"""Below Linux's own range, from 32768 on: a port free a moment ago might be a connection by now."""

APART = 97
"""How far apart processes begin, since their numbers are consecutive."""

_numbers = count(os.getpid() * APART)


def free_port() -> int:
    """A port with no listener, not returned to this process for a while."""
    while True:
        port = LOWEST + next(_numbers) % PORTS
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
