"""`mail setup` at a terminal, against real servers: Dovecot, SMTP, and HTTPS for what a domain says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from mail.test_autoconfig import FIRST, file, server
from pbem.cli.app import run
from pbem.mail.settings import MailSettings, read_config
from pbem.render.safe_text import quote_path
from support.https_server import serve_https
from support.mail_provider import MailProvider, run_mail_provider
from support.smtp_servers import Authority
from support.terminal import Lines

pytestmark = pytest.mark.thorough

ANNA = "anna@example.org"
SENT = """
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
"""


@pytest.fixture(scope="module")
def running() -> Iterator[MailProvider]:
    with run_mail_provider("anna", ANNA, more=SENT) as office:
        yield office


@pytest.fixture
def office(running: MailProvider) -> MailProvider:
    running.empty("anna", ANNA)
    return running


class Setup:
    """Anna at a terminal, with a home and a keyring of her own."""

    def __init__(self, folder: Path, office: MailProvider) -> None:
        self.home, self.office, self.folder = folder / "home", office, folder
        self.terminals: list[Lines] = []
        self.environment = {
            "PBEM_HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(folder),  # where no systemd is
            "DBUS_SESSION_BUS_ADDRESS": "",
            "SSL_CERT_FILE": str(office.authority),
            "https_proxy": "http://127.0.0.1:9",  # nobody is there
            "no_proxy": "",
            "PYTHON_KEYRING_BACKEND": "keyrings.alt.file.PlaintextKeyring",
            "XDG_DATA_HOME": str(folder / "data"),
        }

    def at_a_terminal(self, *words: str, **environment: str) -> Lines:
        at = Lines(self.folder, "mail", "setup", *words, **{**self.environment, **environment})
        self.terminals.append(at)
        return at

    def end(self, at: Lines) -> str:
        """Decline that the system looks at mail, if that is offered; the rest of what is printed."""
        told = at.read_to("Next: pbem mail send")
        if shutil.which("crontab"):
            told += at.read_to("Install it? [y/n]: ")
            at.type("n")
        return told + at.read_to_end()

    def answer_servers(self, at: Lines) -> None:
        """Type the servers of the office."""
        at.read_to("The domain does not say.")
        at.read_to("such as imap.example.org: ")
        at.type(f"127.0.0.1:{self.office.imap}")
        at.read_to(":587: ")
        at.type(f"127.0.0.1:{self.office.smtp}")
        at.read_to("(login) [anna@example.org]: ")
        at.type("")

    @property
    def settings(self) -> MailSettings:
        settings = read_config(self.home).mail
        assert settings
        return settings

    def secrets(self) -> str:
        """What the keyring has."""
        kept = list((self.folder / "data").rglob("*.cfg"))
        return kept[0].read_text() if kept else ""


@pytest.fixture
def anna(tmp_path: Path, office: MailProvider) -> Iterator[Setup]:
    anna = Setup(tmp_path, office)
    yield anna
    for at in anna.terminals:
        at.close()


def test_by_two_questions(anna: Setup, office: MailProvider) -> None:
    """A wrong password is asked for again, and a mail to herself arrives."""
    at = anna.at_a_terminal(ANNA)
    anna.answer_servers(at)
    at.read_to("prints it): ")
    at.type("sesame")
    refused = at.read_to("Try again. ")
    assert "refuses anna@example.org" in refused
    assert "config.yaml" not in refused
    at.read_to("(login) [anna@example.org]: ")
    at.type("")
    at.read_to("prints it): ")
    at.type(f"secret of {ANNA}")
    rest = anna.end(at)
    assert at.process.wait() == 0
    for words in (
        "can read at 127.0.0.1",
        "can send by 127.0.0.1",
        "keyring keeps",
        "A test mail to yourself",
    ):
        assert words in rest
    assert f"secret of {ANNA}" not in refused + rest
    assert f"secret of {ANNA}" not in (anna.home / "config.yaml").read_text()
    assert anna.secrets()
    (mail,) = office.mails_of("anna")
    assert b"Subject: [pbem] your mail is set up" in mail
    assert anna.settings.sent_copy
    assert anna.settings.smtp
    assert anna.settings.smtp.port == office.smtp


def test_what_was_set_up_is_what_commands_use(
    anna: Setup, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`mail check` gets the password by the command that was named."""
    at = anna.at_a_terminal()
    at.read_to("Your mail address: ")
    at.type(ANNA)
    anna.answer_servers(at)
    at.read_to("prints it): ")
    at.type("")
    at.read_to("such as: pass show mail: ")
    at.type(f"echo 'secret of {ANNA}'")
    assert "A test mail to yourself" in anna.end(at)
    assert anna.secrets() == ""
    assert anna.settings.imap
    assert anna.settings.imap.password_command == ["echo", f"secret of {ANNA}"]
    for name, value in anna.environment.items():
        monkeypatch.setenv(name, value)
    assert run(["mail", "check"]) == 0
    assert capsys.readouterr().out.count("can ") == 2


