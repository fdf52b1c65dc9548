"""XOAUTH2 and LOGIN against real servers: Dovecot, which asks who a token is for, and aiosmtpd."""

from __future__ import annotations

import json
import threading
from base64 import b64decode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest
from aiosmtpd.smtp import MISSING, SMTP, AuthResult

from pbem.errors import MailError, RefusedLogin
from pbem.mail.imap import Imap
from pbem.mail.settings import Account
from pbem.mail.smtp import deliver, try_account
from support.mail_provider import HOST, MailProvider, run_mail_provider
from support.markers import echo_command
from support.smtp_servers import Authority, ReceivedMails, Security, serve_smtp

TOKEN = "ya29.a-good-token"
ANNA, BRUNO = "anna@example.org", "bruno@example.org"
SETTINGS = """
auth_mechanisms = plain xoauth2
auth_failure_delay = 0
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {file}
}}
"""
ASKING = """
introspection_mode = get
introspection_url = http://127.0.0.1:{port}/?token=
username_attribute = user
active_attribute = active
active_value = true
"""


class _Introspection(BaseHTTPRequestHandler):
    """Tells Dovecot who a token is for, as the provider's own server does."""

    def do_GET(self) -> None:
        good = self.path.startswith(f"/?token={TOKEN}&")
        answer = json.dumps({"active": good, "user": "anna"} if good else {"active": False}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailProvider]:
    folder = tmp_path_factory.mktemp("oauth")
    with HTTPServer(("127.0.0.1", 0), _Introspection) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        asking = folder / "oauth2.conf.ext"
        asking.write_text(ASKING.format(port=server.server_port))
        try:
            with run_mail_provider("anna", more=SETTINGS.format(file=asking)) as running:
                yield running
        finally:
            server.shutdown()


def by_token(office: MailProvider, token: str = TOKEN, **changes: object) -> Account:
    """Anna's account, with a command that prints a token."""
    account = Account(
        host=HOST,
        port=office.imap,
        security="tls",
        user="anna",
        auth="xoauth2",
        token_command=echo_command(token),
        ca=str(office.authority),
    )
    return msgspec.structs.replace(account, **changes)


class TestImap:
    """The folder opens for a good token; a bad one is one line, with its own kind of error."""

    @pytest.mark.parametrize("security", ["tls", "starttls"])
    def test_a_good_token(self, office: MailProvider, security: str) -> None:
        port = office.imap if security == "tls" else office.imap_starttls
        office.empty("anna")
        office.deliver("anna", b"Subject: pbem 1\r\n\r\nhello\r\n")
        with Imap(by_token(office, security=security, port=port), "INBOX") as box:
            assert [mail for _, mail in box.since(())] == [b"Subject: pbem 1\r\n\r\nhello\r\n"]

    def test_a_bad_token(self, office: MailProvider) -> None:
        """The server says why in a challenge first, and waits for an answer to that."""
        with pytest.raises(RefusedLogin) as caught, Imap(by_token(office, "old"), "INBOX"):
            pass
        where = f"{HOST}:{office.imap}"
        assert str(caught.value) == f"{where} refuses anna: [AUTHENTICATIONFAILED] Authentication failed"

    @pytest.mark.thorough
    def test_another_players_token(self, office: MailProvider) -> None:
        with pytest.raises(RefusedLogin), Imap(by_token(office, user="bruno"), "INBOX"):
            pass

    def test_no_token(self, office: MailProvider) -> None:
        with pytest.raises(MailError) as caught, Imap(by_token(office, token_command=["false"]), "INBOX"):
            pass
        assert str(caught.value) == "token_command false failed with exit code 1"

    @pytest.mark.thorough
    def test_a_server_that_takes_none(self) -> None:
        with run_mail_provider("anna") as plain:
            with pytest.raises(MailError) as caught, Imap(by_token(plain), "INBOX"):
                pass
            log = (plain.root / "dovecot.log").read_text()
        words = f"{HOST}:{plain.imap} does not accept tokens (XOAUTH2); it offers AUTH=PLAIN, AUTH=LOGIN"
        assert str(caught.value) == words
        assert "no auth attempts" in log


class TokenRoom(ReceivedMails):
    """A mail server that takes tokens, and remembers what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[bytes] = []

    async def auth_XOAUTH2(self, server: SMTP, words: list[str]) -> AuthResult:  # noqa: N802
        self.shown.append(b64decode(words[1]))
        if self.shown[-1] == f"user=anna\x01auth=Bearer {TOKEN}\x01\x01".encode():
            return AuthResult(success=True, auth_data="anna")
        answer = await server.challenge_auth('{"status":"401","schemes":"bearer"}')
        assert answer in (b"", MISSING)
        return AuthResult(success=False, handled=False)


@pytest.mark.parametrize("security", ["tls", "starttls"])
class TestSmtp:
    """Mails go out by a token."""

    def account(self, authority: Authority, port: int, security: Security, token: str = TOKEN) -> Account:
        return msgspec.structs.replace(
            authority.account(port, security),
            auth="xoauth2",
            password_command=[],
            token_command=echo_command(token),
        )

    def test_a_good_token(self, tmp_path: Path, security: Security) -> None:
        room, authority = TokenRoom(), Authority.new(tmp_path)
        with serve_smtp(room, authority, security) as port:
            deliver(self.account(authority, port, security), ANNA, BRUNO, b"Subject: x\r\n\r\ny\r\n")
        assert room.accepted == [(ANNA, [BRUNO], b"Subject: x\r\n\r\ny\r\n")]

    def test_a_bad_token(self, tmp_path: Path, security: Security) -> None:
        room, authority = TokenRoom(), Authority.new(tmp_path)
        with serve_smtp(room, authority, security) as port, pytest.raises(RefusedLogin) as caught:
            try_account(self.account(authority, port, security, "old"))
        assert len(room.shown) == 1
        assert f"localhost:{port} refuses anna: 535 " in str(caught.value)
        assert "old" not in str(caught.value)

    def test_a_server_that_takes_none(self, tmp_path: Path, security: Security) -> None:
        authority = Authority.new(tmp_path)
        with serve_smtp(ReceivedMails(), authority, security) as port, pytest.raises(MailError) as caught:
            try_account(self.account(authority, port, security))
        assert str(caught.value) == f"localhost:{port} does not accept the mail: it does not offer XOAUTH2"

    def test_login(self, tmp_path: Path, security: Security) -> None:
        """A server that offers LOGIN alone."""
        room, authority = ReceivedMails(), Authority.new(tmp_path)
        with serve_smtp(room, authority, security, auth_exclude_mechanism=["PLAIN"]) as port:
            deliver(authority.account(port, security), ANNA, BRUNO, b"Subject: x\r\n\r\ny\r\n")
            with pytest.raises(RefusedLogin):
                try_account(authority.account(port, security, password="secret-b"))
        assert len(room.accepted) == 1
