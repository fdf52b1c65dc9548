"""Atomic writes, which a crash leaves complete or undone; safe reads; and the lock of a folder.

The new bytes go into a temporary file in the same folder, which is synced to disk and read back before a
rename replaces the old file. A rename is atomic.

Every file that a stranger might have replaced is opened here: anything but an ordinary file is refused before
it can block pbem, and nothing is written through a dangling link.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

from pbem.base import system
from pbem.base.interrupts import raise_on_interrupt
from pbem.errors import PbemError, StorageError, system_reason
from pbem.messages import Messages

tr = Messages("pbem")

T = TypeVar("T")

LOCK_SECONDS = 10
"""How many seconds to wait for a lock while another process writes."""

REPLACE_SECONDS = 2.0 if os.name == "nt" else 0.0
"""How many seconds to retry while another program has the file open.

Windows then forbids replacing the file, and reading it if it was opened for exclusive use. Virus scanners,
OneDrive, Dropbox and the search index open a file briefly just after it is written.
"""

_TEMPORARY = ".pbem-{}.tmp"
_ABANDONED_SECONDS = 3600  # no write takes an hour: an older temporary file comes from a crash


PRIVATE = 0o600
"""The mode of a file only its owner can read, such as all files in `.pbem`."""


class SpecialFile(OSError):
    """The path is a pipe, a socket or a device; for a write, also a folder."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, tr("not a regular file"))


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to read its bytes. Raises OSError; for a pipe or device `SpecialFile`, without blocking.

    Plain `open` would block on a pipe until something writes into it.
    """
    return open(path, "rb", opener=_open_unless_special)


def read_regular(path: Path) -> bytes:
    """The bytes of a file. Raises OSError, as `open_regular` does."""
    with open_regular(path) as file:
        return file.read()


def _open_unless_special(path: str, flags: int) -> int:
    """An opener that neither touches a device nor waits for a pipe, even one created a moment ago."""
    _refuse_special(os.stat(path).st_mode)
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        _refuse_special(os.fstat(descriptor).st_mode)
    except SpecialFile:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_special(mode: int) -> None:
    """Raise `SpecialFile` unless the mode is that of a file, or of a folder, which `open` refuses itself."""
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise SpecialFile


@raise_on_interrupt()
def write_atomically(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write `data` into the file `path`, completely or not at all.

    An existing file keeps its mode. If `private`, only its owner can read the new file, whatever the folder
    and the old file allow. A symbolic link is kept, and its target is written. Raises StorageError if `path`
    is not an ordinary file or is a dangling link, or if the folder or disk refuses; the old file then stays
    as it was.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(_TEMPORARY.format(os.urandom(8).hex()))
    try:
        refuse_dangling(path)
        _remove_abandoned(target.parent)
        before = _mode_of(target)
        _write_synced(temporary, data, PRIVATE if private else before)
        retry_while_busy(temporary, partial(temporary.replace, target))
        _sync_folder(target.parent)
    except OSError as error:
        problem = tr("cannot write {path}: {reason}", path=path, reason=system_reason(error))
        if isinstance(error, PermissionError) and REPLACE_SECONDS:
            problem = tr(
                "{problem}; another program may have it open, such as an editor or one that syncs it",
                problem=problem,
            )
        raise StorageError(problem) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def refuse_dangling(path: Path) -> None:
    """Raise OSError if `path` is a link to a missing file, which a write would create."""
    if path.is_symlink() and not path.exists():
        raise OSError(errno.EINVAL, tr("it is a link to a file that does not exist"))


def retry_while_busy(path: Path, act: Callable[[], T]) -> T:
    """The result of `act` on the file `path`, retried for `REPLACE_SECONDS` if permission is denied.

    Raises the OSError of the last try.
    """
    end = time.monotonic() + REPLACE_SECONDS
    while True:
        try:
            return act()
        except PermissionError:
            if time.monotonic() >= end or path.is_dir():
                raise
            time.sleep(0.05)


def read_if_there(path: Path) -> bytes | None:
    """The content of a file, or None if there is no such file. Raises StorageError."""
    try:
        return retry_while_busy(path, partial(read_regular, path))
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = tr("cannot read {path}: {reason}", path=path, reason=system_reason(error))
        raise StorageError(problem) from error


class JsonStore(Generic[T]):
    """A small private JSON file with values of one type by name; a missing file has none.

    Code that reads a value and saves another in its place must hold a lock (`lock_folder`). `hint` says what
    a player can do if the file is damaged.
    """

    def __init__(self, path: Path, kind: type[dict[str, T]], hint: str) -> None:
        self.path = path
        self._kind = kind
        self._hint = hint

    def read(self) -> dict[str, T]:
        """All values by name. Raises StorageError if the file is damaged or cannot be read."""
        import msgspec  # 16 ms: every command opens files, but few read such a store

        data = read_if_there(self.path)
        if data is None:
            return {}
        try:
            return msgspec.json.decode(data, type=self._kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problem = tr("{path} is damaged: {reason}", path=self.path, reason=error)
            raise StorageError(problem, hint=self._hint) from error

    def save(self, name: str, value: T) -> None:
        """Save `value` under `name`. On failure raises StorageError and leaves the file as it was."""
        self.save_all(self.read() | {name: value})

    def save_all(self, values: dict[str, T]) -> None:
        """Save these values and no others. On failure raises StorageError and leaves the file as it was."""
        import msgspec  # 16 ms

        text = msgspec.json.format(msgspec.json.encode(values, order="sorted"), indent=2)
        write_atomically(self.path, text + b"\n", private=True)


@raise_on_interrupt()
def write_unsynced(path: Path, data: bytes) -> None:
    """Write a private file without a sync, so that a crash can leave half of it. Raises OSError."""
    refuse_dangling(path)
    with open(path, "wb", opener=_opener(PRIVATE)) as file:
        file.write(data)


def make_folder(folder: Path) -> None:
    """Make `folder` and its parents, accessible to their owner only, and sync them. Raises StorageError."""
    try:
        if folder.is_dir():
            return
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        _sync_folder(folder.parent)
    except OSError as error:
        problem = tr("cannot make the folder {folder}: {reason}", folder=folder, reason=system_reason(error))
        raise StorageError(problem) from error


def is_writable_by_others(folder: Path) -> bool:
    """Whether anybody but the user can write in a folder and replace its files; False on Windows."""
    if os.name == "nt":
        return False
    try:
        status = folder.stat()
    except OSError:
        return False
    others = bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)) or status.st_uid not in (
        system.effective_user(),
        0,
    )
    return stat.S_ISDIR(status.st_mode) and others


def _mode_of(path: Path) -> int | None:
    """The mode of a file, or None if there is no file. Raises OSError for a folder or a device."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise SpecialFile
    return stat.S_IMODE(mode)


