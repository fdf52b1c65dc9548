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
from pbem.club.classify import JUDGING_CODE, FileFindings
from pbem.errors import StorageError
from pbem.texts import Texts
from pbem.umpire.fingerprint import judge_fingerprint

tr = Texts("pbem")

CACHE_FILE = "club.sqlite"
"""The name of the database."""


class Cache:
    """The findings by digest of a file; without a folder in a temporary database, deleted at the end."""

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / CACHE_FILE if folder else None
        self._database = self._open_database()
        self._in_memory: dict[bytes, FileFindings] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(sqlite3.Error):
            self._database.commit()
        self._database.close()

    def get(self, digest: bytes) -> FileFindings | None:
        """The findings in the file with this digest; None if they are unknown."""
        if digest in self._in_memory:
            return self._in_memory[digest]
        with self._database_errors():
            query = "SELECT found FROM found WHERE digest = ? AND judge = ?"
            row = self._database.execute(query, (digest, judge_fingerprint(JUDGING_CODE))).fetchone()
        try:
            return msgspec.msgpack.decode(row[0], type=FileFindings) if row else None
        except msgspec.DecodeError:
            return None

    def put(self, digest: bytes, findings: FileFindings) -> None:
        """Store findings: on the disk after `commit`, or in memory alone, if they are unsure."""
        if findings.unsure:
            self._in_memory[digest] = findings
            return
        row = (digest, judge_fingerprint(JUDGING_CODE), msgspec.msgpack.encode(findings))
        with self._database_errors():
            self._database.execute("INSERT OR REPLACE INTO found VALUES (?, ?, ?)", row)

    def commit(self) -> None:
        """Write all that was stored to the disk, so that it survives a crash of the program."""
        with self._database_errors():
            self._database.commit()

    @contextmanager
    def _database_errors(self) -> Iterator[None]:
        """Turn the database's errors, within, into `ShelfError`: it is damaged, or the disk is full."""
        try:
            yield
        except sqlite3.Error as error:
            place = str(self._path or tr("the temporary file"))
            hint = tr("remove it: it is made again")
            raise StorageError(
                tr("{path} cannot be used: {reason}", path=place, reason=error), hint=hint
            ) from None

    def _open_database(self) -> sqlite3.Connection:
        if self._path is None:
            return _connect("")
        make_folder(self._path.parent)
        try:
            return _connect(self._path)
        except sqlite3.DatabaseError:  # the file is damaged or incomplete
            self._path.unlink(missing_ok=True)
            return _connect(self._path)


def _connect(path: Path | str) -> sqlite3.Connection:
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
