"""Benchmarks of the mail: the size of a mailed move, and what fetching adds to downloading the mails.

    cd tests && python -m benchmarks.mail [--quick]

Fetching is compared with imaplib downloading the same mails from the same server, in turn, in wall-clock
time, since both wait for the server. Needs Dovecot.
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
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.run import Figure, in_turn, report
from pbem.correspondence.contacts import Contact, PeerCapabilities
from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.judge_mail import judge
from pbem.correspondence.parse_incoming import read_games
from pbem.correspondence.send import save_to_outbox
from pbem.correspondence.verdict import store_game
from pbem.games.mortain import RULES
from pbem.mail.imap import Imap
from pbem.mail.outgoing import to_bytes
from pbem.mail.parse_mail import parse_mail
from pbem.mail.settings import Account
from pbem.player.local_player import LocalPlayer
from pbem.umpire.game_state import Game
from support.mail_provider import HOST, MailProvider, run_mail_provider
from support.mailed_game import mails_of_game
from support.simulator import (
    KEYS,
    accept_game,
    is_over,
    mailed_file,
    offer_game,
    play_until,
    practice_chooser,
)

EXAMPLES = Path(__file__).parents[2] / "examples"

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Effort:
    """The amount of work: games, rounds of the comparison, mails in the folder and those with a game."""

    played: int
    rounds: int
    mails: int
    games: int


FULL = Effort(played=12, rounds=5, mails=1000, games=20)
QUICK = Effort(played=1, rounds=1, mails=50, games=5)


def figures(effort: Effort) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    games = [list(_states(number)) for number in range(effort.played)]
    yield from _sizes([_mailed(states) for states in games], "parts")
    yield from _sizes([_mailed(states, whole=True) for states in games], "whole files")
    for file in sorted(EXAMPLES.glob("rommel-*.yaml")):
        yield from _reckoned(file)
    states = list(_states(0))
    mails = _mailed(states)
    with run_mail_provider("anna") as office:
        yield from _fetching(effort, office, states[1], mails)


def _states(number: int) -> Iterator[Game]:
    """A whole game between two sensible players, as in each mail; all editions in turn."""
    edition = list(RULES.editions.values())[number % len(RULES.editions)]
    offer = offer_game(options=dict(edition))
    yield offer
    game, choose = accept_game(offer), practice_chooser(number + 1, "sensible")
    while True:
        writer = game.state.writer
        game = play_until(game, choose, lambda now, writer=writer: now.state.writer != writer)  # type: ignore[misc]
        yield game
        if is_over(game):
            return


def _mailed(states: list[Game], *, whole: bool = False) -> list[bytes]:
    """The mails of a game, as two players' programs pass them to the server and read them from it."""
    with TemporaryDirectory() as folder:
        homes = {seat: LocalPlayer(Path(folder) / seat) for seat in KEYS}
        mails = []
        for game in states:
            writer = game.replayed_entries[-1].entry.body.by
            reader = next(seat for seat in homes if seat != writer)
            homes[writer].key = KEYS[writer]
            homes[writer].record(game, mailed_file(game), new=True)
            contact = Contact(reader, "", f"{reader}@example.org", confirmed=True)
            mails.append(save_to_outbox(homes[writer], None, game, contact, NOW, whole=whole))
            (verdict,) = judge(homes[reader], read_games(parse_mail(mails[-1], "mail")))
            store_game(homes[reader], verdict, new=True)
            PeerCapabilities(homes[reader].home).save_observed(verdict)
    return mails


