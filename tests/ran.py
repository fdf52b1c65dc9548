"""Python in a process of its own, which finds the program and the modules of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).parent
PATH = os.pathsep.join([str(TESTS), str(TESTS.parent)])


def python(
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


def pbem(
    *arguments: str, cwd: Path | None = None, under: Sequence[str] = (), typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """The program that has run."""
    return python("-m", "pbem", *arguments, cwd=cwd, under=under, typed=typed, **environment)
