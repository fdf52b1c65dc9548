"""Other versions of pbem beside today's: each in its own process, which forks for every command.

So a command is as quick as inside the tests, and as separate as one that a player types.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pbem.core.sealing import Open
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from pbem.umpire.verify import open_game
from support.markers import Posix, skip_without

ROOT = Path(__file__).parents[2]

TODAY = ("pbem.cli.app", "pbem.correspondence.open_file", "pbem.player.local_player", "pbem.umpire.write")
"""The modules of today's pbem that its process loads before it forks, since most commands need them."""

OF_0_1_0 = ("pbem.cli.app", "pbem.correspondence.opening", "pbem.desk", "pbem.umpire.write")
"""Those of release 0.1.0, by their names then."""

_SERVING = """
import json, os, sys
from importlib import import_module
import pbem, pbem.games
assert pbem.__file__.startswith(os.environ.get("PYTHONPATH", "")), pbem.__file__
for module in sys.argv[1:]:
    import_module(module)
for game in ("mortain", "rommel"):
    pbem.games.load(game).view
for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(job["cwd"])
        os.environ.update(job["environment"])
        for number, name in enumerate(("in", "out", "err")):
            file = os.open(job[name], os.O_RDONLY if not number else os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)
        sys.argv = ["pbem", *job["arguments"]]
        pbem.cli.main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""The code of a program's process, which never runs a command itself."""


@dataclass(frozen=True)
class CompletedCommand:
    """A completed command: its exit code and its output."""

    code: int
    out: str
    err: str


class Program(AbstractContextManager["Program"]):
    """A program that runs commands inside a `with`: what Python finds in `path`, or has installed."""

    drive = ""
    """The prefix of an absolute path of this system in the program's system."""

    def __init__(
        self, python: Path | str, path: Path | None = None, modules: tuple[str, ...] = TODAY
    ) -> None:
        self._command = [str(python), "-c", _SERVING, *modules]
        self._path = {} if path is None else {"PYTHONPATH": str(path)}

    def __enter__(self) -> Program:
        skip_without(Posix.FORK)
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | self._path
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self._command, cwd="/", env=environment, stdin=pipe, stdout=pipe, text=True
        )
        return self

    def __exit__(self, *_: Any) -> None:
        with self._process as process:
            assert process.stdin is not None
            process.stdin.close()

    def run(self, folder: Path, *arguments: str, typed: str = "", **environment: str) -> CompletedCommand:
        """Run a command that a player types in their folder, whose home is `home` there."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        folder.mkdir(exist_ok=True, parents=True)
        files = {name: str(folder / f".{name}") for name in ("in", "out", "err")}
        Path(files["in"]).write_text(typed, "utf-8")
        environment = {"PBEM_HOME": str(folder / "home"), "COLUMNS": "80", "PBEM_LANG": "en"} | environment
        job = {"cwd": str(folder), "arguments": arguments, "environment": environment, **files}
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        return CompletedCommand(
            code, Path(files["out"]).read_text("utf-8"), Path(files["err"]).read_text("utf-8")
        )


def current_program() -> Program:
    """The pbem under test."""
    return Program(sys.executable, ROOT)


def earlier_program(folder: Path, commit: str) -> Program:
    """The pbem of a commit in this repository's history, with today's other packages.

    Its files are taken from git as they were: installing it would take longer than all its commands, and
    require a download. So it must not need a package that today's pbem does not.
    """
    unpack_program(folder, commit)
    return Program(sys.executable, folder, OF_0_1_0)


def unpack_program(folder: Path, commit: str, *more: str) -> None:
    """Write the package of a commit in this repository's history, and `more` of it, into a folder."""
    skip_without(Posix.GIT)
    command = ["git", "archive", commit, "pbem", *more]
    archive = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert not archive.returncode, (
        f"the program of {commit} is taken from this repository's history, which a shallow clone lacks: "
        f"git fetch --unshallow ({archive.stderr.decode().strip()})"
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")


def altered_program(folder: Path, changes: Mapping[str, Iterable[tuple[str, str]]]) -> Program:
    """pbem with other text in some files: the old and the new text, by their paths.

    A file that does not exist yet gets the second of each pair.
    """
    shutil.copytree(ROOT / "pbem", folder / "pbem", ignore=shutil.ignore_patterns("__pycache__"))
    for name, pairs in changes.items():
        path = folder / "pbem" / name
        text = path.read_text("utf-8") if path.exists() else ""
        for old, new in pairs:
            assert old in text, f"{name} has no {old!r}"
            text = text.replace(old, new) if old else text + new
        path.write_text(text, "utf-8")
    return Program(sys.executable, folder)


def next_command(folder: Path, file: str = "game.yaml") -> list[str] | None:
    """What the player in a folder types next in their game; None if it is not their turn.

    The orders are those of a computer player, by the rules of that game.
    """
    game, key = open_game((folder / file).read_bytes()), LocalPlayer(folder / "home").key
    if game.state.writer not in permissions.held_seats(game, key):
        return None
    asked = permissions.unlock_state(game, key).pending_question
    if asked is None or asked.seat != game.state.writer or isinstance(asked, Open):
        return ["move", file]
    orders = game.rules.players["sensible"](asked, Random(len(game.entries)))
    return ["move", file, *game.rules.view.write_words(orders)]
