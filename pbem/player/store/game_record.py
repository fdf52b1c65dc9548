"""What is known at home of a game beside its log: how far the player has read it, the fate of its mails.

    home/looked.json    by the id of the game: the entry at which he looked last, and at which before that
    home/outbox/        the mails that were sent, written by `correspondence/outbox.py`

The read marker is moved by a terminal's `show`, the prompt, a board in front, or a decision that the player
signs, and by nothing else: a share that is written for him loses no news. Whoever looks twice is told the
same twice.

A mail that a server refused in our own session has not gone: until it has, the opponent owes nothing, and
the status says so. A report that a mail came back may be forged, and is shown where mails are listed.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from itertools import count
from pathlib import Path

from msgspec import Struct

from pbem.base.files import JsonStore, lock_folder, make_folder, read_if_there
from pbem.texts import Texts
from pbem.umpire.game_state import Game

tr = Texts("pbem")


class ReadMark(Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of the last entries when the player looked, this time and the time before; empty: never."""

    at: str = ""
    before: str = ""


class ReadMarker:
    """The read marks in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = JsonStore(
            home / "looked.json",
            dict[str, ReadMark],
            hint=tr("remove it: what is new is told once more then"),
        )

    def mark(self, game: str) -> ReadMark:
        """His mark in the game with this id. Raises `StorageError`."""
        return self._store.read().get(game, ReadMark())

    def save_mark(self, game: Game) -> None:
        """Save that he has looked at the game as it stands. Raises `StorageError`."""
        mark, head = self.mark(game.ids[0]), game.ids[-1]
        if mark.at == head:
            return
        make_folder(self._home)
        with lock_folder(self._home):
            self._store.save(game.ids[0], ReadMark(head, mark.at))

    def first_news(self, game: Game) -> int:
        """The number of the first entry that is news to him; where none is new, the first that was last time.

        Raises `StorageError`.
        """
        mark = self.mark(game.ids[0])
        return _number_after(game.ids, mark.before if mark.at == game.ids[-1] else mark.at)


def _number_after(ids: tuple[str, ...], entry: str) -> int:
    """The number of the entry after this one; 0 where the log does not have it, as when it was undone."""
    return ids.index(entry) + 1 if entry in ids else 0


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
