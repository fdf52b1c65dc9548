"""Quarantine: copies of mails that could not be judged, and of those the player might want to reply to.

    home/mail/set-aside/       the mails as they arrived
    home/mail/unjudged.json    those that ended the worker process judging them, by their digests

They contain strangers' text, so `base.limits` bounds their number and size. The oldest are deleted for the
newest, so that the copy a hint names always exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from os import stat_result
from pathlib import Path

from msgspec import Struct

from pbem.base.files import JsonStore, make_folder, read_regular, write_atomically
from pbem.base.limits import QUARANTINE_BYTES, QUARANTINE_MAILS, UNJUDGED_MAILS
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts
from pbem.umpire.code_fingerprint import judge_fingerprint

tr = Texts("pbem")


def quarantine_mail(player: LocalPlayer, data: bytes, key: str) -> Path:
    """Save a copy of the mail with this key in its folder. Returns the path. Raises `StorageError`."""
    file = quarantine_path(player, data, key)
    make_folder(file.parent)
    others = [path for path in file.parent.iterdir() if path != file]
    copies = sorted(((path.stat(), path) for path in others), key=lambda copy: copy[0].st_mtime_ns)
    while copies and (len(copies) >= QUARANTINE_MAILS or _total_bytes(copies) + len(data) > QUARANTINE_BYTES):
        copies.pop(0)[1].unlink(missing_ok=True)
    write_atomically(file, data, private=True)
    return file


def quarantine_path(player: LocalPlayer, data: bytes, key: str) -> Path:
    """The path of a mail's copy, whether or not it exists."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", key)[:60]
    return quarantine_folder(player) / f"{name}-{sha256(data).hexdigest()[:8]}.eml"


def key_of(copy: Path) -> str:
    """The key of a copied mail as far as the copy's name contains it, which `quarantine_path` accepts."""
    return copy.stem.rpartition("-")[0]


def quarantine_folder(player: LocalPlayer) -> Path:
    """The folder of the copies."""
    return player.home / "mail" / "set-aside"


class _EndedWorker(Struct, frozen=True, forbid_unknown_fields=True):
    """A mail that ended the worker: its copy's name, and the fingerprint of the program that judged it."""

    copy: str
    program: str


class UnjudgedMails:
    """Mails that ended the worker process judging them: the same program never judges one twice."""

    def __init__(self, player: LocalPlayer) -> None:
        self._player = player
        hint = tr("delete it; pbem then checks these mails again")
        self._store = JsonStore(player.home / "mail" / "unjudged.json", dict[str, _EndedWorker], hint)
        self._known = self._store.read()

    def has_failed_on(self, data: bytes) -> bool:
        """Whether this exact version of the program has failed on this mail."""
        if not self._known:  # the fingerprint reads the whole program
            return False
        known = self._known.get(sha256(data).hexdigest())
        return known is not None and known.program == judge_fingerprint()

    def save(self, data: bytes, key: str) -> None:
        """Save that judging a mail ended the worker process. Raises `StorageError`."""
        make_folder(self._store.path.parent)
        ended = _EndedWorker(quarantine_path(self._player, data, key).name, judge_fingerprint())
        others = {name: record for name, record in self._known.items() if name != sha256(data).hexdigest()}
        self._known = dict([*others.items(), (sha256(data).hexdigest(), ended)][-UNJUDGED_MAILS:])
        self._store.save_all(self._known)

    def take_for_retry(self) -> Iterator[tuple[str, bytes]]:
        """The mails on which only other versions of the program have failed, with their keys.

        Each is removed from the record.
        """
        for digest, ended in list(self._known.items()):
            copy = quarantine_folder(self._player) / ended.copy
            if ended.program == judge_fingerprint() or not copy.exists():
                continue
            data = read_regular(copy)
            if sha256(data).hexdigest() == digest:
                del self._known[digest]
                self._store.save_all(self._known)
                yield key_of(copy), data


def _total_bytes(copies: list[tuple[stat_result, Path]]) -> int:
    return sum(status.st_size for status, _ in copies)
