"""Mails as no program writes them: whole ones, spoilt in headers, structure, encodings, armour or bytes."""

from __future__ import annotations

import gzip
import quopri
import random
import re
from base64 import encodebytes
from collections.abc import Callable
from pathlib import Path

from fuzz.extremes import change_extremes, word
from mail.corpus.make import GAME, OLD, zipped
from pbem.mail.armour import enclose
from support.mail_clients import tnef

CORPUS = Path(__file__).parents[1] / "mail" / "corpus"

CHARSETS = (
    *("idna", "punycode", "undefined", "utf-8", "utf-16", "utf-7", "iso-8859-1", "cp1252", "gb18030", "hz"),
    *("iso-2022-jp", "unicode_escape", "raw_unicode_escape", "rot13", "zlib", "mbcs", "oem", "x" * 300),
    *("cp99999", "iso-8859-99", "big5", "utf-32", "\xff", "''", "utf-8\0", "us-ascii'en'"),
)
ENCODINGS = ("base64", "quoted-printable", "x-uuencode", "8bit", "7bit", "binary", "uue", "BASE64 ", "x", "")
KINDS = (
    *("text/plain", "text/html", "message/rfc822", "multipart/mixed", "multipart/digest", "application/yaml"),
    *("message/partial", "message/delivery-status", "message/external-body", "application/zip", "text"),
    *("application/gzip", "application/ms-tnef", "application/pgp-encrypted", "application/x-7z-compressed"),
    *("multipart/signed", "application/octet-stream", "text/calendar", "/", "multipart/", "image/jpeg"),
)
NAMES = (
    *("m.yaml", "a.eml", "winmail.dat", "m.zip", "m.yaml.gz", "m.7z", "../../../etc/passwd", "/abs.yaml"),
    *(
        "a\x00b.yaml",
        "\x1b[2J.yaml",
        "=?utf-8?b?x?=",
        "=?idna?q?=ff?=",
        "\xe4.yaml",
        "",
        "." * 300,
        "con.yaml",
    ),
)
HEADERS = (
    "Content-Type: {kind}; charset={charset}",
    'Content-Type: {kind}; boundary="{boundary}"',
    "Content-Type: {kind}; format=flowed; delsp=yes; name={name}",
    "Content-Type: {kind}; charset*0*=utf-8''%ff; charset*99999999999999999999=x; charset*1={charset}",
    "Content-Type: {kind}; name*={charset}'en'%ff%00{name}",
    "Content-Disposition: attachment; filename*0*={charset}''%e4; filename*{digits}=x",
    'Content-Disposition: attachment; filename="{name}"',
    "Content-Transfer-Encoding: {encoding}",
    "Subject: =?{charset}?q?=ff=00_?= =?{charset}?b?/w==?= =?utf-8?b?A?=",
    "Subject: \xff\xfe {name}",
    "MIME-Version: {digits}",
    ": no name",
    " folded",
)
WORDS = (
    *(b"pbem: 1\n", b"-----BEGIN PBEM GAME-----\n", b"-----END PBEM GAME-----\n", b"begin 644 m\n", b"end\n"),
    *(b"&#99999999999;", b"&#x110000;", b"=\n", b"=00", b"\0", b"\xff", b"\xa0", b"\xed\xa0\x80", b"\x1b$B"),
    *(
        b"a - at `$b: 1\n",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"--\n",
        b"From x\n",
        b"> ",
        b"\r",
        b"\n\n",
        b"<br>",
        b'"',
    ),
    *(
        b"cGJlbTogMQo=\n",
        b"PK\3\4",
        b"\x1f\x8b\x08",
        b"log:\n",
        b"- n: 0\n",
        b"---\n",
        b"...\n",
        b"{",
        b"[",
        b"&a ",
    ),
    *(b"lines 9999999, bytes 99999999, sha256 " + b"0" * 32, b"\xe2\x80\xa8", b"\t", b"prev: ", b"scrubbed"),
)


