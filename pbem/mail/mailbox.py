"""The mailbox to fetch from, a Maildir or a folder on a server (`imap`), and how far it has been read.

    home/mail/state.json    the bookmark of each folder: the point up to which it has been read
    home/mail/lock          held by the one process that fetches

A Maildir is a folder of files, one per mail, in which many programs store and deliver mail on this computer.
The name of a file never changes up to the colon; flags come after it, and `new` holds mails that no mail
program has shown yet. On Windows, where names cannot have a colon, programs write `;` or `!`. Nothing is ever
deleted, and no file is touched unless it is to be marked or moved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from msgspec import Struct

from pbem.base.files import JsonStore, lock_folder, make_folder, open_regular
from pbem.base.limits import MAIL_BYTES
from pbem.errors import MailError, system_reason
from pbem.mail.mail_outline import Bookmark, Mails
from pbem.mail.settings import MailSettings
from pbem.render.safe_text import safe_text
from pbem.texts import Texts

tr = Texts("pbem")


_SEEN_FLAG = "S"
_FLAG_SEPARATOR = re.compile(r":|[;!]2,")
_USUAL = "!" if os.name == "nt" else ":"
_FOLDER = re.compile(r"[^./\\\0][^/\\\0]*")


class Maildir:
    """A Maildir, with the same methods as a folder on a server (`pbem.mail.imap.Imap`).

    A mail's key is the part of its name that never changes; a bookmark is the keys already read. Every method
    raises `MailError` if the folder cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.name = str(folder.absolute())
        self._folder = folder

    def __enter__(self) -> Self:
        if not (self._folder / "new").is_dir() or not (self._folder / "cur").is_dir():
            raise MailError(
                tr("{folder} is not a Maildir: it has no folders new and cur", folder=self._folder)
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: no connection is open."""

    def since(self, bookmark: Bookmark) -> Mails:
        """The mails that are not in the bookmark, oldest first. Those too large for a game are skipped."""
        known = set(bookmark)
        files = {name: path for name, path in self._files().items() if name not in known}
        return Mails(len(files), _read_mails(files))

    def bookmark(self, before: Bookmark, read: Sequence[str]) -> Bookmark:
        """The bookmark after reading these mails too, without mails that no longer exist."""
        known = {*before, *read}
        return tuple(name for name in self._files() if name in known)

    def mark(self, name: str) -> None:
        """Mark a mail as read."""
        self._rename(name, self._folder)

    def move(self, name: str, folder: str) -> None:
        """Move a mail to a folder of this Maildir, which must exist, and mark it as read."""
        target = self._folder / f".{folder}"
        if not _FOLDER.fullmatch(folder) or not (target / "cur").is_dir():
            raise MailError(
                tr("there is no folder {folder} in {place}", folder=repr(folder), place=self._folder),
                hint=tr("create it in your mail program"),
            )
        self._rename(name, target)

    def _rename(self, name: str, folder: Path) -> None:
        """Move a mail, marked as read, into a folder's `cur`."""
        path = self._files().get(name)
        if path is None:
            raise MailError(tr("the mail {mail} is no longer in {folder}", mail=name, folder=self._folder))
        used = next((separator for separator in ":;!" if f"{separator}2," in path.name), _USUAL)
        marks = path.name.partition(f"{used}2,")[2]
        target = folder / "cur" / f"{name}{used}2,{''.join(sorted({*marks, _SEEN_FLAG}))}"
        try:
            path.rename(target)
        except OSError as error:
            problem = tr(
                "cannot move {path} to {place}: {why}", path=path, place=target, why=system_reason(error)
            )
            raise MailError(problem) from None

    def _files(self) -> dict[str, Path]:
        """The file of each mail, by key, in the order of arrival, with which names begin."""
        try:
            paths = [path for part in ("new", "cur") for path in (self._folder / part).iterdir()]
        except OSError as error:
            raise MailError(
                tr("cannot read {path}: {why}", path=self._folder, why=system_reason(error))
            ) from None
        named = {_FLAG_SEPARATOR.split(path.name)[0]: path for path in paths if not path.name.startswith(".")}
        return dict(sorted(named.items()))


def _read_mails(files: dict[str, Path]) -> Iterator[tuple[str, bytes]]:
    for name, path in files.items():
        if (data := _read_mail(path)) is not None:
            yield name, data


def _read_mail(path: Path) -> bytes | None:
    """The bytes of a mail; None if it is too large, or has just been renamed and will be found next time."""
    try:
        with open_regular(path) as file:
            data = file.read(MAIL_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MailError(tr("cannot read {path}: {why}", path=path, why=system_reason(error))) from None
    return data if len(data) <= MAIL_BYTES else None


class Downloads:
    """A folder for saved attachments, such as a browser's downloads: each file in it counts as a mail.

    It has the same methods as a Maildir. A file's key is its name and the time it was written, so that a file
    saved again is read again.
    """

    def __init__(self, folder: Path) -> None:
        self.name = str(folder.absolute())
        self._folder = folder

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: no connection is open."""

    def since(self, bookmark: Bookmark) -> Mails:
        """The files that are not in the bookmark, oldest first, each as a mail."""
        known = set(bookmark)
        files = {key: path for key, path in self._files().items() if key not in known}
        mails = ((key, _as_mail(files[key], data)) for key, data in _read_mails(files))
        return Mails(len(files), mails)

    def bookmark(self, before: Bookmark, read: Sequence[str]) -> Bookmark:
        """The bookmark after reading these files too, without files that no longer exist."""
        known = {*before, *read}
        return tuple(key for key in self._files() if key in known)

    def mark(self, key: str) -> None:
        """Refuse: a file cannot be marked as read. Raises `MailError`."""
        raise MailError(
            tr("{folder} is not a mail folder, so pbem cannot mark anything in it", folder=self._folder)
        )

    def move(self, key: str, folder: str) -> None:
        """Refuse, as `mark` does. Raises `MailError`."""
        self.mark(key)

    def _files(self) -> dict[str, Path]:
        """The files that might contain a game, by key, oldest first."""
        try:
            found = [
                (path.stat().st_mtime_ns, path)
                for path in self._folder.iterdir()
                if _SAVED.search(path.name) and path.is_file()
            ]
        except OSError as error:
            raise MailError(
                tr("cannot read {path}: {why}", path=self._folder, why=system_reason(error))
            ) from None
        return {f"{path.name} {written}": path for written, path in sorted(found)}


_SAVED = re.compile(r"(?i)\.(?:ya?ml|pbem|txt|eml)(?: ?\(\d+\))?(?:\.txt)?$")
"""Names of saved attachments and mails, with what browsers and programs add to them."""


def _as_mail(path: Path, data: bytes) -> bytes:
    """A saved file as a mail with it attached; a saved mail unchanged."""
    if path.suffix.lower() == ".eml":
        return data
    mail = EmailMessage()
    mail["Subject"] = safe_text(path.name)
    mail.set_content("")
    mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=safe_text(path.name))
    return mail.as_bytes()


class Mailbox(Protocol):
    """A folder of mails, on a server or on this computer. Each mail has a key that never changes."""

    name: str

    def since(self, bookmark: Bookmark) -> Mails:
        """The mails after the bookmark, oldest first: key and bytes."""

    def bookmark(self, before: Bookmark, read: Sequence[str]) -> Bookmark:
        """The bookmark after reading these mails too."""

    def mark(self, key: str) -> None:
        """Mark a mail as read."""

    def move(self, key: str, folder: str) -> None:
        """Move a mail to another folder."""


class Tidying(Struct, frozen=True):
    """What to do with a mail that contained a game: mark it as read, move it to a folder. Usually neither."""

    mark: bool = False
    move: str = ""


def choose_mailbox(
    mail: MailSettings | None, source: Path | None, tidying: Tidying, folder: str = ""
) -> AbstractContextManager[Mailbox]:
    """The mailbox to fetch from: `source`, or else the one in the settings, or its other `folder`.

    Raises `MailError` if there is none.
    """
    if source:
        is_maildir = any((source / part).is_dir() for part in ("new", "cur", "tmp"))
        return Downloads(source) if source.is_dir() and not is_maildir else Maildir(source)
    if mail and mail.maildir:
        return Maildir(Path(mail.maildir))
    if mail and mail.imap:
        from pbem.mail.imap import Imap  # 40 ms for imapclient, which no browser has

        return Imap(mail.imap, folder or mail.folder, change=tidying != Tidying(), own=mail.address)
    raise MailError(
        tr("there is no folder to fetch from"),
        hint=tr(
            "save the attachment and type its name after pbem show, or type pbem mail setup "
            "ADDRESS once, or use --from"
        ),
    )


def other_folders(mail: MailSettings | None, source: Path | None) -> list[str]:
    """The account's folders for spam and for archived mail. Raises `MailError` if there is no account."""
    if source or mail is None or mail.maildir or mail.imap is None:
        raise MailError(
            tr("a Maildir does not say which of its folders is for spam"),
            hint=tr("name the folder: pbem mail fetch --from PATH"),
        )
    from pbem.mail.imap import Imap  # as above

    with Imap(mail.imap, mail.folder) as box:
        folders = box.other_folders()
    if not folders:
        raise MailError(
            tr("{server} does not name a folder for spam or archived mail (RFC 6154)", server=mail.imap.host)
        )
    return folders


class Bookmarks:
    """The point up to which each folder has been read."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "mail"
        self._store = JsonStore(
            self._folder / "state.json",
            dict[str, Bookmark],
            hint=tr("delete it; pbem then reads all mails again"),
        )

    def bookmark_of(self, name: str) -> Bookmark:
        """The bookmark in the folder of this name. Raises `StorageError` if the state cannot be read."""
        return self._store.read().get(name, ())

    def save(self, name: str, bookmark: Bookmark) -> None:
        """Save the bookmark of a folder, with the lock held. Raises `StorageError`."""
        self._store.save(name, bookmark)

    def lock(self) -> AbstractContextManager[None]:
        """Lock out other processes that fetch. Raises `MailError` if one is fetching."""
        make_folder(self._folder)
        taken = MailError(tr("another pbem is fetching mail"), hint=tr("wait until it has finished"))
        return lock_folder(self._folder, taken=taken)
