"""The stage "fetch": the mails that one fetch reads, as bytes, and which of them count as read.

First come those that an earlier version of this program could not judge, then the new ones, oldest first. The
bookmark is saved at the end, even after an error: so after a crash some mails are read again, which changes
nothing in the game store; no mail is ever skipped.
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
    """The mails of one fetch; `unjudged` are those that ended the process that judged them."""

    def __init__(
        self,
        desk: LocalPlayer,
        box: Mailbox,
        bookmark: tuple[str, ...],
        tidying: Tidying,
        progress: Callable[[int, int], None],
    ) -> None:
        self.unjudged = UnjudgedMails(desk)
        self.read: list[str] = []
        self._box = box
        self._bookmark = bookmark
        self._tidying = tidying
        self._progress = progress
        self._number = 0

    def to_retry(self) -> Iterator[IncomingMail]:
        """The mails that only another version of this program has failed on."""
        for key, data in self.unjudged.take_for_retry():
            yield IncomingMail(key, data)

    def new(self) -> Iterator[IncomingMail]:
        """The new mails. Raises `MailError` where the folder cannot be read."""
        mails = self._box.since(self._bookmark)
        self._number = len(mails)
        for key, data in mails:
            yield IncomingMail(key, data)

    def finish(self, mail: IncomingMail, *, tidy: bool) -> None:
        """Count a new mail as read; `tidy`: mark and move it, as the player has asked."""
        if tidy and self._tidying.mark:
            self._box.mark(mail.key)
        if tidy and self._tidying.move:
            self._box.move(mail.key, self._tidying.move)
        self.read.append(mail.key)
        self._progress(len(self.read), self._number)


@contextmanager
def incoming_mails(
    desk: LocalPlayer, box: Mailbox, tidying: Tidying, progress: Callable[[int, int], None]
) -> Iterator[IncomingMails]:
    """The mails of one fetch, which no other fetch reads meanwhile; saves the bookmark behind those read.

    After each mail, `progress` is called with how many of how many were read.
    """
    bookmarks = Bookmarks(desk.home)
    with bookmarks.lock():
        before = bookmarks.bookmark_of(box.name)
        incoming = IncomingMails(desk, box, before, tidying, progress)
        try:
            yield incoming
        finally:
            if (after := box.bookmark(before, incoming.read)) != before:
                bookmarks.save(box.name, after)


class EarlyMails:
    """Mails whose part of a log came before the entries that it continues: they are retried once those came.

    Each waits as it was read. The newest such mail of each game is known from earlier fetches too, while
    entries are still missing; that is read when it is first retried.
    """

    def __init__(self, desk: LocalPlayer, lost: MissingMail) -> None:
        self._desk = desk
        copies = [(key_of(copy), read_regular(copy)) for _, copy in lost.incomplete_games()]
        self._waiting: dict[str, tuple[IncomingMail, ReadMails | None]] = {
            key: (IncomingMail(key, data), None) for key, data in copies
        }

    def save(self, mail: IncomingMail, read: ReadMails) -> None:
        """Let a mail wait, if there is room."""
        others = [len(other.data) for other, _ in self._waiting.values() if other.key != mail.key]
        if sum(others) + len(mail.data) <= EARLY_BYTES and len(others) < EARLY_MAILS:
            self._waiting[mail.key] = mail, read

    def waiting(self) -> list[tuple[IncomingMail, ReadMails | None]]:
        """The mails that wait, each as it was read; None where that is still to be done."""
        return list(self._waiting.values())

    def settle(self, mail: IncomingMail) -> None:
        """Let a mail wait no longer, and delete its copy."""
        del self._waiting[mail.key]
        quarantine_path(self._desk, mail.data, mail.key).unlink(missing_ok=True)
