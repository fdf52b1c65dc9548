"""Whatever file comes is refused in one line, in at most 400 MB and 15 s of processor time, and no traceback.

Nearly all are as large as a game file may be. `PBEM_LONG=1` tries those too that take some seconds: on a slow
machine they reach the limit of processor time first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from pbem.base import limits
from pbem.base.limits import FILE_BYTES
from pbem.cli.app import run
from support.markers import Posix, requires

EXAMPLES = Path(__file__).parents[2] / "examples"
LONG = os.environ.get("PBEM_LONG") == "1"
MOST_KB = 400 * 1000
PROGRAM = """
import os, re, resource
resource.setrlimit(resource.RLIMIT_CPU, (15, 15))
from pbem.cli.app import main
try:
    main()
finally:
    peak = os.path.join(os.environ["PBEM_HOME"], "peak")
    with open("/proc/self/status") as status, open(peak, "w") as out:
        out.write(re.search(r"VmHWM:\\s*(\\d+) kB", status.read())[1])
"""
"""The command, and the most memory that it had: `ru_maxrss` would begin with what its parent has."""


def filled(head: str, unit: str, tail: str = "") -> str:
    """As much of `unit` between two texts as a game file may hold."""
    room = FILE_BYTES - len((head + tail).encode())
    return head + unit * (room // len(unit.encode())) + tail


def many_keys() -> str:
    return "pbem: 1\nx: {" + "".join(f"k{n}: 1, " for n in range(1_300_000))[: FILE_BYTES - 100]


ENTRY = "pbem: 1\nlog:\n  - n: 0\n"
TOO_MANY = "more than 1,000,000 keys and values"
TOO_LONG = "of processor time, the limit for one mail or file"
Bombs: TypeAlias = dict[str, tuple[Callable[[], str], str]]
"""How to make each file, and some words of its refusal."""

BOMBS: Bombs = {
    "many documents": (lambda: filled("", "---\na: b\n"), "a second begins here"),
    "words in the status": (
        lambda: filled("pbem: 1\nstatus: [", "a,", "]\n"),
        "status and board have too many",
    ),
    "one word": (lambda: filled("pbem: 1\nlog: ", "x"), "must be a list of entries, not 'xxx"),
    "a huge key": (lambda: filled("pbem: 1\nlog: a\n? ", "k", "\n: a\n"), "there is no key 'kkk"),
    "aliases": (lambda: filled("- &a [x, x]\n- [", "*a, ", "]\n"), "the anchor '&a' is not allowed"),
    "20,000 small entries": (lambda: "pbem: 1\nlog:\n" + "- {n: 0}\n" * 20_000, "log[0]: the key"),
    "comments alone": (lambda: filled("", "#\n"), "the file is empty"),
    "a line of blanks": (lambda: filled("", " "), "the file is empty"),
    "continued lines": (lambda: filled('a: "', "\\\n"), "found unexpected end of stream"),
}
SLOW_BOMBS: Bombs = {
    "deep nesting": (lambda: filled("pbem: 1\nlog: ", "["), "16 levels"),
    "lists in the status": (
        lambda: filled("pbem: 1\nstatus: [", "[],", "]\n"),
        "status and board have too many",
    ),
    "a large map": (lambda: filled("pbem: 1\nboard: |\n", "  x\n"), "status and board have too many"),
    "lists in the log": (lambda: filled("pbem: 1\nlog: [", "[],", "]\n"), "more than 20,000 entries"),
    "lines of blanks": (lambda: filled("", " \r"), "the file is empty"),
    "lists in x": (lambda: filled(f"{ENTRY}    x: {{a: [", "[],", "]}\n"), TOO_MANY),
    "lists in a scenario": (lambda: filled(f"{ENTRY}    scenario: {{data: [", "[],", "]}\n"), TOO_MANY),
    "mappings in x": (lambda: filled(f"{ENTRY}    x: {{a: [", "{a: {}},", "]}\n"), TOO_MANY),
    "many keys": (many_keys, TOO_MANY),
}


def outcome(arguments: list[str], home: Path) -> tuple[int, str, int]:
    """The exit code of `pbem`, all that it prints, and the most memory that it had, in kB."""
    printed = home / "printed"
    with printed.open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            env=os.environ | {"PBEM_HOME": str(home), "COLUMNS": "10000"},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    assert (home / "peak").exists(), printed.read_text("utf-8")[-500:]
    return done.returncode, printed.read_text("utf-8"), int((home / "peak").read_text())


@requires(Posix.LIMITS)
@pytest.mark.thorough
@pytest.mark.parametrize("name", BOMBS | SLOW_BOMBS if LONG else BOMBS)
def test_a_bomb_is_refused_in_time_and_space(name: str, tmp_path: Path) -> None:
    make, words = (BOMBS | SLOW_BOMBS)[name]
    file = tmp_path / "bomb.yaml"
    file.write_text(make(), "utf-8")
    assert file.stat().st_size <= FILE_BYTES
    code, printed, most = outcome(["verify", str(file)], tmp_path)
    assert code == 1, printed[-500:]
    said = " ".join(printed.split())
    assert words in said or (name in SLOW_BOMBS and TOO_LONG in said)
    assert "Traceback" not in printed
    assert most < MOST_KB


@pytest.mark.thorough
@requires(Posix.LIMITS)
@pytest.mark.parametrize("command", ["show", "join"])
def test_other_commands_refuse_it_as_well(command: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb.yaml"
    file.write_text(f"pbem: 1\nstatus: [{'[], ' * 1000}]\n")
    assert outcome(["key"], tmp_path)[0] == 0
    code, printed, most = outcome([command, str(file)], tmp_path)
    assert code == 1
    assert printed.startswith("error: step 1: line 2, column 4006: status and board have too many")
    assert most < MOST_KB


@pytest.mark.parametrize(
    ("command", "said"),
    [("verify", "cannot be checked: needs more than"), ("show", "error: needs more than")],
)
def test_a_file_that_takes_too_long_is_named_as_such(
    command: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Both commands only read: they touch no home."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    with limits.time_limit(seconds=0):
        assert run([command, str(EXAMPLES / "mortain-it-exits.yaml")]) == 1
    printed = capsys.readouterr()
    assert said in " ".join((printed.out + printed.err).split())
