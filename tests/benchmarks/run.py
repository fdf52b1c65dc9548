"""Benchmarks: how fast, how large, how many mails. docs/BENCHMARKS.md explains each figure.

    cd tests && python -m benchmarks.run [--quick]        Stand at Mortain
    cd tests && python -m benchmarks.rommel [--quick]     Rommel y Montgomery

Rivals are run in turn, round by round, and compared within this one run. Times are processor time, which
other programs disturb less than wall-clock time, and medians of the rounds.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from random import Random
from statistics import median
from subprocess import DEVNULL, run
from tempfile import TemporaryDirectory
from typing import TypeAlias

import chess
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.core.requests import Ask, Orders
from pbem.core.run import Position, Run
from pbem.format.document import document_bytes
from pbem.games.mortain import RULES
from pbem.player.local_player import LocalPlayer
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.simulator import (
    KEYS,
    accept_game,
    is_over,
    mailed_file,
    offer_game,
    play_until,
    practice_chooser,
)

ROOT = Path(__file__).parents[2]
MINIMAL = ROOT / "tests" / "independent" / "minimal_verifier.py"
Record: TypeAlias = list[Orders | int]
"""The answers of a game in order: orders, and numbers for chance."""

BARE_IMPORTS = "import yaml, cryptography.hazmat.primitives.asymmetric.ed25519"
COMPLETION = {"_PBEM_COMPLETE": "complete_bash", "COMP_WORDS": "pbem ve", "COMP_CWORD": "1"}
"""What bash sends when a player types `pbem ve` and presses Tab."""


@dataclass(frozen=True)
class Effort:
    """The amount of work: rounds of each comparison, games, and the entries of the longest file."""

    rounds: int
    games: int
    random_games: int
    entries: int


FULL = Effort(rounds=21, games=12, random_games=200, entries=500)
QUICK = Effort(rounds=1, games=1, random_games=3, entries=100)


@dataclass(frozen=True)
class Figure:
    """One line of the table: what was measured, the result, and the aim, if there is one."""

    what: str
    found: str
    aim: str = ""


def figures(effort: Effort) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    games = [_sensible_game(number) for number in range(effort.games)]
    for measure in (_commands, _rules, _growth):
        yield from measure(effort, games)
    yield from _mails(games)


def report(found: Iterator[Figure]) -> list[Figure]:
    """Print the table, each figure as soon as it is measured. Returns them all."""
    sys.stdout.write(f"{'':56}{'found':>12}{'aim':>10}\n")
    shown = []
    for figure in found:
        shown.append(figure)
        sys.stdout.write(f"{figure.what:56}{figure.found:>12}{figure.aim:>10}\n")
        sys.stdout.flush()
    return shown


def _commands(effort: Effort, games: Sequence[Game]) -> Iterator[Figure]:
    """Whole commands compared with the minimum that any program with these libraries has to do."""
    game = games[0]
    with TemporaryDirectory() as folder:
        home, finished, open_file = (Path(folder) / name for name in ("home", "finished.yaml", "open.yaml"))
        finished.write_bytes(mailed_file(game))
        lay_out(home, open_file, game)
        rivals = {
            "pbem --help": ["-m", "pbem", "--help"],
            "import typer": ["-c", "import typer"],
            "pbem verify": ["-m", "pbem", "verify", str(finished)],
            "minimal verifier": [str(MINIMAL), str(finished)],
            "pbem show": ["-m", "pbem", "show", str(open_file)],
            "bare imports": ["-c", BARE_IMPORTS],
        }
        surroundings = environment(home, Path(folder) / "bytecode")
        runs = {name: command(arguments, surroundings) for name, arguments in rivals.items()}
        runs["completion of 'pbem ve'"] = command(["-m", "pbem"], {**surroundings, **COMPLETION})
        found = in_turn(runs, effort.rounds)
    for name, seconds in found.items():
        yield Figure(f"{name}, ms", f"{1000 * seconds:.0f}")
    for name in ("pbem --help", "completion of 'pbem ve'"):
        yield Figure(f"{name} / import typer", f"{found[name] / found['import typer']:.2f}", "<= 1.25")
    entries = f"{len(game.entries)} entries"
    verify = found["pbem verify"] / found["minimal verifier"]
    yield Figure(f"pbem verify / minimal verifier, {entries}", f"{verify:.2f}", "<= 1.6")
    show = found["pbem show"] / found["bare imports"]
    yield Figure("pbem show / bare imports", f"{show:.2f}", "<= 3.5")


def _rules(effort: Effort, games: Sequence[Game]) -> Iterator[Figure]:
    """The rules only, without file, signatures or shares, compared with random play by python-chess.

    Random games are played, and replayed as recorded; a decision is compared with a ply.
    """
    seeds = range(1, 1 + max(1, effort.random_games // 20))
    records = [_random_game(seed) for seed in seeds]
    decisions = [answer for record in records for answer in record if isinstance(answer, list)]
    plies = sum(map(_chess_game, seeds))
    rivals: dict[str, Callable[[], object]] = {
        "adjudicated": lambda: _replay(records),
        "played": lambda: [_random_game(seed) for seed in seeds],
        "chess": lambda: [_chess_game(seed) for seed in seeds],
    }
    found = in_turn({name: timed(work) for name, work in rivals.items()}, effort.rounds)
    chess_plies = plies / found["chess"]
    yield Figure("python-chess, random plies per second", f"{chess_plies:,.0f}")
    for name, aim in (("adjudicated", 1.0), ("played", 0.5)):
        each = len(decisions) / found[name]
        yield Figure(f"decisions {name} per second", f"{each:,.0f}")
        yield Figure(f"decisions {name} / plies of python-chess", f"{each / chess_plies:.2f}", f">= {aim}")
    yield Figure("decisions in a random game", f"{len(decisions) / len(records):.0f}")
    yield Figure("orders in a decision", f"{sum(map(len, decisions)) / len(decisions):.1f}")


def _growth(effort: Effort, games: Sequence[Game]) -> Iterator[Figure]:
    """Checking and replaying a short and a long log in this process: the cost per entry in each."""
    options = {**RULES.editions["it"], "turns": 40}
    begun = accept_game(offer_game(options=options))
    tries = (_long(begun, seed, effort.entries) for seed in count(1))
    long = next(game for game in tries if len(game.entries) >= effort.entries)
    few, many = effort.entries // 10, effort.entries
    files = {n: document_bytes(None, "", long.entries[:n]) for n in (few, many)}

    def opener(n: int) -> Callable[[], float]:
        return lambda: processor_time(lambda: open_game(files[n]))

    found = in_turn({str(n): opener(n) for n in files}, effort.rounds)
    each = {n: found[str(n)] / n for n in files}
    yield Figure(f"verify in process, us per entry of {few}", f"{1e6 * each[few]:.0f}")
    yield Figure(f"verify in process, us per entry of {many}", f"{1e6 * each[many]:.0f}")
    yield Figure(f"an entry of {many} / one of {few}", f"{each[many] / each[few]:.2f}", "<= 1")


def _long(begun: Game, seed: int, entries: int) -> Game:
    """A random game with this many entries, or to its end if that comes sooner."""
    return play_until(
        begun, practice_chooser(seed), lambda game: is_over(game) or len(game.entries) >= entries
    )


def _mails(games: Sequence[Game]) -> Iterator[Figure]:
    """The cost of a finished game: bytes and mails, between two sensible computer players."""
    entries = sum(len(game.entries) for game in games)
    yield Figure("bytes per entry", f"{sum(len(mailed_file(game)) for game in games) / entries:.0f}")
    mails = [len(list(groupby(entry.body.by for entry in game.entries))) for game in games]
    decisions = sum("orders" in entry.raw for game in games for entry in game.entries)
    yield Figure(f"mails per finished game, median of {len(games)}", f"{median(mails):.0f}")
    yield Figure("decisions per mail", f"{decisions / sum(mails):.2f}")


def in_turn(rivals: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of each rival's times: one round to warm up, then all in turn."""
    for measured in rivals.values():
        measured()
    times = [{name: measured() for name, measured in rivals.items()} for _ in range(rounds)]
    return {name: median(one[name] for one in times) for name in rivals}


