"""The sources of mails, and the point up to which each folder has been read.

home/mail/state.json    the point up to which each folder has been read
home/mail/lock          held by the one program that fetches
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.errors import MailError
from pbem.mail.config import MailSettings
from pbem.mail.imap import Bookmark, Imap, Mails
from pbem.mail.maildir import Maildir
from pbem.texts import Texts

tr = Texts("pbem")


class Mailbox(Protocol):
    """A folder of mails, on a server or on this computer; a mail is known by a key that never changes."""

    name: str

    def since(self, bookmark: Bookmark) -> Mails:
        """The mails after the bookmark, oldest first: key and bytes."""

    def bookmark(self, before: Bookmark, read: Sequence[str]) -> Bookmark:
        """The bookmark after these mails have been read as well."""

    def mark(self, key: str) -> None:
        """Mark a mail as read."""

    def move(self, key: str, folder: str) -> None:
        """Move a mail to another folder."""


class Tidying(Struct, frozen=True):
    """What is done to a mail that held a game: mark it as read, move it to a folder. Usually neither."""

    mark: bool = False
    move: str = ""


def choose_mailbox(
    mail: MailSettings | None, source: Path | None, tidying: Tidying
) -> AbstractContextManager[Mailbox]:
    """The mailbox to fetch from: `source`, a Maildir, or else the one of the settings. Raises `MailError`."""
    if source:
        return Maildir(source)
    if mail and mail.maildir:
        return Maildir(Path(mail.maildir))
    if mail and mail.imap:
        return Imap(mail.imap, mail.folder, change=tidying != Tidying())
    raise MailError(
        tr("there is no folder to fetch from"),
        hint=tr("set mail.imap or mail.maildir in config.yaml, or use --from"),
    )


class Bookmarks:
    """The point up to which each folder has been read."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "mail"
        self._store = JsonStore(
            self._folder / "state.json",
            dict[str, Bookmark],
            hint=tr("remove it: then all mails are read once more"),
        )

    def bookmark_of(self, name: str) -> Bookmark:
        """The bookmark in the folder of that name. Raises `ShelfError` if the state cannot be read."""
        return self._store.read().get(name, ())

    def save(self, name: str, bookmark: Bookmark) -> None:
        """Save the bookmark of a folder; with the lock held. Raises `ShelfError`."""
        self._store.save(name, bookmark)

    def lock(self) -> AbstractContextManager[None]:
        """Lock out other programs that fetch. Raises `MailError` if one is fetching."""
        make_folder(self._folder)
        taken = MailError(tr("another pbem is fetching mail"), hint=tr("wait until it is done"))
        return lock_folder(self._folder, taken=taken)
