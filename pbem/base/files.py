"""Files that a crash leaves whole, as they were or as they were to become; and the lock of their folder.

The new bytes go into a temporary file in the same folder, which is synced to the disk and read back before a
rename puts it in the place of the old file. A rename happens altogether or not at all.

Every file that somebody else may have put in its place is opened here: what is no ordinary file is refused
before it can keep the program waiting, and nothing is written through a link that leads nowhere.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

from pbem.base.interrupts import catch
from pbem.errors import PbemError, ShelfError
from pbem.messages import Messages

tr = Messages("pbem")

T = TypeVar("T")

LOCK_SECONDS = 10
"""The seconds to wait for another program that writes."""

REPLACE_SECONDS = 2.0 if os.name == "nt" else 0.0
"""The seconds of new attempts where another program has the file open.

Windows forbids to replace it then, and to read it where that program has it for itself alone. Virus scanners,
OneDrive, Dropbox and the search index open a file for a moment just after it was written.
"""

_TEMPORARY = ".pbem-{}.tmp"
_ABANDONED_SECONDS = 3600  # no live write takes an hour, so an older temporary file is what a crash left


PRIVATE = 0o600
"""The mode of a file that its owner alone may read, as all are in his `.pbem`."""


class SpecialFile(OSError):
    """The name is that of a pipe, a socket or a device; where one writes, of a folder too."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, tr("not an ordinary file"))


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """The file `path`, opened to read its bytes. Raises OSError, at once: `SpecialFile` where it is special.

    A pipe would be read when somebody writes into it, and never if nobody does.
    """
    return open(path, "rb", opener=_open_unless_special)


def read_regular(path: Path) -> bytes:
    """The bytes of the file `path`. Raises OSError as `open_regular` does."""
    with open_regular(path) as file:
        return file.read()


def _open_unless_special(path: str, flags: int) -> int:
    """An opener that neither touches a device nor waits for a pipe, also one that was put there just now."""
    _refuse_special(os.stat(path).st_mode)
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        _refuse_special(os.fstat(descriptor).st_mode)
    except SpecialFile:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_special(mode: int) -> None:
    """Raise `SpecialFile` for the mode of what is neither a file nor a folder; of that the system says so."""
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise SpecialFile


@catch()
def write_atomically(path: Path, data: bytes, *, private: bool = False) -> None:
    """Put `data` into the file `path`, altogether or not at all.

    An existing file keeps its mode, unless this one is `private`: that only its owner may read, whatever its
    folder and the file before allow. A symbolic link stays one: the file it leads to is written.
    Raises ShelfError where `path` is no ordinary file or a link that leads nowhere, or the folder or the disk
    refuses; the old file stays.
    """
    from secrets import token_hex  # here, because most commands write nothing

    target = Path(os.path.realpath(path))
    temporary = target.with_name(_TEMPORARY.format(token_hex(8)))
    try:
        refuse_dangling(path)
        _remove_abandoned(target.parent)
        before = _mode_of(target)
        _write_synced(temporary, data, PRIVATE if private else before)
        patiently(temporary, partial(temporary.replace, target))
        _sync_folder(target.parent)
    except OSError as error:
        problem = tr("cannot write {path}: {reason}", path=path, reason=error.strerror or error)
        if isinstance(error, PermissionError) and REPLACE_SECONDS:
            problem = tr(
                "{problem}; another program may have it open, such as an editor or one that syncs it",
                problem=problem,
            )
        raise ShelfError(problem) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def refuse_dangling(path: Path) -> None:
    """Raise OSError where `path` is a link to a file that does not exist: to write there would make that."""
    if path.is_symlink() and not path.exists():
        raise OSError(errno.ENOENT, tr("it is a link to a file that does not exist"))


def patiently(path: Path, act: Callable[[], T]) -> T:
    """The outcome of `act` on the file `path`, once it may, within `REPLACE_SECONDS`. Raises OSError."""
    end = time.monotonic() + REPLACE_SECONDS
    while True:
        try:
            return act()
        except PermissionError:
            if time.monotonic() >= end or path.is_dir():
                raise
            time.sleep(0.05)


def read_if_there(path: Path) -> bytes | None:
    """The content of the file `path`, None if there is no such file. Raises ShelfError."""
    try:
        return patiently(path, partial(read_regular, path))
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = tr("cannot read {path}: {reason}", path=path, reason=error.strerror or error)
        raise ShelfError(problem) from error


