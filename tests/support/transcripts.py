"""Transcripts: what players type, what they read, and the exit code. The README has one, and so have docs.

    anna$ pbem show nowhere.yaml
    error: nowhere.yaml: cannot be read: No such file or directory
    [1]

The word before `$` is the player; all share one folder, which stands for the mail between them. The players
in `PLAYERS` have a key. The last line in brackets is the exit code, if it is not 0. `...` matches any text,
and a line that begins with `#` is a remark. In a Markdown page, all blocks marked `console` are one
transcript, and a block marked `yaml PATH` is a file that somebody writes there in an editor. In
`first_game.es.txt` the players read and type Spanish.

Keys, random bytes and the clock are fixed, so the output is the same every time. A `pbem` alone on its line
runs in this process; anything else (a pipe, another program) goes through bash, with its own random bytes.

    PYTHONPATH=tests python -m support.transcripts FILE...  writes today's output into them, to be reviewed
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import secrets
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from doctest import ELLIPSIS, OutputChecker
from hashlib import sha256, shake_256
from itertools import chain
from pathlib import Path
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.cli.app import run
from pbem.texts import ENGLISH
from support.markers import WINDOWS, Posix, skip_without

PLAYERS = ("anna", "bruno")
ROOT = Path(__file__).parents[2]
SECRET = ("homes/**/*", "*.draft", "plan.txt")
"""Files the opponent must not read."""

TYPED = ("config.yaml", "key.pub")
"""Files of a home that players write themselves, in a shell."""
_PROMPT = re.compile(r"(\w+)\$ (.*)")
_EDITED = re.compile(r"```yaml (\S+)")
_EDITOR = "editor"
"""The name of the player who "types" a file: its path is the command, its lines are the expected output."""
_CODE = re.compile(r"\[\d+\]")
_SHELL = set("|<>&$")
_NOON = 1_785_585_600
"""The clock of the first command, 2026-08-01 12:00 UTC; each further command is an hour later."""


@dataclass
class Step:
    """A command, its player, its expected output, and the line numbers of that output (from, to)."""

    player: str
    command: str
    start: int
    expected: list[str] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The number of the line after the expected output."""
        return self.start + len(self.expected)

    def fits(self, printed: list[str]) -> bool:
        """Whether this was expected: the exit code exactly, the text except for its `...`."""
        (wanted, code), (found, same) = split_exit_code(self.expected), split_exit_code(printed)
        if WINDOWS:  # a path is printed with a backslash, in JSON with two
            wanted, found = wanted.replace("\\", "/"), found.replace("\\\\", "/").replace("\\", "/")
        return code == same and OutputChecker().check_output(wanted, found, ELLIPSIS)


def read_steps(file: Path) -> list[Step]:
    """The steps of a transcript, or of all `console` blocks of a Markdown page."""
    steps: list[Step] = []
    inside = file.suffix != ".md"
    step: Step | None = None
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if file.suffix == ".md" and line.startswith("```"):
            inside, step = line == "```console", None
            if edited := _EDITED.fullmatch(line):
                step = Step(_EDITOR, edited[1], number)
                steps.append(step)
        elif step and step.player == _EDITOR:
            step.expected.append(line)
        elif not inside or line.startswith("#"):
            step = None
        elif prompt := _PROMPT.fullmatch(line):
            step = Step(prompt[1], prompt[2], number)
            steps.append(step)
        elif step:
            step.expected.append(line)
    for step in steps:
        while step.expected and not step.expected[-1]:
            step.expected.pop()
    return steps


def language_of(file: Path) -> str:
    """The language the players of a transcript read and type, by its name."""
    return "".join(file.suffixes[:-1]).removeprefix(".") or ENGLISH


RANDOM = {
    "A-GAME-BY-MAIL": (0, 1, 4, 40, 42, 44),
    "CLUBS": (1, 2, 5, 14, 15, 18),
    "README": (0, 1, 2, 12, 13, 16),
    "SCENARIOS": (1, 2, 5),
    "club": (0, 1, 4, 13, 14, 17),
    "deadlines": (0, 1, 4, 14, 15, 18, 19),
    "keys": (0, 1, 4, 10, 11),
    "names": (0, 1, 5),
    "picture": (0, 1, 4, 17, 18, 21),
    "rommel": (0, 1, 4, 51, 52),
    "scenario": (1, 2, 5, 17, 18, 22, 23),
    "shelf": (0, 1, 4, 21, 32, 33, 36),
    "talk": (0, 1, 4, 56, 57, 60, 70, 71, 74, 86, 87),
    "trust": (0, 1, 4, 13, 14, 17, 24, 25),
    "turns": (0, 1, 4, 5, 9),
    "undo": (0, 1, 4, 28, 56, 57, 58),
    "way_in": (0, 1, 5, 11, 57, 58, 61, 68, 69, 72, 81, 82, 83),
}
"""The numbers of the random bytes a transcript takes, by its name, in order; they determine its draws.

A transcript that is not listed, or takes more, counts on: by one within a command, by three to the next
command that takes some.
"""


