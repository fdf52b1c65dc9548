"""SMTP against real servers: under verified TLS or not at all; whatever goes wrong is one line."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from pbem.errors import MailError
from pbem.mail.smtp import deliver, try_account
from support.smtp_servers import Authority, HangingServer, ReceivedMails, Security, serve_smtp

ANNA, BRUNO = "anna@example.org", "bruno@example.org"
MAIL = b"Subject: a move\r\n\r\nFrom the east\r\n.\r\n..\r\nend\r\n"
BOTH: list[Security] = ["tls", "starttls"]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.new(tmp_path_factory.mktemp("authority"))


def refused(error: pytest.ExceptionInfo[MailError]) -> str:
    """The message of an error, which is one line without a full stop."""
    message = str(error.value)
    assert message.isprintable()
    assert not message.endswith(".")
    return message


@pytest.mark.parametrize("security", BOTH)
class TestDelivery:
    def test_taken_as_it_is(self, authority: Authority, security: Security) -> None:
        room = ReceivedMails()
        with serve_smtp(room, authority, security) as port:
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert room.accepted == [(ANNA, [BRUNO], MAIL)]

    def test_wrong_password(self, authority: Authority, security: Security) -> None:
        room = ReceivedMails()
        with serve_smtp(room, authority, security) as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, security, password="secret-b"), ANNA, BRUNO, MAIL)
        assert f"localhost:{port} refuses anna: 535" in refused(error)
        assert "secret" not in str(error.value)
        assert room.accepted == []

    def test_recipient_refused_for_good(self, authority: Authority, security: Security) -> None:
        room = ReceivedMails(refuses={BRUNO: "550 no such user"})
        with serve_smtp(room, authority, security) as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert refused(error) == f"localhost:{port} refuses {BRUNO}: 550 no such user"
        assert "permanently" in error.value.hint

    def test_recipient_refused_for_now(self, authority: Authority, security: Security) -> None:
        room = ReceivedMails(refuses={BRUNO: "451 greylisted"})
        with serve_smtp(room, authority, security) as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert "451 greylisted" in refused(error)
        assert "try again later" in error.value.hint

    def test_mail_refused(self, authority: Authority, security: Security) -> None:
        room = ReceivedMails(refuses_data="554 looks like\x1b[2J spam")
        with serve_smtp(room, authority, security) as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert "does not accept the mail: 554 looks like?[2J spam" in refused(error)

    def test_settings_are_tried(self, authority: Authority, security: Security) -> None:
        room = ReceivedMails()
        with serve_smtp(room, authority, security) as port:
            try_account(authority.account(port, security))
            with pytest.raises(MailError, match="refuses anna: 535"):
                try_account(authority.account(port, security, password="secret-b"))
        assert room.accepted == []

    def test_second_address_refused(self, authority: Authority, security: Security) -> None:
        room = ReceivedMails()
        with serve_smtp(room, authority, security) as port:
            for bad in (f"{BRUNO}, eve@example.org", f"{BRUNO}>\r\nRCPT TO:<eve@example.org", ""):
                with pytest.raises(MailError, match="is not a mail address"):
                    deliver(authority.account(port, security), ANNA, bad, MAIL)
                with pytest.raises(MailError, match="is not a mail address"):
                    deliver(authority.account(port, security), bad, BRUNO, MAIL)
        assert room.accepted == []


@pytest.mark.parametrize("security", BOTH)
class TestCertificates:
    """Who has no good certificate gets neither the mail nor the password."""

    def test_another_authority(self, authority: Authority, security: Security, tmp_path: Path) -> None:
        room = ReceivedMails()
        with serve_smtp(room, Authority.new(tmp_path), security) as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert f"the certificate of localhost:{port} is not valid" in refused(error)
        assert room.accepted == []

    def test_authority_unknown_to_the_system(self, authority: Authority, security: Security) -> None:
        account = msgspec.structs.replace(authority.account(1, security), ca="")
        with serve_smtp(ReceivedMails(), authority, security) as port, pytest.raises(MailError) as error:
            deliver(msgspec.structs.replace(account, port=port), ANNA, BRUNO, MAIL)
        assert "is not valid" in refused(error)

    def test_another_host(self, authority: Authority, security: Security) -> None:
        with (
            serve_smtp(ReceivedMails(), authority, security, host="mail.example.org") as port,
            pytest.raises(MailError) as error,
        ):
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert "is not valid" in refused(error)

    def test_no_such_authority(self, authority: Authority, security: Security, tmp_path: Path) -> None:
        account = msgspec.structs.replace(authority.account(1, security), ca=str(tmp_path / "none.pem"))
        with pytest.raises(MailError, match="cannot read the certificate authority"):
            deliver(account, ANNA, BRUNO, MAIL)


class TestNothingGoesInClear:
    def test_server_without_starttls(self, authority: Authority) -> None:
        """A server (or somebody between) that offers no TLS never sees the password."""
        heard: list[bytes] = []
        with plain_server(heard) as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, "starttls"), ANNA, BRUNO, MAIL)
        assert "STARTTLS" in refused(error)
        assert not any(b"AUTH" in line for line in heard)

    def test_no_tls_on_the_port(self, authority: Authority) -> None:
        with plain_server([]) as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, "tls"), ANNA, BRUNO, MAIL)
        assert f"no connection to localhost:{port}" in refused(error)

    def test_nobody_there(self, authority: Authority) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
        for security in BOTH:
            with pytest.raises(MailError, match=f"no connection to localhost:{port}"):
                deliver(authority.account(port, security), ANNA, BRUNO, MAIL)


@contextmanager
def plain_server(heard: list[bytes]) -> Iterator[int]:
    """A server that knows AUTH and no TLS."""

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"220 here\r\n")
            for line in connection.makefile("rb"):
                heard.append(line)
                connection.sendall(b"250-here\r\n250 AUTH PLAIN LOGIN\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            thread.join()


REPLIES = {"tls": 7, "starttls": 9}
"""220, EHLO, AUTH, MAIL, RCPT, DATA and the mail itself; before AUTH, STARTTLS and another EHLO."""


class TestTheConnectionBreaks:
    """After whichever reply: one line, and the advice to send again; once the mail is taken, all is well."""

    @pytest.mark.parametrize(
        ("security", "replies"), [(security, n) for security in BOTH for n in range(REPLIES[security])]
    )
    def test_before_the_mail_is_taken(self, authority: Authority, security: Security, replies: int) -> None:
        server = HangingServer(authority, security, replies)
        with server.serving() as port, pytest.raises(MailError) as error:
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert f"localhost:{port}" in refused(error)
        assert "try again later: pbem will send the very same mail" in error.value.hint
        assert len(server.read) == (replies == REPLIES[security] - 1)

    @pytest.mark.parametrize("security", BOTH)
    def test_once_it_is_taken(self, authority: Authority, security: Security) -> None:
        server = HangingServer(authority, security, REPLIES[security])
        with server.serving() as port:
            deliver(authority.account(port, security), ANNA, BRUNO, MAIL)
        assert server.read == [MAIL.replace(b"\r\n.", b"\r\n..")]
