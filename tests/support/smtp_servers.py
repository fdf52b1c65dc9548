"""Real mail servers on loopback: one accepts mail under TLS, one hangs up after a number of replies."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.mail.settings import Account
from support.markers import echo_command
from support.processes import free_port

Security: TypeAlias = Literal["tls", "starttls"]

USER, PASSWORD = "anna", "secret-a"
HOST = "localhost"


@dataclass
class Authority:
    """A certificate authority of the tests: its file, and what the servers it certifies need."""

    file: Path
    issuer: trustme.CA

    @classmethod
    def new(cls, folder: Path, name: str = "authority") -> Authority:
        """A new authority with its file in the folder."""
        issuer, file = trustme.CA(), folder / f"{name}.pem"
        issuer.cert_pem.write_to_path(str(file))
        return cls(file, issuer)

    def server_context(self, host: str = HOST) -> ssl.SSLContext:
        """The context of a server with this name."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.issuer.issue_cert(host).configure_cert(context)
        return context

    def account(self, port: int, security: Security, *, password: str = PASSWORD) -> Account:
        """Settings for a server here."""
        return Account(
            host=HOST,
            port=port,
            security=security,
            user=USER,
            password_command=echo_command(password),
            ca=str(self.file),
        )


@dataclass
class ReceivedMails:
    """The mails a server has accepted (sender, recipients and bytes of each), and whom it refuses."""

    accepted: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    refuses: dict[str, str] = field(default_factory=dict)
    refuses_data: str = ""

    async def handle_RCPT(  # noqa: N802  the name is aiosmtpd's
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 log in first"
        if reply := self.refuses.get(address):
            return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.refuses_data:
            return self.refuses_data
        assert isinstance(envelope.content, bytes)
        self.accepted.append((envelope.mail_from or "", list(envelope.rcpt_tos), envelope.content))
        return "250 taken"


@contextmanager
def serve_smtp(
    room: ReceivedMails, authority: Authority, security: Security, *, host: str = HOST, **more: Any
) -> Iterator[int]:
    """A server that accepts mail from anybody with the password. Yields its port. `more`: for aiosmtpd."""
    context = authority.server_context(host)
    under_tls: dict[str, Any] = {"ssl_context": context, "auth_require_tls": False}
    starttls: dict[str, Any] = {"tls_context": context, "require_starttls": True}
    controller = Controller(
        room,
        hostname="127.0.0.1",
        port=free_port(),
        server_hostname="here",
        authenticator=_authenticate,
        **(under_tls if security == "tls" else starttls),
        **more,
    )
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def _authenticate(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: LoginPassword
) -> AuthResult:
    good = login.login == USER.encode() and login.password == PASSWORD.encode()
    return AuthResult(success=good, handled=False)


@dataclass
class HangingServer:
    """A server that closes the connection after its n-th reply; it counts the whole mails it has read."""

    authority: Authority
    security: Security
    replies: int
    read: list[bytes] = field(default_factory=list)

    @contextmanager
    def serving(self) -> Iterator[int]:
        """Serve, one connection after the other. Yields the port."""
        with socket.create_server(("127.0.0.1", 0)) as listening:
            thread = threading.Thread(target=self._serve, args=(listening,))
            thread.start()
            try:
                yield listening.getsockname()[1]
            finally:
                with suppress(OSError):  # Windows does not shut down a listening socket, but can close it
                    listening.shutdown(socket.SHUT_RDWR)
                listening.close()
                thread.join()

    def _serve(self, listening: socket.socket) -> None:
        with suppress(OSError):  # the listening socket is shut down
            while True:
                connection, _ = listening.accept()
                with ExitStack() as open_sockets, suppress(OSError, StopIteration):
                    self._talk(open_sockets.enter_context(connection), open_sockets)

    def _talk(self, connection: socket.socket, open_sockets: ExitStack) -> None:
        def secured() -> socket.socket:
            context = self.authority.server_context()
            return open_sockets.enter_context(context.wrap_socket(connection, server_side=True))

        left = iter(range(self.replies))
        if self.security == "tls":
            connection = secured()
        next(left)
        connection.sendall(b"220 here\r\n")
        lines = open_sockets.enter_context(connection.makefile("rb"))
        while line := lines.readline():
            next(left)
            match line.split()[0].upper():
                case b"EHLO":
                    offer = b"AUTH PLAIN" if isinstance(connection, ssl.SSLSocket) else b"STARTTLS"
                    connection.sendall(b"250-here\r\n250 " + offer + b"\r\n")
                case b"STARTTLS":
                    connection.sendall(b"220 go ahead\r\n")
                    connection = secured()
                    lines = open_sockets.enter_context(connection.makefile("rb"))
                case b"AUTH":
                    connection.sendall(b"235 welcome\r\n")
                case b"DATA":
                    connection.sendall(b"354 go on\r\n")
                    self.read.append(b"".join(iter(lines.readline, b".\r\n")))
                    next(left)
                    connection.sendall(b"250 taken\r\n")
                case _:
                    connection.sendall(b"250 OK\r\n")
