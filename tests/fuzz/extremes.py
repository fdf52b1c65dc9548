"""The extremes of what stands in a file: of numbers, of texts, of lengths."""

from __future__ import annotations

import random
import re

NUMBERS = (0, -1, 1, 2**31, 2**53 - 1, 2**53, -(2**53), 2**63, 2**64, 10**20)
"""Whole numbers at the edge of what somebody counts with. A file may hold those below 2^53 (FORMAT 1)."""

DIGITS = 5_000
"""More digits than Python makes a number of."""

WORDS = (
    *(str(number).encode() for number in NUMBERS),
    *(b"9" * DIGITS, b"-" + b"9" * DIGITS, b"0" * 40, b"1e400", b"-0", b"0x7fffffffffffffff", b".inf"),
    *(
        b'""',
        b'" "',
        b"null",
        b"true",
        b"[]",
        b"{}",
        b"[[]]",
        b'"\\x00"',
        b'"\\u2028"',
        b"'" + b"x" * 70 + b"'",
    ),
    *(b"9999-12-31T23:59:59Z", b"0001-01-01T00:00:00Z", b'"9999-12-31T23:59:59Z"', b'"0001-01-01T00:00:00Z"'),
)
"""What may stand as a value, written out."""

LONG = (
    b"9" * 100_000,
    b'"' + b" " * 100_000 + b'x"',
    b'"' + b"a-" * 50_000 + b'"',
    b"[" + b"0," * 5_000 + b"0]",
)
"""The like, as long as it may be in a file that is read in no time."""

_NUMBER = re.compile(rb"(?<![0-9A-Za-z+/])-?[0-9]+(?![0-9A-Za-z+/])")
_VALUE = re.compile(rb"(?<=: )[^\r\n]+")


def word(source: random.Random) -> bytes:
    """An extreme value; one in fifty is long."""
    return source.choice(LONG) if source.random() < 0.02 else source.choice(WORDS)


def change_extremes(data: bytes, source: random.Random) -> bytes:
    """Put extremes in place of up to three numbers or values of a text."""
    for _ in range(source.randint(1, 3)):
        places = [found.span() for found in source.choice((_NUMBER, _VALUE)).finditer(data)]
        if not places:
            break
        begin, end = source.choice(places)
        data = data[:begin] + word(source) + data[end:]
    return data