def _write_synced(path: Path, data: bytes, mode: int | None) -> None:
    """Write the new file `path`, sync it to disk, and compare what is read back. Raises OSError."""
    # x: a new file, never through a link that somebody has put there
    with open(path, "xb", opener=_opener(0o666 if mode is None else mode)) as file:
        if mode is not None and os.name != "nt":  # there a mode can only mean "read only"
            path.chmod(mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if retry_while_busy(path, partial(read_regular, path)) != data:
        raise OSError(tr("the bytes read back are not the bytes written"))


def _opener(mode: int) -> Callable[[str, int], int]:
    """An opener that creates a file with this mode, reduced by the user's umask."""
    return lambda path, flags: os.open(path, flags, mode)


def _remove_abandoned(folder: Path) -> None:
    """Delete temporary files left by crashes in `folder`, but none that another process might be writing."""
    for path in folder.glob(_TEMPORARY.format("*")):
        with suppress(OSError):
            if time.time() - path.lstat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()


def _sync_folder(folder: Path) -> None:
    """Sync a rename in `folder` to disk, if the file system can: Windows and some shares cannot."""
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
def lock_folder(folder: Path, *, taken: PbemError | None = None) -> Iterator[None]:
    """Hold the lock of a folder.

    If another process does not release it in time, raises StorageError; if `taken` is given, raises that
    error without waiting.
    """
    with ExitStack() as held:
        try:
            held.enter_context(system.lock_file(folder / "lock", 0 if taken else LOCK_SECONDS, PRIVATE))
        except system.LockTaken as error:
            busy = StorageError(
                tr("another pbem is writing in {folder}", folder=folder), hint=tr("try again later")
            )
            raise (taken or busy) from error
        except (OSError, NotImplementedError) as error:  # the latter on a network share without locks
            reason = system_reason(error) if isinstance(error, OSError) else error
            raise StorageError(tr("cannot lock {folder}: {reason}", folder=folder, reason=reason)) from error
        yield