class Mutants:
    """Mails made from those of the corpus, and from games; the same with every seed."""

    def __init__(self, seed: int, *games: bytes) -> None:
        self._chance = random.Random(seed)
        self._mails = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))]
        self._games = [GAME, OLD, *games]
        self._changes: tuple[Callable[[bytes], bytes], ...] = (
            self._bytes,
            self._bytes,
            self._header,
            self._header,
            self._parameter,
            self._parameter,
            self._lines,
            self._inside_another,
            self._cut,
            self._boundaries,
            lambda data: change_extremes(data, self._chance),
        )

    def mail(self) -> bytes:
        """One more mail."""
        chance = self._chance
        return self.changed(chance.choice(self._mails) if chance.random() < 0.5 else self._new())

    def changed(self, data: bytes) -> bytes:
        """A mail spoilt in a few places."""
        for _ in range(self._chance.randint(1, 4)):
            data = self._chance.choice(self._changes)(data)
        return data

    def _new(self) -> bytes:
        """A mail with a game, or what is left of it, in one of the ways that games are found in mails."""
        chance = self._chance
        game = chance.choice(self._games)
        if chance.random() < 0.6:
            game = self._game(game)
        ways: tuple[Callable[[], tuple[str, str, bytes]], ...] = (
            lambda: ("text/plain", "", enclose(game).encode()),
            lambda: ("text/plain", "", game),
            lambda: ("application/yaml", "m.yaml", game),
            lambda: ("application/zip", "m.zip", zipped(("m.yaml", game), ("x", b"x"))),
            lambda: ("application/gzip", "m.yaml.gz", gzip.compress(game)),
            lambda: ("application/ms-tnef", "winmail.dat", tnef(game)),
            lambda: ("text/html", "", b"<pre>" + game + b"</pre>"),
            lambda: ("message/rfc822", "", chance.choice(self._mails)),
            lambda: ("text/plain", "", b"".join(b"> " + line for line in game.splitlines(keepends=True))),
        )
        kind, name, data = chance.choice(ways)()
        encoding = chance.choice(("base64", "quoted-printable", "8bit"))
        if chance.random() < 0.3:
            data = self._bytes(data)
        packed = {"base64": encodebytes, "quoted-printable": quopri.encodestring}.get(encoding, bytes)(data)
        lines = [
            "From: a@example.org",
            "Subject: m",
            f'Content-Type: {kind}; name="{name}"; charset={chance.choice(CHARSETS)}',
            f"Content-Transfer-Encoding: {encoding}",
        ]
        return "".join(f"{line}\n" for line in lines).encode("latin-1") + b"\n" + packed

    def _game(self, game: bytes) -> bytes:
        """A game of which a line is another, twice there, or gone."""
        lines = game.splitlines(keepends=True)
        for _ in range(self._chance.randint(1, 3)):
            at = self._chance.randrange(len(lines))
            line = self._chance.choice(lines)
            key, _, value = lines[at].partition(b":")
            lines[at] = self._chance.choice(
                (
                    line,
                    b"",
                    lines[at] * 2,
                    key + b"x:" + value,
                    key + b": " + self._chance.choice(WORDS) + b"\n",
                    key + b": " + word(self._chance) + b"\n",
                    key + b" - at `$b: 1\n",
                    key + b": [" * 20 + b"\n",
                )
            )
        return b"".join(lines)

    def _bytes(self, data: bytes) -> bytes:
        spoilt = bytearray(data)
        for _ in range(self._chance.randint(1, 4)):
            at = self._chance.randrange(len(spoilt) + 1)
            length = self._chance.choice((1, 1, 2, 8, 100, 2000))
            match self._chance.randrange(4):
                case 0:
                    spoilt[at : at + length] = self._chance.randbytes(length)
                case 1:
                    del spoilt[at : at + length]
                case 2:
                    spoilt[at:at] = self._chance.choice(WORDS) * self._chance.choice((1, 1, 3, 200))
                case _:
                    spoilt[at:at] = spoilt[at : at + length]
        return bytes(spoilt)

    def _header(self, data: bytes) -> bytes:
        """One header more, or in place of another, of the mail or of a part."""
        line = self._chance.choice(HEADERS).format(
            kind=self._chance.choice(KINDS),
            charset=self._chance.choice(CHARSETS),
            encoding=self._chance.choice(ENCODINGS),
            name=self._chance.choice(NAMES),
            boundary=self._chance.choice(("a1", "----=_Part_7_1850", "", "x" * 80, "(.*)+")),
            digits=self._chance.choice(("0", "-1", str(2**53), *("9" * size for size in (1, 19, 5000)))),
        )
        lines = data.split(b"\n")
        headers = [n for n, one in enumerate(lines[:400]) if re.match(rb"[A-Za-z-]+:", one)] or [0]
        at = self._chance.choice(headers)
        lines[at : at + self._chance.randint(0, 1)] = [line.encode("latin-1")]
        return b"\n".join(lines)

    def _parameter(self, data: bytes) -> bytes:
        """Another type, charset, encoding or name, wherever one stands."""
        pattern, values = self._chance.choice(
            (
                (rb"(?i)(charset=)[^;\s]*", CHARSETS),
                (rb"(?i)(transfer-encoding:)[^\n]*", ENCODINGS),
                (rb"(?i)(content-type: )[^;\n]*", KINDS),
                (rb'(?i)(name=")[^"\n]*', NAMES),
                (rb"(?i)(boundary=)[^;\n]*", ("a1", '""', "")),
            )
        )
        value = self._chance.choice(values).encode("latin-1")
        return re.sub(pattern, lambda found: found[1] + value, data, count=self._chance.randint(1, 3))

    def _lines(self, data: bytes) -> bytes:
        """Other ends of lines, other lengths, quoted, or in another order."""
        lines = data.split(b"\n")
        match self._chance.randrange(5):
            case 0:
                return data.replace(b"\n", self._chance.choice((b"\r\n", b"\r", b"\n\n", b" \n", b"\r\r\n")))
            case 1:
                at = self._chance.randrange(len(lines))
                return b"\n".join([*lines[:at], *(b"> " + line for line in lines[at:])])
            case 2:
                return b"\n".join(line[:40] + b"\n" + line[40:] if len(line) > 40 else line for line in lines)
            case 3:
                at, to = sorted(self._chance.randrange(len(lines)) for _ in range(2))
                return b"\n".join(lines[:at] + lines[to:] + lines[at:to])
            case _:
                at = self._chance.randrange(len(lines))
                return b"\n".join([*lines[:at], *lines[at : at + 30] * 20, *lines[at:]])

    def _inside_another(self, data: bytes) -> bytes:
        """The mail as a part of another, once or many times."""
        for _ in range(self._chance.choice((1, 1, 2, 25))):
            head = b"Subject: Fwd\nContent-Type: message/rfc822\n"
            if len(data) < 200_000 and self._chance.random() < 0.3:
                data = head + b"Content-Transfer-Encoding: base64\n\n" + encodebytes(data)
            else:
                data = head + b"\n" + data
        return data

    def _cut(self, data: bytes) -> bytes:
        return data[: self._chance.randrange(len(data) + 1)]

    def _boundaries(self, data: bytes) -> bytes:
        """Two parts of it once more, or a boundary lost."""
        parts = re.split(rb"(?m)^(?=--\S)", data)
        if len(parts) < 2:
            return data
        at = self._chance.randrange(len(parts))
        if self._chance.random() < 0.3:
            return b"".join(parts[:at] + parts[at + 1 :])
        return b"".join([*parts[:at], *parts[at : at + 2] * self._chance.choice((2, 2, 60)), *parts[at:]])