def command(
    arguments: list[str], environment: dict[str, str], tree: Path = ROOT, folder: Path | None = None
) -> Callable[[], float]:
    """A function that runs a Python program to its end and returns the processor time it took.

    The program runs in this tree or another, or in a `folder`, to which it writes; `environment` then says
    where its packages are.
    """
    from resource import RUSAGE_CHILDREN, getrusage  # imported here: Windows lacks it

    def measured() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        run([python_of(tree), *arguments], cwd=folder or tree, env=environment, stdout=DEVNULL, check=True)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return measured


def python_of(tree: Path) -> str:
    """The Python that runs a tree: that of another tree's own `.venv` if it has one, else this one."""
    own = tree / ".venv" / "bin" / "python"
    return str(own) if tree != ROOT and own.exists() else sys.executable


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """A function that returns the processor time of some work, measured at each call."""
    return lambda: processor_time(work)


def processor_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def environment(home: Path, bytecode: Path) -> dict[str, str]:
    """A player's computer: their own home, and modules compiled once, as an installed program's are."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PBEM_HOME": str(home), "PYTHONPYCACHEPREFIX": str(bytecode)}


def lay_out(home: Path, file: Path, game: Game) -> None:
    """Give the German player a game half-way through, in which they write next."""
    half = next(n for n in range(len(game.entries) // 2, 2, -1) if game.entries[n - 1].body.by == "us")
    home.mkdir()
    key = Ed25519PrivateKey.from_private_bytes(KEYS["german"].seed)
    text = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    (home / "key").write_bytes(text)
    (home / "key").chmod(0o600)
    data = document_bytes(None, "", game.entries[:half])
    file.write_bytes(data)
    LocalPlayer(home).record(open_game(data), data, new=True)


def _sensible_game(number: int) -> Game:
    """A whole game between two sensible players, in one edition after the other."""
    edition = list(RULES.editions)[number % len(RULES.editions)]
    begun = accept_game(offer_game(options=dict(RULES.editions[edition]), label=f"game {number}"))
    return play_until(begun, practice_chooser(number, "sensible"), is_over)


def _random_game(seed: int) -> Record:
    """A whole game of the rules only, with random orders and cards: every answer in order."""
    chooser = Random(seed)
    game = _begun()
    record: Record = []
    while game.pending is not None:
        if isinstance(game.pending, Ask):
            orders = RULES.players["random"](game.pending, chooser)
            record.append(orders)
            game.answer(orders)
        else:
            number = chooser.getrandbits(256)
            record.append(number)
            game.decide(number)
    return record


def _chess_game(seed: int) -> int:
    """A random game of chess. Returns the number of plies."""
    chooser, board = Random(seed), chess.Board()
    while not board.is_game_over():
        board.push(chooser.choice(list(board.legal_moves)))
    return board.ply()


def _replay(records: Sequence[Record]) -> None:
    """Play random games to their ends as recorded."""
    for record in records:
        adjudicate(_begun(), record)


def adjudicate(game: Run, record: Record) -> None:
    """Play a game to its end with the answers of another."""
    for answer in record:
        if isinstance(answer, list):
            game.answer(answer)
        else:
            game.decide(answer)


def _begun() -> Run:
    return Run(RULES, Position(RULES.begin(RULES.editions["it"], RULES.scenarios.data("mortain"))))


if __name__ == "__main__":
    report(figures(QUICK if "--quick" in sys.argv[1:] else FULL))