def test_by_what_the_domain_says(anna: Setup, office: MailProvider, tmp_path: Path) -> None:
    authority = Authority.new(tmp_path)
    trusted = tmp_path / "both.pem"
    trusted.write_bytes(authority.file.read_bytes() + office.authority.read_bytes())
    with serve_https(authority, "autoconfig.example.org", "example.org") as site:
        site.pages[FIRST] = file(
            server("imap", "127.0.0.1", office.imap, username="%EMAILLOCALPART%"),
            server("smtp", "127.0.0.1", office.smtp, username="%EMAILLOCALPART%"),
        )
        at = anna.at_a_terminal(ANNA, https_proxy=site.proxy, SSL_CERT_FILE=str(trusted))
        said = at.read_to("Are these the servers of your mailbox? [y/n]: ")
        assert f"read: 127.0.0.1, port {office.imap}, tls" in said
        at.type("y")
        at.read_to("(login) [anna]: ")
        at.type("")
        at.read_to("prints it): ")
        at.type("secret of anna")
        assert "A test mail to yourself" in anna.end(at)
    assert len(office.mails_of("anna")) == 1
    assert anna.settings.imap
    assert anna.settings.imap.user == "anna"


def test_no_keyring(anna: Setup, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A file keeps the password, as is said plainly; commands find it there."""
    anna.environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    at = anna.at_a_terminal(ANNA)
    anna.answer_servers(at)
    at.read_to("prints it): ")
    at.type(f"secret of {ANNA}")
    told = " ".join(anna.end(at).split())
    assert "A test mail to yourself" in told
    assert "secrets.json, not encrypted; only your own account on this computer can read it" in told
    for name, value in anna.environment.items():
        monkeypatch.setenv(name, value)
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
    try:
        assert run(["mail", "check"]) == 0
    finally:
        keyring.set_keyring(before)
    assert capsys.readouterr().out.count("can ") == 2


class TestSettingsThatAreThere:
    """They are kept but for the servers, and the file as it was lies beside the new one."""

    BEFORE = (
        "# mine\nmail:\n  address: anna@example.org\n  name: Anna B.\n  folder: INBOX\n"
        "  maildir: /tmp/games\n"
        "  smtp: {host: old.example.org, port: 465, security: tls, user: anna}\n"
    )

    def test_kept(self, anna: Setup) -> None:
        anna.home.mkdir()
        (anna.home / "config.yaml").write_text(self.BEFORE)
        at = anna.at_a_terminal()
        at.read_to(f"Your mail address [{ANNA}]: ")
        at.type("")
        at.read_to("Replace their servers? [y/n]: ")
        at.type("y")
        anna.answer_servers(at)
        at.read_to("prints it): ")
        at.type(f"secret of {ANNA}")
        rest = anna.end(at)
        assert "The old one is config.yaml.old." in rest
        assert "pbem mail fetch still reads /tmp/games" in rest
        assert (anna.home / "config.yaml.old").read_text() == self.BEFORE
        assert anna.settings.name == "Anna B."
        assert anna.settings.maildir == "/tmp/games"
        assert anna.settings.smtp
        assert anna.settings.smtp.host == "127.0.0.1"

    def test_left(self, anna: Setup) -> None:
        anna.home.mkdir()
        (anna.home / "config.yaml").write_text(self.BEFORE)
        at = anna.at_a_terminal(ANNA)
        at.read_to("Replace their servers? [y/n]: ")
        at.type("n")
        at.read_to_end()
        assert at.process.wait() == 1
        assert (anna.home / "config.yaml").read_text() == self.BEFORE
        assert [path.name for path in anna.home.glob("config*")] == ["config.yaml"]


def test_nobody_there(anna: Setup) -> None:
    """A server that cannot be reached: one line, and nothing is written."""
    at = anna.at_a_terminal(ANNA)
    at.read_to("such as imap.example.org: ")
    at.type("no such name")
    assert "That is not a server name" in at.read_to("such as imap.example.org: ")
    at.type("127.0.0.1:9")
    at.read_to(":587: ")
    at.type("127.0.0.1:9")
    at.read_to("(login) [anna@example.org]: ")
    at.type("anna")
    at.read_to("prints it): ")
    at.type("x")
    told = " ".join(at.read_to_end().split())
    assert "no connection to 127.0.0.1:9" in told
    assert "pbem has saved your answers. To continue: pbem mail setup anna@example.org" in told
    assert at.process.wait() == 1
    assert not (anna.home / "config.yaml").exists()


def test_it_is_taken_up(anna: Setup, office: MailProvider) -> None:
    """What was typed before it was left, but for the password; with another name it goes on."""
    at = anna.at_a_terminal(ANNA)
    anna.answer_servers(at)
    at.read_to("prints it): ")
    anna.terminals.remove(at)
    at.close()
    assert "sesame" not in (anna.home / "mail" / "setup.json").read_text()
    again = anna.at_a_terminal(ANNA)
    assert f"read: 127.0.0.1, port {office.imap}, tls" in again.read_to("Continue with them? [y/n]: ")
    again.type("y")
    again.read_to("prints it): ")
    again.type("secret of anna")
    again.read_to("(login) [anna@example.org]: ")
    again.type("anna")
    again.read_to("prints it): ")
    again.type("secret of anna")
    assert "A test mail to yourself" in anna.end(again)
    assert anna.settings.imap
    assert anna.settings.imap.user == "anna"
    assert not (anna.home / "mail" / "setup.json").exists()


def test_each_server_is_kept_as_it_is_typed(anna: Setup, office: MailProvider) -> None:
    at = anna.at_a_terminal(ANNA)
    at.read_to("such as imap.example.org: ")
    at.type(f"127.0.0.1:{office.imap}")
    at.read_to(":587: ")
    anna.terminals.remove(at)
    at.close()
    again = anna.at_a_terminal(ANNA)
    told = again.read_to("Continue with them? [y/n]: ")
    assert f"read: 127.0.0.1, port {office.imap}, tls" in told
    assert "send: " not in told
    again.type("y")
    assert "such as imap" not in again.read_to(":587: ")
    again.type(f"127.0.0.1:{office.smtp}")
    again.read_to("(login) [anna@example.org]: ")


def test_three_refusals_end_it(anna: Setup) -> None:
    at = anna.at_a_terminal(ANNA)
    anna.answer_servers(at)
    for number in range(3):
        at.read_to("prints it): ")
        at.type("sesame")
        if number < 2:
            at.read_to("(login) [anna@example.org]: ")
            at.type("")
    told = " ".join(at.read_to_end().split())
    assert "the server refused it three times: " in told
    assert "app passwords" in told
    assert "or send mail without settings" in told
    assert at.process.wait() == 1
    assert not (anna.home / "config.yaml").exists()


def test_a_provider_without_servers(anna: Setup) -> None:
    at = anna.at_a_terminal("anna@proton.me")
    assert "Proton does not allow mail programs" in at.read_to_end()
    assert at.process.wait() == 1


def test_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    assert run(["mail", "setup", ANNA]) == 1
    error, hint = capsys.readouterr().err.splitlines()
    assert error == "error: you have to type your password at a terminal, and there is none here"
    assert hint == f"hint: type it at a terminal: pbem mail setup {quote_path(ANNA)}"
    assert sys.stdin.isatty() or not list(tmp_path.iterdir())


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


@pytest.mark.usefixtures("no_crontab")
def test_it_ends_by_offering_to_look_at_mail(anna: Setup) -> None:
    """What would be installed is shown; a yes installs it, by the system's own means."""
    at = anna.at_a_terminal(ANNA)
    anna.answer_servers(at)
    at.read_to("prints it): ")
    at.type(f"secret of {ANNA}")
    shown = " ".join(at.read_to("Install it? [y/n]: ").split())  # a long path is wrapped
    assert "A test mail to yourself" in shown
    assert "it would add to cron:" in shown
    assert "mail watch --once" in shown
    at.type("y")
    assert "To remove it again: pbem mail automatic --off" in at.read_to_end()
    table = subprocess.run(["crontab", "-l"], capture_output=True, text=True, check=True).stdout
    assert f"PBEM_HOME={anna.home}" in table
