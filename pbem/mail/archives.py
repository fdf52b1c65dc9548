"""Files that hold files: zip and gzip are opened, within the budgets of a mail; others are named.

Only deflate is undone. Its window is small whatever an archive says, which those of other methods are not.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO

from pbem.budgets import ARCHIVE_FILES, FILE_BYTES, spend
from pbem.errors import MailError

_ZIP = ("application/zip", "application/x-zip-compressed")
_GZIP = ("application/gzip", "application/x-gzip")
_UNOPENABLE_KINDS = {
    "application/pkcs7-mime": "encrypted by S/MIME",
    "application/x-pkcs7-mime": "encrypted by S/MIME",
    "application/pgp-encrypted": "encrypted by PGP",
    "application/x-7z-compressed": "a 7z archive",
    "application/vnd.rar": "a rar archive",
    "application/x-rar-compressed": "a rar archive",
}
_UNOPENABLE_NAMES = {
    ".7z": "a 7z archive",
    ".rar": "a rar archive",
    ".bz2": "a bzip2 archive",
    ".xz": "an xz archive",
    ".zst": "a zstd archive",
    ".p7m": "encrypted by S/MIME",
    ".pgp": "encrypted by PGP",
    ".gpg": "encrypted by PGP",
}
_ENTRY = b"PK\x01\x02"
_MOST_ENTRIES = 1_000
"""Entries of a zip archive's table, which is read as a whole."""
_MOST_OF_A_NAME = 100
_BEGINNING = 64 * 2**10
_TRACES = (b"pbem", b"p\0b\0e\0m")
_DEFLATE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1


def unopenable(kind: str, name: str) -> str:
    """What a part of this type and name is, if only other programs could take a game out of it."""
    return _UNOPENABLE_KINDS.get(kind) or _UNOPENABLE_NAMES.get(_ending(name), "")


def is_archive(kind: str, name: str) -> bool:
    """Whether `files` opens a part of this type and name."""
    return kind in _ZIP + _GZIP or _ending(name) in (".zip", ".gz")


def files(data: bytes, kind: str, name: str) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each file in an archive, of a zip archive those first that look like a game.

    Raises `MailError`, which says of the archive what is wrong with it; `OverBudget`.
    """
    try:
        if kind in _GZIP or _ending(name) == ".gz":
            yield name[: -len(".gz")] or name, _inflated(data)
        else:
            yield from _zipped(data)
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        ValueError,
        IndexError,
        EOFError,
        OverflowError,
        RuntimeError,
    ):
        raise MailError("is a damaged archive") from None


def _zipped(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data.count(_ENTRY) > _MOST_ENTRIES:
        raise MailError("is a zip archive of too many files")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        members.sort(key=lambda member: ".yaml" not in member.filename)
        for member in members[:ARCHIVE_FILES]:
            if member.flag_bits & _ENCRYPTED:
                raise MailError("is an encrypted zip archive")
            if member.compress_type not in _DEFLATE:
                raise MailError("is a zip archive that is packed in a rare way")
            if is_archive("", member.filename) or unopenable("", member.filename):
                raise MailError("is an archive that holds another")
            with archive.open(member) as opened:
                yield member.filename[:_MOST_OF_A_NAME], _game(opened.read)


def _inflated(data: bytes) -> bytes:
    inflating, rest = zlib.decompressobj(16 + zlib.MAX_WBITS), data

    def read(size: int) -> bytes:
        nonlocal rest
        file = inflating.decompress(rest, size)
        rest = inflating.unconsumed_tail
        return file

    return _game(read)


def _game(read: Callable[[int], bytes]) -> bytes:
    """A file, if its beginning may be that of a game; else its beginning alone."""
    file = read(_BEGINNING)
    if any(trace in file for trace in _TRACES):
        file += read(FILE_BYTES - _BEGINNING)
        spend("unpacked bytes", len(file))
    return file


def _ending(name: str) -> str:
    return name.lower()[name.rfind(".") :] if "." in name else ""
