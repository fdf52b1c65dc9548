"""The mail form of the lobby, against real servers: Dovecot, SMTP, HTTPS, and a stand-in for Microsoft."""

from __future__ import annotations

import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring
from msgspec import json

from mail.test_autoconfig import FIRST, file, server
from pbem.errors import MailError
from pbem.mail.microsoft import fetch_token
from pbem.mail.settings import MailSettings, parse_config, read_config, write_config
from pbem.player.local_player import LocalPlayer
from pbem.web.board_server import open_pages
from pbem.web.pages import Pages
from support.browsers import Browser, Firefox, run_firefox
from support.https_server import serve_https
from support.lobby_player import visit
from support.mail_provider import MailProvider, run_mail_provider
from support.microsoft_stand_in import CLIENT_ID, CODE, PAGE, MicrosoftStandIn, stand_in_for_microsoft
from support.smtp_servers import Authority

pytestmark = pytest.mark.thorough

ANNA = "anna@example.org"
NOBODY = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def running() -> Iterator[MailProvider]:
    with run_mail_provider("anna", ANNA) as office:
        yield office


@pytest.fixture
def office(running: MailProvider) -> MailProvider:
    running.empty("anna", ANNA)
    return running


@pytest.fixture
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Secrets go to a file, in this process and in those that it starts."""
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    yield
    keyring.set_keyring(before)


@pytest.fixture
def no_crontab() -> Iterator[None]:
    """The table of whoever runs the tests is put back."""
    if not shutil.which("crontab"):
        pytest.skip("it wants crontab")
    before = subprocess.run(["crontab", "-l"], capture_output=True, check=False)
    subprocess.run(["crontab", "-r"], capture_output=True, check=False)
    yield
    if before.returncode == 0:
        subprocess.run(["crontab", "-"], input=before.stdout, check=True)
    else:
        subprocess.run(["crontab", "-r"], capture_output=True, check=False)


class Form:
    """Anna at the form: what the program answers, without a server of pages."""

    def __init__(self, folder: Path, office: MailProvider | None) -> None:
        self.home, self.office = folder / "home", office
        self.home.mkdir(exist_ok=True)
        self.pages = open_pages(LocalPlayer(self.home), folder)

    def ask(self, name: str, **request: Any) -> Any:
        return self.pages.answer(f"mail/{name}", json.encode(request))

    def save(self, **changes: Any) -> Any:
        """Log in with what is right but for these changes."""
        assert self.office
        servers = {"imap": f"127.0.0.1:{self.office.imap}", "smtp": f"127.0.0.1:{self.office.smtp}"}
        right = {"address": ANNA, **servers, "user": ANNA, "password": f"secret of {ANNA}"}
        return self.ask("save", **(right | changes))

    @property
    def settings(self) -> MailSettings | None:
        return read_config(self.home).mail


@pytest.fixture
def anna(tmp_path: Path, office: MailProvider, no_keyring: None, monkeypatch: pytest.MonkeyPatch) -> Form:
    for name, value in {
        "PBEM_HOME": str(tmp_path / "home"),
        "SSL_CERT_FILE": str(office.authority),
        "https_proxy": NOBODY,
        "no_proxy": "",
    }.items():
        monkeypatch.setenv(name, value)
    return Form(tmp_path, office)


class TestFind:
    def test_by_the_table(self, anna: Form) -> None:
        found = anna.ask("find", address="anna@gmx.de")
        assert found["told"][1:] == [
            "read: imap.gmx.net, port 993, tls",
            "send: mail.gmx.net, port 465, tls",
        ]
        assert (found["imap"], found["smtp"]) == ("imap.gmx.net:993", "mail.gmx.net:465")
        assert (found["user"], found["login"]) == ("anna@gmx.de", "password")
        assert found["advice"].startswith("First allow it, in the settings for E-Mail: POP3/IMAP")

    def test_a_provider_that_lets_nobody_in(self, anna: Form) -> None:
        refused = anna.ask("find", address="anna@proton.me")
        assert refused["field"] == "address"
        assert refused["problem"].startswith("Proton does not allow mail programs")

    def test_a_domain_that_says_nothing(self, anna: Form) -> None:
        found = anna.ask("find", address=ANNA)
        assert found["told"][0] == "example.org does not say which mail servers it uses."
        assert (found["imap"], found["smtp"], found["user"]) == ("", "", ANNA)

    def test_by_what_the_domain_says(
        self, anna: Form, office: MailProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        authority = Authority.new(tmp_path)
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        with serve_https(authority, "autoconfig.example.org", "example.org") as site:
            monkeypatch.setenv("https_proxy", site.proxy)
            site.pages[FIRST] = file(
                server("imap", "127.0.0.1", office.imap, username="%EMAILLOCALPART%"),
                server("smtp", "127.0.0.1", office.smtp, username="%EMAILLOCALPART%"),
            )
            found = anna.ask("find", address=ANNA)
        assert found["told"][0] == "example.org says:"
        assert found["imap"] == f"127.0.0.1:{office.imap}"
        assert found["user"] == "anna"

    @pytest.mark.parametrize("address", ["anna", "anna@example.org\nBcc: x@example.org", ""])
    def test_no_address(self, anna: Form, address: str) -> None:
        assert anna.ask("find", address=address)["field"] == "address"


class TestSave:
    def test_it_ends_in_a_test_mail(self, anna: Form, office: MailProvider) -> None:
        saved = anna.save()
        assert saved["problem"] == ""
        told = " ".join(saved["told"])
        assert "can read at 127.0.0.1 can send by 127.0.0.1" in told
        secrets = anna.home / "mail" / "secrets.json"
        assert f"So the password is in {secrets}, not encrypted" in told
        assert f"Wrote {anna.home / 'config.yaml'}." in told
        assert told.endswith(f"A test mail to yourself is on its way to {ANNA}.")
        assert f"secret of {ANNA}" not in told + (anna.home / "config.yaml").read_text()
        assert stat.S_IMODE(secrets.stat().st_mode) == 0o600
        (mail,) = office.mails_of("anna")
        assert b"Subject: [pbem] your mail is set up" in mail
        assert anna.pages.answer("state", b"{}")["mail"] == ANNA

    @pytest.mark.parametrize(
        ("changes", "field", "words"),
        [
            ({"password": "sesame"}, "password", "refuses anna@example.org"),
            ({"password": ""}, "password", "your password is missing"),
            ({"imap": "127.0.0.1:9"}, "imap", "no connection to 127.0.0.1:9"),
            ({"smtp": "127.0.0.1:9"}, "smtp", "no connection to 127.0.0.1:9"),
            ({"smtp": "no such name"}, "smtp", "That is not a server name"),
            ({"address": "anna"}, "address", "anna"),
            ({"login": "token"}, "user", "pbem mail setup"),
        ],
    )
    def test_what_is_wrong_is_said_of_its_field(
        self, anna: Form, changes: dict[str, str], field: str, words: str
    ) -> None:
        problem = anna.save(**changes)
        assert problem["field"] == field
        assert words in problem["problem"]
        assert "sesame" not in problem["problem"]
        assert [path.name for path in anna.home.rglob("*") if path.is_file()] == []

    def test_nothing_that_a_page_sends_becomes_a_program(self, anna: Form) -> None:
        """A password that a command prints is set up at a terminal, where its owner types the command."""
        problem = anna.save(password="", password_command=["touch", str(anna.home / "made")])
        assert "is not one the page makes" in problem["refused"]["error"]
        assert not list(anna.home.iterdir())

    def test_other_settings_stay(self, anna: Form) -> None:
        plain = {"lang": "de", "mail": {"address": ANNA, "name": "Anna B.", "resend_after": "never"}}
        (anna.home / "config.yaml").write_bytes(json.encode(plain))
        saved = anna.save()
        assert "The old one is config.yaml.old." in saved["told"]
        assert read_config(anna.home).lang == "de"
        assert anna.settings
        assert (anna.settings.name, anna.settings.resend_after) == ("Anna B.", "never")


def test_the_browser_edition_has_no_such_form(tmp_path: Path) -> None:
    assert Pages(LocalPlayer(tmp_path / "home"), tmp_path).function("mail/save") is None


class TestMicrosoft:
    """A code and a page; each question of the page's is answered at once."""

    @pytest.fixture
    def microsoft(
        self, tmp_path: Path, no_keyring: None, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[MicrosoftStandIn]:
        authority = Authority.new(tmp_path)
        monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(authority.file))
        monkeypatch.setenv("no_proxy", "")
        with stand_in_for_microsoft(authority, ANNA) as standing_in:
            monkeypatch.setenv("https_proxy", standing_in.site.proxy)
            yield standing_in

    def form(self, folder: Path) -> Form:
        form = Form(folder, None)
        mail = parse_config({"mail": {"address": ANNA, "microsoft_client_id": CLIENT_ID}}, "").mail
        assert mail
        write_config(form.home, mail)
        return form

    def test_pbem_is_let_in(self, microsoft: MicrosoftStandIn, tmp_path: Path) -> None:
        form = self.form(tmp_path)
        microsoft.agreed = False
        assert form.ask("microsoft", user=ANNA) == {"page": PAGE, "code": CODE, "minutes": 15}
        begun = time.monotonic()
        assert form.ask("agreed", user=ANNA) == {"agreed": False}
        assert time.monotonic() - begun < 10
        with pytest.raises(MailError):
            fetch_token(ANNA)
        assert form.ask("agreed", user=ANNA) == {"agreed": True}
        assert fetch_token(ANNA) in microsoft.good

    def test_it_is_told_not_to(self, microsoft: MicrosoftStandIn, tmp_path: Path) -> None:
        form = self.form(tmp_path)
        microsoft.declined = True
        form.ask("microsoft", user=ANNA)
        assert form.ask("agreed", user=ANNA)["problem"] == (
            "access for pbem was refused on the Microsoft page"
        )

    def test_no_id_yet(self, tmp_path: Path) -> None:
        refused = Form(tmp_path, None).ask("microsoft", user=ANNA)
        assert refused["field"] == "address"
        assert refused["problem"].startswith("Microsoft does not know pbem yet")


