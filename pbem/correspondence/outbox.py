"""A game's outgoing mails: their thread and message ids, and the outbox that stores them.

    home/outbox/<id of entry 0>/<id of the last entry>.eml      the mail, byte for byte
    home/outbox/<id of entry 0>/<id of the last entry>.2.eml    the same entries, mailed a second time

The fate of each mail is in the record of its game (`player/store/delivery.py`).

The thread follows from the log. So nothing has to be remembered, both players' programs agree, and a mail
program with threads keeps a game in one.

Every mail is saved before it is sent, so that it can be sent again unchanged. A crash leaves either no mail,
so that none was sent, or the whole mail; later attempts for the same entries then send that very mail, with
its message id, until a server accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from pbem.base.files import lock_folder, make_folder, read_regular, write_atomically
from pbem.errors import MailError, system_reason
from pbem.player.store.delivery import Fate, SentMails
from pbem.texts import Texts
from pbem.umpire.game_state import Game, ReplayedEntry

tr = Texts("pbem")


_HEAD_DIGITS, _GAME_DIGITS = 32, 16
_ID = re.compile(
    rf"<([0-9a-f]{{{_HEAD_DIGITS}}})\.([0-9a-f]{{{_GAME_DIGITS}}})(?:\.([1-9][0-9]{{0,3}}))?@pbem\.invalid>"
)
_MAX_LATEST = 2
"""The number of latest mails named in References, besides the first."""


class Thread(Struct, frozen=True):
    """The place in its thread of a game's newest mail: its number, from 1, and message ids."""

    number: int
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]


def thread(game: Game) -> Thread:
    """The thread of a game up to its newest mail."""
    ids = [message_id(game.ids[0], run[-1].entry.id) for run in entries_by_mail(game)]
    *earlier, newest = ids
    named = earlier[:1] + earlier[1:][-_MAX_LATEST:]
    return Thread(len(ids), newest, named[-1] if named else "", tuple(named))


def entries_by_mail(game: Game) -> list[Sequence[ReplayedEntry]]:
    """The entries of each mail: those one seat wrote before the other wrote again."""
    return [tuple(run) for _, run in groupby(game.replayed_entries, lambda replayed: replayed.entry.body.by)]


def last_known_entry(game: Game) -> int | None:
    """The last entry of the writer's mail before the newest, which the other seat has answered, and so has.

    A mail with everything after it repeats the reader's own last entries. So it also serves a reader's other
    computer that only sees incoming mail, and one that has lost the last move. None if there is no such
    entry.
    """
    mails = entries_by_mail(game)
    return mails[-3][-1].entry.body.n if len(mails) > 2 else None


def message_id(game: str, head: str, copy: int = 1) -> str:
    """The message id of the mail whose last entry is `head`, in the game with the id `game`.

    Each `copy` of a mail that is resent has its own: servers drop a mail whose id they have seen.
    """
    again = f".{copy}" if copy > 1 else ""
    return f"<{head[:_HEAD_DIGITS]}.{game[:_GAME_DIGITS]}{again}@pbem.invalid>"


def parse_message_id(message_id: str) -> tuple[str, str, int] | None:
    """The beginnings of the ids of game and last entry in one of our message ids, and the copy's number."""
    match = _ID.fullmatch(message_id)
    return match and (match[2], match[1], int(match[3] or 1))


def games_in_headers(headers: str) -> list[str]:
    """The beginnings of games' ids in our message ids in these headers, each once."""
    return list(dict.fromkeys(match[2] for match in _ID.finditer(headers)))


class Outbox(SentMails, frozen=True):
    """The outbox of a home, with the methods that write to it."""

    def save(self, game: str, head: str, data: bytes, copy: int = 1) -> bytes:
        """Save a copy of the mail. Returns it, or the copy that already exists, whatever `data` is.

        Raises `StorageError` if it cannot be written, `MailError` if it cannot be read.
        """
        path = self._path(game, head, copy)
        make_folder(path.parent)
        with lock_folder(self.home / "outbox"):
            if path.exists():
                return _read(path)
            write_atomically(path, data, private=True)
        return data

    def save_attachment(self, game: str, name: str, data: bytes) -> Path:
        """Save a game under the name its letter gives, for a mail program to attach. Returns the path."""
        path = self.home / "outbox" / game / name
        make_folder(path.parent)
        write_atomically(path, data, private=True)
        return path

    def read(self, game: str, head: str) -> bytes | None:
        """The newest copy of the mail, if there is one."""
        copies = self.count_copies(game, head)
        return _read(self._path(game, head, copies)) if copies else None

    def find(self, game: str, head: str, copy: int) -> tuple[str, str, bytes] | None:
        """The ids of game and last entry that begin with these, and the mail, if that copy exists."""
        for path in (self.home / "outbox").glob(f"{game}*/{head}*.eml"):
            whole = path.parent.name, path.name.partition(".")[0]
            if path == self._path(*whole, copy):
                return *whole, _read(path)
        return None

    def is_settled(self, game: str, head: str) -> bool:
        """Whether a server has accepted the mail, or never will; a bounce is not considered."""
        noted = self._fate_of(game, head, self.count_copies(game, head))
        return noted.sent is not None or noted.refused is not None

    def save_fate(self, game: str, head: str, fate: Fate, words: str = "", *, copy: int = 0) -> None:
        """Save the fate of a mail, and the server's words; without a `copy`, of the newest copy.

        Raises `StorageError`.
        """
        self._change_fate(game, head, copy or self.count_copies(game, head), fate, words)

    def clear_refusal(self, game: str, head: str) -> None:
        """Delete the record that a server refused the mail, because the player wants to try again."""
        copy = self.count_copies(game, head)
        if self._fate_of(game, head, copy).refused is not None:
            self._change_fate(game, head, copy, Fate.REFUSED, None)

    def delete(self, game: str, heads: Iterable[str]) -> None:
        """Delete the mails of entries that were undone before they were sent. Raises `StorageError`."""
        for head in heads:
            for path in (self.home / "outbox" / game).glob(f"{head}.*"):
                path.unlink(missing_ok=True)
            self._forget_fates(game, head)


def _read(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as error:
        raise MailError(tr("cannot read {path}: {why}", path=path, why=system_reason(error))) from None
