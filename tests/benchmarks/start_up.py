"""Benchmarks of whole commands: times in turn with another tree's, and instructions where valgrind is there.

    cd tests && python -m benchmarks.start_up [--quick] [TREE]

TREE is a checkout with its own `.venv`, such as a worktree of what was before; its figures stand first.
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

EXAMPLES = ROOT / "examples"
RATIOS = (
    ("pbem --version", "import typer", "<= 1.4"),
    ("pbem --help", "import typer", "<= 1.25"),
    ("pbem verify, Mortain", "minimal verifier, Mortain", "<= 1.35"),
    ("pbem verify, Rommel", "minimal verifier, Rommel", "<= 1.7"),
    ("pbem show", "bare imports", "<= 3.3"),
)
"""A command, the least that it must do, and what their ratio is aimed at."""


def figures(rounds: int, trees: list[Path], *, counts: bool) -> Iterator[Figure]:
    """Milliseconds, ratios, and millions of instructions of each command, in each tree."""
    with TemporaryDirectory() as folder:
        home, half = Path(folder) / "home", Path(folder) / "half.yaml"
        lay_out(home, half, open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes()))
        rivals = {
            "import typer": ["-c", "import typer"],
            "pbem --version": ["-m", "pbem", "--version"],
            "pbem --help": ["-m", "pbem", "--help"],
            "bare imports": ["-c", BARE_IMPORTS],
            "pbem show": ["-m", "pbem", "show", str(half)],
        }
        for game, example in (("Mortain", "mortain-it-exits"), ("Rommel", "rommel-axis-wins")):
            file = str(EXAMPLES / f"{example}.yaml")
            rivals[f"minimal verifier, {game}"] = [str(MINIMAL), file]
            rivals[f"pbem verify, {game}"] = ["-m", "pbem", "verify", file]
        surroundings = environment(home, Path(folder) / "bytecode") | {"PYTHONHASHSEED": "0"}
        runs = {
            (name, tree): command(arguments, surroundings, tree)
            for name, arguments in rivals.items()
            for tree in trees
        }
        for measured in runs.values():
            measured()
        times = [{key: measured() for key, measured in runs.items()} for _ in range(rounds)]
        for name in rivals:
            shown = ", ".join(f"{1000 * median(one[name, tree] for one in times):.0f}" for tree in trees)
            yield Figure(f"{name}, ms", shown)
        for name, rival, aim in RATIOS:
            shown = ", ".join(
                f"{median(one[name, tree] / one[rival, tree] for one in times):.2f}" for tree in trees
            )
            yield Figure(f"{name} / {rival}", shown, aim)
        if not counts:
            return
        found = {
            (name, tree): _instructions(arguments, surroundings, tree)
            for name, arguments in rivals.items()
            for tree in trees
        }
    for name in rivals:
        yield Figure(f"{name}, millions", ", ".join(f"{found[name, tree]:.0f}" for tree in trees))
    for name, rival, aim in RATIOS:
        shown = ", ".join(f"{found[name, tree] / found[rival, tree]:.2f}" for tree in trees)
        yield Figure(f"{name} / {rival}, instructions", shown, aim)


def _instructions(arguments: list[str], surroundings: dict[str, str], tree: Path) -> float:
    """The millions of instructions that a Python program takes, counted by valgrind."""
    counted = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    whole = [*counted, python_of(tree), *arguments]
    done = run(whole, cwd=tree, env=surroundings, stdout=DEVNULL, stderr=PIPE, text=True, check=True)
    total = re.search(r"I\s+refs:\s+([0-9,]+)", done.stderr)
    assert total is not None, done.stderr
    return int(total[1].replace(",", "")) / 1e6


if __name__ == "__main__":
    typed = sys.argv[1:]
    quick = "--quick" in typed
    before = [Path(word).resolve() for word in typed if not word.startswith("-")]
    counted = not quick and shutil.which("valgrind") is not None
    report(figures((QUICK if quick else FULL).rounds, [*before, ROOT], counts=counted))
