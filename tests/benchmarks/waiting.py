"""Benchmark of the waits of a player, and of a club's director: the last release beside this tree, in one
run.

    cd tests && python -m benchmarks.waiting [--quick]

It takes some minutes on an idle machine. The last release is taken from git, and comes first. Ratios are of
processor time; work limited by the clock is given in wall-clock seconds. Needs Linux, to measure memory.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path
from random import Random
from statistics import median
from subprocess import DEVNULL, run
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from benchmarks import club, players
from benchmarks.run import ROOT, Figure, command, environment, in_turn, python_of, report
from mail.test_mail_outline import private_mails
from pbem.format.document import document_bytes
from pbem.games.mortain import RULES
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Terms
from released.test_previous_program import BEFORE
from support.programs import unpack_program
from support.simulator import SHORT, entropy, file_of, log_of

EXAMPLES = ROOT / "examples"
BEGUN = 21
"""The entries of a game of Rommel that has only begun."""

KNOWN = 8
"""The least entries of each game that are known before a mail brings more."""


class Effort(NamedTuple):
    """The amount of work: rounds, games in a mailbox and its mails, games of a small and of a large club."""

    rounds: int
    games: int
    mails: int
    club: int
    large_club: int
    player_games: int


FULL = Effort(rounds=7, games=50, mails=10_000, club=1_000, large_club=10_000, player_games=8)
QUICK = Effort(rounds=1, games=2, mails=20, club=20, large_club=30, player_games=1)


def figures(effort: Effort, before: Path) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    trees = [before, ROOT]
    for measure in (_page, _report, _hint, _fetch, _club):
        with TemporaryDirectory() as folder:
            yield from measure(effort, trees, Path(folder))


def _both(amounts: Sequence[float], form: str) -> str:
    return ", ".join(format(amount, form) for amount in amounts)


def _page(effort: Effort, trees: list[Path], folder: Path) -> Iterator[Figure]:
    """The page of a finished game of Rommel, compared with its log."""
    file = str(EXAMPLES / "rommel-axis-wins.yaml")
    surroundings = environment(folder / "home", folder / "bytecode")
    runs = {
        f"{name} {place}": command(["-m", "pbem", name, file, *more], surroundings, tree)
        for place, tree in enumerate(trees)
        for name, more in (("page", ["-o", str(folder / "page.html")]), ("log", []))
    }
    found = in_turn(runs, effort.rounds)
    ratios = [found[f"page {place}"] / found[f"log {place}"] for place in range(len(trees))]
    yield Figure("pbem page / pbem log, Rommel", _both(ratios, ".2f"), "<= 2.5")


def _report(_effort: Effort, _trees: list[Path], folder: Path) -> Iterator[Figure]:
    """A report on a game of Rommel that has begun, in wall-clock time, on all cores; in this tree only."""
    file = folder / "begun.yaml"
    file.write_bytes(file_of(log_of(open_game((EXAMPLES / "rommel-axis-wins.yaml").read_bytes()))[:BEGUN]))
    begun = time.perf_counter()
    arguments = [sys.executable, "-m", "pbem", "report", str(file)]
    surroundings = environment(folder / "home", folder / "bytecode")
    run(arguments, cwd=ROOT, env=surroundings, stdout=DEVNULL, stderr=DEVNULL, check=True)
    seconds = time.perf_counter() - begun
    yield Figure(f"pbem report, Rommel after {BEGUN} entries, s", f"{seconds:.0f}", "<= 20")


def _hint(effort: Effort, _trees: list[Path], _folder: Path) -> Iterator[Figure]:
    """The slowest answer of the strong player, which `pbem hint` uses; in this tree only."""
    wanted = (f"{game}, strong: the slowest answer, ms" for game in ("mortain", "rommel"))
    found = {one.what: one.found for one in players.figures(effort.player_games)}
    for what in wanted:
        yield Figure(what, found[what], "<= 300")


def _fetch(effort: Effort, trees: list[Path], folder: Path) -> Iterator[Figure]:
    """Games that continue, among many other mails."""
    maildir = folder / "Maildir"
    for name in ("cur", "new", "tmp"):
        (maildir / name).mkdir(parents=True)
    games = [_game(number) for number in range(effort.games)]
    _fill(maildir, games, effort.mails)
    runs: dict[str, Callable[[], float]] = {}
    for place, tree in enumerate(trees):
        home = folder / f"home {place}"
        _lay_out(home, games, tree, maildir, folder / "bytecode")
        runs[str(place)] = _fetching(home, folder / f"copy {place}", folder / "bytecode", tree)
    found = in_turn(runs, effort.rounds)
    what = f"pbem mail fetch, {effort.games} games among {effort.mails:,} mails, s"
    yield Figure(what, _both([found[str(place)] for place in range(len(trees))], ".2f"), "<= 2")


def _fetching(home: Path, copy: Path, bytecode: Path, tree: Path) -> Callable[[], float]:
    """Fetch into a copy of a home. Returns the processor time."""
    surroundings = environment(copy, bytecode) | {"PYTHONPATH": str(tree)}
    fetch = command(["-m", "pbem", "mail", "fetch"], surroundings, tree, folder=copy)

    def fetched() -> float:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy)
        return fetch()

    return fetched


def _game(number: int) -> Game:
    """A game of the reader, the German player, in which the opponent wrote last."""
    reader, other = club.person(0), club.person(1 + number)
    claim, terms = Claim(at="2027-01-01T12:00:00Z"), Terms(RULES, dict(SHORT), "mortain")
    found = write.offer(reader, "german", terms, entropy(f"{number} german"), claim=claim)
    found = write.accept(found, other, entropy(f"{number} us"), claim=claim)
    keys, chooser = {"german": reader.key, "us": other.key}, Random(number)
    while len(found.entries) <= KNOWN or found.entries[-1].body.by != "us":
        assert found.state.writer is not None
        found = club.played_on(found, keys[found.state.writer], chooser, claim)
    return found


def _lay_out(home: Path, games: Sequence[Game], tree: Path, maildir: Path, bytecode: Path) -> None:
    """Give a home the games without the opponent's last entries, using that tree's pbem."""
    home.mkdir()
    key = Ed25519PrivateKey.from_private_bytes(club.person(0).key.seed)
    (home / "key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    (home / "key").chmod(0o600)
    (home / "config.yaml").write_text(f"mail: {{address: anna@example.org, maildir: '{maildir}'}}\n")
    for game in games:
        known = max(n for n, entry in enumerate(game.entries) if entry.body.by == "german")
        file = home.parent / "known.yaml"
        file.write_bytes(document_bytes(None, "", game.entries[: known + 1]))
        arguments = [python_of(tree), "-m", "pbem", "show", str(file)]
        run(
            arguments,
            cwd=tree,
            env=environment(home, bytecode),
            stdout=DEVNULL,
            stderr=DEVNULL,
            check=True,
        )


def _fill(maildir: Path, games: Sequence[Game], number: int) -> None:
    """Put this many mails into a Maildir, the games among them."""
    others = [bytes(mail) for mail in private_mails()]
    letters = {(place + 1) * number // (len(games) + 1): game for place, game in enumerate(games)}
    for place in range(number):
        data = bytes(_letter(letters[place])) if place in letters else others[place % len(others)]
        (maildir / "cur" / f"{1_700_000_000 + place}.{place}.here:2,S").write_bytes(data)


def _letter(game: Game) -> EmailMessage:
    """A mail with a game."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "bruno@example.org", "anna@example.org", "[pbem] Mortain"
    mail.set_content("Your turn.")
    data = document_bytes(None, "", game.entries)
    mail.add_attachment(data, maintype="application", subtype="yaml", filename="mortain.yaml")
    return mail


