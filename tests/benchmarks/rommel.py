"""Benchmarks of Rommel y Montgomery: as for Mortain, and the mails of a turn. See `run`.

cd tests && python -m benchmarks.rommel [--quick]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.run import (
    FULL,
    MINIMAL,
    QUICK,
    Effort,
    Figure,
    Record,
    adjudicate,
    command,
    environment,
    in_turn,
    processor_time,
    report,
)
from pbem.core.requests import Ask, Orders
from pbem.core.run import Position, Run
from pbem.core.sealing import Open, Seal
from pbem.format.document import document_bytes
from pbem.format.entries import Accept, Play
from pbem.format.keys import PrivateKey
from pbem.games.rommel import RULES
from pbem.player.store.game_file import board_text, status_fields
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game, ReplayedEntry
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms
from support.playout import seal_of, signed_orders
from support.simulator import entropy

KEYS = {seat: PrivateKey(sha256(f"benchmark {seat}".encode()).digest()) for seat in RULES.seats}


def figures(effort: Effort) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    games = [finished(number) for number in range(max(1, effort.games // 2))]
    yield from _commands(effort, games[0])
    yield from _rules(effort)
    yield from _growth(effort, games[0])
    yield from _mails(games)


def finished(number: int) -> Game:
    """A whole game between two sensible players."""
    terms = Terms(RULES, dict(RULES.editions["nac"]), RULES.scenarios.names[0])
    first, second = (Person(seat, KEYS[seat]) for seat in RULES.seats)
    game = write.offer(first, first.name, terms, entropy(f"first {number}"))
    game = write.accept(game, second, entropy(f"second {number}"))
    chooser = Random(number)
    while not game.state.ending:
        seat = game.state.writer
        assert seat is not None
        asked = permissions.unlock_state(game, KEYS[seat]).pending_question
        mine = asked is not None and asked.seat == seat and not isinstance(asked, Open)
        orders = RULES.players["sensible"](asked, chooser) if asked and mine else None
        game = write.play(game, KEYS[seat], orders, entropy=entropy(f"{number} {len(game.entries)}"))
    return game


def _commands(effort: Effort, game: Game) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "finished.yaml"
        file.write_bytes(write.to_bytes(game, {}, ""))
        surroundings = environment(Path(folder) / "home", Path(folder) / "bytecode")
        rivals = {
            "pbem verify": ["-m", "pbem", "verify", str(file)],
            "minimal verifier": [str(MINIMAL), str(file)],
        }
        runs = {name: command(arguments, surroundings) for name, arguments in rivals.items()}
        found = in_turn(runs, effort.rounds)
    for name, seconds in found.items():
        yield Figure(f"{name}, ms", f"{1000 * seconds:.0f}")
    ratio = found["pbem verify"] / found["minimal verifier"]
    yield Figure(f"pbem verify / minimal verifier, {len(game.entries)} entries", f"{ratio:.2f}", "<= 2.2")


def _rules(effort: Effort) -> Iterator[Figure]:
    """The rules only: random games played, and replayed as recorded."""
    start = time.process_time()
    records = [_random_game(seed) for seed in range(max(1, effort.random_games // 10))]
    played = time.process_time()
    for record in records:
        adjudicate(_begun(), record)
    replayed = time.process_time()
    yield Figure("random games played, per second", f"{len(records) / (played - start):.1f}")
    yield Figure("random games adjudicated, per second", f"{len(records) / (replayed - played):.1f}")
    orders = sum(isinstance(answer, list) for record in records for answer in record)
    yield Figure("decisions in a random game", f"{orders / len(records):.0f}")


def _growth(effort: Effort, game: Game) -> Iterator[Figure]:
    """Checking a short and a long part of one log in this process: the cost per entry in each."""
    few, many = len(game.entries) // 4, len(game.entries)
    files = {n: document_bytes(None, "", game.entries[:n]) for n in (few, many)}

    def opener(n: int) -> Callable[[], float]:
        return lambda: processor_time(lambda: open_game(files[n]))

    found = in_turn({str(n): opener(n) for n in files}, effort.rounds)
    each = {n: found[str(n)] / n for n in files}
    yield Figure(f"verify in process, us per entry of {few}", f"{1e6 * each[few]:.0f}")
    yield Figure(f"verify in process, us per entry of {many}", f"{1e6 * each[many]:.0f}")


def _mails(games: Sequence[Game]) -> Iterator[Figure]:
    """The cost of a game: bytes, and mails with and without a decision."""
    entries = sum(len(game.entries) for game in games)
    size = sum(len(write.to_bytes(game, status_fields(game), board_text(game))) for game in games)
    yield Figure("bytes per entry, map and all", f"{size / entries:.0f}")
    deciding = [[_decides(mail) for mail in _letters(game)] for game in games]
    turns = sum(game.state.run.state.turn for game in games)
    with_decision = sum(map(sum, deciding))
    yield Figure(f"mails per finished game, median of {len(games)}", f"{median(map(len, deciding)):.0f}")
    yield Figure("mails with a decision, per turn", f"{with_decision / turns:.1f}", "<= 12")
    yield Figure("mails without, per turn", f"{(sum(map(len, deciding)) - with_decision) / turns:.1f}")
    yield Figure("mails with a decision, most in a turn", f"{max(map(_busiest, games))}", "<= 12")


def _letters(game: Game) -> list[list[ReplayedEntry]]:
    """The mails of a game: what one seat writes before the other writes again."""
    return [list(mail) for _, mail in groupby(game.replayed_entries, lambda one: one.entry.body.by)]


def _decides(mail: Sequence[ReplayedEntry]) -> bool:
    """Whether a mail has orders that somebody decided; an opening was decided earlier."""
    orders = [one.entry.body.orders for one in mail if isinstance(one.entry.body, (Accept, Play))]
    return any("open" not in order for one in orders for order in one or ())


def _busiest(game: Game) -> int:
    """The most mails with a decision in one turn, which begins with its weather."""
    counts = [0]
    for mail in _letters(game):
        if any(tell.event == "weather" for one in mail for tell in one.events):
            counts.append(0)
        counts[-1] += _decides(mail)
    return max(counts[1:])


def _random_game(seed: int) -> Record:
    """A whole game of the rules only, with random orders and dice: every answer in order."""
    chooser = Random(seed)
    game = _begun()
    record: Record = []
    sealed: dict[str, Orders] = {}
    while game.pending is not None:
        if isinstance(game.pending, Ask):
            ask = game.pending
            orders = sealed[ask.seal] if isinstance(ask, Open) else RULES.players["random"](ask, chooser)
            if isinstance(ask, Seal):
                sealed[seal_of(orders)] = orders
            answer = signed_orders(ask, orders)
            record.append(answer)
            game.answer(answer)
        else:
            number = chooser.getrandbits(256)
            record.append(number)
            game.decide(number)
    return record


def _begun() -> Run:
    return Run(RULES, Position(RULES.begin(RULES.editions["nac"], RULES.scenarios.data("alamein"))))


if __name__ == "__main__":
    report(figures(QUICK if "--quick" in sys.argv[1:] else FULL))
