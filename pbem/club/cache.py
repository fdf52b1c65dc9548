"""The findings in files that were verified before, by the digests of their bytes.

One small database in the player's home. Removing it costs nothing but time; a damaged one is begun
anew. A finding holds for the program that made it, and for the games installed beside it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from pbem.base.files import PRIVATE, make_folder
from pbem.club.classify import DECIDING, Found
from pbem.errors import ShelfError
from pbem.texts import Texts
from pbem.umpire.fingerprint import judge_fingerprint

tr = Texts("pbem")

NAME = "club.sqlite"
"""The name of the database."""


class Cache:
    """The findings by digest of a file; without a folder in a temporary database, deleted at the end."""

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / NAME if folder else None
        self._found = self._opened()
        self._unsure: dict[bytes, Found] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(sqlite3.Error):
            self._found.commit()
        self._found.close()

    def get(self, digest: bytes) -> Found | None:
        """The findings in the file with this digest; None if they are unknown."""
        if digest in self._unsure:
            return self._unsure[digest]
        with self._working():
            query = "SELECT found FROM found WHERE digest = ? AND judge = ?"
            row = self._found.execute(query, (digest, judge_fingerprint(DECIDING))).fetchone()
        try:
            return msgspec.msgpack.decode(row[0], type=Found) if row else None
        except msgspec.DecodeError:
            return None

    def put(self, digest: bytes, findings: Found) -> None:
        """Store findings: on the disk after `commit`, or in memory alone, if they are unsure."""
        if findings.unsure:
            self._unsure[digest] = findings
            return
        row = (digest, judge_fingerprint(DECIDING), msgspec.msgpack.encode(findings))
        with self._working():
            self._found.execute("INSERT OR REPLACE INTO found VALUES (?, ?, ?)", row)

    def keep(self) -> None:
        """Write all that was stored to the disk, so that it survives a crash of the program."""
        with self._working():
            self._found.commit()

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Turn the database's errors, within, into `ShelfError`: it is damaged, or the disk is full."""
        try:
            yield
        except sqlite3.Error as error:
            place = str(self._path or tr("the temporary file"))
            hint = tr("remove it: it is made again")
            raise ShelfError(
                tr("{path} cannot be used: {reason}", path=place, reason=error), hint=hint
            ) from None

    def _opened(self) -> sqlite3.Connection:
        if self._path is None:
            return _begun("")
        make_folder(self._path.parent)
        try:
            return _begun(self._path)
        except sqlite3.DatabaseError:  # the file is damaged or incomplete
            self._path.unlink(missing_ok=True)
            return _begun(self._path)


def _begun(path: Path | str) -> sqlite3.Connection:
    """The database, with its table; an empty name means a temporary file, deleted when it is closed."""
    database = sqlite3.connect(path, timeout=30)
    try:
        database.execute("PRAGMA synchronous = OFF")  # a power cut may damage it, but it can be made again
        database.execute(
            "CREATE TABLE IF NOT EXISTS found (digest BLOB PRIMARY KEY, judge TEXT, found BLOB) WITHOUT ROWID"
        )
        database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError:
        database.close()
        raise
    if path:
        Path(path).chmod(PRIVATE)
    return database
