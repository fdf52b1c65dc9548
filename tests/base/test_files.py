"""Atomic writes, on real folders, links, limits and permissions. Crashes are in test_crash.py."""

import errno
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.base import files
from pbem.base.files import (
    JsonStore,
    SpecialFile,
    lock_folder,
    make_folder,
    open_regular,
    read_if_there,
    read_regular,
    write_atomically,
    write_unsynced,
)
from pbem.errors import StorageError

posix = pytest.mark.skipif(os.name == "nt", reason="modes, links and limits of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder with `game.yaml` in which this process may not write, not even if it runs as root."""
    folder = Path(tempfile.mkdtemp())
    (folder / "game.yaml").write_bytes(b"old")
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65_534)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def full_disk() -> Iterator[None]:
    """No file may grow beyond 1,000 bytes: the kernel refuses the write, as a full disk does.

    Not a fixture, since pytest too may write to a file before a fixture ends.
    """
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class TestWriteAtomically:
    """The bytes are in the file, and nothing else is in the folder."""

    def test_new_file(self, tmp_path: Path) -> None:
        write_atomically(tmp_path / "game.yaml", b"pbem: 1\r\n\0")
        assert (tmp_path / "game.yaml").read_bytes() == b"pbem: 1\r\n\0"
        assert names(tmp_path) == ["game.yaml"]

    def test_existing_file(self, tmp_path: Path) -> None:
        (tmp_path / "game.yaml").write_bytes(b"a longer old file")
        write_atomically(tmp_path / "game.yaml", b"new")
        assert (tmp_path / "game.yaml").read_bytes() == b"new"
        assert names(tmp_path) == ["game.yaml"]

    def test_name_as_long_as_a_name_may_be(self, tmp_path: Path) -> None:
        write_atomically(tmp_path / ("x" * 255), b"new")
        assert names(tmp_path) == ["x" * 255]

    @posix
    def test_bytes_reach_the_disk_before_the_name_and_then_the_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No kill can show what a loss of power would do, so the system calls are watched on their way."""
        calls: list[str] = []
        fsync, replace = os.fsync, os.replace

        def watched_fsync(descriptor: int) -> None:
            calls.append("sync folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "sync file")
            fsync(descriptor)

        def watched_replace(source: Path, target: Path) -> None:
            calls.append("rename")
            replace(source, target)

        monkeypatch.setattr(os, "fsync", watched_fsync)
        monkeypatch.setattr(os, "replace", watched_replace)
        write_atomically(tmp_path / "game.yaml", b"new")
        assert calls == ["sync file", "rename", "sync folder"]

    @posix
    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
    def test_mode_is_kept(self, mode: int, tmp_path: Path) -> None:
        path = tmp_path / "game.yaml"
        path.write_bytes(b"old")
        path.chmod(mode)
        write_atomically(path, b"new")
        assert path.stat().st_mode & 0o777 == mode

    @posix
    def test_new_file_has_the_mode_that_the_user_asks_for(self, tmp_path: Path) -> None:
        before = os.umask(0o027)
        write_atomically(tmp_path / "game.yaml", b"new")
        os.umask(before)
        assert (tmp_path / "game.yaml").stat().st_mode & 0o777 == 0o640


@posix
class TestPrivate:
    """What its owner alone may read, whatever he lets others read elsewhere."""

    @pytest.fixture(autouse=True)
    def unmasked(self) -> Iterator[None]:
        before = os.umask(0)
        yield
        os.umask(before)

    def mode(self, path: Path) -> int:
        return path.stat().st_mode & 0o777

    def test_new_or_there_before(self, tmp_path: Path) -> None:
        path = tmp_path / "plans.json"
        for _ in range(2):
            write_atomically(path, b"{}", private=True)
            assert self.mode(path) == 0o600
            path.chmod(0o666)

    def test_from_the_first_moment(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Who opens a file while it is still empty reads on when it is not."""
        monkeypatch.setattr(Path, "chmod", lambda *_: None)
        write_atomically(tmp_path / "plans.json", b"{}", private=True)
        assert self.mode(tmp_path / "plans.json") == 0o600

    def test_small_files_of_the_home(self, tmp_path: Path) -> None:
        JsonStore(tmp_path / "ages.json", dict[str, int], "").save("Erwin", 50)
        write_unsynced(tmp_path / "file", b"game.yaml")
        with lock_folder(tmp_path):
            modes = {name: self.mode(tmp_path / name) for name in names(tmp_path)}
        assert modes == dict.fromkeys(("ages.json", "file", "lock"), 0o600)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Path]:
    """A file that this process may not replace, although it may write beside it.

    So it is on Windows while another program has the file open. Here it is root's, in a folder where nobody
    may replace what is another's.
    """
    if os.name == "nt" or os.geteuid() != 0:
        pytest.skip("only root can make a file of another")
    folder = Path(tempfile.mkdtemp())
    (folder / "game.yaml").write_bytes(b"old")
    (folder / "game.yaml").chmod(0o644)
    folder.chmod(0o1777)
    os.seteuid(65_534)
    yield folder / "game.yaml"
    os.seteuid(0)
    shutil.rmtree(folder)


