"""The entries of a game this home has signed, those it has sent, and those since undone (FORMAT 6).

    home/games/<id of entry 0>/record.json    the ledger is a part of it, written before the act it records
    home/games/<id of entry 0>/stay           a token, replaced whenever an entry is sent

The ledger has the token, the inode and the change time of the file `stay`. A home restored from a backup, or
copied, has another such file, and its ledger might be wrong about which entries were not sent. That is why
`stay` is a file of its own, which no backup includes and no write of the record replaces. A disk reset as a
whole, as a virtual machine's can be, goes undetected.

A ledger is changed under the lock of the store, held from before it is read until the record is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import make_folder, read_regular, refuse_dangling
from pbem.errors import StorageError, system_reason
from pbem.player.store.game_record import ELSEWHERE, Ledger, with_unknown_departures
from pbem.texts import Texts

tr = Texts("pbem")


class SendChannel(Enum):
    """The way an entry is sent."""

    SERVER = "server"
    PROGRAM = "program"
    CLIPBOARD = "clipboard"
    COMMANDER = "commander"
    PAGE = "page"


class SignedEntries(Struct, frozen=True):
    """The summary of a ledger.

    `signed` are the ids of the entries this home has signed, each with the channel it was sent through: empty
    if it was not, `ELSEWHERE` if that is unknown. `undone` are those that were undone; one that is in the
    store counts again. `signed_here` are those signed since the home was copied or restored.
    """

    signed: Mapping[str, str] = {}
    undone: frozenset[str] = frozenset()
    signed_here: frozenset[str] = frozenset()

    def why_not_undoable(self, first: int, ids: Sequence[str]) -> str:
        """Why the entries from `first` on, given all ids, cannot be undone; empty if they can."""
        for n, entry in enumerate(ids, first):
            if (way := self.signed.get(entry, ELSEWHERE)) == ELSEWHERE:
                return tr(
                    "entry {n} was signed on another computer, or this home has been copied or "
                    "restored since, so pbem does not know who has it",
                    n=n,
                )
            if way:
                return _describe_departure(n, way)
        return ""


def _describe_departure(n: int, way: str) -> str:
    """The statement that an entry has been sent, and how."""
    match way:
        case SendChannel.SERVER.value:
            return tr("entry {n} was mailed: a server has it, or might have it", n=n)
        case SendChannel.PROGRAM.value:
            return tr("pbem wrote a mail with entry {n} for you to send", n=n)
        case SendChannel.CLIPBOARD.value:
            return tr("entry {n} was printed for you to paste into a mail", n=n)
        case SendChannel.COMMANDER.value:
            return tr("entry {n} was mailed to a commander on your side, or might have been", n=n)
        case _:
            return tr("entry {n} is in a page that pbem has written", n=n)


def read_ledger(ledger: Ledger, folder: Path) -> SignedEntries:
    """The summary of a game's ledger, given the game's folder."""
    here = frozenset(ledger.signed_here)
    if ledger.stay and ledger.stay != _present_stay(folder):
        return SignedEntries(with_unknown_departures(ledger.signed), frozenset(ledger.undone))
    return SignedEntries(ledger.signed, frozenset(ledger.undone), here)


def add_signed(ledger: Ledger, folder: Path, ids: Iterable[str]) -> Ledger:
    """Add signed entries to a ledger; makes the file `stay` if it is missing. Raises `StorageError`."""
    new = tuple(ids)
    if not new:
        return ledger
    if not _is_known(ledger, folder):
        ledger = _begin_anew(ledger, _write_new_stay(folder))
    return replace(
        ledger,
        signed={**ledger.signed, **dict.fromkeys(new, "")},
        signed_here=tuple(dict.fromkeys((*ledger.signed_here, *new))),
    )


def add_departure(ledger: Ledger, folder: Path, ids: Iterable[str], way: SendChannel) -> Ledger:
    """Note in a ledger that entries are about to be sent; replaces `stay`. Raises `StorageError`."""
    leaving = dict.fromkeys(ids, way.value)
    if not leaving:
        return ledger
    known = _is_known(ledger, folder)
    ledger = replace(ledger, signed={**ledger.signed, **leaving})
    stay = _write_new_stay(folder)
    return replace(ledger, stay=stay) if known else _begin_anew(ledger, stay)


def add_undone(ledger: Ledger, ids: Iterable[str]) -> Ledger:
    """Note in a ledger that entries are undone."""
    return replace(ledger, undone=tuple(dict.fromkeys((*ledger.undone, *ids))))


def _is_known(ledger: Ledger, folder: Path) -> bool:
    """Whether the ledger belongs to this home, not copied or restored since."""
    return bool(ledger.stay) and ledger.stay == _present_stay(folder)


def _begin_anew(ledger: Ledger, stay: str) -> Ledger:
    """The ledger for a home with a new `stay`: whether what was signed before was sent is unknown."""
    return replace(ledger, signed=with_unknown_departures(ledger.signed), signed_here=(), stay=stay)


def _present_stay(folder: Path) -> str:
    """The token in the file `stay`, and the mark of that file; empty if there is none."""
    path = folder / "stay"
    try:
        return f"{read_regular(path).decode('ascii')} {_inode_mark(path)}"
    except (OSError, UnicodeDecodeError):
        return ""


def _write_new_stay(folder: Path) -> str:
    """Write a new file `stay`. Returns its token and mark, for the ledger. Raises `StorageError`."""
    token, path = os.urandom(16).hex(), folder / "stay"
    try:
        make_folder(folder)
        with suppress(FileNotFoundError):
            path.unlink()
        refuse_dangling(path)
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(token.encode())
            file.flush()
            os.fsync(file.fileno())
        return f"{token} {_inode_mark(path)}"
    except OSError as error:
        raise StorageError(
            tr("cannot write {path}: {reason}", path=path, reason=system_reason(error))
        ) from error


def _inode_mark(path: Path) -> str:
    """The inode and change time of a file, which differ for a replaced or restored file."""
    status = path.stat()
    return f"{status.st_ino}.{status.st_ctime_ns}"
