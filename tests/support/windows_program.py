"""pbem on Windows: PBEM_WINDOWS names a python.exe in which it is installed, and Wine runs it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from support.programs import CompletedCommand, Program

PYTHON = os.environ.get("PBEM_WINDOWS", "")
"""The python.exe; without one the tests here are skipped."""

_SERVING = """
import contextlib, io, json, os, sys
from pbem.cli.app import run
own = sys.stdout
for line in sys.stdin:
    job = json.loads(line)
    os.chdir(job["cwd"])
    os.environ.update(job["environment"])
    out, err, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO(job["typed"])
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(job["arguments"])
    print(json.dumps([code, out.getvalue(), err.getvalue()]), file=own, flush=True)
"""
"""The code of the process: it runs all commands itself, since Windows cannot fork and Wine starts slowly."""


class WindowsProgram(Program):
    """A pbem on Windows that runs commands."""

    drive = "Z:"

    def __init__(self) -> None:
        super().__init__(PYTHON)
        self._command = ["wine", PYTHON, "-c", _SERVING]

    def __enter__(self) -> WindowsProgram:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self._command,
            cwd="/",
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,  # Wine does not pass on an open file, such as pytest's
            text=True,
        )
        return self

    def run(self, folder: Path, *arguments: str, typed: str = "", **environment: str) -> CompletedCommand:
        """Run a command that a player types in their folder, whose home is `home` there."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        folder.mkdir(exist_ok=True, parents=True)
        place = f"{self.drive}{folder}"
        environment = {"PBEM_HOME": f"{place}/home", "COLUMNS": "80", "PBEM_LANG": "en"} | environment
        job = {
            "cwd": place,
            "arguments": arguments,
            "environment": environment,
            "typed": typed,
        }
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return CompletedCommand(*json.loads(self._process.stdout.readline()))


def run_windows_program(shell: list[str], folder: Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """A Windows program run in a folder, with Anna's home there; its streams are pipes."""
    environment = {**os.environ, "PBEM_HOME": "home", "PBEM_LANG": "en", **more.pop("environment", {})}
    return subprocess.run(
        ["wine", *shell],
        cwd=folder,
        env=environment,
        input=more.pop("typed", b""),
        capture_output=True,
        check=False,
        timeout=300,
    )