class TestHeldByAnother:
    """A file that another program has open is replaced as soon as that lets go of it."""

    def test_until_it_lets_go(self, held: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(files, "REPLACE_SECONDS", 60)
        os.seteuid(0)
        with subprocess.Popen(["sh", "-c", 'sleep 0.3; chmod 777 "$0"', held.parent]):
            os.seteuid(65_534)
            write_atomically(held, b"new")
        assert held.read_bytes() == b"new"
        assert names(held.parent) == ["game.yaml"]

    def test_it_never_does(self, held: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(files, "REPLACE_SECONDS", 0.2)
        with pytest.raises(StorageError, match="Operation not permitted; another program may have it open"):
            write_atomically(held, b"new")
        assert held.read_bytes() == b"old"
        assert names(held.parent) == ["game.yaml"]


@posix
def test_a_share_that_cannot_sync_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some say so with an error (a Windows disk under WSL does); the file is written by then."""
    fsync = os.fsync

    def of_files_alone(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", of_files_alone)
    write_atomically(tmp_path / "game.yaml", b"new")
    assert (tmp_path / "game.yaml").read_bytes() == b"new"


@posix
class TestLinks:
    """A link stays a link, and the file it leads to is written, if there is one."""

    def test_link_to_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "mail").mkdir()
        (tmp_path / "mail" / "real.yaml").write_bytes(b"old")
        link = tmp_path / "game.yaml"
        link.symlink_to("mail/real.yaml")
        write_atomically(link, b"new")
        assert link.is_symlink()
        assert (tmp_path / "mail" / "real.yaml").read_bytes() == b"new"
        assert names(tmp_path) == ["game.yaml", "mail"]
        assert names(tmp_path / "mail") == ["real.yaml"]

    def test_link_to_a_file_that_is_not_there_yet(self, tmp_path: Path) -> None:
        link = tmp_path / "game.yaml"
        link.symlink_to("real.yaml")
        with pytest.raises(StorageError, match=r"game\.yaml: it is a link to a file that does not exist$"):
            write_atomically(link, b"new")
        with pytest.raises(OSError, match="it is a link to a file that does not exist"):
            write_unsynced(link, b"new")
        assert link.is_symlink()
        assert names(tmp_path) == ["game.yaml"]


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def socket_at(path: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))
    return path


def device(path: Path) -> Path:
    path.symlink_to("/dev/zero")
    return path


@posix
@pytest.mark.parametrize("make", [pipe, socket_at, device])
class TestSpecialFiles:
    """They are refused at once: a pipe would wait for whoever writes, and the device never ends."""

    def test_read(self, make: Callable[[Path], Path], tmp_path: Path) -> None:
        special = make(tmp_path / "x")
        for do in (read_regular, open_regular):
            with pytest.raises(SpecialFile, match="not a regular file"):
                do(special)
        with pytest.raises(StorageError, match=r"cannot read .*x: not a regular file$"):
            read_if_there(special)

    def test_put_there_after_the_first_look(
        self, make: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is opened is what is judged."""
        special, ordinary = make(tmp_path / "x"), os.stat(__file__)
        monkeypatch.setattr(os, "stat", lambda *_, **__: ordinary)
        with pytest.raises(OSError):  # noqa: PT011  # a socket cannot be opened at all
            open_regular(special)


class TestRefusals:
    """What cannot be written is one line for the player, and leaves everything as it was."""

    def test_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match=r"^cannot write .*game\.yaml: No such file or directory$"):
            write_atomically(tmp_path / "no" / "game.yaml", b"new")

    def test_folder_in_the_place_of_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "game.yaml").mkdir()
        with pytest.raises(StorageError, match="not a regular file"):
            write_atomically(tmp_path / "game.yaml", b"new")
        assert names(tmp_path) == ["game.yaml"]

    @posix
    def test_a_device_is_not_replaced_by_a_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(StorageError, match="not a regular file"):
            write_atomically(tmp_path / "pipe", b"new")
        assert (tmp_path / "pipe").is_fifo()

    @posix
    def test_read_only_folder(self, read_only: Path) -> None:
        with pytest.raises(StorageError, match="Permission denied"):
            write_atomically(read_only / "game.yaml", b"new")
        assert (read_only / "game.yaml").read_bytes() == b"old"
        assert names(read_only) == ["game.yaml"]

    @posix
    def test_full_disk(self, tmp_path: Path) -> None:
        (tmp_path / "game.yaml").write_bytes(b"old")
        with full_disk(), pytest.raises(StorageError, match=os.strerror(errno.EFBIG)):
            write_atomically(tmp_path / "game.yaml", b"x" * 2000)
        assert (tmp_path / "game.yaml").read_bytes() == b"old"
        assert names(tmp_path) == ["game.yaml"]

    @posix
    def test_disk_that_loses_what_it_was_given(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is read back is compared, and a spoilt file never takes the place of the old one."""
        (tmp_path / "game.yaml").write_bytes(b"old")
        monkeypatch.setattr(os, "fsync", lambda descriptor: os.pwrite(descriptor, b"?", 1))
        with pytest.raises(StorageError, match="the bytes read back are not the bytes written"):
            write_atomically(tmp_path / "game.yaml", b"new")
        assert (tmp_path / "game.yaml").read_bytes() == b"old"
        assert names(tmp_path) == ["game.yaml"]


class TestAbandonedFiles:
    """A temporary file that a crash left goes at the next write; one that may be in use stays."""

    def test_only_old_temporary_files_go(self, tmp_path: Path) -> None:
        for name in (".pbem-old.tmp", ".pbem-young.tmp", "old.tmp"):
            (tmp_path / name).write_bytes(b"half a fi")
        long_ago = time.time() - 2 * 3600
        os.utime(tmp_path / ".pbem-old.tmp", (long_ago, long_ago))
        os.utime(tmp_path / "old.tmp", (long_ago, long_ago))
        write_atomically(tmp_path / "game.yaml", b"new")
        assert names(tmp_path) == [".pbem-young.tmp", "game.yaml", "old.tmp"]


class TestMakeFolder:
    """Folders are made with their parents, for their owner alone."""

    def test_with_parents(self, tmp_path: Path) -> None:
        make_folder(tmp_path / "a" / "b")
        make_folder(tmp_path / "a" / "b")
        assert (tmp_path / "a" / "b").is_dir()

    @posix
    def test_mode(self, tmp_path: Path) -> None:
        make_folder(tmp_path / "a" / "b")
        assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]

    def test_file_in_the_way(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"")
        with pytest.raises(StorageError, match=r"^cannot make the folder .*a: "):
            make_folder(tmp_path / "a" / "b")

    @posix
    def test_read_only_folder(self, read_only: Path) -> None:
        with pytest.raises(StorageError, match="Permission denied"):
            make_folder(read_only / "a")


class TestStore:
    """A small file of values by their names."""

    HINT = "mend it"

    def store(self, tmp_path: Path) -> JsonStore[int]:
        return JsonStore(tmp_path / "ages.json", dict[str, int], self.HINT)

    def test_none_yet(self, tmp_path: Path) -> None:
        assert self.store(tmp_path).read() == {}

    def test_what_is_put_is_read_beside_what_was_there(self, tmp_path: Path) -> None:
        self.store(tmp_path).save("Erwin", 50)
        self.store(tmp_path).save("Bernard", 54)
        self.store(tmp_path).save("Erwin", 51)
        assert self.store(tmp_path).read() == {"Erwin": 51, "Bernard": 54}
        assert (tmp_path / "ages.json").read_text() == '{\n  "Bernard": 54,\n  "Erwin": 51\n}\n'

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"Erwin": "old"}', b'{"\xff": 1}'])
    def test_damaged_is_one_line_and_never_written_over(self, data: bytes, tmp_path: Path) -> None:
        (tmp_path / "ages.json").write_bytes(data)
        for do in (self.store(tmp_path).read, lambda: self.store(tmp_path).save("Erwin", 1)):
            with pytest.raises(StorageError, match=r"^[^\n]*ages\.json is damaged: ") as caught:
                do()
            assert caught.value.hint == self.HINT
        assert (tmp_path / "ages.json").read_bytes() == data