def _sizes(games: list[list[bytes]], how: str) -> Iterator[Figure]:
    """The bytes of the mails passed to a server as a game grows: the median of several games."""
    for name, at in (("third", 2), ("middle", None), ("last", -1)):
        sizes = [len(mails[len(mails) // 2 if at is None else at]) for mails in games]
        yield Figure(f"bytes of the {name} mail, {how}", f"{median(sizes):.0f}")
    largest = max(max(map(len, mails[3:])) for mails in games)
    yield Figure(f"largest of all after the third, {how}", f"{largest}")
    number = median(len(mails) for mails in games)
    total = median(sum(map(len, mails)) for mails in games)
    yield Figure(f"bytes of all {number:.0f} mails of a game, {how}", f"{total:.0f}")


def _reckoned(file: Path) -> Iterator[Figure]:
    """The mails of an example from the fourth on, as they would have been sent."""
    drafts = [draft for _, draft in mails_of_game(file)]
    sizes = [len(to_bytes(draft)) for draft in drafts]
    mapped = [
        size for size, draft in zip(sizes, drafts, strict=True) if "<pre" in draft.html or draft.picture
    ]
    for name, size in (
        ("median of", median(sizes)),
        ("middle of", sizes[len(sizes) // 2]),
        ("last of", sizes[-1]),
        ("largest of", max(sizes)),
        ("all", sum(sizes)),
    ):
        yield Figure(f"bytes of the {name} {len(sizes)} mails of {file.stem}", f"{size:.0f}")
    yield Figure(f"bytes of the median of its {len(mapped)} with a map", f"{median(mapped):.0f}")


def _fetching(effort: Effort, office: MailProvider, begun: Game, mails: list[bytes]) -> Iterator[Figure]:
    """A folder of other mails, and among them some mails of a game that has begun."""
    for number in range(effort.mails):
        office.deliver("anna", _other(number))
    yield from _compared(effort, office, begun, f"{effort.mails} other mails")
    for mail in mails[2 : 2 + effort.games]:
        office.deliver("anna", mail)
    yield from _compared(effort, office, begun, f"and {effort.games} with a game")


def _compared(effort: Effort, office: MailProvider, begun: Game, what: str) -> Iterator[Figure]:
    found = in_turn({"fetch": lambda: _fetch(office, begun), "imaplib": lambda: _take(office)}, effort.rounds)
    yield Figure(f"fetch, {what}, ms", f"{1000 * found['fetch']:.0f}")
    yield Figure(f"imaplib alone, {what}, ms", f"{1000 * found['imaplib']:.0f}")
    yield Figure(f"fetch / imaplib alone, {what}", f"{found['fetch'] / found['imaplib']:.2f}")


def _fetch(office: MailProvider, begun: Game) -> float:
    """The seconds to fetch everything, on a computer where the game has begun."""
    account = Account(
        host=HOST,
        port=office.imap,
        security="tls",
        user="anna",
        password_command=["echo", "secret of anna"],
        ca=str(office.authority),
    )
    with TemporaryDirectory() as folder:
        player = LocalPlayer(Path(folder) / "home")
        player.key = KEYS["german"]
        player.record(begun, mailed_file(begun), new=True)
        start = time.perf_counter()
        with Imap(account, "INBOX") as box:
            for _ in fetch_mails(player, box, Path(folder)):
                pass
        return time.perf_counter() - start


def _take(office: MailProvider) -> float:
    """The seconds imaplib takes to download every mail of the folder, and do nothing with it."""
    start = time.perf_counter()
    trusting = ssl.create_default_context(cafile=office.authority)
    with imaplib.IMAP4_SSL(HOST, office.imap, ssl_context=trusting) as server:
        server.login("anna", "secret of anna")
        server.select("INBOX", readonly=True)
        server.uid("FETCH", "1:*", "(UID BODY.PEEK[])")
    return time.perf_counter() - start


def _other(number: int) -> bytes:
    """A mail of about 4 kB on another subject."""
    message = EmailMessage()
    message["From"], message["To"] = "carla@example.org", "anna@example.org"
    message["Subject"] = f"holidays {number}"
    message.set_content("We have arrived, and the weather is good.\n" * 90)
    return message.as_bytes()


if __name__ == "__main__":
    report(figures(QUICK if "--quick" in sys.argv[1:] else FULL))
