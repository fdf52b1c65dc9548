"""The outbox: every mail as it leaves, kept before it is sent, so that it can be sent again as it was.

    home/outbox/<id of entry 0>/<id of the last entry>.eml        the mail, byte for byte
    home/outbox/<id of entry 0>/<id of the last entry>.2.eml      the same entries, mailed a second time
    home/outbox/<id of entry 0>/<id of the last entry>.sent       when a server has taken the first
    home/outbox/<id of entry 0>/<id of the last entry>.refused    what a server said that will never take it
    home/outbox/<id of entry 0>/<id of the last entry>.returned   what was reported when it came back

A crash at any point leaves either no mail, so that none has left, or the whole mail; what goes out later for
the same entries is then that very mail, with its message id, until a server has taken it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import Enum
from itertools import count
from pathlib import Path

from msgspec import Struct

from pbem.errors import MailError
from pbem.files import locked, make_folder, read_if_there, write_atomically
from pbem.texts import Texts

tr = Texts("pbem")


class Fate(Enum):
    """What has become of a mail, if anything has."""

    RETURNED = "returned"
    SENT = "sent"
    REFUSED = "refused"


class Outbox(Struct, frozen=True):
    """The outbox in the folder `home`. `game` is the id of entry 0, `head` that of the last entry mailed.

    Of a mail that was mailed more than once, the newest copy counts where none is named.
    """

    home: Path

    def keep(self, game: str, head: str, data: bytes, copy: int = 1) -> bytes:
        """Keep a copy of the mail and return it; if it is there already, return that, whatever `data` says.

        Raises `ShelfError` where it cannot be written, `MailError` where it cannot be read.
        """
        path = self._path(game, head, copy, "eml")
        make_folder(path.parent)
        with locked(self.home / "outbox"):
            if path.exists():
                return _read(path)
            write_atomically(path, data, private=True)
        return data

    def has(self, game: str) -> bool:
        """Whether any mail of a game is kept."""
        return (self.home / "outbox" / game).is_dir()

    def copies(self, game: str, head: str) -> int:
        """How many copies of a mail are kept."""
        return next(n for n in count() if not self._path(game, head, n + 1, "eml").exists())

    def read(self, game: str, head: str) -> bytes | None:
        """The mail that is kept, if one is."""
        copies = self.copies(game, head)
        return _read(self._path(game, head, copies, "eml")) if copies else None

    def find(self, game: str, head: str, copy: int) -> tuple[str, str, bytes] | None:
        """The ids of game and last entry that begin so, and the mail, if that copy is kept."""
        for path in (self.home / "outbox").glob(f"{game}*/{head}*.eml"):
            whole = path.parent.name, path.name.partition(".")[0]
            if path == self._path(*whole, copy, "eml"):
                return *whole, _read(path)
        return None

    def fate(self, game: str, head: str) -> Fate | None:
        """What has become of the mail; None as long as no server has taken or refused it."""
        copy = self.copies(game, head)
        return next((fate for fate in Fate if self._path(game, head, copy, fate.value).exists()), None)

    def sent_at(self, game: str, head: str) -> datetime | None:
        """When a server last took a copy of the mail; None where none has. What comes back does not count."""
        for copy in range(self.copies(game, head), 0, -1):
            noted = read_if_there(path := self._path(game, head, copy, Fate.SENT.value))
            if noted is not None:
                try:
                    return datetime.fromisoformat(noted.decode("ascii").strip())
                except ValueError:  # of an older pbem, which noted nothing
                    return datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return None

    def is_settled(self, game: str, head: str) -> bool:
        """Whether a server has taken the mail, or never will; what comes back does not count."""
        copy = self.copies(game, head)
        return any(self._path(game, head, copy, fate.value).exists() for fate in (Fate.SENT, Fate.REFUSED))

    def note(self, game: str, head: str, fate: Fate, words: str = "", *, copy: int = 0) -> None:
        """Note what has become of the mail, and what was said."""
        copy = copy or self.copies(game, head)
        said = f"{words}\n".encode() if words else b""
        write_atomically(self._path(game, head, copy, fate.value), said, private=True)

    def reopen(self, game: str, head: str) -> None:
        """Forget that a server refuses the mail, because the player wants it to be tried again."""
        self._path(game, head, self.copies(game, head), Fate.REFUSED.value).unlink(missing_ok=True)

    def drop(self, game: str, heads: Iterable[str]) -> None:
        """Let the mails go that tell of entries which were undone before any of them had left."""
        for head in heads:
            for path in (self.home / "outbox" / game).glob(f"{head}.*"):
                path.unlink(missing_ok=True)

    def _path(self, game: str, head: str, copy: int, kind: str) -> Path:
        again = f".{copy}" if copy > 1 else ""
        return self.home / "outbox" / game / f"{head}{again}.{kind}"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MailError(tr("cannot read {path}: {why}", path=path, why=error.strerror or error)) from None
