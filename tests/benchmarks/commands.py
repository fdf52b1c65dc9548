"""Benchmarks of whole commands: times in turn with another tree's, and instructions if valgrind is installed.

    cd tests && python -m benchmarks.commands [--quick] [--release | TREE]

`--release` compares with the last release, taken from git, and fails if a ratio has become worse. TREE is a
checkout of an earlier state, with its own `.venv` if it has one. The earlier state comes first.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from subprocess import DEVNULL, PIPE, run
from tempfile import TemporaryDirectory

from benchmarks.run import (
    BARE_IMPORTS,
    FULL,
    MINIMAL,
    QUICK,
    ROOT,
    Figure,
    command,
    environment,
    lay_out,
    python_of,
    report,
)
from pbem.umpire.verify import open_game
from released.test_previous_program import BEFORE
from support.programs import unpack_program

EXAMPLES = ROOT / "examples"
RATIOS = (
    ("pbem --version", "import typer", 1.4),
    ("pbem --help", "import typer", 1.25),
    ("pbem verify, Mortain", "minimal verifier, Mortain", 1.35),
    ("pbem verify, Rommel", "minimal verifier, Rommel", 1.7),
    ("pbem show", "bare imports", 3.3),
    ("pbem page, Mortain", "minimal verifier, Mortain", None),
    ("pbem page, Rommel", "minimal verifier, Rommel", None),
    ("pbem page, Rommel", "pbem log, Rommel", 2.5),
)
"""A command, the minimum it has to do, and the aim for their ratio."""

ROOM_BY_COUNT, ROOM_BY_TIME = 1.03, 1.15
"""By how much today's ratio may exceed that of the last release; counted instructions vary little."""


class Measured:
    """The cost of each command in each tree, in seconds of processor time or in millions of instructions."""

    def __init__(self, rounds: list[dict[tuple[str, Path], float]]) -> None:
        self._rounds = rounds

    def amount(self, name: str, tree: Path) -> float:
        """The median of the rounds."""
        return median(one[name, tree] for one in self._rounds)

    def ratio(self, name: str, rival: str, tree: Path) -> float:
        """The median of the ratios in each round."""
        return median(one[name, tree] / one[rival, tree] for one in self._rounds)


def figures(rounds: int, trees: list[Path], *, counts: bool, room: bool) -> Iterator[Figure]:
    """Milliseconds, ratios, and millions of instructions of each command, for each tree.

    With `room`, a last figure names the ratios that are worse in the last tree than in the first; see
    `_worse`.
    """
    with TemporaryDirectory() as folder:
        home, half = Path(folder) / "home", Path(folder) / "half.yaml"
        lay_out(home, half, open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes()))
        commands = _commands(half, Path(folder) / "page.html")
        surroundings = environment(home, Path(folder) / "bytecode") | {"PYTHONHASHSEED": "0"}
        runs = {
            (name, tree): command(arguments, surroundings, tree)
            for name, arguments in commands.items()
            for tree in trees
        }
        for measured in runs.values():
            measured()
        timed = Measured([{key: measured() for key, measured in runs.items()} for _ in range(rounds)])
        for name in commands:
            yield Figure(f"{name}, ms", ", ".join(f"{1000 * timed.amount(name, tree):.0f}" for tree in trees))
        yield from _ratios(timed, trees, "")
        found, most = timed, ROOM_BY_TIME
        if counts:
            found, most = _counted(commands, surroundings, trees), ROOM_BY_COUNT
            for name in commands:
                shown = ", ".join(f"{found.amount(name, tree):.0f}" for tree in trees)
                yield Figure(f"{name}, millions", shown)
            yield from _ratios(found, trees, ", instructions")
    if room:
        yield Figure(WORSE, ", ".join(_worse(found, trees, most)) or NONE)


WORSE, NONE = "worse than the last release", "none"


def _commands(half: Path, page: Path) -> dict[str, list[str]]:
    """The arguments of Python for each command, by its name."""
    found = {
        "import typer": ["-c", "import typer"],
        "pbem --version": ["-m", "pbem", "--version"],
        "pbem --help": ["-m", "pbem", "--help"],
        "bare imports": ["-c", BARE_IMPORTS],
        "pbem show": ["-m", "pbem", "show", str(half)],
    }
    for game, example in (("Mortain", "mortain-it-exits"), ("Rommel", "rommel-axis-wins")):
        file = str(EXAMPLES / f"{example}.yaml")
        found[f"minimal verifier, {game}"] = [str(MINIMAL), file]
        found[f"pbem verify, {game}"] = ["-m", "pbem", "verify", file]
        found[f"pbem log, {game}"] = ["-m", "pbem", "log", file]
        found[f"pbem page, {game}"] = ["-m", "pbem", "page", file, "-o", str(page)]
    return found


def _ratios(measured: Measured, trees: list[Path], unit: str) -> Iterator[Figure]:
    for name, rival, aim in RATIOS:
        shown = ", ".join(f"{measured.ratio(name, rival, tree):.2f}" for tree in trees)
        yield Figure(f"{name} / {rival}{unit}", shown, f"<= {aim}" if aim else "")


def _worse(measured: Measured, trees: list[Path], room: float) -> Iterator[str]:
    """The ratios that have grown by more than `room`."""
    before, *_, now = trees
    for name, rival, _ in RATIOS:
        if measured.ratio(name, rival, now) > room * measured.ratio(name, rival, before):
            yield f"{name} / {rival}"


def _counted(commands: dict[str, list[str]], surroundings: dict[str, str], trees: list[Path]) -> Measured:
    """The instructions of each command, counted by valgrind."""
    return Measured(
        [
            {
                (name, tree): _instructions(arguments, surroundings, tree)
                for name, arguments in commands.items()
                for tree in trees
            }
        ]
    )


def _instructions(arguments: list[str], surroundings: dict[str, str], tree: Path) -> float:
    """The millions of instructions of a Python program, counted by valgrind."""
    counted = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    whole = [*counted, python_of(tree), *arguments]
    done = run(whole, cwd=tree, env=surroundings, stdout=DEVNULL, stderr=PIPE, text=True, check=True)
    total = re.search(r"I\s+refs:\s+([0-9,]+)", done.stderr)
    assert total is not None, done.stderr
    return int(total[1].replace(",", "")) / 1e6


def main(typed: list[str]) -> int:
    """Print the table; 1 if a ratio has become worse than that of the last release, else 0."""
    quick, released = "--quick" in typed, "--release" in typed
    with TemporaryDirectory() as folder:
        trees = [Path(word).resolve() for word in typed if not word.startswith("-")]
        if released:
            unpack_program(Path(folder), BEFORE)
            trees = [Path(folder)]
        counts = not quick and shutil.which("valgrind") is not None
        rounds = (QUICK if quick else FULL).rounds
        shown = list(report(figures(rounds, [*trees, ROOT], counts=counts, room=released)))
    return int(any(figure.what == WORSE and figure.found != NONE for figure in shown))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
