"""A finished game as it would have been mailed, each mail with the part of the log that its reader lacked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.correspondence.contacts import Contact
from pbem.correspondence.outbox import entries_by_mail
from pbem.correspondence.send import add_words, mail_without_words
from pbem.mail.outgoing import Address, OutgoingMail
from pbem.player.local_player import LocalPlayer
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.simulator import file_of, log_of

FIRST = 4
"""The first mail for which this is known: those before it bring the whole game."""

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)


def mails_of_game(file: Path, numbers: Collection[int] = ()) -> Iterator[tuple[Game, OutgoingMail]]:
    """The mails of a game from the fourth on, or those with some numbers, and the game at that time."""
    game = open_game(file.read_bytes())
    log = log_of(game)
    for number, last in enumerate(accumulate(map(len, entries_by_mail(game))), start=1):
        if number >= FIRST and (not numbers or number in numbers):
            state = open_game(file_of(log[:last]))
            yield state, _mail_of_newest(state)


def _mail_of_newest(game: Game) -> OutgoingMail:
    """The mail with a game's newest entries."""
    writer = game.replayed_entries[-1].entry.body.by
    reader = game.state.opponent(writer)
    contact = Contact(reader, "", f"{reader}@example.org", confirmed=True)
    sender = Address(f"{writer}@example.org", game.seats[writer].name)
    with TemporaryDirectory() as home:
        return add_words(
            game, mail_without_words(LocalPlayer(Path(home)), sender, game, contact, NOW, whole=False)
        )
