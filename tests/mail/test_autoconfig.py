"""What a domain says of its servers: from a real HTTPS server, its certificate verified, within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.base.limits import AUTOCONFIG_BYTES
from pbem.errors import MailError
from pbem.mail import autoconfig
from pbem.mail.autoconfig import discover, parse_autoconfig
from pbem.mail.settings import Provider, Server
from support.https_server import HttpsSite, serve_https
from support.smtp_servers import Authority

ANNA = "anna@example.org"
FIRST = "autoconfig.example.org/mail/config-v1.1.xml"
SECOND = "example.org/.well-known/autoconfig/mail/config-v1.1.xml"
FOUND = Provider(
    name="",
    imap=Server(host="imap.example.org", port=993, security="tls", user="local"),
    smtp=Server(host="smtp.example.org", port=587, security="starttls"),
)


def server(kind: str, host: str, port: object = 993, **words: str) -> str:
    """A server as the file describes it."""
    tag = "outgoingServer" if kind == "smtp" else "incomingServer"
    fields = {
        "socketType": "SSL",
        "username": "%EMAILADDRESS%",
        "authentication": "password-cleartext",
    } | words
    inner = "".join(f"<{key}>{word}</{key}>" for key, word in fields.items())
    return f'<{tag} type="{kind}"><hostname>{host}</hostname><port>{port}</port>{inner}</{tag}>'


def file(*servers: str) -> bytes:
    inner = "".join(servers)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<clientConfig version="1.1"><emailProvider id="example.org">'
        f"<domain>example.org</domain><displayName>Example</displayName>{inner}</emailProvider>"
        '<webMail><loginPage url="https://example.org"/></webMail></clientConfig>\n'
    ).encode()


READING = server("imap", "imap.example.org", username="%EMAILLOCALPART%")
SENDING = server("smtp", "smtp.example.org", 587, socketType="STARTTLS")
GOOD = file(server("pop3", "pop.example.org", 995), READING, SENDING)


class TestRead:
    """Names and ports of servers under TLS, and nothing else."""

    def test_the_servers(self) -> None:
        assert parse_autoconfig(GOOD) == FOUND

    def test_the_first_that_is_good_of_each_kind(self) -> None:
        others = [
            server("imap", "plain.example.org", 143, socketType="plain"),
            server("imap", "no name.example.org"),
            server("imap", "-evil.example.org"),
            server("imap", "imap.example.org", "0x3e1"),
            server("imap", "imap.example.org", 65536),
            server("imap", "imap.example.org", username="somebody"),
        ]
        later = [server("imap", "second.example.org"), server("smtp", "second.example.org", 465)]
        assert parse_autoconfig(file(*others, READING, SENDING, *later)) == FOUND

    @pytest.mark.parametrize(
        ("ways", "login"),
        [
            ("<authentication>OAuth2</authentication>", "token"),
            (
                "<authentication>OAuth2</authentication><authentication>password-cleartext</authentication>",
                "password",
            ),
            ("", "password"),
        ],
    )
    def test_a_password_or_a_token(self, ways: str, login: str) -> None:
        plain = "<authentication>password-cleartext</authentication>"
        told = parse_autoconfig(file(READING.replace(plain, ways), SENDING.replace(plain, ways)))
        assert told.login == login

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"<html>",
            b"\xff\xfe<",
            b"<!DOCTYPE html><html></html>",
            file(READING),
            file(SENDING),
            file(READING, server("smtp", "smtp.example.org", 25, socketType="plain")),
            GOOD.replace(b"clientConfig", b"config"),
            GOOD.replace(b"emailProvider", b"provider"),
        ],
    )
    def test_nothing_of_use(self, data: bytes) -> None:
        with pytest.raises(MailError):
            parse_autoconfig(data)

    def test_no_entity_is_expanded(self) -> None:
        """Neither a billion laughs nor a file of this computer."""
        laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha"}">' for n in range(10))
        for inside in (laughs, '<!ENTITY l9 SYSTEM "file:///etc/passwd">'):
            bomb = GOOD.replace(b"<clientConfig", f"<!DOCTYPE x [{inside}]><clientConfig".encode(), 1)
            bomb = bomb.replace(b"imap.example.org", b"&l9;")
            with pytest.raises(MailError, match="found a document type, expected none"):
                parse_autoconfig(bomb)

    @pytest.mark.parametrize("encoding", ["no-such", "utf-16", "utf-7", "idna", "zip"])
    def test_whatever_encoding_it_claims(self, encoding: str) -> None:
        assert parse_autoconfig(GOOD.replace(b"UTF-8", encoding.encode())) == FOUND

    @given(st.data())
    def test_whatever_comes(self, data: st.DataObject) -> None:
        """A file with parts of it lost, doubled or replaced: servers, or one line, and nothing else."""
        mutated = bytearray(GOOD)
        for _ in range(data.draw(st.integers(1, 4))):
            start = data.draw(st.integers(0, len(mutated)))
            end = min(len(mutated), start + data.draw(st.integers(0, 40)))
            again = bytes(mutated[start:end]) * 2
            mutated[start:end] = data.draw(st.one_of(st.just(again), st.binary(max_size=8)))
        with suppress(MailError):
            told = parse_autoconfig(bytes(mutated))
            assert told.imap
            assert told.smtp

    def test_deep_elements(self) -> None:
        with pytest.raises(MailError):
            parse_autoconfig(b"<a>" * 20_000)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority.new(tmp_path)


@pytest.fixture
def site(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpsSite]:
    with serve_https(authority, "autoconfig.example.org", "example.org") as site:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        monkeypatch.setenv("https_proxy", site.proxy)
        monkeypatch.setenv("no_proxy", "")
        yield site


class TestDiscover:
    """Both places are asked, under HTTPS with a good certificate."""

    @pytest.mark.parametrize("place", [FIRST, SECOND])
    def test_either_place(self, site: HttpsSite, place: str) -> None:
        site.pages[place] = GOOD
        assert discover(ANNA, []) == FOUND
        assert f"{FIRST}?emailaddress=anna%40example.org" in site.requests

    def test_the_first_place_goes_first(self, site: HttpsSite) -> None:
        site.pages |= {SECOND: file(server("imap", "x.example.org"), SENDING), FIRST: GOOD}
        assert discover(ANNA, []) == FOUND

    def test_a_place_that_has_nonsense(self, site: HttpsSite) -> None:
        site.pages |= {FIRST: b"<html>not found</html>", SECOND: GOOD}
        assert discover(ANNA, []) == FOUND

    def test_nowhere(self, site: HttpsSite) -> None:
        assert discover(ANNA, []) is None

    def test_moved(self, site: HttpsSite) -> None:
        site.moved[FIRST] = "https://example.org/elsewhere.xml"
        site.pages["example.org/elsewhere.xml"] = GOOD
        assert discover(ANNA, []) == FOUND

    def test_moved_to_where_anybody_could_answer(
        self, site: HttpsSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("http_proxy", site.proxy)
        site.moved[FIRST] = "http://example.org/elsewhere.xml"
        site.pages["example.org/elsewhere.xml"] = GOOD
        assert discover(ANNA, []) is None
        assert not any("elsewhere" in asked for asked in site.requests)

    def test_moved_in_a_circle(self, site: HttpsSite) -> None:
        site.moved[FIRST] = f"https://{FIRST}"
        assert discover(ANNA, []) is None

    def test_too_long(self, site: HttpsSite) -> None:
        site.pages[FIRST] = GOOD + b" " * AUTOCONFIG_BYTES
        assert discover(ANNA, []) is None
        site.pages[FIRST] = GOOD + b" " * (AUTOCONFIG_BYTES - len(GOOD))
        assert discover(ANNA, []) == FOUND

    @pytest.mark.thorough
    def test_too_slow(self, site: HttpsSite, monkeypatch: pytest.MonkeyPatch) -> None:
        """A server that sends a byte now and then is never silent, and is not waited for all the same."""
        site.drips = True
        site.pages[FIRST] = GOOD
        for seconds in (1.0, 8.0):  # a busy machine may take the first to ask at all
            monkeypatch.setattr(autoconfig, "SECONDS", seconds)
            assert discover(ANNA, []) is None
            if asked := any(FIRST in asked for asked in site.requests):
                break
        assert asked

    def test_another_authority(
        self, site: HttpsSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        site.pages[FIRST] = GOOD
        monkeypatch.setenv("SSL_CERT_FILE", str(Authority.new(tmp_path, "other").file))
        assert discover(ANNA, []) is None
        assert site.requests == []

    def test_a_certificate_for_another_host(self, authority: Authority, site: HttpsSite) -> None:
        site.pages |= {FIRST.replace("example", "sample"): GOOD, SECOND.replace("example", "sample"): GOOD}
        assert discover("anna@sample.org", []) is None
        assert site.requests == []

    def test_no_network(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
        assert discover("anna@example.invalid", []) is None