def _club(effort: Effort, trees: list[Path], folder: Path) -> Iterator[Figure]:
    """The table of a club with one worker: compared with a bare loop over its files, and its memory."""
    for number in (effort.club, effort.large_club):
        games = folder / f"{number} games"
        club.club(games, number)
        ratios, memory = [], []
        for place, tree in enumerate(trees):
            bare, whole = [], []
            for turn in range(club.ROUNDS if number == effort.club else 1):
                home = folder / f"{number} {place} {turn}"
                surroundings = environment(home, folder / "bytecode") | {"PYTHONPATH": str(tree)}
                table = ["-m", "pbem", "club", str(games), "--workers", "1", "--out", str(folder / "out")]
                bare.append(club.ran(["-c", club.BARE, str(games)], surroundings).processor)
                whole.append(club.ran(table, surroundings))
            ratios.append(median(one.processor for one in whole) / median(bare))
            memory.append(max(one.memory for one in whole))
        if number == effort.club:
            yield Figure(f"club of {number:,}, one worker / bare loop", _both(ratios, ".2f"), "<= 1.1")
        if number == effort.large_club:
            yield Figure(f"club of {number:,}, memory, MB", _both(memory, ".0f"), "<= 100")
        shutil.rmtree(games)


def main(typed: list[str]) -> None:
    """Print the table."""
    with TemporaryDirectory() as folder:
        unpack_program(Path(folder), BEFORE)
        report(figures(QUICK if "--quick" in typed else FULL, Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
