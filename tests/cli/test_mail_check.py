"""`mail check` tries the settings against real servers: what works, what does not, both in one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli.app import run
from pbem.mail.settings import Account
from support.smtp_servers import Authority, ReceivedMails, serve_smtp


def write_settings(home: Path, smtp: Account, maildir: Path) -> None:
    """A config.yaml; JSON is YAML."""
    account = {
        "host": smtp.host,
        "port": smtp.port,
        "security": smtp.security,
        "user": smtp.user,
        "password_command": smtp.password_command,
        "ca": smtp.ca,
    }
    mail = {"address": "anna@example.org", "smtp": account, "maildir": str(maildir)}
    (home / "config.yaml").write_text(json.dumps({"mail": mail}))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    for name in ("cur", "new", "tmp"):
        (tmp_path / "Mail" / name).mkdir(parents=True)
    return tmp_path / "Mail"


class TestCheck:
    """Logged in, and nothing sent."""

    def test_all_is_well(self, home: Path, maildir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        room, authority = ReceivedMails(), Authority.new(home)
        with serve_smtp(room, authority, "starttls") as port:
            write_settings(home, authority.account(port, "starttls"), maildir)
            assert run(["mail", "check"]) == 0
        assert capsys.readouterr().out == f"can send by anna@localhost\ncan fetch from {maildir}\n"
        assert room.accepted == []

    def test_a_wrong_password(self, home: Path, maildir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The other half is tried all the same, and no password is printed."""
        authority = Authority.new(home)
        with serve_smtp(ReceivedMails(), authority, "tls") as port:
            write_settings(home, authority.account(port, "tls", password="hunter2"), maildir)
            assert run(["mail", "check"]) == 1
        printed = capsys.readouterr()
        assert printed.out == f"can fetch from {maildir}\n"
        assert printed.err.startswith(f"cannot send by anna@localhost: localhost:{port} refuses anna: 535 ")
        assert "hunter2" not in printed.err

    def test_a_server_that_nobody_vouches_for(
        self, home: Path, maildir: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        theirs, mine = Authority.new(home, "theirs"), Authority.new(home, "mine")
        with serve_smtp(ReceivedMails(), theirs, "tls") as port:
            write_settings(home, mine.account(port, "tls"), maildir)
            assert run(["mail", "check"]) == 1
        assert f"the certificate of localhost:{port} is not valid" in capsys.readouterr().err
