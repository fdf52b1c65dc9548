"""The outbox: every mail as it leaves, kept before it is sent, so that it can be sent again as it was.

    home/outbox/<id of entry 0>/<id of the last entry>.eml    the mail, byte for byte
    home/outbox/<id of entry 0>/<id of the last entry>.sent   there once a server has taken it

A crash at any point leaves either no mail, so that none has left, or the whole mail; what goes out later for
the same entries is then that very mail, with its message id, and never another.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pbem.errors import MailError
from pbem.files import locked, make_folder, write_atomically


@dataclass(frozen=True)
class Outbox:
    """The outbox in the folder `home`. `game` is the id of entry 0, `head` that of the last entry mailed."""

    home: Path

    def keep(self, game: str, head: str, data: bytes) -> bytes:
        """Keep the mail and return it; if one is there already, return that, whatever `data` says.

        Raises `ShelfError` where it cannot be written, `MailError` where it cannot be read.
        """
        path = self._path(game, head)
        make_folder(path.parent)
        with locked(self.home / "outbox"):
            kept = self.read(game, head)
            if kept is None:
                write_atomically(path, data)
        return data if kept is None else kept

    def read(self, game: str, head: str) -> bytes | None:
        """The mail that is kept, if one is."""
        path = self._path(game, head)
        try:
            return path.read_bytes() if path.exists() else None
        except OSError as error:
            raise MailError(f"cannot read {path}: {error.strerror or error}") from None

    def withdraw(self, game: str, head: str) -> None:
        """Forget a mail, because the player wants it to go to another address."""
        with locked(self.home / "outbox"):
            for path in (self._mark(game, head), self._path(game, head)):
                path.unlink(missing_ok=True)

    def mark(self, game: str, head: str) -> None:
        """Note that a server has taken the mail."""
        write_atomically(self._mark(game, head), b"")

    def sent(self, game: str, head: str) -> bool:
        """Whether a server has taken the mail."""
        return self._mark(game, head).exists()

    def _path(self, game: str, head: str) -> Path:
        return self.home / "outbox" / game / f"{head}.eml"

    def _mark(self, game: str, head: str) -> Path:
        return self._path(game, head).with_suffix(".sent")
