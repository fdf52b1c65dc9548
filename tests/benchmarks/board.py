"""Benchmark of the board: clicks per decision, and the time and size of pbem's answers.

    cd tests && python -m benchmarks.board [--quick] [--release | TREE]

A game of Mortain is played to its end by clicks, and, without `--quick`, the set-up and two turns of Rommel.
`--release` first plays them with the last release, taken from git; TREE is a checkout instead. The time of an
answer is wall-clock time, from the page's request to the last byte. Signing is separate, since the computer
answers in it. Releases differ in their requests, so the answers of a decision count together.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.run import ROOT, Figure, python_of, report
from released.test_previous_program import BEFORE
from support.programs import unpack_program

_PLAYED = """
import json, random, sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
try:
    from support.board_player import begin_practice_game, play_at_board, play_mortain, play_rommel
    from support.browsers import run_chromium
except ImportError:  # release 0.1.0
    from web.browser import chromium as run_chromium
    from web.games import mortain as play_mortain, rommel as play_rommel
    from web.playing import begun as begin_practice_game, playing as play_at_board

KEEP_ALL = "performance.setResourceTimingBufferSize(1e5)"
ANSWERS = '''
return performance.getEntriesByType("resource").filter((one) => one.initiatorType === "fetch")
  .map((one) => [new URL(one.name).pathname.split("/").at(-1), one.duration, one.encodedBodySize]);
'''

def play(browser, folder, game):
    begin_practice_game(folder, game, "--seat", "us" if game == "mortain" else "axis")
    browser.driver.set_window_size(1280, 800)
    with play_at_board(browser, folder) as player:
        browser.run(KEEP_ALL)
        chooser = random.Random(1)
        clicks = play_mortain(player, chooser) if game == "mortain" else play_rommel(player, chooser, 2) or []
        return {"clicks": clicks, "answers": browser.run(ANSWERS)}

with contextmanager(run_chromium)() as browser:
    found = {}
    for game in sys.argv[1:]:
        with TemporaryDirectory() as folder:
            found[game] = play(browser, Path(folder), game)
    print(json.dumps(found))
"""
"""Plays in a tree with its tests' helpers, and prints clicks and answers as JSON."""

SIGNED = "sign"
"""The request that signs; its answer includes the computer's move."""


def figures(trees: list[Path], games: tuple[str, ...]) -> Iterator[Figure]:
    """Clicks, milliseconds and bytes in each tree."""
    found = [_play(tree, games) for tree in trees]
    for game in games:
        yield from _figures_of(game, [one[game] for one in found])


def _play(tree: Path, games: tuple[str, ...]) -> dict[str, Any]:
    """The result of the games in a tree."""
    surroundings = {**os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{tree / 'tests'}"}
    whole = [python_of(tree), "-c", _PLAYED, *games]
    done = run(whole, cwd=tree / "tests", env=surroundings, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    read: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return read


def _figures_of(game: str, found: list[dict[str, Any]]) -> Iterator[Figure]:
    """The figures of a game, those of the trees beside one another."""
    title = game.capitalize()
    if all(one["clicks"] for one in found):
        clicks = (f"{median(one['clicks']):.0f} / {max(one['clicks'])}" for one in found)
        yield Figure(f"{title}: clicks a decision of one order, median / most", ", ".join(clicks))
    for what, signs in (("an answer", False), ("an answer that signs", True)):
        answers = [
            [(ms, size) for name, ms, size in one["answers"] if (name == SIGNED) == signs] for one in found
        ]
        yield Figure(f"{title}: {what}, how many", ", ".join(str(len(each)) for each in answers))
        for unit, column in (("ms", 0), ("bytes", 1)):
            shown = (
                f"{median(one[column] for one in each):.0f} / {max(one[column] for one in each):.0f}"
                for each in answers
            )
            yield Figure(f"{title}: {what}, {unit}, median / most", ", ".join(shown))


def main(typed: list[str]) -> None:
    """Print the table."""
    with TemporaryDirectory() as folder:
        trees = [Path(word).resolve() for word in typed if not word.startswith("-")]
        if "--release" in typed:
            unpack_program(Path(folder), BEFORE, "tests")
            trees = [Path(folder)]
        games = ("mortain",) if "--quick" in typed else ("mortain", "rommel")
        list(report(figures([*trees, ROOT], games)))


if __name__ == "__main__":
    main(sys.argv[1:])
