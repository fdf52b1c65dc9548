"""A real mail provider on this computer: Dovecot for IMAP, aiosmtpd for SMTP, both under TLS.

Mail to NAME@example.org is delivered into NAME's Maildir, which Dovecot serves. As root, Dovecot runs as its
own users and the mail belongs to nobody; otherwise everything belongs to the user who runs the tests.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.player.local_player import LocalPlayer
from support.markers import Posix, skip_without
from support.processes import free_port

if sys.platform != "win32":
    import grp
    import pwd

HOST = "127.0.0.1"
DOMAIN = "example.org"
_SECONDS = 30

_DOVECOT = """
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/dovecot.log
protocols = imap
listen = {host}
ssl = required
ssl_cert = <{root}/server.pem
ssl_key = <{root}/server.key
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_failure_delay = 0
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {login}
mail_uid = {uid}
mail_gid = {gid}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:{root}/mail/%u
mail_max_userip_connections = 1000
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {root}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={root}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = {host}
    port = {starttls}
  }}
  inet_listener imaps {{
    address = {host}
    port = {tls}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@dataclass(frozen=True)
class MailProvider:
    """A running provider: its folder and the ports of its servers."""

    root: Path
    imap: int
    imap_starttls: int
    smtp: int
    refused_to_send: list[str] = field(default_factory=list, kw_only=True)
    """The users whose login the SMTP server has refused, once for each refusal."""

    @property
    def authority(self) -> Path:
        """The certificate of the authority that signed the servers' certificates."""
        return self.root / "authority.pem"

    def maildir(self, name: str) -> Path:
        """A user's Maildir, which is their INBOX."""
        return self.root / "mail" / name

    def config(self, name: str, *, imap: int = 0, smtp: int = 0, maildir: bool = False) -> str:
        """A user's `config.yaml`; with other ports to go through a proxy, or with their Maildir."""
        account = (
            f'    host: "{HOST}"\n    security: tls\n    user: {name}\n    ca: "{self.authority}"\n'
            f"    password_command:\n      - echo\n      - secret of {name}\n"
        )
        sending = f"  smtp:\n    port: {smtp or self.smtp}\n{account}"
        reading = f"  imap:\n    port: {imap or self.imap}\n{account}"
        if maildir:
            reading = f'  maildir: "{self.maildir(name)}"\n'
        return f"mail:\n  address: {name}@{DOMAIN}\n  name: {name.capitalize()}\n{sending}{reading}"

    def serve(
        self, player: LocalPlayer, name: str, *, imap: int = 0, smtp: int = 0, maildir: bool = False
    ) -> None:
        """Put `config` into a player's settings."""
        (player.home / "config.yaml").write_text(self.config(name, imap=imap, smtp=smtp, maildir=maildir))

    def deliver(self, name: str, data: bytes) -> None:
        """Put a mail into a user's Maildir, like a delivery agent."""
        box = self.maildir(name)
        file = f"{time.time_ns()}.{next(_NUMBERS)}.{os.getpid()}"
        (box / "tmp" / file).write_bytes(data)
        give_to_dovecot(box / "tmp" / file)
        (box / "tmp" / file).rename(box / "new" / file)

    def mails_of(self, name: str) -> list[bytes]:
        """Every mail in a user's Maildir, in the order of arrival."""
        files = [file for part in ("new", "cur") for file in (self.maildir(name) / part).iterdir()]
        return [file.read_bytes() for file in sorted(files, key=lambda file: file.name)]

    def empty(self, *names: str) -> None:
        """Empty the users' Maildirs."""
        for name in names:
            shutil.rmtree(self.maildir(name), ignore_errors=True)
            for folder in (
                self.maildir(name),
                *(self.maildir(name) / part for part in ("tmp", "new", "cur")),
            ):
                folder.mkdir(parents=True)
                give_to_dovecot(folder)


@contextmanager
def run_mail_provider(*names: str, more: str = "") -> Iterator[MailProvider]:
    """A provider with these users, inside the `with`. The password of anna is `secret of anna`.

    `more` are Dovecot settings that replace those above.

    Skips the test without Dovecot; fails it under `.ci/run`, which ensures that there is one.
    """
    skip_without(Posix.SERVER)
    dovecot = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if dovecot is None:
        missing = pytest.fail if os.environ.get("PBEM_CI") else pytest.skip
        missing("needs Dovecot: apt-get install dovecot-imapd")
    root = Path(tempfile.mkdtemp(prefix="pbem-post-"))
    root.chmod(0o755)  # for the user nobody
    office = MailProvider(root, free_port(), free_port(), free_port())
    _certify(root)
    (root / "users").write_text("".join(f"{_escaped(one)}:{{PLAIN}}secret of {one}\n" for one in names))
    office.empty(*names)
    give_to_dovecot(root / "mail")
    smtp = Controller(
        _SmtpHandler(office),
        hostname=HOST,
        port=office.smtp,
        ssl_context=tls_context(root),
        authenticator=_authenticator(office),
        auth_require_tls=False,  # it only knows STARTTLS; here everything is under TLS from the first byte
        data_size_limit=100_000_000,
    )
    try:
        _start_dovecot(dovecot, office, more)
        smtp.start()
        yield office
    finally:
        with suppress(AssertionError):  # it was never started
            smtp.stop()
        _stop_dovecot(root)
        shutil.rmtree(root, ignore_errors=True)  # a child might still be running


def tls_context(root: Path) -> ssl.SSLContext:
    """A server's TLS context, with a certificate of the provider's authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(root / "server.pem", root / "server.key")
    return context


def give_to_dovecot(path: Path) -> None:
    """Give a file to the user whom Dovecot reads mail as."""
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(path, nobody.pw_uid, nobody.pw_gid)


_NUMBERS = count()


class _SmtpHandler:
    """Delivers the mails aiosmtpd receives."""

    def __init__(self, office: MailProvider) -> None:
        self._office = office

    async def handle_MAIL(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 who are you?"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        name, _, domain = address.partition("@")
        if domain != DOMAIN or not self._office.maildir(name).is_dir():
            return "550 5.1.1 no such user here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        for address in envelope.rcpt_tos:
            self._office.deliver(address.partition("@")[0], envelope.content)
        return "250 2.0.0 OK"


def _authenticator(office: MailProvider) -> Callable[..., AuthResult]:
    def authenticate(
        server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: object
    ) -> AuthResult:
        assert isinstance(login, LoginPassword)
        is_right = login.password == b"secret of " + login.login
        if not is_right:
            office.refused_to_send.append(login.login.decode())
        return AuthResult(success=is_right, handled=False)

    return authenticate


def _escaped(name: str) -> str:
    """A user's name as Dovecot looks it up in its file."""
    return re.sub(r'(["\\])', r"\\\1", name)


def _certify(root: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert(HOST, "localhost")
    authority.cert_pem.write_to_path(str(root / "authority.pem"))
    certificate.private_key_pem.write_to_path(str(root / "server.key"))
    for number, part in enumerate(certificate.cert_chain_pems):
        part.write_to_path(str(root / "server.pem"), append=number > 0)


def _start_dovecot(program: str, office: MailProvider, more: str) -> None:
    """Start Dovecot and wait for its greeting, away from the caller's streams: it would hold a pipe."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert version.startswith("2.3."), f"the settings here are for Dovecot 2.3, found {version}"
    root = office.root
    if os.geteuid() == 0:
        user, login, owner = "dovecot", "dovenull", pwd.getpwnam("nobody")
    else:
        user = login = pwd.getpwuid(os.geteuid()).pw_name
        owner = pwd.getpwuid(os.geteuid())
    text = _DOVECOT.format(
        root=root,
        host=HOST,
        user=user,
        group=grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name,
        login=login,
        uid=owner.pw_uid,
        gid=owner.pw_gid,
        starttls=office.imap_starttls,
        tls=office.imap,
    )
    (root / "dovecot.conf").write_text(text + more)
    subprocess.run(
        [program, "-c", str(root / "dovecot.conf")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    end = time.monotonic() + _SECONDS
    while True:
        with suppress(OSError), socket.create_connection((HOST, office.imap_starttls), 1) as connection:
            if connection.recv(100).startswith(b"* OK"):
                return
        assert time.monotonic() < end, (root / "dovecot.log").read_text()
        time.sleep(0.05)


def _stop_dovecot(root: Path) -> None:
    """Stop Dovecot at once: a polite request takes two seconds. Its children then end as well."""
    with suppress(FileNotFoundError, ProcessLookupError):
        os.kill(int((root / "run" / "master.pid").read_text()), signal.SIGKILL)