class Store(Generic[T]):
    """A small private JSON file that keeps one value of a kind under each name; without it there are none.

    Whoever reads a value and puts another in its place holds a lock meanwhile (see `locked`).
    `hint` says what a player does whose file is damaged.
    """

    def __init__(self, path: Path, kind: type[dict[str, T]], hint: str) -> None:
        self.path = path
        self._kind = kind
        self._hint = hint

    def read(self) -> dict[str, T]:
        """All values by their names. Raises ShelfError where the file is damaged or cannot be read."""
        import msgspec  # here, because every command opens files, and many read no store

        data = read_if_there(self.path)
        if data is None:
            return {}
        try:
            return msgspec.json.decode(data, type=self._kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problem = tr("{path} is damaged: {reason}", path=self.path, reason=error)
            raise ShelfError(problem, hint=self._hint) from error

    def put(self, name: str, value: T) -> None:
        """Keep `value` under `name`. Raises ShelfError, and then leaves the file as it was."""
        self.replace(self.read() | {name: value})

    def replace(self, values: dict[str, T]) -> None:
        """Keep these values and no others. Raises ShelfError, and then leaves the file as it was."""
        import msgspec

        text = msgspec.json.format(msgspec.json.encode(values, order="sorted"), indent=2)
        write_atomically(self.path, text + b"\n", private=True)


@catch()
def write_note(path: Path, data: bytes) -> None:
    """Put `data` into the private file `path` at once; a crash may leave half of it. Raises OSError."""
    refuse_dangling(path)
    with open(path, "wb", opener=_opener(PRIVATE)) as file:
        file.write(data)


def make_folder(folder: Path) -> None:
    """Make `folder` with its parents, for its owner alone, and sync them to the disk; raises ShelfError."""
    try:
        if folder.is_dir():
            return
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        _sync_folder(folder.parent)
    except OSError as error:
        problem = tr(
            "cannot make the folder {folder}: {reason}", folder=folder, reason=error.strerror or error
        )
        raise ShelfError(problem) from error


def open_to_others(folder: Path) -> bool:
    """Whether anybody but the user may write in a folder, and replace what lies there; not on Windows."""
    if os.name == "nt":
        return False
    try:
        found = folder.stat()
    except OSError:
        return False
    others = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)) or found.st_uid not in (os.geteuid(), 0)
    return stat.S_ISDIR(found.st_mode) and others


def _mode_of(path: Path) -> int | None:
    """The permissions of the file `path`, None if there is none; raises OSError for a folder or a device."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise SpecialFile
    return stat.S_IMODE(mode)


def _write_synced(path: Path, data: bytes, mode: int | None) -> None:
    """Write the new file `path`, force it to the disk, and compare what is read back."""
    # x: a new file, and never through a link that somebody laid there
    with open(path, "xb", opener=_opener(0o666 if mode is None else mode)) as file:
        if mode is not None and os.name != "nt":  # where a mode is nothing but "read only"
            path.chmod(mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if patiently(path, partial(read_regular, path)) != data:
        raise OSError(tr("the bytes read back are not the bytes written"))


def _opener(mode: int) -> Callable[[str, int], int]:
    """An opener that gives a new file that mode from the first moment, or less by the user's mask."""
    return lambda path, flags: os.open(path, flags, mode)


def _remove_abandoned(folder: Path) -> None:
    """Remove temporary files that a crash left in `folder`, and none that another program may be writing."""
    for path in folder.glob(_TEMPORARY.format("*")):
        with suppress(OSError):
            if time.time() - path.lstat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()


def _sync_folder(folder: Path) -> None:
    """Force a rename in `folder` to the disk, where the file system can: Windows and some shares cannot."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


@contextmanager
def locked(folder: Path, *, taken: PbemError | None = None) -> Iterator[None]:
    """Hold the one lock of a folder.

    Raises ShelfError where another program does not let go of it in time; or else, if `taken` is given, that
    error at once.
    """
    from filelock import FileLock, Timeout  # here, because it takes longer to import than all the rest

    lock = FileLock(folder / "lock", timeout=0 if taken else LOCK_SECONDS, mode=PRIVATE)
    try:
        lock.acquire()
    except Timeout as error:
        busy = ShelfError(
            tr("another pbem is writing in {folder}", folder=folder), hint=tr("try again later")
        )
        raise (taken or busy) from error
    except (OSError, NotImplementedError) as error:  # the latter where a share knows no locks
        reason = getattr(error, "strerror", None) or error
        raise ShelfError(tr("cannot lock {folder}: {reason}", folder=folder, reason=reason)) from error
    try:
        yield
    finally:
        lock.release()
