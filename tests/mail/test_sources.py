"""Where mails come from: folders, mailboxes, single files, text; each letter with its label."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from pbem.base.limits import MBOX_BYTES, MBOX_MAILS
from pbem.errors import FileError
from pbem.mail.parse_mail import ParsedMail, parse_all
from support.markers import Posix, requires

MAIL = b"From: Anna\nSubject: =?utf-8?Q?Caff=C3=A8?=\n\npbem: 1\nlog: []\n"
LINE = b"From anna@example.org Wed Mar  4 11:02:13 2026\n"


def read(folder: Path, data: bytes) -> list[ParsedMail]:
    path = folder / "file"
    path.write_bytes(data)
    return list(parse_all(path))


class TestMbox:
    def test_each_mail(self, tmp_path: Path) -> None:
        found = read(tmp_path, LINE + MAIL + b"\n" + LINE + MAIL)
        assert [one.label for one in found] == [f'{tmp_path / "file"}, mail {n} ("Caffè")' for n in (1, 2)]
        assert [len(one.finding.candidates) for one in found] == [2, 2]

    def test_from_within_a_mail_begins_none(self, tmp_path: Path) -> None:
        (one,) = read(tmp_path, LINE + MAIL + b"From here on\n>From there\n>>From anywhere\n")
        assert one.data.endswith(b"From here on\nFrom there\n>From anywhere\n")

    def test_crlf(self, tmp_path: Path) -> None:
        assert len(read(tmp_path, (LINE + MAIL + b"\n" + LINE + MAIL).replace(b"\n", b"\r\n"))) == 2

    def test_no_more_mails_than_a_mailbox_may_have(self, tmp_path: Path) -> None:
        """Tiny ones are not even read: 16.8 MB of them took 26 s."""
        tiny = LINE + b"Subject: pbem\n\npbem: 1\n\n"
        assert len(read(tmp_path, tiny * MBOX_MAILS)) == MBOX_MAILS
        start = process_time()
        with pytest.raises(FileError, match=f"more than {MBOX_MAILS:,} mails .* the most allowed$"):
            read(tmp_path, tiny * (16_800_000 // len(tiny)))
        assert process_time() - start < 5

    @pytest.mark.thorough
    def test_no_more_bytes_than_a_mailbox_may_have(self, tmp_path: Path) -> None:
        large = LINE + MAIL + b"x" * (MBOX_BYTES // 4) + b"\n\n"
        with pytest.raises(FileError, match=f"or {MBOX_BYTES:,} bytes, the most allowed$"):
            read(tmp_path, large * 4)


class TestMaildir:
    @requires(Posix.COLONS)
    def test_in_the_order_of_arrival(self, tmp_path: Path) -> None:
        for name in ("new/1.a", "cur/2.b:2,S", "new/.hidden", "tmp/3.c"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(MAIL)
        assert [one.label for one in parse_all(tmp_path)] == [
            f'{tmp_path}/{name} ("Caffè")' for name in ("new/1.a", "cur/2.b:2,S")
        ]

    def test_another_folder(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="cannot be read: Is a directory"):
            list(parse_all(tmp_path))


class TestFile:
    @pytest.mark.parametrize(
        "data",
        [
            MAIL,
            b"\xef\xbb\xbf" + MAIL,
            b"\r\n" + MAIL,
            b"68\n" + MAIL,
            b">" + LINE + MAIL,
            MAIL.replace(b"\n", b"\r"),
        ],
    )
    def test_mail(self, tmp_path: Path, data: bytes) -> None:
        (one,) = read(tmp_path, data)
        assert one.message is not None
        assert one.finding.candidates

    @pytest.mark.parametrize(
        "data",
        [
            b"pbem: 1\nlog: []\n",
            b"Dear Anna,\nFrom: here\n",
            b"",
            b"pbem: 1\nfrom: x\n",
            b"key: value\n\nTo: x\n",
        ],
    )
    def test_no_mail(self, tmp_path: Path, data: bytes) -> None:
        (one,) = read(tmp_path, data)
        assert one.message is None

    def test_standard_input(self) -> None:
        (one,) = parse_all(None, MAIL)
        assert one.label == 'standard input ("Caffè")'

    def test_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="No such file"):
            list(parse_all(tmp_path / "nowhere"))
