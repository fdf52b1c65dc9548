"""A real Postfix beside the Dovecot of a test provider: submission under TLS, delivery into its Maildirs.

It needs root. All its files are in the provider's folder; the system's own Postfix is left alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from support.mail_provider import DOMAIN, HOST, MailProvider, run_mail_provider
from support.processes import free_port

if sys.platform != "win32":
    import pwd

SASL = """
service auth {{
  unix_listener {socket} {{
    mode = 0666
  }}
}}
"""

MAIN = """
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {root}/postfix.log
maillog_file_prefixes = {root}
inet_interfaces = {host}
inet_protocols = ipv4
myhostname = mail.{domain}
mydestination =
mynetworks =
alias_maps =
alias_database =
virtual_mailbox_domains = {domain}
virtual_mailbox_base = {provider}/mail
virtual_mailbox_maps = inline:{{ {mailboxes} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_tls_cert_file = {provider}/server.pem
smtpd_tls_key_file = {provider}/server.key
smtpd_sasl_type = dovecot
smtpd_sasl_path = {socket}
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
default_transport = error:no mail leaves this computer
"""

MASTER = """
{host}:{port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes -o smtpd_sasl_auth_enable=yes
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
tlsmgr unix - - n 1000? 1 tlsmgr
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
"""

_QUEUES = ("maildrop", "incoming", "active", "deferred")


@contextmanager
def run_postfix_provider(*names: str) -> Iterator[MailProvider]:
    """A provider like that of `run_mail_provider`, whose SMTP server is Postfix."""
    postfix = shutil.which("postfix", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if postfix is None or os.geteuid() != 0:
        pytest.skip("needs Postfix, and root: apt-get install postfix")
    socket = f"/tmp/pbem-sasl-{os.getpid()}"
    with run_mail_provider(*names, more=SASL.format(socket=socket)) as office:
        root, port, nobody = office.root / "postfix", free_port(), pwd.getpwnam("nobody")
        for folder in (root, root / "queue", root / "data"):
            folder.mkdir()
        shutil.chown(root / "data", "postfix")
        values = {
            "root": root,
            "provider": office.root,
            "host": HOST,
            "port": port,
            "domain": DOMAIN,
            "socket": socket,
            "uid": nobody.pw_uid,
            "gid": nobody.pw_gid,
            "mailboxes": ", ".join(f"{{ {name}@{DOMAIN} = {name}/ }}" for name in names),
        }
        (root / "main.cf").write_text(MAIN.format(**values))
        (root / "master.cf").write_text(MASTER.format(**values))
        _run(postfix, root, "start")
        try:
            yield replace(office, smtp=port)
        finally:
            _run(postfix, root, "stop")
            with suppress(FileNotFoundError):
                Path(socket).unlink()


def _run(postfix: str, root: Path, what: str) -> None:
    done = subprocess.run(
        [postfix, "-c", str(root), what],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def wait_for_mail(office: MailProvider, name: str, number: int) -> list[bytes]:
    """The mails of a user once there are this many: Postfix delivers through a queue."""
    end = time.monotonic() + 60
    while len(mails := office.mails_of(name)) < number and time.monotonic() < end:
        time.sleep(0.1)
    return mails


def wait_until_delivered(office: MailProvider) -> None:
    """Wait until the queue is empty; a mail that cannot be delivered stays in it."""
    queue, end = office.root / "postfix" / "queue", time.monotonic() + 60
    while any(path.is_file() for part in _QUEUES for path in (queue / part).rglob("*")):
        assert time.monotonic() < end, (office.root / "postfix" / "postfix.log").read_text()[-2000:]
        time.sleep(0.01)
