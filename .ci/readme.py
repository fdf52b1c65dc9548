#!/usr/bin/env python3
"""Runs a command of README.md as written there, on any system: .ci/readme.py [--locked] demo|tests.

With --locked, the environment gets the packages of .ci/requirements, checked by their digests, before the
command runs, and pip installs nothing else. On Windows the programs of an environment are in `Scripts`, and
quotes are double. The exit code is that of the command.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = Path(".venv") / ("Scripts" if os.name == "nt" else "bin")


def command_for(what: str) -> list[str]:
    """The commands below the mark with this name, one after the other."""
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.search(rf"<!-- the {what} -->\n```sh\n(.+?)\n```", text, re.DOTALL)
    if found is None:
        sys.exit(f"readme: README.md has no command marked <!-- the {what} -->")
    return found[1].split(" && ")


def on_this_system(command: str) -> str:
    """The same command for this system's shell and folders, with the Python that runs this."""
    command = command.replace(".venv/bin", str(PROGRAMS))
    if command.startswith("python3 "):
        command = f'"{sys.executable}" {command.removeprefix("python3 ")}'
    return command.replace("'", '"') if os.name == "nt" else command


def install_locked() -> None:
    """Make the environment with the locked packages."""
    subprocess.run([sys.executable, "-m", "venv", ".venv"], cwd=ROOT, check=True)
    pip = [str(ROOT / PROGRAMS / "python"), "-m", "pip", "install", "-q", "--require-hashes", "-r"]
    for lock, *options in (("build.txt",), ("dev.txt", "--no-build-isolation")):
        subprocess.run([*pip, str(ROOT / ".ci" / "requirements" / lock), *options], cwd=ROOT, check=True)
    os.environ |= {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # 0: without isolation


def main(typed: list[str]) -> int:
    """Run the command named in the arguments."""
    locked, names = "--locked" in typed, [word for word in typed if word != "--locked"]
    if names not in (["demo"], ["tests"]):
        sys.exit(__doc__)
    commands = command_for(names[0])
    if locked:
        install_locked()
    for command in commands:
        sys.stdout.write(f"$ {command}\n")
        sys.stdout.flush()
        code = subprocess.run(on_this_system(command), shell=True, cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
