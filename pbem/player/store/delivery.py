"""The fate of a game's mails, as the outbox notes it (`correspondence/outbox.py`).

A mail that a server refused in our own session has not gone: until it has, the opponent owes nothing, and the
situation says so. A report that a mail came back may be forged, and is told where mails are told of.
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
    """The fate of a mail, if it has one."""

    RETURNED = "returned"
    SENT = "sent"
    REFUSED = "refused"


class Posted(Struct, frozen=True):
    """The outbox in the folder `home`. `game` is the id of entry 0, `head` that of the last entry mailed.

    Of a mail that was mailed more than once, the newest copy counts where none is named.
    """

    home: Path

    def has(self, game: str) -> bool:
        """Whether any mail of a game is kept."""
        return (self.home / "outbox" / game).is_dir()

    def copies(self, game: str, head: str) -> int:
        """The number of copies of a mail that are kept."""
        return next(n for n in count() if not self._path(game, head, n + 1, "eml").exists())

    def fate(self, game: str, head: str) -> Fate | None:
        """The fate of the mail; None as long as no server has taken or refused it."""
        copy = self.copies(game, head)
        return next((fate for fate in Fate if self._path(game, head, copy, fate.value).exists()), None)

    def sent_at(self, game: str, head: str) -> datetime | None:
        """The time when a server last took a copy of the mail, even if it came back; None where none has."""
        for copy in range(self.copies(game, head), 0, -1):
            noted = read_if_there(path := self._path(game, head, copy, Fate.SENT.value))
            if noted is not None:
                try:
                    return datetime.fromisoformat(noted.decode("ascii").strip())
                except ValueError:  # of an older pbem, which noted nothing
                    return datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return None

    def _path(self, game: str, head: str, copy: int, kind: str) -> Path:
        again = f".{copy}" if copy > 1 else ""
        return self.home / "outbox" / game / f"{head}{again}.{kind}"


def was_refused(home: Path, game: str, head: str) -> bool:
    """Whether a server refuses the mail that tells of entry `head`, the last of a game, both by their ids."""
    posted = Posted(home)
    return posted.has(game) and posted.fate(game, head) is Fate.REFUSED


def refused() -> str:
    """The statement that a server refuses the player's newest mail."""
    return tr("A server refused your mail: he has not got it.")


def refusal(name: str) -> str:
    """That statement, and the command that mails it once more; `name` is the game as one types it."""
    return f"{refused()} {tr('Type: {command}', command=f'pbem mail send {name}')}"
