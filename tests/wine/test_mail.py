"""Mail through real servers on this computer, under TLS: a player on Windows and one on Linux."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.homes import Home
from support.mail_provider import MailProvider, run_mail_provider
from support.programs import Program, current_program
from support.windows_program import PYTHON, WindowsProgram

pytestmark = [pytest.mark.wine, pytest.mark.thorough]


@pytest.fixture(scope="module")
def office() -> Iterator[MailProvider]:
    with run_mail_provider("anna", "bruno") as running:
        yield running


def settled(player: Home, office: MailProvider) -> None:
    """Give a player his settings; on Windows its own paths, and a program that prints the password."""
    name, drive = player.folder.name, player.program.drive
    told = office.config(name)
    if drive:
        told = told.replace(f'"{office.root}', f'"{drive}{office.root}').replace(
            f"      - echo\n      - secret of {name}",
            f"      - {drive}{PYTHON}\n      - -c\n      - print('secret of {name}')",
        )
    (player.folder / "home").mkdir(parents=True)
    (player.folder / "home" / "config.yaml").write_text(told)


def test_a_game_by_servers(office: MailProvider, tmp_path: Path) -> None:
    """SMTP and IMAP with a password; an offer, an acceptance, a set-up: both have the same."""
    with WindowsProgram() as windows, current_program() as linux:
        anna, bruno = player(windows, tmp_path / "anna", office), player(linux, tmp_path / "bruno", office)
        anna.type("new", "mortain", "game.yaml", "--seat", "german", "--name", "Anna")
        anna.type("mail", "send", "game.yaml", "--to", "bruno@example.org")
        bruno.type("mail", "fetch")
        bruno.type("join", "--name", "Bruno")
        bruno.play()
        bruno.type("mail", "send", bruno.file, "--to", "anna@example.org")
        anna.type("mail", "fetch")
        assert anna.ids == bruno.ids
        assert len(anna.ids) == 3
        (anna.folder / "home" / "config.yaml").write_text(unknown(anna))
        refused = anna.type("mail", "fetch", code=1)
        assert "the certificate of 127.0.0.1" in refused
        assert "nothing was sent, not even your password" in refused


def player(program: Program, folder: Path, office: MailProvider) -> Home:
    new = Home(program, folder)
    settled(new, office)
    return new


def unknown(player: Home) -> str:
    """The player's settings without the authority of his servers."""
    lines = (player.folder / "home" / "config.yaml").read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("    ca:"))


IN_THE_STORE = r"""
import ctypes, hashlib, ssl, sys, winreg
from contextlib import suppress
from socket import create_connection
from pbem.mail.settings import Account
from pbem.mail.server_access import tls_context

KEPT = r"Software\Microsoft\SystemCertificates\Root\Certificates" + "\\"

def tried():
    account = Account(host="127.0.0.1", port=int(sys.argv[2]), security="tls", user="anna")
    try:
        with create_connection((account.host, account.port)) as plain:
            tls_context(account).wrap_socket(plain, server_hostname="localhost").close()
    except ssl.SSLCertVerificationError:
        return "refused"
    return "trusted"

crypt = ctypes.windll.crypt32
crypt.CertOpenSystemStoreW.restype = ctypes.c_void_p
authority = ssl.PEM_cert_to_DER_cert(open(sys.argv[1]).read())
before = tried()
store = ctypes.c_void_p(crypt.CertOpenSystemStoreW(None, "ROOT"))
assert crypt.CertAddEncodedCertificateToStore(store, 1, authority, len(authority), 3, None)
assert crypt.CertCloseStore(store, 0)  # only then it stays
try:
    print(before, tried())
finally:
    name = hashlib.sha1(authority).hexdigest().upper()
    for root in winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE:
        with suppress(OSError):
            winreg.DeleteKey(root, KEPT + name)
print(tried())
"""


def test_authorities_are_those_of_windows(office: MailProvider, tmp_path: Path) -> None:
    """What its own store holds is trusted, such as a company's or a virus scanner's, and nothing else."""
    script = tmp_path / "in_the_store.py"
    script.write_text(IN_THE_STORE)
    command = ["wine", PYTHON, f"Z:{script}", f"Z:{office.authority}", str(office.imap)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["refused", "trusted", "refused"], done.stderr
