"""Benchmark of a club's table: games per second compared with a bare loop, a second run, and memory.

    cd tests && python -m benchmarks.club [--quick] [NUMBER ...]        numbers of games (default: 100)

Games of Mortain between 200 practice keys, played by random players, who resign after some entries. Each run
is a new process. Wall-clock time is useless on a machine that does other work; processor time is not. The
bare loop reads each file and calls `open_game`, and does nothing else.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.run import ROOT, Figure, environment, report
from pbem.core.sealing import Open
from pbem.format.document import document_bytes
from pbem.format.keys import PrivateKey
from pbem.games.mortain import RULES
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim, Person, Terms
from support.simulator import SHORT, entropy

KEYS = 200
ENTRIES = 12
"""After this many entries the player to write resigns, if the game has not ended."""

ROUNDS = 3

BARE = """
import sys
from pathlib import Path
from pbem.umpire.verify import open_game
for path in Path(sys.argv[1]).iterdir():
    open_game(path.read_bytes())
"""


def person(number: int) -> Person:
    """A member of the club."""
    return Person(f"Member {number:03}", PrivateKey(sha256(f"benchmark {number}".encode()).digest()))


def game(number: int, entries: int = ENTRIES) -> Game:
    """A game of the club; its number determines the players and all entries."""
    chooser = Random(number)
    one, other = (person(who) for who in chooser.sample(range(KEYS), 2))
    claim = Claim(at=f"2027-{1 + number % 12:02}-{1 + number % 28:02}T12:00:00Z")
    terms = Terms(RULES, dict(SHORT), "mortain")
    found = write.offer(one, "german", terms, entropy(f"{number} german"), claim=claim)
    found = write.accept(found, other, entropy(f"{number} us"), claim=claim)
    keys = {"german": one.key, "us": other.key}
    while seat := found.state.writer:
        if len(found.entries) >= entries:
            return write.resign(found, keys[seat], claim=claim)
        found = played_on(found, keys[seat], chooser, claim)
    return found


def played_on(found: Game, key: PrivateKey, chooser: Random, claim: Claim) -> Game:
    """The game with the next entry, by the random player if there is something to decide."""
    asked = permissions.unlock_state(found, key).pending_question
    orders = None
    if asked is not None and asked.seat == found.state.writer and not isinstance(asked, Open):
        orders = RULES.players["random"](asked, chooser)
    return write.play(found, key, orders, claim=claim)


def lay(folder: Path, numbers: Sequence[int]) -> None:
    """Write the files of these games."""
    for number in numbers:
        (folder / f"{number:06}.yaml").write_bytes(document_bytes(None, "", game(number).entries))


def club(folder: Path, number: int) -> None:
    """Make a club with this many games, on all cores."""
    folder.mkdir()
    parts = [range(first, min(first + 50, number)) for first in range(0, number, 50)]
    with ProcessPoolExecutor() as pool:
        list(pool.map(partial(lay, folder), parts))


@dataclass(frozen=True)
class Cost:
    """The cost of a run: wall-clock seconds, processor seconds including workers, and peak memory in MB."""

    wall: float
    processor: float
    memory: float


def ran(arguments: list[str], surroundings: dict[str, str]) -> Cost:
    """Run a Python program to its end."""
    begun = time.perf_counter()
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, *arguments],
        surroundings,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, usage = os.wait4(process, 0)
    assert status == 0
    return Cost(time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def figures(numbers: Sequence[int]) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    for number in numbers:
        with TemporaryDirectory() as place:
            club(Path(place) / "games", number)
            yield from _figures(Path(place), number)


def _figures(place: Path, number: int) -> Iterator[Figure]:
    costs: dict[str, list[Cost]] = {}
    for turn in range(ROUNDS if number < 10_000 else 1):
        for name, cost in _runs(place, turn):
            costs.setdefault(name, []).append(cost)
    for name, some in costs.items():
        yield Figure(f"{number:,} games, {name}, s", f"{median(one.wall for one in some):.2f}")
    wall = {name: median(one.wall for one in some) for name, some in costs.items()}
    work = {name: median(one.processor for one in some) for name, some in costs.items()}
    one, two = "one worker", "two workers"
    yield Figure("games a second, one worker", f"{number / wall[one]:.1f}")
    yield Figure("one worker / bare loop, processor time", f"{work[one] / work['bare loop']:.2f}", "<= 1.1")
    yield Figure("two workers / one worker, processor time", f"{work[two] / work[one]:.2f}", "<= 1.08")
    yield Figure("one worker / two workers, on the wall", f"{wall[one] / wall[two]:.2f}", ">= 1.85")
    yield Figure("memory of one worker, MB", f"{max(each.memory for each in costs[one]):.0f}", "<= 300")


def _runs(place: Path, turn: int) -> Iterator[tuple[str, Cost]]:
    """One round: the bare loop, one worker, the same again, and two workers, each with its own home."""
    folder = str(place / "games")
    for name, workers in (("one worker", 1), ("two workers", 2)):
        surroundings = environment(place / f"{name} {turn}", place / "bytecode")
        surroundings["PYTHONPATH"] = str(ROOT)
        command = ["-m", "pbem", "club", folder, "--workers", str(workers), "--out", str(place / "out")]
        if workers == 1:
            yield "bare loop", ran(["-c", BARE, folder], surroundings)
        yield name, ran(command, surroundings)
        if workers == 1:
            yield "second run", ran(command, surroundings)


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:] if one != "--quick"]
    report(figures([20] if "--quick" in sys.argv else numbers or [100]))
