"""Decoding of transfer encodings: base64, quoted-printable, uuencode. An error in one costs some letters."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64, a2b_qp, a2b_uu
from contextlib import suppress
from io import BytesIO

from pbem.base.limits import FILE_BYTES

UU_BEGIN = rb"begin [0-7]{3,4} "
"""The beginning of the line before uuencoded lines; the file's name follows."""

_FOREIGN = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
_UU_BEGIN = re.compile(UU_BEGIN)


def decode_transfer(data: bytes, encoding: str) -> bytes:
    """The content of a part with this `Content-Transfer-Encoding`, given in small letters."""
    match encoding:
        case "base64":
            return decode_loose_base64(data)
        case "quoted-printable":
            return a2b_qp(data)
        case "x-uuencode" | "uuencode" | "uue" | "x-uue":
            return decode_uuencode(data)
    return data


def decode_loose_base64(letters: bytes) -> bytes:
    """The data in base64, up to where it ends or is cut off; foreign characters are skipped."""
    digits = letters.translate(None, _FOREIGN).partition(b"=")[0]
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]  # a single letter decodes to nothing
    return a2b_base64(digits + b"=" * (-len(digits) % 4))


def decode_uuencode(data: bytes) -> bytes:
    """The file between the lines `begin` and `end`, or up to where it is cut off; without a `begin` empty."""
    decoded, begun = bytearray(), False
    for line in (line.rstrip(b"\r\n") for line in BytesIO(data)):
        if not begun:
            begun = _UU_BEGIN.match(line) is not None
        elif line == b"end" or len(decoded) > FILE_BYTES:  # a cut line counts as the bytes that it promises
            break
        else:
            decoded += _decode_uu_line(line)
    return bytes(decoded)


def _decode_uu_line(line: bytes) -> bytes:
    """The bytes of a line, whose first letter gives their number; some programs append a checksum."""
    size = (line[0] - 32) & 63 if line else 0
    for candidate in (line, line[: 1 + (size + 2) // 3 * 4]):
        with suppress(Error):
            return a2b_uu(candidate)
    return b""
