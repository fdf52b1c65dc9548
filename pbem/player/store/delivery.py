"""Delivery of a game's mails: which copies are in the outbox, and the fate of each by the record.

    home/outbox/<id of entry 0>/<id of the last entry>.eml      a mail, written by `correspondence/outbox.py`
    home/outbox/<id of entry 0>/<id of the last entry>.2.eml    the same entries, mailed a second time

A mail that a server refused while pbem was sending it has not been sent: until it has, the opponent cannot be
late, and the status says so. A report that a mail bounced can be forged, so it is only shown where mails are
listed.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from itertools import count
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.player.store.game_record import GameRecord, MailFate
from pbem.player.store.record_store import GameRecords
from pbem.texts import Texts

tr = Texts("pbem")


class Fate(Enum):
    """What became of a mail; of several, the first listed here counts."""

    RETURNED = "returned"
    SENT = "sent"
    REFUSED = "refused"


class SentMails(Struct, frozen=True):
    """The mails in the outbox of the folder `home`.

    `game` is the id of entry 0 and `head` that of the last entry mailed. A word and a hyphen before the
    game's id mark mails of that game to somebody other than the opponent. If a mail was sent more than once,
    the newest copy counts unless one is named. Methods that read or write a fate raise `StorageError`.
    """

    home: Path

    def has_mails(self, game: str) -> bool:
        """Whether any mail of a game is stored."""
        return (self.home / "outbox" / game).is_dir()

    def count_copies(self, game: str, head: str) -> int:
        """The number of stored copies of a mail."""
        return next(n for n in count() if not self._path(game, head, n + 1).exists())

    def fate(self, game: str, head: str) -> Fate | None:
        """The fate of a mail; None as long as no server has accepted or refused it."""
        noted = self._fate_of(game, head, self.count_copies(game, head))
        return next((fate for fate in Fate if getattr(noted, fate.value) is not None), None)

    def sent_at(self, game: str, head: str) -> datetime | None:
        """The time a server last accepted a copy of the mail, even if it bounced later; None if none did."""
        for copy in range(self.count_copies(game, head), 0, -1):
            if sent := self._fate_of(game, head, copy).sent:
                return datetime.fromisoformat(sent)
        return None

    def _fate_of(self, game: str, head: str, copy: int) -> MailFate:
        record = GameRecords(self.home).read(_id_of(game))
        return record.mails.get(mail_name(game, head, copy), MailFate())

    def _change_fate(self, game: str, head: str, copy: int, fate: Fate, words: str | None) -> None:
        """Write one fate of a copy into the record; `words` None: it has not happened."""
        name = mail_name(game, head, copy)

        def with_fate(record: GameRecord) -> GameRecord:
            noted = replace(record.mails.get(name, MailFate()), **{fate.value: words})
            return replace(record, mails={**record.mails, name: noted})

        GameRecords(self.home).change(_id_of(game), with_fate)

    def _forget_fates(self, game: str, head: str) -> None:
        """Delete the fates of all copies of a mail from the record."""
        first = mail_name(game, head, 1)

        def without_fates(record: GameRecord) -> GameRecord:
            left = {name: noted for name, noted in record.mails.items() if name.partition(".")[0] != first}
            return replace(record, mails=left)

        GameRecords(self.home).change(_id_of(game), without_fates)

    def _path(self, game: str, head: str, copy: int) -> Path:
        again = f".{copy}" if copy > 1 else ""
        return self.home / "outbox" / game / f"{head}{again}.eml"


def mail_name(game: str, head: str, copy: int) -> str:
    """The name of a copy of a mail in the record of its game."""
    again = f".{copy}" if copy > 1 else ""
    return f"{game.removesuffix(_id_of(game))}{head}{again}"


def _id_of(game: str) -> str:
    """The game's id in the name of a folder of the outbox."""
    return game.rpartition("-")[2]


def is_refused(home: Path, game: str, head: str) -> bool:
    """Whether a server refused the mail whose last entry is `head`; both are ids."""
    posted = SentMails(home)
    return posted.has_mails(game) and posted.fate(game, head) is Fate.REFUSED


def describe_refusal() -> str:
    """The statement that a server refused the player's newest mail."""
    return tr("A server refused your mail, so your opponent does not have it.")


def refusal_with_command(name: str) -> str:
    """The statement of `describe_refusal`, with the command that mails it again.

    `name` is the game as typed.
    """
    return f"{describe_refusal()} {tr('Type: {command}', command=f'pbem mail send {name}')}"
