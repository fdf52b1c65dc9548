"""Copies of mails for the player to work on: those that could not be judged, and those that he may answer.

    home/mail/set-aside/    the mails, as they came

They hold what a stranger has written, so `budgets` says how many there are. The oldest make room for the
newest: whatever has come before, a hint names a copy that is there.
"""

from __future__ import annotations

import re
from hashlib import sha256
from os import stat_result
from pathlib import Path

from pbem.budgets import ASIDE_BYTES, ASIDE_MAILS
from pbem.desk import Desk
from pbem.files import make_folder, write_atomically


def copied(desk: Desk, data: bytes, key: str) -> Path:
    """A copy of a mail with this key in its folder. Raises `ShelfError` where it cannot be written."""
    file = copy_of(desk, data, key)
    make_folder(file.parent)
    others = [path for path in file.parent.iterdir() if path != file]
    kept = sorted(((path.stat(), path) for path in others), key=lambda one: one[0].st_mtime_ns)
    while kept and (len(kept) >= ASIDE_MAILS or _bytes(kept) + len(data) > ASIDE_BYTES):
        kept.pop(0)[1].unlink(missing_ok=True)
    write_atomically(file, data, private=True)
    return file


def copy_of(desk: Desk, data: bytes, key: str) -> Path:
    """The path of a mail's copy, if there is one."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", key)[:60]
    return folder_of(desk) / f"{name}-{sha256(data).hexdigest()[:8]}.eml"


def key_of(copy: Path) -> str:
    """The key of the mail that a copy is of, as far as its name has it: enough for `copy_of`."""
    return copy.stem.rpartition("-")[0]


def folder_of(desk: Desk) -> Path:
    """The folder of the copies."""
    return desk.home / "mail" / "set-aside"


def _bytes(kept: list[tuple[stat_result, Path]]) -> int:
    return sum(found.st_size for found, _ in kept)
