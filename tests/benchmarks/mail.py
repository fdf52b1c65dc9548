"""Benchmarks of the mail: how large a move is on its way, and what fetching adds to taking the mails.

    cd tests && python -m benchmarks.mail [--quick]

Fetching is compared with imaplib taking the same mails from the same server, in turn, by the clock on the
wall, since both wait for the server. Needs Dovecot.
"""

from __future__ import annotations

import imaplib
import ssl
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

from correspondence.servers import HOST, PostOffice, post_office
from simulator import KEYS, accepted, is_over, letter, offered, play_until, practising

from benchmarks.run import Figure, in_turn, report
from pbem.correspondence.contacts import Contact
from pbem.correspondence.fetch import fetch
from pbem.correspondence.send import prepared
from pbem.desk import Desk
from pbem.games.mortain import RULES
from pbem.mail.config import Account
from pbem.mail.imap import Imap
from pbem.umpire import Game

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Effort:
    """How much is run: rounds of the comparison, mails in the folder, and how many of them hold a game."""

    rounds: int
    mails: int
    games: int


FULL = Effort(rounds=5, mails=1000, games=20)
QUICK = Effort(rounds=1, mails=50, games=5)


def figures(effort: Effort) -> Iterator[Figure]:
    """Every figure, each as soon as it is there."""
    states = list(_states())
    with TemporaryDirectory() as folder:
        mails = [_mailed(Path(folder) / str(number), game) for number, game in enumerate(states)]
    yield from _sizes(states, mails)
    with post_office("anna") as office:
        yield from _fetching(effort, office, states[0], mails)


def _states() -> Iterator[Game]:
    """A whole game between two sensible players, as it stands in each mail."""
    game, choose = accepted(offered(options=dict(RULES.editions["it"]))), practising(1, "sensible")
    while True:
        writer = game.table.writer
        game = play_until(game, choose, lambda now, writer=writer: now.table.writer != writer)  # type: ignore[misc]
        yield game
        if is_over(game):
            return


def _mailed(home: Path, game: Game) -> bytes:
    """The mail with the newest entries of a game, as `pbem mail send` hands it to the server."""
    desk = Desk(home)
    desk.key = KEYS[game.chapters[-1].entry.body.by]
    desk.keep(game, letter(game), new=True)
    return prepared(desk, None, game, Contact("Bruno", "", "bruno@example.org", confirmed=True), NOW)


def _sizes(states: list[Game], mails: list[bytes]) -> Iterator[Figure]:
    """The bytes of a mail that a server is handed, and of the file in it, as a game grows."""
    for name, at in (("third", 2), ("middle", len(mails) // 2), ("last", -1)):
        entries = len(states[at].entries)
        file, mail = len(letter(states[at])), len(mails[at])
        yield Figure(f"bytes of the {name} mail, {entries} entries", f"{mail}")
        yield Figure(f"bytes of its game file, {entries} entries", f"{file}")
    yield Figure(f"bytes of all {len(mails)} mails of a game", f"{sum(map(len, mails))}")


def _fetching(effort: Effort, office: PostOffice, begun: Game, mails: list[bytes]) -> Iterator[Figure]:
    """A folder of mails about other things, then some mails of a game, which has begun, among them."""
    for number in range(effort.mails):
        office.deliver("anna", _other(number))
    yield from _compared(effort, office, begun, f"{effort.mails} other mails")
    for mail in mails[1 : 1 + effort.games]:
        office.deliver("anna", mail)
    yield from _compared(effort, office, begun, f"and {effort.games} with a game")


def _compared(effort: Effort, office: PostOffice, begun: Game, what: str) -> Iterator[Figure]:
    found = in_turn({"fetch": lambda: _fetch(office, begun), "imaplib": lambda: _take(office)}, effort.rounds)
    yield Figure(f"fetch, {what}, ms", f"{1000 * found['fetch']:.0f}")
    yield Figure(f"imaplib alone, {what}, ms", f"{1000 * found['imaplib']:.0f}")
    yield Figure(f"fetch / imaplib alone, {what}", f"{found['fetch'] / found['imaplib']:.2f}")


def _fetch(office: PostOffice, begun: Game) -> float:
    """The seconds it takes to fetch all, on a computer where the game has begun."""
    account = Account(
        host=HOST,
        port=office.imap,
        security="tls",
        user="anna",
        password_command=["echo", "secret of anna"],
        ca=str(office.authority),
    )
    with TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "home")
        desk.key = KEYS["german"]
        desk.keep(begun, letter(begun), new=True)
        start = time.perf_counter()
        with Imap(account, "INBOX") as box:
            for _ in fetch(desk, box, Path(folder)):
                pass
        return time.perf_counter() - start


def _take(office: PostOffice) -> float:
    """The seconds it takes imaplib to take every mail of the folder, and to do nothing with it."""
    start = time.perf_counter()
    trusting = ssl.create_default_context(cafile=office.authority)
    with imaplib.IMAP4_SSL(HOST, office.imap, ssl_context=trusting) as server:
        server.login("anna", "secret of anna")
        server.select("INBOX", readonly=True)
        server.uid("FETCH", "1:*", "(UID BODY.PEEK[])")
    return time.perf_counter() - start


def _other(number: int) -> bytes:
    """A mail of some 4 kB about something else."""
    message = EmailMessage()
    message["From"], message["To"] = "carla@example.org", "anna@example.org"
    message["Subject"] = f"holidays {number}"
    message.set_content("We have arrived, and the weather is good.\n" * 90)
    return message.as_bytes()


if __name__ == "__main__":
    report(figures(QUICK if "--quick" in sys.argv[1:] else FULL))
