"""The private key on disk, with `ssh-keygen` and `openssl` as the other party."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.errors import KeyFileError
from pbem.format.key_file import (
    change_passphrase,
    create_key_file,
    read_key,
    read_public_key,
    read_unencrypted_key,
)
from pbem.format.keys import PrivateKey
from support.markers import Posix, skip_without

posix = pytest.mark.skipif(os.name != "posix", reason="the system has no such permissions")


def ssh_keygen(*arguments: str | Path) -> str:
    skip_without(Posix.SHELL)
    return subprocess.run(["ssh-keygen", *arguments], capture_output=True, text=True, check=True).stdout


def private_file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o600)
    return path


KILLED = """
import os, sys
from pathlib import Path
from pbem.format.key_file import change_passphrase, read_key
path = Path(sys.argv[1])
key, left = read_key(path), int(sys.argv[2])
def watch(event, arguments):
    global left
    if event in ("open", "os.rename", "os.remove", "os.link") and str(path.parent) in str(arguments):
        left -= 1
        if left < 0:
            os._exit(1)
sys.addaudithook(watch)
change_passphrase(path, key, "new")
"""
"""Puts the key in a file under a passphrase, and is killed before the n-th thing it does in the folder."""


def ecdsa_file() -> bytes:
    """A sound key file, of another kind than ours."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )


def never_asked() -> str:
    raise AssertionError("a passphrase was asked for")


