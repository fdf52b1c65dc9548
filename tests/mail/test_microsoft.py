"""Outlook.com and the like: a code and a page, tokens that are renewed, against a stand-in over TLS."""

from __future__ import annotations

import json
import shutil
import threading
from base64 import b64decode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import keyring
import msgspec
import pytest
from aiosmtpd.smtp import MISSING, SMTP, AuthResult
from keyring.backends.fail import Keyring as NoKeyring

from mail.test_xoauth2 import ASKING, SETTINGS
from pbem.cli.app import run
from pbem.errors import MailError, RefusedLogin
from pbem.mail.imap import Imap
from pbem.mail.microsoft import DeviceLogin, fetch_token
from pbem.mail.settings import Account, Provider, Server, read_config
from pbem.render.safe_text import quote_path
from support.mail_provider import MailProvider, run_mail_provider
from support.microsoft_stand_in import CLIENT_ID, CODE, PAGE, MicrosoftStandIn, stand_in_for_microsoft
from support.smtp_servers import HOST, Authority, ReceivedMails, serve_smtp
from support.terminal import Lines

ANNA = "anna@example.org"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority.new(tmp_path)


@pytest.fixture
def microsoft(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MicrosoftStandIn]:
    """The stand-in, found as Microsoft's own, and a home whose secrets are in a file."""
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(authority.file))
    monkeypatch.setenv("no_proxy", "")
    with stand_in_for_microsoft(authority, ANNA) as running:
        monkeypatch.setenv("https_proxy", running.site.proxy)
        yield running
    keyring.set_keyring(before)


def log_in() -> None:
    DeviceLogin(CLIENT_ID).finish(ANNA)


