"""Passwords: from a real command, from a real keyring that lies in a file, and from the file of the home."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyrings.alt.file import PlaintextKeyring  # type: ignore[import-untyped]

import pbem.mail.credentials
from pbem.errors import MailError, StorageError
from pbem.mail.credentials import fetch_secret
from pbem.mail.secret_store import SECRETS_FILE, save_secret
from pbem.mail.settings import Account
from pbem.player.backup import pack
from pbem.render.safe_text import quote_path
from support.markers import WINDOWS

USER = "anna@mail.example.org"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def account(*command: str) -> Account:
    return Account(
        host="mail.example.org", port=993, security="tls", user="anna", password_command=list(command)
    )


def script(code: str) -> Account:
    """An account whose password is printed by these lines of Python."""
    return account(sys.executable, "-c", code)


class TestCommand:
    """`password_command`: words, run without a shell; the first line that it prints is the password."""

    @pytest.mark.parametrize(
        ("code", "found"),
        [
            ("print('open sesame')", "open sesame"),
            ("print(' a  b ')", " a  b "),
            ("print('first'); print('user: anna')", "first"),
            ("import sys; sys.stdout.write('no line end')", "no line end"),
            (r"import sys; sys.stdout.buffer.write(b'windows\r\n')", "windows"),
            (r"import sys; sys.stdout.buffer.write('p\u00e4ss\u2028word\n'.encode())", "päss\u2028word"),
        ],
    )
    def test_the_first_line(self, code: str, found: str) -> None:
        assert fetch_secret(script(code)) == found

    def test_no_shell(self, tmp_path: Path) -> None:
        words = f"; touch {tmp_path}/made; $HOME `id`"
        assert fetch_secret(account(sys.executable, "-c", "import sys; print(sys.argv[1])", words)) == words
        assert not (tmp_path / "made").exists()

    def test_it_does_not_read_what_is_typed_to_pbem(self) -> None:
        reading, writing = os.pipe()
        os.write(writing, b"typed")
        os.close(writing)
        before = os.dup(0)
        os.dup2(reading, 0)
        try:
            assert fetch_secret(script("import sys; print(repr(sys.stdin.read()))")) == "''"
        finally:
            os.dup2(before, 0)
            for opened in (before, reading):
                os.close(opened)

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            ("print('hunter2'); raise SystemExit(3)", "failed with exit code 3"),
            ("import sys; sys.exit('hunter2')", "failed with exit code 1"),
            ("pass", "did not print a password on its first line"),
            ("print(); print('hunter2')", "did not print a password on its first line"),
            (
                r"import sys; sys.stdout.buffer.write(b'hunter2\xff')",
                "printed something that is not UTF-8 text",
            ),
        ],
    )
    def test_a_failure_in_one_line_without_the_secret(
        self, code: str, words: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(MailError) as caught:
            fetch_secret(script(code))
        assert str(caught.value) == f"password_command {quote_path(sys.executable)} {words}"
        assert "hunter2" not in caught.value.hint
        assert capfd.readouterr() == ("", "")

    def test_its_other_words_may_be_secret(self) -> None:
        with pytest.raises(MailError) as caught:
            fetch_secret(account(sys.executable, "-c", "raise SystemExit(1)", "hunter2"))
        assert "hunter2" not in str(caught.value) + caught.value.hint

    def test_there_is_no_such_command(self) -> None:
        with pytest.raises(MailError) as caught:
            fetch_secret(account("no-such-command", "hunter2"))
        problem, _, why = str(caught.value).partition(" cannot be run: ")
        assert problem == "password_command no-such-command"
        assert WINDOWS or why == "No such file or directory"  # Windows has words of its own
        assert why

    def test_it_may_not_take_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pbem.mail.credentials, "SECONDS", 0.2)
        with pytest.raises(MailError, match=r"took longer than 0\.2 seconds$"):
            fetch_secret(script("import time; print('hunter2', flush=True); time.sleep(600)"))


@pytest.fixture
def in_a_file(tmp_path: Path) -> Iterator[KeyringBackend]:
    """The system's keyring replaced by one in a file."""
    backend, before = PlaintextKeyring(), keyring.get_keyring()
    backend.file_path = str(tmp_path / "keyring.cfg")
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


