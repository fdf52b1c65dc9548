"""The members of a backup's archive, read strictly: files with plain names, and nothing else of what tar has.

Python's own reader takes whatever any tar has ever written: sparse files that unpack to any size, links,
devices, headers within headers without end. An archive by `backup.py` has headers of two kinds, of a file and
of its long name (pax), and the folders that `tar` adds for whoever packs it again by hand hold nothing.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import PurePosixPath

from pbem.base.limits import BACKUP_BYTES, BACKUP_FILES
from pbem.errors import FileError
from pbem.render.words import quote_name
from pbem.texts import Texts

tr = Texts("pbem")

_BLOCK = 512

_MOST_LEVELS = 32
"""The most folders within each other: a home has six, and a Maildir in it three more."""

_MOST_OF_A_NAME = 1_000
"""The most characters of a name; the names of a home have some 150."""

_MOST_OF_A_PART = 255
"""The most characters of a name between two slashes, as file systems have it."""

_MOST_OF_A_HEADER = 8 * 1024
"""The most bytes of a header that states a long name."""


def read_members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of an archive, each with its name. Raises `FileError`, `ValueError`, `tarfile.TarError`."""
    long_name = None
    files = total = 0
    for header, data in _tar_headers(archive):
        if header.type == tarfile.XHDTYPE:
            long_name = _pax_name(data)
            continue
        name, long_name = long_name or header.name, None
        if header.type not in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE):
            problem = tr("{name} is neither a file nor a folder: nothing was restored", name=quote_name(name))
            raise FileError(problem)
        if header.type == tarfile.DIRTYPE:
            continue
        path = PurePosixPath(name)
        if not _is_plain(name, path):
            problem = tr(
                "the name {name} is not allowed in a backup: nothing was restored", name=quote_name(name)
            )
            raise FileError(problem)
        files, total = files + 1, total + len(data)
        if files > BACKUP_FILES or total > BACKUP_BYTES:
            problem = tr(
                "has more than {files} files or {most} bytes, the most that a backup may have: nothing was "
                "restored",
                files=BACKUP_FILES,
                most=BACKUP_BYTES,
            )
            raise FileError(problem)
        yield str(path), data


def _tar_headers(archive: bytes) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    """The headers of an archive up to its end, each with the bytes after it. Raises `tarfile.TarError`."""
    at = 0
    while any(block := archive[at : at + _BLOCK]):
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        at += _BLOCK
        if not 0 <= header.size <= len(archive) - at:
            raise tarfile.ReadError
        yield header, archive[at : at + header.size]
        at += -(-header.size // _BLOCK) * _BLOCK


def _pax_name(data: bytes) -> str | None:
    """The file name in a pax header, if it has one. Raises `ValueError` if it is invalid or too large.

    It consists of records such as `20 path=games/a.yaml`, each with a line end that its length includes.
    """
    if len(data) > _MOST_OF_A_HEADER:
        raise ValueError
    name = None
    while data:
        digits = data[: data.index(b" ")]
        length = int(digits)
        if not len(digits) < length <= len(data):
            raise ValueError
        key, _, value = data[len(digits) + 1 : length - 1].partition(b"=")
        if key == b"size" or key.startswith(b"GNU.sparse"):
            raise ValueError
        if key == b"path":
            name = value.decode("utf-8", "surrogateescape")
        data = data[length:]
    return name


def _is_plain(name: str, path: PurePosixPath) -> bool:
    """Whether a name stays within its folder, and is a possible file name."""
    bounded = len(name) <= _MOST_OF_A_NAME and 1 <= len(path.parts) <= _MOST_LEVELS
    bounded = bounded and all(len(part) <= _MOST_OF_A_PART for part in path.parts)
    return bounded and not path.is_absolute() and ".." not in path.parts and "\0" not in name
