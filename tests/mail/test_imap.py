"""Reading a folder over IMAP, from a real Dovecot under TLS; the Maildir below it shows what was done."""

from __future__ import annotations

import imaplib
import mailbox
import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from correspondence.test_crashes_and_broken_connections import BadLine
from pbem.errors import MailError
from pbem.mail import imap
from pbem.mail.imap import Imap
from pbem.mail.settings import Account
from support.mail_provider import HOST, MailProvider, give_to_dovecot, run_mail_provider

HIDDEN = b" AUTH=PLAIN AUTH=LOGIN"
MAIL = b"Subject: pbem %d\r\n\r\nFrom here on,\r\nat %d o'clock\r\n"


@pytest.fixture(scope="module")
def running() -> Iterator[MailProvider]:
    with run_mail_provider("anna") as office:
        yield office


@pytest.fixture
def office(running: MailProvider) -> MailProvider:
    """A provider where anna has an empty INBOX."""
    running.empty("anna")
    return running


def account(office: MailProvider, **changes: object) -> Account:
    settings = {
        "host": HOST,
        "port": office.imap,
        "security": "tls",
        "user": "anna",
        "password_command": ["echo", "secret of anna"],
        "ca": str(office.authority),
    }
    return Account(**{**settings, **changes})  # type: ignore[arg-type]


def deliver(office: MailProvider, *numbers: int) -> None:
    for number in numbers:
        office.deliver("anna", MAIL % (number, number))


def flags(office: MailProvider, folder: str = "") -> list[str]:
    """The marks of every mail, by the standard library's own reader."""
    box = mailbox.Maildir(office.maildir("anna"))
    return [mail.get_flags() for mail in (box.get_folder(folder) if folder else box)]