class TestKeyring:
    """Without a command the keyring is asked, for the service `pbem` and the user `user@host`."""

    def test_found(self, in_a_file: KeyringBackend) -> None:
        in_a_file.set_password("pbem", "anna@mail.example.org", "open sesame")
        in_a_file.set_password("pbem", "bruno@mail.example.org", "another's")
        assert fetch_secret(account()) == "open sesame"

    def test_kept_and_found(self, in_a_file: KeyringBackend) -> None:
        assert save_secret(USER, "p\u00e4ss word") is None
        assert fetch_secret(account()) == "p\u00e4ss word"
        assert in_a_file.get_password("pbem", USER) == "p\u00e4ss word"

    def test_a_command_goes_first(self, in_a_file: KeyringBackend) -> None:
        in_a_file.set_password("pbem", "anna@mail.example.org", "open sesame")
        assert fetch_secret(script("print('from the command')")) == "from the command"

    def test_not_there(self, in_a_file: KeyringBackend) -> None:
        with pytest.raises(MailError) as caught:
            fetch_secret(account())
        assert str(caught.value) == f"there is no password for {USER} on this computer"
        assert caught.value.hint == "type: pbem mail setup"

    def test_damaged(self, in_a_file: PlaintextKeyring) -> None:
        Path(in_a_file.file_path).write_text("no such thing as a keyring")
        with pytest.raises(MailError) as caught:
            fetch_secret(account())
        assert str(caught.value) == "the system's keyring cannot be read: MissingSectionHeaderError"


@pytest.fixture(params=["no keyring on this system", "nothing installed"])
def nowhere(
    request: pytest.FixtureRequest, in_a_file: KeyringBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No keyring keeps anything: there is none, or Python cannot import one."""
    if request.param == "nothing installed":
        monkeypatch.setitem(sys.modules, "keyring", None)
    else:
        keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]


@pytest.mark.usefixtures("nowhere")
class TestFile:
    """Where no keyring keeps them, a file does that only its owner can read."""

    def test_kept_and_found(self, home: Path) -> None:
        assert save_secret(USER, "p\u00e4ss word") == home / SECRETS_FILE
        save_secret("bruno@mail.example.org", "another's")
        assert fetch_secret(account()) == "p\u00e4ss word"
        save_secret(USER, "a newer one")
        assert fetch_secret(account()) == "a newer one"

    def test_not_there(self) -> None:
        with pytest.raises(MailError) as caught:
            fetch_secret(account())
        assert str(caught.value) == f"there is no password for {USER} on this computer"
        assert caught.value.hint == "type: pbem mail setup"

    @pytest.mark.skipif(WINDOWS, reason="it keeps a user's folder his own")
    def test_only_its_owner_may_read_it(self, home: Path) -> None:
        save_secret(USER, "hunter2")
        path = home / SECRETS_FILE
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o640)
        with pytest.raises(MailError, match=r"^other people can read your passwords in ") as caught:
            fetch_secret(account())
        assert caught.value.hint == f"chmod 600 {quote_path(path)}"

    def test_damaged(self, home: Path) -> None:
        save_secret(USER, "hunter2")
        (home / SECRETS_FILE).write_text("{")
        with pytest.raises(StorageError, match="is damaged") as caught:
            fetch_secret(account())
        assert caught.value.hint == "delete it, and type: pbem mail setup"

    def test_no_backup_has_it(self, home: Path) -> None:
        save_secret(USER, "hunter2")
        assert (home / SECRETS_FILE).exists()
        assert b"hunter2" not in pack(home)


def test_the_keyring_takes_over(in_a_file: KeyringBackend, home: Path) -> None:
    """A password that was in the file is in neither place twice."""
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
    save_secret(USER, "as plain text")
    keyring.set_keyring(in_a_file)
    assert save_secret(USER, "in the keyring") is None
    assert "as plain text" not in (home / SECRETS_FILE).read_text()
    assert fetch_secret(account()) == "in the keyring"
