"""Mails made to stop, flood or hang their reader."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from base64 import encodebytes
from collections.abc import Callable

from pbem.base.limits import FILE_BYTES
from pbem.mail.armour import enclose
from support.mail_clients import tnef

HEAD = b"From: m@example.org\nSubject: pbem\nMIME-Version: 1.0\n"
TEXT = HEAD + b"Content-Type: text/plain\n\n"
HTML = HEAD + b"Content-Type: text/html\n\npbem"
START = b"pbem: 1\nlog:\n"
MIB = 2**20


def cheap_hostile_mails(offer: bytes) -> dict[str, tuple[bytes, str]]:
    """Mails that once caused a traceback or cost much, each with the required message, if any."""
    option = offer.replace(b"    turns: 1\n", b'    "a - at `$b": 1\n', 1)
    assert option != offer
    charsets = ("idna", "punycode", "undefined", "zlib", "x" * 5000)
    continued = b"text/plain; charset*0*=idna'en'%e4; charset*" + b"9" * 5000 + b"=x"
    packed = attached(gzip.compress(START + bytes(FILE_BYTES)), "m.yaml.gz")
    dashes, lines = b"pbem\n--\n" * 11_000, b"pbem\n" * 1_100_000
    return {f"charset {name}": (typed(b"text/plain; charset=" + name.encode()), "") for name in charsets} | {
        "charset in pieces": (typed(continued), ""),
        "base64 of a mail": (
            HEAD + b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nAAAAA\n",
            "",
        ),
        "option like a path": (parts(attached(option, "m.yaml")), "there is no key 'a - at `$b'"),
        "reference to no character": (HTML + b"&#" + b"9" * 5000 + b";", ""),
        "zeros in armour": (zeros(), "contains more than 33,554,432 bytes of games"),
        "zeros in zip": (parts(attached(zipped(4, FILE_BYTES), "m.zip")), "bytes of games"),
        "zeros in gzip": (parts(*[packed] * 20), "bytes of games"),
        "games without end": (TEXT + b"pbem: 1\n" * 100_000, "contains more than 100 games"),
        "table of a zip": (parts(attached(zipped(2000, 0), "m.zip")), "a zip archive with too many files"),
        "7z": (
            parts(attached(b"7z\xbc\xaf", "mortain-0f3a9c12.7z")),
            "is a 7z archive: open it in another program",
        ),
        "lines without end": (TEXT + lines, "the mail has more than 1,000,000 lines"),
        "boundaries without end": (TEXT + dashes, "the mail has more than 10,000 lines that begin with --"),
    }


def costly_hostile_mails() -> dict[str, Callable[[], bytes]]:
    """Mails that should cost as much as a mail can."""
    return {
        "zeros in armour": zeros,
        "entries in armour": lambda: (
            TEXT + b"".join(enclose(numbers(FILE_BYTES - n)).encode() for n in range(5))
        ),
        "entries in small armour": lambda: (
            TEXT + b"".join(enclose(numbers(500_000 - 9 * n)).encode() for n in range(60))
        ),
        "like drafts": lambda: parts(
            *[
                attached(b"pbem: 1\nafter: [" + b"%d, " % n + b"1, " * 21_000 + b"1]\n", "m.yaml")
                for n in range(90)
            ]
        ),
        "two games of 16 MiB": lambda: parts(
            attached(numbers(FILE_BYTES), "1.yaml"), attached(numbers(FILE_BYTES - 9), "2.yaml")
        ),
        "escapes": lambda: parts(attached(START + b'  - "' + b"\\U0001f600" * 1_600_000 + b'"\n', "m.yaml")),
        "one line of rare letters": lambda: TEXT + START + ("\U0001f600" + "a" * 10).encode() * 3_400_000,
        "bytes of no charset": lambda: TEXT + (b"pbem: 1\n" + b"\xe4" * 140 + b"\n") * 300_000,
        "short lines": lambda: TEXT + b"pbem: 1\n" + b"a\n" * 990_000,
        "headers": lambda: b"a: b\n" * 990_000 + b"\npbem: 1\n",
        "boundaries": lambda: parts(*[b"\npbem"] * 9_900),
        "one in another": lambda: HEAD + nested(250) + b"\npbem: 1\n" + b"abc def ghi jkl\n" * 900_000,
        "a report of parts in each other": lambda: (
            HEAD
            + b"Content-Type: multipart/report; boundary=q\n\n--q\n"
            + nested(250)
            + b"\npbem: 1\n"
            + b"abc def ghi jkl\n" * 980_000
        ),
        "mails as files": lambda: (HEAD + EML) * 18 + b"pbem: 1\n" + (b"y" * 75 + b"\n") * 500_000,
        "begins of armour": lambda: TEXT + b"\n -BEGIN PBEM GAME-\n" * 400_000,
        "begins of uuencode": lambda: TEXT + b"begin 644 a\n" * 900_000,
        "base64 in text": lambda: TEXT + b"cGJlbTog\n" * 900_000,
        "open quote": lambda: TEXT + START + b'  -\n"' + b"\\a" * 1_000_000,
        "lines to be joined": lambda: TEXT + (START + b'  - x: "\n' * 20_000) * 30,
        "brackets": lambda: TEXT + START + b"[[[[[[[[[[[[[{{{{{{{\n" * 49_000,
        "letters of Windows": lambda: parts(
            *[
                attached(START + b"\xc3\xa9\xa0 \xe2\x80\x9c" * 230_000 + b"%d" % n, "m.yaml")
                for n in range(15)
            ]
        ),
        "tags": lambda: HTML + b"<br" * 2_600_000,
        "ampersands": lambda: HTML + b"&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" * 260_000,
        "digits": lambda: HTML + b"&#" + b"9" * 8_000_000,
        "scrubbed": lambda: TEXT + b"attachment was scrubbed" * 360_000,
        "quote marks": lambda: TEXT + b"> " * 4_000_000 + b"pbem: 1\n",
        "blanks": lambda: TEXT + b"pbem" + b" " * 8_000_000 + b"x",
        "flowed": lambda: (
            HEAD + b"Content-Type: text/plain; format=flowed\n\npbem: 1\n" + b"aaa \n" * 900_000
        ),
        "winmail.dat": lambda: parts(attached(winmail(900), "winmail.dat")),
        "a photograph": lambda: parts(attached(bytes(range(256)) * 130_000, "a.jpg")),
    }


EML = b"Content-Type: application/octet-stream; name=a.eml\n\n"


def parts(*inside: bytes) -> bytes:
    """A mail with these parts."""
    return (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=b\n\n"
        + b"".join(b"--b\n" + part + b"\n" for part in inside)
        + b"--b--\n"
    )


def attached(data: bytes, name: str) -> bytes:
    """An attachment."""
    head = f'Content-Type: application/octet-stream; name="{name}"\nContent-Transfer-Encoding: base64\n\n'
    return head.encode() + encodebytes(data)


def nested(depth: int) -> bytes:
    """The beginnings of nested multiparts, each with its own boundary."""
    return b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))


def typed(kind: bytes) -> bytes:
    """A mail of that type, with a non-ASCII letter."""
    return HEAD + b"Content-Type: " + kind + b"\n\nHello pbem \xe4\n"


def zeros() -> bytes:
    """Twenty times a block of 16 MiB, in each of many parts: 6.5 MB."""
    return parts(*[b"\n" + enclose(START + bytes(FILE_BYTES - 100)).encode() * 20] * 15)


def numbers(size: int) -> bytes:
    """A file of about this many bytes: entries of lists of numbers, which are costly to read."""
    entry = b"  - n: 1\n    list: [" + b"1, " * 380 + b"1]\n"
    return (
        START + entry * ((size - len(START)) // len(entry)) + b"#" * ((size - len(START)) % len(entry) // 2)
    )


def zipped(files: int, size: int) -> bytes:
    """An archive of files of this many zeros."""
    with io.BytesIO() as data:
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for n in range(files):
                archive.writestr(f"{n}.yaml", START + bytes(size))
        return data.getvalue()


def winmail(files: int) -> bytes:
    """winmail.dat with this many files."""
    whole = tnef(b"pbem: 1\n" * 3750)
    return whole + whole[-(30_000 + struct.calcsize("<BII") + 2) :] * (files - 1)
