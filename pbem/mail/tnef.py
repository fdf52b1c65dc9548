"""winmail.dat: attachments as Outlook wraps them (TNEF). Only what is needed to take files out."""

from __future__ import annotations

import struct
from collections.abc import Iterator

TNEF_SIGNATURE = 0x223E9F78
TNEF_ATTACHMENT_DATA = 0x0006800F

_MAX_ATTRIBUTES = 1000


def tnef_attachments(data: bytes) -> Iterator[bytes]:
    """The bytes of every attached file; nothing where the data are not TNEF, or end too early."""
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
