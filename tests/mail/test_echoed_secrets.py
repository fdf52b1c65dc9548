"""A server that repeats what it was shown: neither password nor token comes onto the screen."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from pbem.errors import MailError
from pbem.mail.imap import Imap
from pbem.mail.server_access import hide_secret
from pbem.mail.settings import Account
from pbem.mail.smtp import try_account
from support.markers import echo_command
from support.smtp_servers import Authority

PASSWORDS = ("hunter2", "a", 'quo"te\\d', "two  blanks", "x" * 400, "Zürich1", "AUTH")
Speak = Callable[[ssl.SSLSocket, str], Iterator[bytes]]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.new(tmp_path_factory.mktemp("authority"))


@contextmanager
def parrot(authority: Authority, speak: Speak, offer: str) -> Iterator[int]:
    """A server under TLS that says what `speak` yields, and the port; it takes one connection."""

    def serve(listening: socket.socket) -> None:
        with suppress(OSError):  # whoever was refused hangs up
            connection, _ = listening.accept()
            with authority.server_context().wrap_socket(connection, server_side=True) as secured:
                for said in speak(secured, offer):
                    secured.sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            thread.join()


def smtp(secured: ssl.SSLSocket, offer: str) -> Iterator[bytes]:
    """SMTP: all that comes after AUTH stands in the refusal, in large letters too."""
    lines = secured.makefile("rb")
    yield b"220 here\r\n"
    while line := lines.readline().rstrip(b"\r\n"):
        if line.upper().startswith(b"EHLO"):
            yield f"250-here\r\n250 AUTH {offer}\r\n".encode()
        elif offer == "LOGIN":
            yield b"334 UGFzc3dvcmQ6\r\n"
            password = lines.readline().rstrip(b"\r\n")
            yield b"535 no: " + line + b" " + password + b" " + password.upper() + b"\r\n"
        else:
            yield b"535 no: " + line + b" (" + line.upper() + b")\r\n"


def imap(secured: ssl.SSLSocket, offer: str) -> Iterator[bytes]:
    """IMAP likewise. A literal or an answer to a challenge is asked for first."""
    lines = secured.makefile("rb")
    yield f"* OK [CAPABILITY IMAP4rev1 {offer}] here\r\n".encode()
    while line := lines.readline():
        tag, command, *_ = line.split()
        if command == b"CAPABILITY":
            yield f"* CAPABILITY IMAP4rev1 {offer}\r\n".encode() + tag + b" OK done\r\n"
        elif command == b"LOGOUT":
            yield b"* BYE see you\r\n" + tag + b" OK done\r\n"
        else:
            yield b"+ \r\n"
            found = re.search(rb"\{(\d+)\}", line)
            shown = lines.read(int(found[1])) if found else b""
            shown += lines.readline().rstrip(b"\r\n")
            yield tag + b" NO " + line.rstrip(b"\r\n") + b" " + shown + b" (" + shown.upper() + b")\r\n"


def account(authority: Authority, port: int, **changes: object) -> Account:
    return msgspec.structs.replace(authority.account(port, "tls"), **changes)


def leaked(words: str, secret: str) -> list[str]:
    """The forms of a secret that stand in words, whatever the case."""
    plain = secret.encode()
    forms = [secret, *(b64encode(one).decode() for one in (plain, b"\0anna\0" + plain))]
    return [form for form in forms if form.casefold() in words.casefold()]


def refusal(log_in: Callable[[], object]) -> str:
    with pytest.raises(MailError) as caught:
        log_in()
    return str(caught.value) + caught.value.hint


def read(one: Account, shown: str) -> None:
    with Imap(one, "INBOX", shown=shown):
        pass


LONG_ENOUGH = [one for one in PASSWORDS if one not in ("a", "AUTH")]


@pytest.mark.parametrize("password", [one for one in LONG_ENOUGH if one.isascii()])
@pytest.mark.parametrize("offer", ["PLAIN", "LOGIN"])
def test_smtp(authority: Authority, offer: str, password: str) -> None:
    with parrot(authority, smtp, offer) as port:
        said = refusal(lambda: try_account(account(authority, port), password))
    assert "refuses anna: 535 no: " in said
    assert leaked(said, password) == []


@pytest.mark.thorough
@pytest.mark.parametrize("password", LONG_ENOUGH)
@pytest.mark.parametrize("offer", ["AUTH=PLAIN", "X-LOGIN"])
def test_imap(authority: Authority, offer: str, password: str) -> None:
    with parrot(authority, imap, offer) as port:
        said = refusal(lambda: read(account(authority, port), password))
    assert "refuses anna: " in said
    assert leaked(said, password) == []


@pytest.mark.parametrize("way", ["smtp", "imap"])
def test_a_token(authority: Authority, way: str) -> None:
    token = "ya29.a-good-token"
    speak, offer = (smtp, "XOAUTH2") if way == "smtp" else (imap, "AUTH=XOAUTH2")
    with parrot(authority, speak, offer) as port:
        one = account(authority, port, auth="xoauth2", token_command=echo_command(token))
        said = refusal(lambda: try_account(one) if way == "smtp" else read(one, ""))
    whole = b64encode(f"user=anna\x01auth=Bearer {token}\x01\x01".encode()).decode()
    assert "refuses anna: " in said
    assert leaked(said, token) == []
    assert whole.casefold() not in said.casefold()


@pytest.mark.parametrize("secret", PASSWORDS)
@pytest.mark.parametrize("before", ["", "anna", "anna\0anna\0", "\0\0", "p", "pq"])
def test_inside_other_words_in_base64(secret: str, before: str) -> None:
    """Wherever the secret begins among the bytes, and whatever stands around the base64."""
    shown = b64encode(f"{before}{secret}\0more".encode()).decode()
    one = Account(host="mail.example.org", port=993, security="tls", user="anna")
    for words in (shown, f"no: {shown}.", f"<{shown}>", shown.rstrip("=")):
        assert shown[-12:-4] not in hide_secret(words, one, secret)


def test_other_words_stay() -> None:
    one = Account(host="mail.example.org", port=993, security="tls", user="anna")
    words = "5.7.8 Error: authentication failed: UGFzc3dvcmQ6 for anna (mail.example.org)"
    assert hide_secret(words, one, "hunter2") == words
    assert hide_secret(words, one, "") == words


def test_cut_words_hold_no_beginning_of_it(authority: Authority, tmp_path: Path) -> None:
    """What is shown of a server's words ends after 300 letters, which may be in the midst of the secret."""

    def long_winded(secured: ssl.SSLSocket, offer: str) -> Iterator[bytes]:
        for said in smtp(secured, offer):
            yield said.replace(b"535 no:", b"535 " + b"n" * 282 + b":")

    with parrot(authority, long_winded, "LOGIN") as port:
        said = refusal(lambda: try_account(account(authority, port), "correct-horse-battery"))
    assert "nnn" in said
    assert not re.search("correct|Y29ycmVj", said)
