"""What `watch` remembers from one check to the next: when it last checked, and any refused login.

A refused login is not tried again until something has changed: some servers lock a mailbox after five.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import make_folder, read_if_there, write_atomically
from pbem.mail.secret_store import SECRETS_FILE
from pbem.mail.settings import MailSettings


class _Record(Struct, frozen=True):
    """The time of the last check, and the refusal with the settings that were refused."""

    looked: float = 0
    refusal: str = ""
    refused: str = ""


class WatchRecord:
    """The record in the home folder `home`. Methods raise `StorageError`; a damaged file counts as none."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / "mail" / "watch.json"

    @property
    def last_look(self) -> datetime | None:
        """When `watch` last checked the mail; None if it never has."""
        time = self._read().looked
        return datetime.fromtimestamp(time, UTC) if time else None

    def refusal_of(self, settings: MailSettings) -> str:
        """Why the server has refused these very settings; empty if it has not, or they have changed."""
        record = self._read()
        return record.refusal if record.refused == self._digest(settings) else ""

    def save_look(self, now: datetime) -> None:
        """Save that `watch` has checked the mail, and was able to log in."""
        self._write(_Record(now.timestamp()))

    def save_refusal(self, settings: MailSettings, why: str) -> None:
        """Save that a server has refused the login."""
        self._write(replace(self._read(), refusal=why, refused=self._digest(settings)))

    def clear_refusal(self) -> None:
        """Forget a refusal, since the player has now logged in."""
        if self._path.exists():
            self._write(replace(self._read(), refusal="", refused=""))

    def _digest(self, settings: MailSettings) -> str:
        """A digest that changes with the settings, and when a password is set up again."""
        digest = sha256(msgspec.json.encode(settings))
        for name in ("config.yaml", SECRETS_FILE):
            path = self._home / name
            digest.update(str(path.stat().st_mtime_ns if path.exists() else 0).encode())
        return digest.hexdigest()

    def _read(self) -> _Record:
        try:
            return msgspec.json.decode(read_if_there(self._path) or b"{}", type=_Record)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _Record()

    def _write(self, record: _Record) -> None:
        make_folder(self._path.parent)
        write_atomically(self._path, msgspec.json.encode(record), private=True)