class TestSince:
    """The mails after the bookmark, byte for byte, oldest first."""

    @pytest.mark.parametrize("security", ["tls", "starttls"])
    def test_all_then_only_new_ones(self, security: str, office: MailProvider) -> None:
        port = office.imap if security == "tls" else office.imap_starttls
        box = Imap(account(office, port=port, security=security), "INBOX")
        deliver(office, 1, 2)
        with box:
            mails = box.since(())
            assert len(mails) == 2
            first = list(mails)
            bookmark = box.bookmark((), [uid for uid, _ in first])
        assert first == [("1", MAIL % (1, 1)), ("2", MAIL % (2, 2))]
        deliver(office, 3)
        with box:
            assert list(box.since(bookmark)) == [("3", MAIL % (3, 3))]

    def test_nothing_new(self, office: MailProvider) -> None:
        """The range `n:*` always names the last mail; it is not read twice."""
        deliver(office, 1, 2)
        with Imap(account(office), "INBOX") as box:
            bookmark = box.bookmark((), ["1", "2"])
            assert len(box.since(bookmark)) == 0
            assert list(box.since(bookmark)) == []
            assert box.bookmark(bookmark, []) == bookmark

    def test_empty_folder(self, office: MailProvider) -> None:
        with Imap(account(office), "INBOX") as box:
            assert list(box.since(())) == []
            assert list(box.since(box.bookmark((), ["1"]))) == []

    def test_a_server_that_numbers_its_mails_anew(self, office: MailProvider) -> None:
        deliver(office, 1, 2)
        with Imap(account(office), "INBOX") as box:
            assert len(list(box.since(("1", "2")))) == 2

    def test_old_mails_of_a_folder_that_is_new_to_us_are_left(self, office: MailProvider) -> None:
        deliver(office, 1, 2)
        old, _ = sorted((office.maildir("anna") / "new").iterdir())
        long_ago = time.time() - (imap.FIRST_DAYS + 2) * 86_400
        os.utime(old, (long_ago, long_ago))
        with Imap(account(office), "INBOX") as box:
            assert [uid for uid, _ in box.since(())] == ["2"]

    def test_many_mails_come_in_batches(self, office: MailProvider, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(imap, "_BATCH_MAILS", 2)
        deliver(office, *range(1, 6))
        with Imap(account(office), "INBOX") as box:
            assert list(box.since(())) == [(str(n), MAIL % (n, n)) for n in range(1, 6)]

    def test_what_is_too_large_for_a_game_is_not_fetched(
        self, office: MailProvider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(imap, "MAIL_BYTES", 100)
        deliver(office, 1)
        office.deliver("anna", MAIL % (2, 2) + b"x" * 100)
        deliver(office, 3)
        with Imap(account(office), "INBOX") as box:
            assert [uid for uid, _ in box.since(())] == ["1", "3"]

    def test_reading_leaves_mails_unread_and_deletes_none(self, office: MailProvider) -> None:
        """One that another program has marked as deleted stays as well."""
        deliver(office, 1, 2)
        with imaplib.IMAP4_SSL(HOST, office.imap, ssl_context=trusted(office)) as other:
            other.login("anna", "secret of anna")
            other.select("INBOX")
            other.uid("STORE", "2", "+FLAGS", r"(\Deleted)")
            other.unselect()
        for change in (False, True):
            with Imap(account(office), "INBOX", change=change) as box:
                assert len(list(box.since(()))) == 2
        assert sorted(flags(office)) == ["", "T"]


class TestWaiting:
    """Until a mail arrives, by the server's word."""

    def test_a_mail_ends_it(self, office: MailProvider) -> None:
        with Imap(account(office), "INBOX") as box:
            later = threading.Timer(0.5, deliver, [office, 1])
            later.start()
            begun = time.monotonic()
            assert box.wait_for_mail(300)
            later.join()
            assert time.monotonic() - begun < 200
            assert len(box.since(())) == 0, "it was opened before"

    def test_so_does_one_that_came_after_the_last_look(self, office: MailProvider) -> None:
        deliver(office, 1)
        with Imap(account(office), "INBOX") as box:
            read = box.bookmark((), [uid for uid, _ in box.since(())])
        deliver(office, 2)
        with Imap(account(office), "INBOX") as box:
            begun = time.monotonic()
            assert box.wait_for_mail(30, read)
            assert time.monotonic() - begun < 20
            assert [uid for uid, _ in box.since(read)] == ["2"]

    def test_so_does_one_that_came_after_the_folder_was_opened(self, office: MailProvider) -> None:
        """The server says so in one breath with its answer to IDLE."""
        with Imap(account(office), "INBOX") as box:
            deliver(office, 1)
            begun = time.monotonic()
            assert box.wait_for_mail(30)
            assert time.monotonic() - begun < 20

    def test_so_does_one_that_the_server_tells_of_before_it_idles(self, office: MailProvider) -> None:
        said = b"* 1 EXISTS\r\n+ idling"
        with (
            BadLine(office, office.imap, hides=b"+ idling", instead=said).open() as line,
            Imap(account(office, port=line.port), "INBOX") as box,
        ):
            begun = time.monotonic()
            assert box.wait_for_mail(30)
            assert time.monotonic() - begun < 20

    @pytest.mark.parametrize("said", [b"* 1 EXISTS\r\n+ idling", b"+ idling\r\n* OK here\r\n* 1 EXISTS"])
    def test_how_many_there_are_said_once_more_does_not(self, said: bytes, office: MailProvider) -> None:
        deliver(office, 1)
        with (
            BadLine(office, office.imap, hides=b"+ idling", instead=said).open() as line,
            Imap(account(office, port=line.port), "INBOX") as box,
        ):
            begun = time.monotonic()
            assert box.wait_for_mail(0.5, box.bookmark((), ["1"]))
            assert time.monotonic() - begun > 0.4

    def test_one_for_another_that_is_removed_does(self, office: MailProvider) -> None:
        deliver(office, 1)
        said = b"+ idling\r\n* 1 EXPUNGE\r\n* 1 EXISTS"
        with (
            BadLine(office, office.imap, hides=b"+ idling", instead=said).open() as line,
            Imap(account(office, port=line.port), "INBOX") as box,
        ):
            begun = time.monotonic()
            assert box.wait_for_mail(30)
            assert time.monotonic() - begun < 20

    def test_so_long_and_no_longer(self, office: MailProvider, monkeypatch: pytest.MonkeyPatch) -> None:
        """Asked more than once, since servers end what takes too long."""
        monkeypatch.setattr(imap, "_IDLE_SECONDS", 0.2)
        deliver(office, 1)
        with Imap(account(office), "INBOX") as box:
            assert box.wait_for_mail(0.5)
            assert len(box.since(())) == 1, "the line is as it was"

    def test_a_server_that_cannot(self, office: MailProvider) -> None:
        with (
            BadLine(office, office.imap, hides=b" IDLE").open() as line,
            Imap(account(office, port=line.port), "INBOX") as box,
        ):
            assert not box.wait_for_mail(300)

    def test_a_server_that_goes_away(self, office: MailProvider) -> None:
        with run_mail_provider("anna") as other, Imap(account(other), "INBOX") as box:
            threading.Timer(0.5, _kick, [other]).start()
            with pytest.raises(MailError, match=r"^no connection to "):
                box.wait_for_mail(300)


def _kick(office: MailProvider) -> None:
    """End all of its connections."""
    command = ["doveadm", "-c", str(office.root / "dovecot.conf"), "kick", "anna"]
    subprocess.run(command, check=True, capture_output=True)


class TestChange:
    """Marks and moves, where they are asked for; the server refuses them where they are not."""

    def test_mark(self, office: MailProvider) -> None:
        deliver(office, 1, 2)
        with Imap(account(office), "INBOX", change=True) as box:
            box.mark("2")
        assert sorted(flags(office)) == ["", "S"]

    @pytest.mark.parametrize(
        ("name", "on_disk"), [("Games", "Games"), ('Märsche & "x"', 'M&AOQ-rsche &- "x"')]
    )
    def test_move(self, name: str, on_disk: str, office: MailProvider) -> None:
        deliver(office, 1, 2)
        mailbox.Maildir(office.maildir("anna")).add_folder(on_disk)
        for path in office.maildir("anna").rglob("*"):
            give_to_dovecot(path)
        with Imap(account(office), "INBOX", change=True) as box:
            box.move("1", name)
            assert [uid for uid, _ in box.since(())] == ["2"]
        assert flags(office, on_disk) == [""]
        with Imap(account(office), name) as box:
            assert [data for _, data in box.since(())] == [MAIL % (1, 1)]

    def test_move_to_no_folder(self, office: MailProvider) -> None:
        deliver(office, 1)
        with Imap(account(office), "INBOX", change=True) as box:
            with pytest.raises(MailError, match=rf"^{HOST} refuses MOVE: .*Mailbox doesn't exist: Other"):
                box.move("1", "Other")
            assert len(list(box.since(()))) == 1

    def test_a_folder_opened_for_reading_cannot_be_changed(self, office: MailProvider) -> None:
        deliver(office, 1)
        with Imap(account(office), "INBOX") as box:
            box.mark("1")
        assert flags(office) == [""]


ODD = 'Jürgen "Ann" \\ Ω'


@pytest.fixture(scope="module")
def hidden() -> Iterator[MailProvider]:
    """A provider whom the tests ask over a line that hides that there is PLAIN."""
    settings = "auth_username_chars =\nauth_username_format =\nauth_failure_delay = 0\n"
    with run_mail_provider("anna", ODD, more=settings) as office:
        yield office


class TestServersWithoutPlain:
    """Not every server offers what all should: then the command LOGIN, or nothing."""

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", ["anna", ODD])
    def test_login(self, name: str, hidden: MailProvider) -> None:
        """The password has the user's name in it."""
        hidden.deliver(name, MAIL % (1, 1))
        with BadLine(hidden, hidden.imap, hides=HIDDEN).open() as line:
            mine = account(hidden, port=line.port, user=name, password_command=["echo", f"secret of {name}"])
            with Imap(mine, "INBOX") as box:
                assert list(box.since(())) == [("1", MAIL % (1, 1))]
        assert any(b" LOGIN " in one for one in line.passed)

    def test_wrong_password(self, hidden: MailProvider) -> None:
        with BadLine(hidden, hidden.imap, hides=HIDDEN).open() as line:
            mine = account(hidden, port=line.port, password_command=["echo", "sesame"])
            with pytest.raises(MailError) as caught, Imap(mine, "INBOX"):
                pass
        where = f"{HOST}:{line.port}"
        assert str(caught.value) == f"{where} refuses anna: [AUTHENTICATIONFAILED] Authentication failed"
        assert any(b" LOGIN " in one for one in line.passed)

    def test_no_password_is_taken(self) -> None:
        with run_mail_provider("anna", more="auth_mechanisms = cram-md5\n") as office:
            with pytest.raises(MailError) as caught, Imap(account(office), "INBOX"):
                pass
            log = (office.root / "dovecot.log").read_text()
        where = f"{HOST}:{office.imap}"
        expected = f"{where} does not accept passwords (LOGINDISABLED); it offers AUTH=CRAM-MD5"
        assert str(caught.value) == expected
        assert "no auth attempts" in log


class TestRefusals:
    """Whatever goes wrong is one line, and no password goes where it should not."""

    def refused(self, account: Account, folder: str = "INBOX") -> str:
        with pytest.raises(MailError) as caught, Imap(account, folder):
            pass
        assert "\n" not in str(caught.value)
        return str(caught.value)

    def test_wrong_password(self, office: MailProvider) -> None:
        line = self.refused(account(office, password_command=["echo", "sesame"]))
        assert line == f"{HOST}:{office.imap} refuses anna: [AUTHENTICATIONFAILED] Authentication failed"

    def test_no_such_folder(self, office: MailProvider) -> None:
        line = self.refused(account(office), "Games")
        assert "folder Games: Mailbox doesn't exist: Games" in line

    def test_nobody_listens(self, office: MailProvider) -> None:
        with socket.create_server((HOST, 0)) as server:
            port = server.getsockname()[1]
        assert (
            self.refused(account(office, port=port)) == f"no connection to {HOST}:{port}: Connection refused"
        )

    @pytest.mark.parametrize("security", ["tls", "starttls"])
    def test_certificate_of_another_authority(
        self, security: str, office: MailProvider, tmp_path: Path
    ) -> None:
        other = tmp_path / "other.pem"
        trustme.CA().cert_pem.write_to_path(str(other))
        port = office.imap if security == "tls" else office.imap_starttls
        line = self.refused(account(office, port=port, security=security, ca=str(other)))
        assert line.startswith(f"the certificate of {HOST}:{port} is not valid: ")

    def test_certificate_for_another_name(self, office: MailProvider) -> None:
        line = self.refused(account(office, host="127.0.0.2"))
        assert "127.0.0.2" in line

    def test_authority_that_is_not_there(self, office: MailProvider) -> None:
        line = self.refused(account(office, ca="/no/such.pem"))
        assert line == "cannot read the certificate authority /no/such.pem: No such file or directory"

    @pytest.mark.parametrize(
        "greeting",
        [b"* PREAUTH welcome\r\n", b"* OK welcome\r\n", b"* BYE go away\r\n", b"HTTP/1.1 400 Bad\r\n", b""],
    )
    def test_no_password_without_tls(self, greeting: bytes, office: MailProvider) -> None:
        """A server, or somebody in its place, that will not start TLS hears nothing secret."""
        with Impostor(greeting) as impostor:
            self.refused(account(office, port=impostor.port, security="starttls"))
        assert not any(word in impostor.heard.upper() for word in (b"LOGIN", b"AUTHENTICATE", b"SECRET"))


class Impostor:
    """A server that greets, offers nothing but plain IMAP, refuses all commands, and remembers them."""

    def __init__(self, greeting: bytes) -> None:
        self.heard = b""
        self._greeting = greeting
        self._server = socket.create_server((HOST, 0))
        self.port = self._server.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Impostor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(10)
        self._server.close()

    def _serve(self) -> None:
        connection, _ = self._server.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(self._greeting)
            for line in lines if self._greeting else ():
                self.heard += line
                tag, _, command = line.partition(b" ")
                if command.upper().startswith(b"CAPABILITY"):
                    connection.sendall(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK\r\n")
                else:
                    connection.sendall(tag + b" BAD no\r\n")


def trusted(office: MailProvider) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=office.authority)
