"""The outbox: every mail as it leaves, saved before it is sent, so that it can be sent again as it was.

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
from pathlib import Path

from pbem.base.files import lock_folder, make_folder, read_regular, write_atomically
from pbem.errors import MailError
from pbem.player.store.delivery import Fate, SentMails
from pbem.texts import Texts

tr = Texts("pbem")


class Outbox(SentMails, frozen=True):
    """The outbox of a home, with what writes to it."""

    def save(self, game: str, head: str, data: bytes, copy: int = 1) -> bytes:
        """Save a copy of the mail and return it; if that copy exists, return it, whatever `data` is.

        Raises `ShelfError` where it cannot be written, `MailError` where it cannot be read.
        """
        path = self._path(game, head, copy, "eml")
        make_folder(path.parent)
        with lock_folder(self.home / "outbox"):
            if path.exists():
                return _read(path)
            write_atomically(path, data, private=True)
        return data

    def read(self, game: str, head: str) -> bytes | None:
        """The newest copy of the mail, if there is one."""
        copies = self.count_copies(game, head)
        return _read(self._path(game, head, copies, "eml")) if copies else None

    def find(self, game: str, head: str, copy: int) -> tuple[str, str, bytes] | None:
        """The ids of game and last entry that begin with these, and the mail, if that copy exists."""
        for path in (self.home / "outbox").glob(f"{game}*/{head}*.eml"):
            whole = path.parent.name, path.name.partition(".")[0]
            if path == self._path(*whole, copy, "eml"):
                return *whole, _read(path)
        return None

    def is_settled(self, game: str, head: str) -> bool:
        """Whether a server has taken the mail, or never will; a bounce is not considered."""
        copy = self.count_copies(game, head)
        return any(self._path(game, head, copy, fate.value).exists() for fate in (Fate.SENT, Fate.REFUSED))

    def save_fate(self, game: str, head: str, fate: Fate, words: str = "", *, copy: int = 0) -> None:
        """Save the fate of the mail, and the server's words; without a `copy` that of the newest."""
        copy = copy or self.count_copies(game, head)
        content = f"{words}\n".encode() if words else b""
        write_atomically(self._path(game, head, copy, fate.value), content, private=True)

    def clear_refusal(self, game: str, head: str) -> None:
        """Delete the record that a server refuses the mail, because the player wants to try again."""
        self._path(game, head, self.count_copies(game, head), Fate.REFUSED.value).unlink(missing_ok=True)

    def delete(self, game: str, heads: Iterable[str]) -> None:
        """Delete the mails of entries that were undone before any of them had left."""
        for head in heads:
            for path in (self.home / "outbox" / game).glob(f"{head}.*"):
                path.unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as error:
        raise MailError(tr("cannot read {path}: {why}", path=path, why=error.strerror or error)) from None