class TestMake:
    def test_what_is_made_is_read_again(self, tmp_path: Path) -> None:
        made = create_key_file(tmp_path / "key")
        assert read_key(tmp_path / "key", never_asked) == made
        assert len(made.seed) == 32

    def test_no_two_are_alike(self, tmp_path: Path) -> None:
        assert create_key_file(tmp_path / "one") != create_key_file(tmp_path / "two")

    @posix
    def test_only_its_owner_can_read_it(self, tmp_path: Path) -> None:
        path = tmp_path / "home" / "key"
        create_key_file(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    def test_it_is_the_only_file_made(self, tmp_path: Path) -> None:
        create_key_file(tmp_path / "key")
        assert [path.name for path in tmp_path.iterdir()] == ["key"]

    def test_an_older_key_is_never_overwritten(self, tmp_path: Path) -> None:
        path = private_file(tmp_path / "key", b"precious")
        with pytest.raises(KeyFileError, match=r"there is already a key in .*, and pbem never overwrites it"):
            create_key_file(path)
        assert path.read_bytes() == b"precious"
        assert [path.name for path in tmp_path.iterdir()] == ["key"]

    def test_where_there_are_no_links(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A stick with FAT, some shares and telephones: the system refuses every link."""

        def refuse(*names: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
        made = create_key_file(tmp_path / "key")
        assert read_key(tmp_path / "key", never_asked) == made
        with pytest.raises(KeyFileError, match=r"there is already a key in .*, and pbem never overwrites it"):
            create_key_file(tmp_path / "key")
        assert read_key(tmp_path / "key", never_asked) == made
        assert [path.name for path in tmp_path.iterdir()] == ["key"]

    def test_a_folder_that_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "home").write_bytes(b"")
        with pytest.raises(KeyFileError, match="cannot be written"):
            create_key_file(tmp_path / "home" / "key")

    @pytest.mark.thorough
    def test_ssh_keygen_reads_it(self, tmp_path: Path) -> None:
        made = create_key_file(tmp_path / "key")
        assert ssh_keygen("-y", "-f", tmp_path / "key").strip() == str(made.public)

    @pytest.mark.thorough
    def test_ssh_keygen_needs_the_passphrase(self, tmp_path: Path) -> None:
        made = create_key_file(tmp_path / "key", "Ärger im Bocage")
        assert ssh_keygen("-y", "-P", "Ärger im Bocage", "-f", tmp_path / "key").strip() == str(made.public)
        with pytest.raises(subprocess.CalledProcessError):
            ssh_keygen("-y", "-P", "wrong", "-f", tmp_path / "key")


@pytest.mark.thorough
class TestRead:
    def test_a_key_that_ssh_keygen_made(self, tmp_path: Path) -> None:
        ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", "me@home", "-f", tmp_path / "key")
        public = (tmp_path / "key.pub").read_text().removesuffix(" me@home\n")
        assert str(read_key(tmp_path / "key").public) == public

    def test_and_one_it_encrypted(self, tmp_path: Path) -> None:
        ssh_keygen("-q", "-t", "ed25519", "-N", "secret", "-C", "", "-f", tmp_path / "key")
        public = (tmp_path / "key.pub").read_text().strip()
        assert str(read_key(tmp_path / "key", lambda: "secret").public) == public

    def test_a_key_that_ssh_keygen_rewrote(self, tmp_path: Path) -> None:
        made = create_key_file(tmp_path / "key")
        ssh_keygen("-q", "-p", "-N", "secret", "-f", tmp_path / "key")
        assert read_key(tmp_path / "key", lambda: "secret") == made


class TestReadPublic:
    """The public part stands in the file in the open, also where the private one is encrypted."""

    @pytest.mark.parametrize("passphrase", ["", "secret"])
    def test_ours(self, tmp_path: Path, passphrase: str) -> None:
        made = create_key_file(tmp_path / "key", passphrase)
        assert read_public_key(tmp_path / "key") == made.public

    @pytest.mark.thorough
    @pytest.mark.parametrize("passphrase", ["", "secret"])
    def test_of_ssh_keygen(self, tmp_path: Path, passphrase: str) -> None:
        ssh_keygen("-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", tmp_path / "key")
        assert str(read_public_key(tmp_path / "key")) == (tmp_path / "key.pub").read_text().strip()

    def test_of_another_kind(self, tmp_path: Path) -> None:
        private_file(tmp_path / "key", ecdsa_file())
        with pytest.raises(KeyFileError, match="there is no OpenSSH Ed25519 key"):
            read_public_key(tmp_path / "key")

    def test_cut_anywhere(self, tmp_path: Path) -> None:
        """The key or an error of ours, and never another key."""
        made = create_key_file(tmp_path / "whole")
        text = (tmp_path / "whole").read_bytes()
        for end in range(0, len(text), 5):
            try:
                assert read_public_key(private_file(tmp_path / "key", text[:end])) == made.public
            except KeyFileError:
                continue


class TestReadUnencrypted:
    """Without asking anybody: the key, or nothing where it has a passphrase."""

    @pytest.mark.parametrize("passphrase", ["", "secret"])
    def test_ours(self, tmp_path: Path, passphrase: str) -> None:
        made = create_key_file(tmp_path / "key", passphrase)
        assert read_unencrypted_key(tmp_path / "key") == (None if passphrase else made)

    def test_no_sound_key(self, tmp_path: Path) -> None:
        assert read_unencrypted_key(private_file(tmp_path / "key", ecdsa_file())) is None

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(KeyFileError, match="there is no key in"):
            read_unencrypted_key(tmp_path / "key")


class TestDiskFull:
    """Where the key cannot be written there is no new file, and the old one stays."""

    @pytest.fixture(autouse=True)
    def _full(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        create_key_file(tmp_path / "old")

        def refuse(file: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", refuse)

    def test_a_new_key(self, tmp_path: Path) -> None:
        with pytest.raises(KeyFileError) as refusal:
            create_key_file(tmp_path / "key")
        assert (
            str(refusal.value) == f"the key cannot be written to {tmp_path / 'key'}: No space left on device"
        )
        assert [path.name for path in tmp_path.iterdir()] == ["old"]

    def test_another_passphrase(self, tmp_path: Path) -> None:
        before = (tmp_path / "old").read_bytes()
        with pytest.raises(KeyFileError, match=r"cannot be written to .*: No space left on device$"):
            change_passphrase(tmp_path / "old", read_key(tmp_path / "old"), "new")
        assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("old", before)]


class TestProtect:
    """The same key under another passphrase, in a file that is always whole."""

    @pytest.mark.thorough
    @pytest.mark.parametrize(("before", "after"), [("", "new"), ("old", "new")])
    def test_the_same_key(self, tmp_path: Path, before: str, after: str) -> None:
        path = tmp_path / "key"
        made = create_key_file(path, before)
        change_passphrase(path, made, after)
        assert read_key(path, lambda: after) == made
        assert ssh_keygen("-y", "-P", after, "-f", path).strip() == str(made.public)
        with pytest.raises(KeyFileError):
            read_key(path, lambda: before)
        assert [one.name for one in tmp_path.iterdir()] == ["key"]

    @posix
    def test_only_its_owner_can_read_it(self, tmp_path: Path) -> None:
        path = tmp_path / "key"
        change_passphrase(path, create_key_file(path), "new")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    @pytest.mark.thorough
    @posix
    @pytest.mark.long
    def test_killed_anywhere(self, tmp_path: Path) -> None:
        """Whatever file operation is the last: the file is the old one or the new one."""
        made = create_key_file(tmp_path / "first")
        text = (tmp_path / "first").read_bytes()
        seen = set()
        for last in range(12):
            home = tmp_path / str(last)
            home.mkdir()
            path = private_file(home / "key", text)
            subprocess.run([sys.executable, "-c", KILLED, str(path), str(last)], check=False)
            assert read_key(path, lambda: "new") == made
            seen.add(path.read_bytes() == text)
        assert seen == {True, False}

    def test_a_folder_in_its_place(self, tmp_path: Path) -> None:
        """What was written beside it is gone."""
        made = create_key_file(tmp_path / "key")
        (tmp_path / "folder").mkdir()
        with pytest.raises(KeyFileError, match=r"the key cannot be written to .*folder: "):
            change_passphrase(tmp_path / "folder", made, "new")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "key"]

    @posix
    def test_a_link_stays_one(self, tmp_path: Path) -> None:
        made = create_key_file(tmp_path / "elsewhere")
        (tmp_path / "key").symlink_to("elsewhere")
        change_passphrase(tmp_path / "key", made, "new")
        assert (tmp_path / "key").is_symlink()
        assert read_key(tmp_path / "key", lambda: "new") == made


class TestRefused:
    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(KeyFileError, match="there is no key in") as refusal:
            read_key(tmp_path / "key")
        assert refusal.value.hint == "make one with: pbem key"

    def test_a_folder(self, tmp_path: Path) -> None:
        folder = tmp_path / "key"
        folder.mkdir(mode=0o700)
        with pytest.raises(KeyFileError, match="cannot be read"):
            read_key(folder)

    @posix
    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
    def test_a_file_that_is_open_to_others(self, tmp_path: Path, mode: int) -> None:
        create_key_file(tmp_path / "key")
        (tmp_path / "key").chmod(mode)
        with pytest.raises(KeyFileError, match="other people can read the key") as refusal:
            read_key(tmp_path / "key")
        assert refusal.value.hint == f"chmod 600 {tmp_path / 'key'}"

    def test_an_encrypted_key_without_a_passphrase(self, tmp_path: Path) -> None:
        create_key_file(tmp_path / "key", "secret")
        for ask in (None, lambda: ""):
            with pytest.raises(KeyFileError, match="is encrypted") as refusal:
                read_key(tmp_path / "key", ask)
            assert refusal.value.hint == "give its passphrase"

    def test_the_wrong_passphrase(self, tmp_path: Path) -> None:
        create_key_file(tmp_path / "key", "secret")
        with pytest.raises(KeyFileError, match="the passphrase does not open"):
            read_key(tmp_path / "key", lambda: "Secret")

    def test_a_key_of_another_kind(self, tmp_path: Path) -> None:
        private_file(tmp_path / "key", ecdsa_file())
        with pytest.raises(KeyFileError, match=r"the key in .* is not an Ed25519 key") as refusal:
            read_key(tmp_path / "key")
        assert refusal.value.hint == "make one with: pbem key"

    @pytest.mark.thorough
    def test_an_rsa_key_that_ssh_keygen_made(self, tmp_path: Path) -> None:
        ssh_keygen("-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", tmp_path / "key")
        with pytest.raises(KeyFileError, match=r"the key in .* is not an Ed25519 key"):
            read_key(tmp_path / "key")

    def test_the_private_part_of_another_key(self, tmp_path: Path) -> None:
        """With the public part as it was, which every game has: whatever it signs would be refused."""
        made, other = create_key_file(tmp_path / "key"), create_key_file(tmp_path / "other")
        frame = (tmp_path / "key").read_bytes().split(b"-----")
        frame[2] = b"\n" + b64encode(b64decode(frame[2]).replace(made.seed, other.seed)) + b"\n"
        private_file(tmp_path / "key", b"-----".join(frame))
        with pytest.raises(KeyFileError, match="damaged: its private part does not match its public part"):
            read_key(tmp_path / "key")

    @pytest.mark.thorough
    def test_a_key_in_another_form(self, tmp_path: Path) -> None:
        skip_without(Posix.SHELL)
        command = ["openssl", "genpkey", "-algorithm", "ed25519"]
        pkcs8 = subprocess.run(command, capture_output=True, check=True).stdout
        with pytest.raises(KeyFileError, match="there is no OpenSSH private key"):
            read_key(private_file(tmp_path / "key", pkcs8))

    def test_a_damaged_file(self, tmp_path: Path) -> None:
        """Cut anywhere, or with any line lost: never a key, never another exception."""
        create_key_file(tmp_path / "whole")
        text = (tmp_path / "whole").read_bytes()
        lines = text.splitlines(keepends=True)
        cut = [text[:end] for end in range(0, len(text) - 2, 7)]
        for damaged in [*cut, *(b"".join(lines[:i] + lines[i + 1 :]) for i in range(len(lines)))]:
            with pytest.raises(KeyFileError, match="there is no OpenSSH private key"):
                read_key(private_file(tmp_path / "key", damaged))

    @pytest.mark.thorough
    @pytest.mark.parametrize("passphrase", ["", "secret"])
    def test_any_byte_changed(self, tmp_path: Path, passphrase: str) -> None:
        """The key or an error of ours, and never another key."""
        made = create_key_file(tmp_path / "whole", passphrase)
        frame = (tmp_path / "whole").read_bytes().split(b"-----")
        data = b64decode(frame[2])
        refused = 0
        for n in range(0, len(data), 1 if not passphrase else 40):  # to try a passphrase takes long
            frame[2] = b"\n" + b64encode(data[:n] + bytes([data[n] ^ 1]) + data[n + 1 :]) + b"\n"
            try:
                key = read_key(private_file(tmp_path / "key", b"-----".join(frame)), lambda: passphrase)
                assert key == made
            except KeyFileError:
                refused += 1
        assert refused

    def test_a_public_key(self, tmp_path: Path) -> None:
        public = str(PrivateKey(b"\x22" * 32).public).encode()
        with pytest.raises(KeyFileError, match="there is no OpenSSH private key"):
            read_key(private_file(tmp_path / "key", public))
