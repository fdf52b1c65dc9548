"""Reading a Maildir: a folder of files, one a mail, as many programs keep and deliver mail on this computer.

The name of a file is its own for ever; what follows a colon are marks, and `new` holds what no mail program
has shown yet. On Windows no name can have a colon, and programs put `;` or `!` there. Nothing is ever
deleted, and no file is touched unless it is to be marked or moved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.base.files import open_regular
from pbem.base.limits import MAIL_BYTES
from pbem.errors import MailError
from pbem.mail.imap import Bookmark, Mails
from pbem.texts import Texts

tr = Texts("pbem")

_SEEN_FLAG = "S"
_FLAG_SEPARATOR = re.compile(r":|[;!]2,")
_USUAL = "!" if os.name == "nt" else ":"
_FOLDER = re.compile(r"[^./\\\0][^/\\\0]*")


class Maildir:
    """A Maildir, with the same methods as a folder on a server (`pbem.mail.imap.Imap`).

    A mail's key is the part of its name that never changes; a bookmark is the keys that were read. Every
    method raises `MailError` where the folder cannot be read or written.
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
        """Leave; nothing stays open."""

    def since(self, bookmark: Bookmark) -> Mails:
        """The mails that are not in the bookmark, oldest first. Those too large for a game are skipped."""
        known = set(bookmark)
        files = {name: path for name, path in self._files().items() if name not in known}
        return Mails(len(files), _read_mails(files))

    def bookmark(self, before: Bookmark, read: Sequence[str]) -> Bookmark:
        """The bookmark after these mails have been read as well, without those that are gone."""
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
                hint=tr("make it in your mail program"),
            )
        self._rename(name, target)

    def _rename(self, name: str, folder: Path) -> None:
        """Move a mail, marked as read, into a folder's `cur`."""
        path = self._files().get(name)
        if path is None:
            raise MailError(tr("the mail {mail} has gone from {folder}", mail=name, folder=self._folder))
        used = next((separator for separator in ":;!" if f"{separator}2," in path.name), _USUAL)
        marks = path.name.partition(f"{used}2,")[2]
        target = folder / "cur" / f"{name}{used}2,{''.join(sorted({*marks, _SEEN_FLAG}))}"
        try:
            path.rename(target)
        except OSError as error:
            problem = tr("cannot move {path} to {place}: {why}", path=path, place=target, why=error.strerror)
            raise MailError(problem) from None

    def _files(self) -> dict[str, Path]:
        """The file of each mail, by key. Names begin with the time of arrival, so they are in that order."""
        try:
            paths = [path for part in ("new", "cur") for path in (self._folder / part).iterdir()]
        except OSError as error:
            raise MailError(tr("cannot read {path}: {why}", path=self._folder, why=error.strerror)) from None
        named = {_FLAG_SEPARATOR.split(path.name)[0]: path for path in paths if not path.name.startswith(".")}
        return dict(sorted(named.items()))


def _read_mails(files: dict[str, Path]) -> Iterator[tuple[str, bytes]]:
    for name, path in files.items():
        if (data := _read_mail(path)) is not None:
            yield name, data


def _read_mail(path: Path) -> bytes | None:
    """The bytes of a mail; None if it is too large, or was renamed just now: then it is found next time."""
    try:
        with open_regular(path) as file:
            data = file.read(MAIL_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MailError(tr("cannot read {path}: {why}", path=path, why=error.strerror)) from None
    return data if len(data) <= MAIL_BYTES else None