@pytest.mark.usefixtures("no_crontab")
def test_the_system_looks_at_the_mail(anna: Form) -> None:
    """What would be installed is shown; it is installed, and removed again."""
    shown = anna.ask("watch", act="look")
    assert (shown["is_possible"], shown["is_installed"]) == (True, False)
    (line,) = shown["lines"]
    assert "mail watch --once" in line
    assert f"PBEM_HOME={anna.home}" in line
    assert anna.ask("watch", act="install")["is_installed"]
    table = subprocess.run(["crontab", "-l"], capture_output=True, text=True, check=True).stdout
    assert line in table
    assert not anna.ask("watch", act="remove")["is_installed"]
    left = subprocess.run(["crontab", "-l"], capture_output=True, text=True, check=False).stdout
    assert "mail watch" not in left


def set_up_by_the_form(browser: Browser | Firefox, office: MailProvider, folder: Path) -> None:
    """From Settings to a test mail; a wrong password is said beside its field, and mended there."""
    with visit(browser, folder) as player:
        player.click("#open-settings")
        player.click("#mail > summary")
        player.fill("#mail-address", ANNA)
        player.click("#mail-find button")
        assert player.text("#mail-found li") == "example.org does not say which mail servers it uses."
        player.fill("#mail-imap", f"127.0.0.1:{office.imap}")
        player.fill("#mail-smtp", f"127.0.0.1:{office.smtp}")
        player.fill("#mail-password", "sesame")
        player.click("#mail-save button")
        said = "return document.querySelector('p:has(> label > #mail-password) + .problem').textContent"
        assert "refuses anna@example.org" in str(browser.run(said))
        player.fill("#mail-password", f"secret of {ANNA}")
        player.click("#mail-save button")
        assert player.text("#mail-done").endswith(f"A test mail to yourself is on its way to {ANNA}.")
        assert not player.is_shown("#mail-save")
        assert player.text("#mail-account").startswith(f"Mail goes through your account {ANNA}.")
        assert player.is_shown("#mail-watch")
    (mail,) = office.mails_of("anna")
    assert b"Subject: [pbem] your mail is set up" in mail


@pytest.mark.usefixtures("anna")
def test_by_pointer(browser: Browser, office: MailProvider, tmp_path: Path) -> None:
    browser.set_width(1280)
    set_up_by_the_form(browser, office, tmp_path)


@pytest.mark.usefixtures("anna")
def test_by_pointer_in_firefox(office: MailProvider, tmp_path: Path) -> None:
    (tmp_path / "profile").mkdir()
    with run_firefox(tmp_path / "profile") as browser:
        browser.set_width(1280)
        set_up_by_the_form(browser, office, tmp_path)
