"""Files inside files: zip, gzip and Outlook's winmail.dat (TNEF) are opened, other types are named.

All of it stays within the budgets of a mail. Deflate is the only compression supported, since its window is
small whatever an archive claims; that of other methods is not.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO

from pbem.base.limits import ARCHIVE_FILES, FILE_BYTES, spend
from pbem.errors import MailError
from pbem.messages import Messages, Said

tr = Messages("pbem")


TNEF_SIGNATURE = 0x223E9F78
TNEF_ATTACHMENT_DATA = 0x0006800F

_MAX_ATTRIBUTES = 1000


def tnef_attachments(data: bytes) -> Iterator[bytes]:
    """The bytes of every attached file; nothing if the data are not TNEF, or end too early."""
    if len(data) < 6 or struct.unpack_from("<I", data)[0] != TNEF_SIGNATURE:
        return
    at = 6
    for _ in range(_MAX_ATTRIBUTES):
        if at + 9 > len(data):
            return
        _, attribute, length = struct.unpack_from("<BII", data, at)
        value = data[at + 9 : at + 9 + length]
        if len(value) < length:
            return
        if attribute == TNEF_ATTACHMENT_DATA:
            yield value
        at += 9 + length + 2


_ZIP = ("application/zip", "application/x-zip-compressed")
_GZIP = ("application/gzip", "application/x-gzip")
_UNOPENABLE_KINDS = {
    "application/pkcs7-mime": "S/MIME",
    "application/x-pkcs7-mime": "S/MIME",
    "application/pgp-encrypted": "PGP",
    "application/x-7z-compressed": "7z",
    "application/vnd.rar": "rar",
    "application/x-rar-compressed": "rar",
}
_UNOPENABLE_NAMES = {
    ".7z": "7z",
    ".rar": "rar",
    ".bz2": "bzip2",
    ".xz": "xz",
    ".zst": "zstd",
    ".p7m": "S/MIME",
    ".pgp": "PGP",
    ".gpg": "PGP",
}
_ENTRY = b"PK\x01\x02"
_MOST_ENTRIES = 1_000
"""The most entries of a zip archive's table, which is read as a whole."""
_MOST_OF_A_NAME = 100
_BEGINNING = 64 * 2**10
_TRACES = (b"pbem", b"p\0b\0e\0m")
_DEFLATE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1


def describe_unopenable(kind: str, name: str, place: Said = "") -> Said:
    """What a part of this type and name is, if only other programs can open it; else empty."""
    match _UNOPENABLE_KINDS.get(kind) or _UNOPENABLE_NAMES.get(_suffix(name)):
        case None:
            return ""
        case ("S/MIME" | "PGP") as how:
            return tr("{file} is encrypted with {how}", file=place, how=how)
        case "xz":
            return tr("{file} is an xz archive", file=place)
        case packed:
            return tr("{file} is a {format} archive", file=place, format=packed)


def archive_type(data: bytes) -> str:
    """The type of a file that `files_in_archive` opens, from its first bytes; empty for any other."""
    types = {b"PK\x03\x04": _ZIP[0], b"\x1f\x8b\x08": _GZIP[0]}
    return next((kind for magic, kind in types.items() if data.startswith(magic)), "")


def is_archive(kind: str, name: str) -> bool:
    """Whether `files_in_archive` opens a part of this type and name."""
    return kind in _ZIP + _GZIP or _suffix(name) in (".zip", ".gz")


def files_in_archive(data: bytes, kind: str, name: str, place: Said) -> Iterator[tuple[str, bytes]]:
    """The name and bytes of each file in an archive; in a zip archive, names like a game's come first.

    Raises `MailError`, which says what is wrong with the archive at `place`; `OverBudget`.
    """
    try:
        if kind in _GZIP or _suffix(name) == ".gz":
            yield name[: -len(".gz")] or name, _inflate(data)
        else:
            yield from _files_in_zip(data, place)
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
        raise MailError(tr("{file} is a damaged archive", file=place)) from None


def _files_in_zip(data: bytes, place: Said) -> Iterator[tuple[str, bytes]]:
    if data.count(_ENTRY) > _MOST_ENTRIES:
        raise MailError(tr("{file} is a zip archive with too many files", file=place))
    with zipfile.ZipFile(BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        members.sort(key=lambda member: ".yaml" not in member.filename)
        for member in members[:ARCHIVE_FILES]:
            if member.flag_bits & _ENCRYPTED:
                raise MailError(tr("{file} is an encrypted zip archive", file=place))
            if member.compress_type not in _DEFLATE:
                raise MailError(tr("{file} is a zip archive packed by an unusual method", file=place))
            if is_archive("", member.filename) or describe_unopenable("", member.filename):
                raise MailError(tr("{file} is an archive that contains another archive", file=place))
            with archive.open(member) as file:
                yield member.filename[:_MOST_OF_A_NAME], _read_if_game(file.read)


def _inflate(data: bytes) -> bytes:
    inflating, rest = zlib.decompressobj(16 + zlib.MAX_WBITS), data

    def read(size: int) -> bytes:
        nonlocal rest
        file = inflating.decompress(rest, size)
        rest = inflating.unconsumed_tail
        return file

    return _read_if_game(read)


def _read_if_game(read: Callable[[int], bytes]) -> bytes:
    """The whole file if it begins like a game; otherwise only its beginning."""
    file = read(_BEGINNING)
    if any(trace in file for trace in _TRACES):
        file += read(FILE_BYTES - _BEGINNING)
        spend("unpacked bytes", len(file))
    return file


def _suffix(name: str) -> str:
    return name.lower()[name.rfind(".") :] if "." in name else ""
