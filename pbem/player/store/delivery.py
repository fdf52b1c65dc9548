"""What became of the mails of a game: the fate of each that was sent, beside it in the outbox.

    home/outbox/    the mails that were sent, written by `correspondence/outbox.py`

A mail that a server refused in our own session has not gone: until it has, the opponent owes nothing, and
the status says so. A report that a mail came back may be forged, and is shown where mails are listed.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from itertools import count
from pathlib import Path

from msgspec import Struct

from pbem.base.files import read_if_there
from pbem.texts import Texts

tr = Texts("pbem")


class Fate(Enum):
    """What became of a mail."""

    RETURNED = "returned"
    SENT = "sent"
    REFUSED = "refused"


class SentMails(Struct, frozen=True):
    """The mails in the outbox of the folder `home`.

    `game` is the id of entry 0, `head` that of the last entry mailed. Of a mail that was sent more than once,
    the newest copy counts where none is named.
    """

    home: Path

    def has_mails(self, game: str) -> bool:
        """Whether any mail of a game is stored."""
        return (self.home / "outbox" / game).is_dir()

    def count_copies(self, game: str, head: str) -> int:
        """The number of copies of a mail that are stored."""
        return next(n for n in count() if not self._path(game, head, n + 1, "eml").exists())

    def fate(self, game: str, head: str) -> Fate | None:
        """The fate of the mail; None as long as no server has accepted or refused it."""
        copy = self.count_copies(game, head)
        return next((fate for fate in Fate if self._path(game, head, copy, fate.value).exists()), None)

    def sent_at(self, game: str, head: str) -> datetime | None:
        """The time when a server last accepted a copy of the mail, even if it came back; None for never."""
        for copy in range(self.count_copies(game, head), 0, -1):
            noted = read_if_there(path := self._path(game, head, copy, Fate.SENT.value))
            if noted is not None:
                try:
                    return datetime.fromisoformat(noted.decode("ascii").strip())
                except ValueError:  # by an older pbem, which wrote no time
                    return datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return None

    def _path(self, game: str, head: str, copy: int, kind: str) -> Path:
        again = f".{copy}" if copy > 1 else ""
        return self.home / "outbox" / game / f"{head}{again}.{kind}"


def is_refused(home: Path, game: str, head: str) -> bool:
    """Whether a server refused the mail with entry `head`, the last of a game; both are ids."""
    posted = SentMails(home)
    return posted.has_mails(game) and posted.fate(game, head) is Fate.REFUSED


def describe_refusal() -> str:
    """The statement that a server refused the player's newest mail."""
    return tr("A server refused your mail: he has not got it.")


def refusal_with_command(name: str) -> str:
    """That statement, with the command that mails it again; `name` is the game as typed."""
    return f"{describe_refusal()} {tr('Type: {command}', command=f'pbem mail send {name}')}"