class TestLogin:
    @pytest.mark.thorough
    def test_a_code_and_a_page(self, microsoft: MicrosoftStandIn) -> None:
        """It waits until the person has agreed."""
        microsoft.agreed = False
        login = DeviceLogin(CLIENT_ID)
        assert (login.page, login.code, login.minutes) == (PAGE, CODE, 15)
        login.finish(ANNA)
        assert fetch_token(ANNA) in microsoft.good
        assert microsoft.clients == {CLIENT_ID}
        outlook = "https://outlook.office.com/"
        assert {f"{outlook}IMAP.AccessAsUser.All", f"{outlook}SMTP.Send"} <= microsoft.scopes
        assert "offline_access" in microsoft.scopes  # so that it can be renewed

    def test_declined(self, microsoft: MicrosoftStandIn) -> None:
        microsoft.declined = True
        with pytest.raises(MailError, match=r"^access for pbem was refused on the Microsoft page$"):
            log_in()

    def test_an_id_that_it_does_not_know(self, microsoft: MicrosoftStandIn) -> None:
        with pytest.raises(MailError) as caught:
            DeviceLogin("5f2c1a7e-0000-4000-8000-00000000dead")
        assert str(caught.value) == (
            "Microsoft refuses: AADSTS700016: Application with identifier 'x' was not found"
        )

    def test_another_certificate(
        self, microsoft: MicrosoftStandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing is shown to whoever stands in between."""
        other = Authority.new(tmp_path, "other")
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(other.file))
        with pytest.raises(MailError, match=r"^the certificate of Microsoft is not valid"):
            DeviceLogin(CLIENT_ID)
        assert not microsoft.site.requests

    def test_nobody_there(self, microsoft: MicrosoftStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
        with pytest.raises(MailError, match=r"^no connection to Microsoft: ProxyError$"):
            DeviceLogin(CLIENT_ID)

    def test_a_page_in_between(self, microsoft: MicrosoftStandIn) -> None:
        """A hotel's network answers everything with a page of its own."""
        for place in microsoft.site.pages:
            microsoft.site.pages[place] = b"<html>Welcome to our hotel"
        with pytest.raises(MailError, match=r"^no connection to Microsoft: "):
            DeviceLogin(CLIENT_ID)


class TestTokens:
    def test_one_that_is_good_is_used_again(self, microsoft: MicrosoftStandIn) -> None:
        log_in()
        asked = len(microsoft.site.requests)
        assert fetch_token(ANNA) == fetch_token(ANNA)
        assert all("token" not in place for place in microsoft.site.requests[asked:])

    def test_an_old_one_is_renewed(self, microsoft: MicrosoftStandIn) -> None:
        """And what renews it is kept, since it changes each time."""
        microsoft.lasts = 60  # msal takes no token that ends within five minutes
        log_in()
        first = fetch_token(ANNA)
        microsoft.renewing -= {"renew-0"}
        second = fetch_token(ANNA)
        assert first != second
        assert {first, second} <= microsoft.good

    def test_a_revoked_one(self, microsoft: MicrosoftStandIn) -> None:
        microsoft.lasts = 60
        log_in()
        microsoft.renewing.clear()
        with pytest.raises(RefusedLogin) as caught:
            fetch_token(ANNA)
        assert str(caught.value) == f"Microsoft no longer lets pbem in for {ANNA}"
        assert caught.value.hint == f"type: pbem mail setup {quote_path(ANNA)}"

    def test_none(self, microsoft: MicrosoftStandIn) -> None:
        with pytest.raises(MailError, match=r"^there is no password for "):
            fetch_token(ANNA)


@pytest.fixture
def office(microsoft: MicrosoftStandIn, tmp_path: Path) -> Iterator[MailProvider]:
    """Dovecot, which asks the stand-in's other side whether a token is good."""

    class Introspection(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            token = self.path.partition("?token=")[2].partition("&")[0]
            good = token in microsoft.good
            answer = json.dumps({"active": good, "user": ANNA} if good else {"active": False}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Introspection) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        asking = tmp_path / "oauth2.conf.ext"
        asking.write_text(ASKING.format(port=server.server_port))
        try:
            with run_mail_provider(ANNA, more=SETTINGS.format(file=asking)) as running:
                yield running
        finally:
            server.shutdown()


def test_a_token_that_the_server_refuses_is_renewed_once(
    microsoft: MicrosoftStandIn, office: MailProvider
) -> None:
    """It is not old, but the person has changed his password since."""
    log_in()
    account = Account(
        host="127.0.0.1",
        port=office.imap,
        security="tls",
        user=ANNA,
        auth="microsoft",
        ca=str(office.authority),
    )
    with Imap(account, "INBOX"):
        pass
    microsoft.good.clear()
    with Imap(account, "INBOX"):
        pass
    microsoft.good.clear()
    microsoft.renewing.clear()
    with pytest.raises(RefusedLogin, match=r"^Microsoft no longer lets pbem in"), Imap(account, "INBOX"):
        pass


class TokenMails(ReceivedMails):
    """A server for sending that takes the stand-in's tokens."""

    def __init__(self, microsoft: MicrosoftStandIn) -> None:
        super().__init__()
        self.microsoft = microsoft

    async def auth_XOAUTH2(self, server: SMTP, words: list[str]) -> AuthResult:  # noqa: N802
        shown = b64decode(words[1]).decode()
        user, _, rest = shown.removeprefix("user=").partition("\x01auth=Bearer ")
        if user == ANNA and rest.rstrip("\x01") in self.microsoft.good:
            return AuthResult(success=True, auth_data=user)
        assert await server.challenge_auth('{"status":"401"}') in (b"", MISSING)
        return AuthResult(success=False, handled=False)


@pytest.mark.thorough
class TestSetup:
    """`mail setup` at a terminal, for an account whose servers the table knows."""

    def at_a_terminal(self, tmp_path: Path, **environment: str) -> Lines:
        plain = {
            "PBEM_HOME": str(tmp_path / "home"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "XDG_RUNTIME_DIR": str(tmp_path),  # where no systemd is
            "DBUS_SESSION_BUS_ADDRESS": "",
        }
        return Lines(tmp_path, "mail", "setup", ANNA, **plain, **environment)

    def test_from_the_address_to_a_mail(
        self,
        microsoft: MicrosoftStandIn,
        office: MailProvider,
        authority: Authority,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        both = tmp_path / "both.pem"
        both.write_bytes(authority.file.read_bytes() + office.authority.read_bytes())
        monkeypatch.setenv("SSL_CERT_FILE", str(both))
        home, taken = tmp_path / "home", TokenMails(microsoft)
        (home / "mail").mkdir(parents=True)
        config = f"mail: {{address: {ANNA}, microsoft_client_id: {CLIENT_ID}}}\n"
        (home / "config.yaml").write_text(config)
        with serve_smtp(taken, authority, "starttls") as port:
            provider = Provider(
                name="Outlook.com",
                imap=Server(host="127.0.0.1", port=office.imap, security="tls"),
                smtp=Server(host=HOST, port=port, security="starttls"),
                login="microsoft",
                keeps_sent=True,
            )
            (home / "mail" / "setup.json").write_bytes(msgspec.json.encode((ANNA, provider, "")))
            at = self.at_a_terminal(
                tmp_path,
                SSL_CERT_FILE=str(both),
                REQUESTS_CA_BUNDLE=str(authority.file),
                https_proxy=microsoft.site.proxy,
                no_proxy="",
            )
            at.read_to("Continue with them? [y/n]: ")
            at.type("y")
            told = at.read_to("Next: pbem mail send")
            if shutil.which("crontab"):
                told += at.read_to("Install it? [y/n]: ")
                at.type("n")
            told = " ".join((told + at.read_to_end()).split())
            assert f"Open {PAGE} in any browser, even on a telephone, and type this code: {CODE}" in told
            assert "can read at 127.0.0.1" in told
            assert "can send by localhost" in told
            assert "A test mail to yourself is on its way" in told
            assert len(taken.accepted) == 1
            mail = read_config(home).mail
            assert mail
            assert mail.imap
            assert mail.imap.auth == "microsoft"
            assert mail.microsoft_client_id == CLIENT_ID
            assert "access-" not in (home / "config.yaml").read_text()
            assert run(["mail", "check"]) == 0
            assert capsys.readouterr().out.count("can ") == 2

    def test_without_an_id(self, tmp_path: Path) -> None:
        """Until pbem is registered: one line, and the way without settings."""
        at = Lines(tmp_path, "mail", "setup", "anna@outlook.es", PBEM_HOME=str(tmp_path / "home"))
        told = " ".join(at.read_to_end().split())
        assert "error: Microsoft does not know pbem yet, so pbem cannot log in to your mailbox" in told
        assert "hint: to send without settings, type pbem mail send FILE" in told
        assert at.process.wait() == 1
        assert not (tmp_path / "home" / "config.yaml").exists()
