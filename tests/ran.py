"""Python in a process of its own, which finds program and tests; and waiting for what is done elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

TESTS = Path(__file__).parent
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