def perform_steps(
    steps: list[Step], folder: Path, language: str = ENGLISH, transcript: str = ""
) -> Iterator[tuple[Step, list[str]]]:
    """Carry out the steps in a folder. Yields each with its output and exit code, in lines as above."""
    for player in PLAYERS:
        write_key(folder / "homes" / player / "key", player)
        write_key(folder / "homes" / player / "practice" / "key", f"practice of {player}")
    random = _RandomBytes(RANDOM.get(transcript, ()))
    with patch.object(secrets, "token_bytes", random), contextlib.chdir(folder):
        for hour, step in enumerate(steps):
            random.begin_command()
            if step.player == _EDITOR:
                Path(step.command).write_text(_join_lines(step.expected), "utf-8")
                yield step, step.expected
                continue
            with patch.dict(os.environ, {**_environment(step.player, hour), "PBEM_LANG": language}):
                printed, code = _execute(step.command)
            yield step, printed.splitlines() + ([f"[{code}]"] if code else [])


def write_key(path: Path, label: str) -> None:
    """Write a key that is the same every time, as `pbem key` would."""
    key = Ed25519PrivateKey.from_private_bytes(sha256(label.encode()).digest())
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    path.chmod(0o600)


def _execute(command: str) -> tuple[str, int]:
    words = shlex.split(command)
    if words[0] == "pbem" and not any(word[0] in _SHELL for word in words if word):
        return _in_process(words[1:])
    skip_without(Posix.SHELL)
    script = f'pbem() {{ "{sys.executable}" -m pbem "$@"; }}\n{command}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
    )
    return done.stdout, done.returncode


def _in_process(arguments: list[str]) -> tuple[str, int]:
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        patch.object(sys, "stdin", io.StringIO()),
    ):
        code = run(arguments)
    return printed.getvalue(), code


def _environment(player: str, hour: int) -> dict[str, str]:
    return {
        "PBEM_HOME": f"homes/{player}",
        "PBEM_NAME": player.capitalize(),
        "SOURCE_DATE_EPOCH": str(_NOON + 3600 * hour),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
    }


class _RandomBytes:
    """Random bytes that are the same every time, by their numbers, from a list as long as it lasts."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self._listed = iter(numbers)
        self._last = -1
        self._step = 1

    def begin_command(self) -> None:
        self._step = 3 if self._last >= 0 else 1

    def __call__(self, size: int) -> bytes:
        self._last, self._step = next(self._listed, self._last + self._step), 1
        return shake_256(b"%d" % self._last).digest(size)


@contextlib.contextmanager
def without_umask() -> Iterator[None]:
    """In this block, new files are readable and writable for everybody."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def files_open_to_others(folder: Path) -> list[str]:
    """The secret files written by pbem that other users of the computer could read."""
    if os.name == "nt":
        return []
    files = [path for path in chain(*map(folder.glob, SECRET)) if path.is_file() and path.name not in TYPED]
    return sorted(str(path) for path in files if path.stat().st_mode & 0o077)


def split_exit_code(lines: list[str]) -> tuple[str, str]:
    """The text of the lines, and the exit code in the last one."""
    code = lines[-1] if lines and _CODE.fullmatch(lines[-1]) else ""
    return _join_lines(lines[:-1] if code else lines), code


def _join_lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _renew_transcript(file: Path) -> None:
    """Write today's output of its commands into the file, where it differs."""
    lines = file.read_text("utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        performed = list(perform_steps(read_steps(file), Path(folder), language_of(file), file.stem))
    for step, printed in reversed(performed):
        if not step.fits(printed):
            lines[step.start : step.end] = printed
    file.write_text(_join_lines(lines), "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _renew_transcript(Path(name).absolute())
