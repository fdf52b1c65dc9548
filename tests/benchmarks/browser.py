"""Benchmarks of the browser edition: a start, a board, a signature, and the check of a file.

    cd tests && python -m benchmarks.browser [--quick] [PBEM.HTML ...]

It measures `dist/browser/pbem.html`, as made by `.ci/browser`, or the files named, in turn; each has `folder`
beside it. Seconds are wall-clock time in Chromium. Below them is the processor time of the whole browser, as
a multiple of a `pbem verify` of a game of Rommel, which other programs disturb less. A cold start is the
first of a browser with an empty profile, a warm one the second. Files are checked under node.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, run
from tempfile import TemporaryDirectory

import psutil

from benchmarks.run import ROOT, Figure, command, environment, processor_time, report
from pbem.umpire.verify import open_game
from support.board_player import begin_practice_game, orders_by_click, wait_for_page
from support.browsers import Browser, run_chromium
from support.edition_player import EditionPlayer, InEdition

EDITION = ROOT / "dist" / "browser" / "pbem.html"
VERIFY = ["-m", "pbem", "verify", str(ROOT / "examples" / "rommel-axis-wins.yaml")]

FIRST_PAINT = """
return performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000;
"""

AIMS = {
    "to the lobby, cold": "4",
    "to the lobby, warm": "3",
    "to a board": "0.6",
    "signed and answered": "0.5",
}
"""Wall-clock seconds."""

CHECK_AIM = "5"
"""The aim for the check of a file, as a multiple of the installed program's processor time."""


class Sitting:
    """The measurements of one browser session: wall-clock time, and processor time of the whole browser."""

    def __init__(self, browser: Browser) -> None:
        self._driver = psutil.Process(browser.driver.service.process.pid)
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.processor: dict[str, list[float]] = defaultdict(list)

    @contextmanager
    def measure(self, name: str, times: int = 1) -> Iterator[None]:
        """Measure the block, which does its work this many times."""
        clock, used = time.monotonic(), self._used()
        yield
        self.seconds[name].append((time.monotonic() - clock) / times)
        self.processor[name].append((self._used() - used) / times)

    def _used(self) -> float:
        """The processor time the browser has used so far."""
        used = 0.0
        for process in self._driver.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                spent = process.cpu_times()
                used += spent.user + spent.system
        return used


class MeasuredPlayer(InEdition):
    """A player whose signatures are measured, each with the computer's answer."""

    sitting: Sitting

    def sign(self) -> list[str]:
        with self.sitting.measure("signed and answered"):
            return super().sign()


def sit(edition: Path, home: Path, signatures: int) -> Sitting:
    """Start twice, open a board, and sign."""
    for browser in run_chromium():
        sitting = Sitting(browser)
        browser.set_width(1280)
        player = EditionPlayer(browser, edition)
        for kind in ("cold", "warm"):
            with sitting.measure(f"to the lobby, {kind}"):
                player.open()
                player.await_page("#ways")
            sitting.seconds[f"words are seen, {kind}"].append(player.around(FIRST_PAINT))
        player.bring_home(home)
        player.click("#home", page="#games a.first")
        with sitting.measure("to a board"):
            player.click("#games a.first", page="#prompt")
        at_board = MeasuredPlayer(browser, home)
        at_board.sitting = sitting
        for number in range(signatures):
            game = at_board.game()
            at_board.give(orders_by_click(at_board, Random(number)))
            wait_for_page(game, at_board)
    return sitting


def check_seconds(edition: Path, rounds: int) -> list[float]:
    """The processor time of checking all examples in WebAssembly under node, for each round."""
    script = map(str, (ROOT / "browser" / "check.mjs", edition.parent / "folder", ROOT, rounds))
    done = run(["node", "--stack-size=900", *script], stdout=PIPE, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def installed_check_seconds(rounds: int) -> list[float]:
    """The processor time of checking all examples in this Python, for each round."""
    files = [file.read_bytes() for file in sorted((ROOT / "examples").glob("*.yaml"))]

    def check() -> None:
        for data in files:
            open_game(data)

    return [processor_time(check) for _ in range(rounds)]


def figures(editions: list[Path], rounds: int, signatures: int) -> Iterator[Figure]:
    """Every figure of each edition, measuring the editions in turn."""
    for edition in editions:
        yield Figure(f"{edition.parent}, bytes", f"{edition.stat().st_size:,} ", "14,000,000")
    sittings: dict[Path, list[Sitting]] = {edition: [] for edition in editions}
    with TemporaryDirectory() as name:
        folder = Path(name)
        begin_practice_game(folder, "mortain", "--seat", "us")
        verify = command(VERIFY, environment(folder / "home", folder / "bytecode"))
        verify()  # this compiles it
        verified = []
        for _ in range(rounds):
            for edition in editions:
                sittings[edition].append(sit(edition, folder, signatures))
            verified.append(verify())

    def shown(of: str, what: str, unit: float = 1) -> str:
        """The medians of a measurement, for each edition."""
        each = ([value for one in sat for value in getattr(one, of)[what]] for sat in sittings.values())
        return ", ".join(f"{median(found) / unit:.2f}" for found in each)

    for kind in ("cold", "warm"):
        yield Figure(f"words are seen, {kind}, s", shown("seconds", f"words are seen, {kind}"))
    for what, aim in AIMS.items():
        yield Figure(f"{what}, s", shown("seconds", what), aim)
        yield Figure("    of processor time", shown("processor", what))
        yield Figure("    / pbem verify, Rommel, installed", shown("processor", what, median(verified)))
    checks = rounds + 1  # the first loads what the others use
    installed = median(installed_check_seconds(checks)[1:])
    found = [median(check_seconds(edition, checks)[1:]) for edition in editions]
    yield Figure("all examples are checked, s of processor time", ", ".join(f"{one:.2f}" for one in found))
    yield Figure("    / installed", ", ".join(f"{one / installed:.2f}" for one in found), CHECK_AIM)


def main() -> list[Figure]:
    quick = "--quick" in sys.argv
    editions = [Path(word).resolve() for word in sys.argv[1:] if word != "--quick"] or [EDITION]
    return report(figures(editions, 1, 1) if quick else figures(editions, 5, 3))


if __name__ == "__main__":
    main()
