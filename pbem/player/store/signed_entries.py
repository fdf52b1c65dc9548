"""The entries of a game that this home has signed, those that have left, and those undone before (FORMAT 6).

    home/games/<id of entry 0>/ledger    one action a line, written before it is done; the newest last
    home/games/<id of entry 0>/stay      written anew whenever an entry leaves

    signed ID          this home signs the entry
    left ID WAY        the entry is about to leave, or perhaps has left: by a server, a page, …
    undone ID          the entry is taken back: it must never leave
    stay TOKEN MARK    the file `stay` holds the token, and has that inode and change time
    anew TOKEN MARK    the same, and whether anything signed before has left is unknown here

A home that was restored from a backup, or copied, has another file `stay` than the one its ledger names.
What the ledger says of entries that have not left may then be wrong. A disk that is reset as a whole, as that
of a virtual machine can be, does not show it.

The ledger is append-only, so that a crash costs at most its last line, whose action was then not begun.
Whoever writes holds the lock of the store.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path

from msgspec import Struct

from pbem.base.files import make_folder, read_if_there, read_regular, refuse_dangling
from pbem.errors import StorageError
from pbem.texts import Texts

tr = Texts("pbem")

_LINE = re.compile(
    r"(signed|undone) ([0-9a-f]{64})|(left) ([0-9a-f]{64}) ([a-z]+)|(stay|anew) ([0-9a-f]{32}) ([0-9.]+)"
)


class SendChannel(Enum):
    """The way by which an entry leaves."""

    SERVER = "server"
    PROGRAM = "program"
    CLIPBOARD = "clipboard"
    COMMANDER = "commander"
    PAGE = "page"


class SignedEntries(Struct, frozen=True):
    """The summary of a ledger.

    `signed` are the ids of the entries that this home has signed, each with the channel by which it has left,
    empty if it has not, `_ELSEWHERE` if that is unknown. `undone` are those that were undone; one of them
    that is in the store counts again. `signed_here` are those that it has signed since it was copied
    or restored.
    """

    signed: dict[str, str] = {}
    undone: frozenset[str] = frozenset()
    signed_here: frozenset[str] = frozenset()

    def why_not_undoable(self, first: int, ids: Sequence[str]) -> str:
        """The reason why the entries from `first` on, by their ids, cannot be undone; empty if they can."""
        for n, entry in enumerate(ids, first):
            if (way := self.signed.get(entry, _ELSEWHERE)) == _ELSEWHERE:
                return tr(
                    "entry {n} was signed on another computer, or this home was copied or restored since: "
                    "here nobody knows who has got it",
                    n=n,
                )
            if way:
                return _describe_departure(n, way)
        return ""


_ELSEWHERE = "elsewhere"


def _describe_departure(n: int, way: str) -> str:
    """The statement that an entry has left, and how."""
    match way:
        case SendChannel.SERVER.value:
            return tr("entry {n} was mailed: a server has it, or may have", n=n)
        case SendChannel.PROGRAM.value:
            return tr("a mail with entry {n} was made, for you to send", n=n)
        case SendChannel.CLIPBOARD.value:
            return tr("entry {n} was printed, to be pasted into a mail", n=n)
        case SendChannel.COMMANDER.value:
            return tr("entry {n} was mailed to a commander of your side, or may have been", n=n)
        case _:
            return tr("entry {n} stands in a page that was written", n=n)


class Ledger:
    """The ledger in the folder of a stored game."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "ledger"
        self._stay = folder / "stay"

    @property
    def exists(self) -> bool:
        """Whether this home has signed anything in the game."""
        return self._path.exists()

    def read(self) -> SignedEntries:
        """Its summary as of now. Raises `StorageError` where it is damaged or cannot be read."""
        handed, stay = self._sum_and_stay()
        if stay and stay != self._present_stay():
            return SignedEntries(_with_unknown_departures(handed.signed), handed.undone)
        return handed

    def note_signed(self, ids: Iterable[str]) -> None:
        """Note that this home signs the entries. Raises `StorageError`."""
        if lines := [f"signed {entry}" for entry in ids]:
            _, stay = self._sum_and_stay()
            begun = [] if stay and stay == self._present_stay() else [f"anew {self._write_new_stay()}"]
            self._append_lines([*begun, *lines])

    def note_departure(self, ids: Iterable[str], way: SendChannel) -> None:
        """Note that the entries are about to leave. Raises `StorageError`, and then they must not."""
        if lines := [f"left {entry} {way.value}" for entry in ids]:
            _, stay = self._sum_and_stay()
            known = bool(stay) and stay == self._present_stay()
            self._append_lines([*lines, f"{'stay' if known else 'anew'} {self._write_new_stay()}"])

    def note_undone(self, ids: Iterable[str]) -> None:
        """Note that the entries are undone. Raises `StorageError`."""
        self._append_lines([f"undone {entry}" for entry in ids])

    def _sum_and_stay(self) -> tuple[SignedEntries, str]:
        """The summary of the lines, and the last token and mark of `stay` in them, empty if without."""
        signed: dict[str, str] = {}
        undone: set[str] = set()
        here: set[str] = set()
        stay = ""
        for line in _whole_lines(read_if_there(self._path) or b""):
            match = _LINE.fullmatch(line)
            if match is None:
                problem = tr("{path} is damaged: {reason}", path=self._path, reason=repr(line[:80]))
                raise StorageError(
                    problem,
                    hint=tr("remove it: then what you have signed in this game so far cannot be undone"),
                )
            act, *values = filter(None, match.groups())
            match act:
                case "signed":
                    signed[values[0]] = ""
                    here.add(values[0])
                case "left":
                    signed[values[0]] = values[1]
                case "undone":
                    undone.add(values[0])
                case _:
                    if act == "anew":
                        signed, here = _with_unknown_departures(signed), set()
                    stay = " ".join(values)
        return SignedEntries(signed, frozenset(undone), frozenset(here)), stay

    def _present_stay(self) -> str:
        """The token in the file `stay`, and the mark of that file; empty if there is none."""
        try:
            return f"{read_regular(self._stay).decode('ascii')} {_inode_mark(self._stay)}"
        except (OSError, UnicodeDecodeError):
            return ""

    def _write_new_stay(self) -> str:
        """Write a new file `stay`; return its token and mark for the ledger. Raises `StorageError`."""
        token = os.urandom(16).hex()
        try:
            make_folder(self._stay.parent)
            with suppress(FileNotFoundError):
                self._stay.unlink()
            _write_synced(self._stay, token.encode(), "xb")
        except OSError as error:
            raise _write_error(self._stay, error) from error
        return f"{token} {_inode_mark(self._stay)}"

    def _append_lines(self, lines: Sequence[str]) -> None:
        """Append lines; what a crash has left of the last one is cut off."""
        text = "".join(f"{line}\n" for line in lines).encode()
        try:
            make_folder(self._path.parent)
            data = read_if_there(self._path) or b""
            if data and not data.endswith(b"\n"):
                os.truncate(self._path, data.rfind(b"\n") + 1)
            _write_synced(self._path, text, "ab")
        except OSError as error:
            raise _write_error(self._path, error) from error


def _with_unknown_departures(signed: dict[str, str]) -> dict[str, str]:
    """The entries signed, where it is no longer known whether the others have left."""
    return {entry: way or _ELSEWHERE for entry, way in signed.items()}


def _whole_lines(data: bytes) -> list[str]:
    """The lines of a ledger, without what a crash has left of the last."""
    return data[: data.rfind(b"\n") + 1].decode("ascii", "replace").splitlines()


def _inode_mark(path: Path) -> str:
    """The inode and change time of a file: a replaced or restored file has another mark."""
    status = path.stat()
    return f"{status.st_ino}.{status.st_ctime_ns}"


def _write_synced(path: Path, data: bytes, mode: str) -> None:
    """Write to a file that only its owner may read, and sync it to the disk."""
    refuse_dangling(path)
    with open(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _write_error(path: Path, error: OSError) -> StorageError:
    return StorageError(tr("cannot write {path}: {reason}", path=path, reason=error.strerror or error))
