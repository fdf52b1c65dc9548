"""Archives: the game in one comes out, within the budgets; of any other it is said what is wrong."""

from __future__ import annotations

import gzip
import zipfile
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.corpus.make import GAME, zipped
from pbem.base.limits import ARCHIVE_FILES, FILE_BYTES, MAIL_UNPACKED_BYTES, mail_budget
from pbem.errors import MailError, OverBudget
from pbem.mail.archives import describe_unopenable, files_in_archive, is_archive

PHOTO = b"\xff\xd8\xff" * 100_000


def unpacked(data: bytes, name: str = "m.zip") -> list[tuple[str, bytes]]:
    return list(files_in_archive(data, "application/octet-stream", name, "it"))


def packed(method: int) -> bytes:
    with BytesIO() as data:
        with zipfile.ZipFile(data, "w", method) as archive:
            archive.writestr("m.yaml", GAME)
        return data.getvalue()


class TestFiles:
    def test_zip(self) -> None:
        assert unpacked(zipped(("m.yaml", GAME))) == [("m.yaml", GAME)]

    def test_gzip(self) -> None:
        assert unpacked(gzip.compress(GAME), "m.yaml.gz") == [("m.yaml", GAME)]

    def test_the_game_among_many_files(self) -> None:
        many = [(f"{n}.jpg", PHOTO) for n in range(ARCHIVE_FILES + 5)]
        found = unpacked(zipped(*many, ("m.yaml", GAME)))
        assert found[0] == ("m.yaml", GAME)
        assert len(found) == ARCHIVE_FILES

    def test_what_is_no_game_is_not_unpacked(self) -> None:
        (found,) = unpacked(zipped(("a.jpg", PHOTO)))
        assert len(found[1]) < len(PHOTO)

    def test_no_more_than_a_file_may_have(self) -> None:
        bomb = b"pbem: 1\n" + bytes(2 * FILE_BYTES)
        for data, name in ((zipped(("m.yaml", bomb)), "m.zip"), (gzip.compress(bomb), "m.gz")):
            ((_, file),) = unpacked(data, name)
            assert len(file) == FILE_BYTES

    def test_no_more_than_a_mail_may_have(self) -> None:
        bomb = gzip.compress(b"pbem: 1\n" + bytes(FILE_BYTES))
        with mail_budget():
            for _ in range(MAIL_UNPACKED_BYTES // FILE_BYTES):
                unpacked(bomb, "m.gz")
            with pytest.raises(OverBudget, match="unpacks to more"):
                unpacked(bomb, "m.gz")


class TestRefusals:
    @pytest.mark.parametrize(
        ("data", "name", "problem"),
        [
            (b"PK\3\4", "m.zip", "is a damaged archive"),
            (zipped(("m.yaml", GAME))[:-30], "m.zip", "is a damaged archive"),
            (zipped(("m.yaml", GAME)).replace(b"PK\3\4", b"PK\3\5"), "m.zip", "is a damaged archive"),
            (gzip.compress(GAME)[8:], "m.gz", "is a damaged archive"),
            (
                zipped(("m.zip", zipped(("m.yaml", GAME)))),
                "m.zip",
                "is an archive that contains another archive",
            ),
            (packed(zipfile.ZIP_LZMA), "m.zip", "is a zip archive packed by an unusual method"),
            (zipped(*[(f"{n}", b"") for n in range(1001)]), "m.zip", "is a zip archive with too many files"),
        ],
    )
    def test_each(self, data: bytes, name: str, problem: str) -> None:
        with pytest.raises(MailError) as refusal:
            unpacked(data, name)
        assert str(refusal.value) == f"it {problem}"

    @given(st.integers(0, len(zipped(("m.yaml", GAME))) - 1), st.binary(min_size=1, max_size=4))
    def test_anything(self, at: int, change: bytes) -> None:
        whole = zipped(("m.yaml", GAME))
        for data in (whole[:at] + change + whole[at + len(change) :], whole[:at], whole[at:]):
            with suppress(MailError):
                unpacked(data)


class TestKinds:
    @pytest.mark.parametrize(
        ("kind", "name", "opened", "named"),
        [
            ("application/zip", "", True, ""),
            ("application/octet-stream", "M.ZIP", True, ""),
            ("application/octet-stream", "m.yaml.gz", True, ""),
            ("application/octet-stream", "m.yaml", False, ""),
            ("application/x-7z-compressed", "m", False, "a 7z archive"),
            ("application/octet-stream", "m.rar", False, "a rar archive"),
            ("application/pkcs7-mime", "smime.p7m", False, "encrypted with S/MIME"),
            ("application/octet-stream", "m.yaml.gpg", False, "encrypted with PGP"),
        ],
    )
    def test_each(self, kind: str, name: str, opened: bool, named: str) -> None:
        assert is_archive(kind, name) == opened
        assert str(describe_unopenable(kind, name, "it")) == (f"it is {named}" if named else "")
