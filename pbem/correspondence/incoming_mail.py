"""The stage "fetch": the mails of one fetch, as bytes, and which of them count as read.

Mails that an earlier version of pbem could not judge come first, then new ones, oldest first. The bookmark is
saved at the end, even after an error. So after a crash some mails are read again, which changes nothing in
the game store, and no mail is ever skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pbem.base.files import read_regular
from pbem.base.limits import EARLY_BYTES, EARLY_MAILS
from pbem.correspondence.mail_stages import IncomingMail, ReadMails
from pbem.correspondence.missing_mail import MissingMail
from pbem.correspondence.quarantine import UnjudgedMails, key_of, quarantine_path
from pbem.mail.mailbox import Bookmarks, Mailbox, Tidying
from pbem.player.local_player import LocalPlayer


class IncomingMails:
    """The mails of one fetch; `unjudged` are those that ended the worker process."""

    def __init__(
        self,
        player: LocalPlayer,
        box: Mailbox,
        bookmark: tuple[str, ...],
        tidying: Tidying,
        progress: Callable[[int, int], None],
    ) -> None:
        self.unjudged = UnjudgedMails(player)
        self.read: list[str] = []
        self._box = box
        self._bookmark = bookmark
        self._tidying = tidying
        self._progress = progress
        self._number = 0

    def to_retry(self) -> Iterator[IncomingMail]:
        """The mails on which only other versions of pbem have failed."""
        for key, data in self.unjudged.take_for_retry():
            yield IncomingMail(key, data)

    def new(self) -> Iterator[IncomingMail]:
        """The new mails. Raises `MailError` if the mailbox cannot be read."""
        mails = self._box.since(self._bookmark)
        self._number = len(mails)
        for key, data in mails:
            yield IncomingMail(key, data)

    def finish(self, mail: IncomingMail, *, tidy: bool) -> None:
        """Count a new mail as read; `tidy`: mark and move it as the player wants."""
        if tidy and self._tidying.mark:
            self._box.mark(mail.key)
        if tidy and self._tidying.move:
            self._box.move(mail.key, self._tidying.move)
        self.read.append(mail.key)
        self._progress(len(self.read), self._number)


@contextmanager
def incoming_mails(
    player: LocalPlayer, box: Mailbox, tidying: Tidying, progress: Callable[[int, int], None]
) -> Iterator[IncomingMails]:
    """The mails of one fetch, locked against other fetches; saves the bookmark after those read.

    After each mail, `progress` is called with the number read and the total.
    """
    bookmarks = Bookmarks(player.home)
    with bookmarks.lock():
        before = bookmarks.bookmark_of(box.name)
        incoming = IncomingMails(player, box, before, tidying, progress)
        try:
            yield incoming
        finally:
            if (after := box.bookmark(before, incoming.read)) != before:
                bookmarks.save(box.name, after)


class EarlyMails:
    """Mails with a part of a log that arrived before the entries it continues; they are retried later.

    Each is kept as it was parsed. The newest such mail of each game is also known from earlier fetches, as
    long as entries are missing; that one is parsed when first retried.
    """

    def __init__(self, player: LocalPlayer, lost: MissingMail) -> None:
        self._player = player
        copies = [(key_of(copy), read_regular(copy)) for _, copy in lost.incomplete_games()]
        self._waiting: dict[str, tuple[IncomingMail, ReadMails | None]] = {
            key: (IncomingMail(key, data), None) for key, data in copies
        }

    def save(self, mail: IncomingMail, read: ReadMails) -> None:
        """Keep a mail, if there is room."""
        others = [len(other.data) for other, _ in self._waiting.values() if other.key != mail.key]
        if sum(others) + len(mail.data) <= EARLY_BYTES and len(others) < EARLY_MAILS:
            self._waiting[mail.key] = mail, read

    def waiting(self) -> list[tuple[IncomingMail, ReadMails | None]]:
        """The mails kept, each as it was parsed; None if it is not parsed yet."""
        return list(self._waiting.values())

    def settle(self, mail: IncomingMail) -> None:
        """Keep a mail no longer, and delete its copy."""
        del self._waiting[mail.key]
        quarantine_path(self._player, mail.data, mail.key).unlink(missing_ok=True)
