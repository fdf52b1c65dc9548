"""Reading a Maildir, on a real folder; the standard library's `mailbox` reads it as a second program."""

from __future__ import annotations

import mailbox
import os
import shutil
import tempfile
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.errors import MailError
from pbem.mail.mailbox import Downloads, Maildir, Tidying, choose_mailbox
from support.markers import Posix, requires

pytestmark = requires(Posix.COLONS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A Maildir with two mails that nobody has seen and one that was answered, and a folder Games."""
    box = mailbox.Maildir(tmp_path / "mail")
    box.add_folder("Games")
    for name, data in (
        ("new/1700.a.host", b"one"),
        ("cur/1701.b.host:2,RF", b"two"),
        ("new/1702.c.host", b"3"),
    ):
        (tmp_path / "mail" / name).write_bytes(data)
    return tmp_path / "mail"


def mails(folder: Path, bookmark: tuple[str, ...] = ()) -> list[tuple[str, bytes]]:
    with Maildir(folder) as box:
        return list(box.since(bookmark))


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.host*"))


class TestNamesOfWindows:
    """Where no name can have a colon, programs put `;` or `!` before the marks."""

    @pytest.mark.parametrize("sign", ["!", ";"])
    def test_the_sign_stays(self, folder: Path, sign: str) -> None:
        (folder / "cur" / "1701.b.host:2,RF").rename(folder / "cur" / f"1701.b.host{sign}2,RF")
        assert mails(folder)[1] == ("1701.b.host", b"two")
        with Maildir(folder) as box:
            box.mark("1701.b.host")
            box.move("1701.b.host", "Games")
        assert f".Games/cur/1701.b.host{sign}2,FRS" in names(folder)

    def test_of_its_own(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbem.mail.mailbox._USUAL", "!")
        with Maildir(folder) as box:
            box.mark("1700.a.host")
        assert "cur/1700.a.host!2,S" in names(folder)
        assert [name for name, _ in mails(folder)] == ["1700.a.host", "1701.b.host", "1702.c.host"]


class TestSince:
    """What the bookmark does not name, in the order of arrival."""

    def test_all_without_a_bookmark(self, folder: Path) -> None:
        assert mails(folder) == [("1700.a.host", b"one"), ("1701.b.host", b"two"), ("1702.c.host", b"3")]

    def test_how_many(self, folder: Path) -> None:
        with Maildir(folder) as box:
            assert (len(box.since(())), len(box.since(("1700.a.host",)))) == (3, 2)

    def test_only_what_is_not_named(self, folder: Path) -> None:
        assert mails(folder, ("1700.a.host", "1702.c.host")) == [("1701.b.host", b"two")]

    def test_a_mail_that_was_looked_at_elsewhere_is_not_new(self, folder: Path) -> None:
        (folder / "new" / "1700.a.host").rename(folder / "cur" / "1700.a.host:2,S")
        assert mails(folder, ("1700.a.host",)) == [("1701.b.host", b"two"), ("1702.c.host", b"3")]

    def test_reading_changes_nothing(self, folder: Path) -> None:
        before = names(folder)
        mails(folder)
        assert names(folder) == before

    def test_a_mail_that_is_renamed_while_one_reads_waits_for_the_next_time(self, folder: Path) -> None:
        with Maildir(folder) as box:
            arriving = box.since(())
            next(arriving)
            (folder / "new" / "1702.c.host").rename(folder / "cur" / "1702.c.host:2,S")
            read = ["1700.a.host", *(name for name, _ in arriving)]
            assert read == ["1700.a.host", "1701.b.host"]
            assert list(box.since(box.bookmark((), read))) == [("1702.c.host", b"3")]

    def test_what_is_too_large_for_a_game_is_left_out(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pbem.mail.mailbox.MAIL_BYTES", 2)
        assert mails(folder) == [("1702.c.host", b"3")]


class TestBookmark:
    """It names what was read and is still there."""

    def test_grows_with_what_is_read(self, folder: Path) -> None:
        with Maildir(folder) as box:
            assert box.bookmark(("1700.a.host",), ["1702.c.host"]) == ("1700.a.host", "1702.c.host")

    def test_forgets_what_is_gone(self, folder: Path) -> None:
        (folder / "new" / "1700.a.host").unlink()
        with Maildir(folder) as box:
            assert box.bookmark(("1700.a.host",), ["1702.c.host"]) == ("1702.c.host",)


class TestMark:
    """The mail counts as read, for other programs as well, and keeps its other marks."""

    def test_unseen(self, folder: Path) -> None:
        with Maildir(folder) as box:
            box.mark("1700.a.host")
        assert mailbox.Maildir(folder)["1700.a.host"].get_flags() == "S"

    def test_answered(self, folder: Path) -> None:
        with Maildir(folder) as box:
            box.mark("1701.b.host")
            box.mark("1701.b.host")
        assert mailbox.Maildir(folder)["1701.b.host"].get_flags() == "FRS"

    def test_gone(self, folder: Path) -> None:
        with Maildir(folder) as box, pytest.raises(MailError, match=r"^the mail 1699.x is no longer in /"):
            box.mark("1699.x")


class TestMove:
    """The mail lies in the other folder, and nothing has been deleted."""

    def test_to_a_folder(self, folder: Path) -> None:
        with Maildir(folder) as box:
            box.move("1701.b.host", "Games")
        moved = mailbox.Maildir(folder).get_folder("Games")["1701.b.host"]
        assert moved.get_payload() == "two"
        assert moved.get_flags() == "FRS"
        assert len(mails(folder)) == 2

    @pytest.mark.parametrize(
        "name", ["Other", "", ".", "..", "./../Games", "Games/../../x", "a\0b", "Games/cur"]
    )
    def test_to_no_folder(self, name: str, folder: Path) -> None:
        before = names(folder)
        with Maildir(folder) as box, pytest.raises(MailError, match=r"^there is no folder"):
            box.move("1701.b.host", name)
        assert names(folder) == before


class TestNoMaildir:
    """A folder that is none is one line."""

    def test_folder_of_files(self, tmp_path: Path) -> None:
        with pytest.raises(MailError, match=r"is not a Maildir: it has no folders new and cur$"):
            Maildir(tmp_path).__enter__()

    def test_folder_that_may_not_be_read(self, closed: Path) -> None:
        with pytest.raises(MailError, match=r"cannot read .*: Permission denied$"):
            mails(closed)


@pytest.fixture
def closed() -> Iterator[Path]:
    """A Maildir whose `cur` this process may not read, not even if it runs as root."""
    folder = Path(tempfile.mkdtemp())
    for part in ("new", "cur"):
        (folder / part).mkdir()
    (folder / "cur").chmod(0o111)
    folder.chmod(0o755)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65_534)
    yield folder
    if root:
        os.seteuid(0)
    (folder / "cur").chmod(0o755)
    shutil.rmtree(folder)


class TestDownloads:
    """A folder into which a browser saves attachments: each file that may hold a game, once."""

    @pytest.fixture
    def downloads(self, tmp_path: Path) -> Path:
        files = ["mortain-0f3a9c12.yaml", "mortain-0f3a9c12-7.txt", "mortain (1).yaml", "mail.eml"]
        for number, name in enumerate([*files, "beach.jpg", "bill.pdf"]):
            (tmp_path / name).write_bytes(b"Subject: x\n\npbem: 1\n")
            os.utime(tmp_path / name, (1_700_000_000 + number,) * 2)
        (tmp_path / "folder.yaml").mkdir()
        return tmp_path

    def test_each_file_is_a_mail_once(self, downloads: Path) -> None:
        with choose_mailbox(None, downloads, Tidying()) as box:
            read = list(box.since(()))
            known = box.bookmark((), [key for key, _ in read])
            assert list(box.since(known)) == []
            (downloads / "mortain-0f3a9c12.yaml").write_bytes(b"pbem: 1\nnewer\n")
            assert [key.split()[0] for key, _ in box.since(known)] == ["mortain-0f3a9c12.yaml"]
        saved = [message_from_bytes(data) for _, data in read]
        assert [mail["Subject"] for mail in saved] == [
            "mortain-0f3a9c12.yaml",
            "mortain-0f3a9c12-7.txt",
            "mortain (1).yaml",
            "x",
        ]
        *_, part = saved[0].walk()
        assert part.get_payload(decode=True) == b"Subject: x\n\npbem: 1\n"

    def test_nothing_is_marked_or_moved(self, downloads: Path) -> None:
        with choose_mailbox(None, downloads, Tidying()) as box:
            with pytest.raises(MailError, match="is not a mail folder"):
                box.mark("mail.eml")
            with pytest.raises(MailError, match="is not a mail folder"):
                box.move("mail.eml", "Games")
        assert (downloads / "mail.eml").exists()

    def test_a_maildir_is_none(self, folder: Path, tmp_path: Path) -> None:
        assert isinstance(choose_mailbox(None, folder, Tidying()), Maildir)
        assert isinstance(choose_mailbox(None, folder / "new", Tidying()), Downloads)
        with (
            pytest.raises(MailError, match="is not a Maildir"),
            choose_mailbox(None, tmp_path / "no", Tidying()),
        ):
            pass
