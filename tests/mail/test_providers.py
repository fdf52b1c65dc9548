"""The table of providers: its shape, that each address leads to one of them, and its page in the docs."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from dns.exception import DNSException

from pbem.mail.autoconfig import mx_hosts
from pbem.mail.settings import (
    Account,
    Provider,
    Server,
    complete_from_table,
    find_provider,
    find_provider_by_mx,
    parse_server,
    read_providers,
)
from support.dns_server import serve_mx

TABLE = read_providers()
BY_NAME = {provider.name: provider for provider in TABLE}
each = pytest.mark.parametrize("provider", TABLE, ids=BY_NAME)


@each
def test_shape(provider: Provider) -> None:
    assert provider.domains
    assert all(re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", domain) for domain in provider.domains)
    assert provider.password.endswith(".")
    assert provider.password.isascii() or provider.password.isprintable()
    assert re.fullmatch(r"[a-z0-9.-]+ [0-9a-f]{7}", provider.source), (
        "which file of the ISPDB or of FairEmail, in which commit"
    )
    assert date.fromisoformat(provider.read) <= date(2100, 1, 1)
    assert (provider.imap is None) == (provider.smtp is None)


@each
def test_ports_as_they_are_meant(provider: Provider) -> None:
    """RFC 8314; Spectrum alone has TLS from the first byte on 587, and the database remarks on it."""
    for server, ports in (
        (provider.imap, {993: "tls", 143: "starttls"}),
        (provider.smtp, {465: "tls", 587: "starttls"}),
    ):
        if server:
            expected = "tls" if provider.name == "Spectrum" else ports[server.port]
            assert server.security == expected


def test_enough_of_them_and_none_twice() -> None:
    domains = [domain for provider in TABLE for domain in provider.domains]
    assert len(TABLE) >= 30
    assert len(set(domains)) == len(domains)
    assert len(BY_NAME) == len(TABLE)


@pytest.mark.parametrize(
    ("address", "imap", "smtp"),
    [
        (
            "anna@gmail.com",
            ("imap.gmail.com", 993, "anna@gmail.com"),
            ("smtp.gmail.com", 465, "anna@gmail.com"),
        ),
        (
            "Anna@Jazztel.ES",
            ("imap.gmail.com", 993, "Anna@Jazztel.ES"),
            ("smtp.gmail.com", 465, "Anna@Jazztel.ES"),
        ),
        ("anna@web.de", ("imap.web.de", 993, "anna"), ("smtp.web.de", 465, "anna")),
        ("anna@me.com", ("imap.mail.me.com", 993, "anna"), ("smtp.mail.me.com", 587, "anna@me.com")),
        ("anna@tim.it", ("imap.tim.it", 143, "anna@tim.it"), ("smtp.tim.it", 587, "anna@tim.it")),
    ],
)
def test_from_address_to_servers(
    address: str, imap: tuple[str, int, str], smtp: tuple[str, int, str]
) -> None:
    """Read off the database's own files."""
    provider = find_provider(TABLE, address)
    assert provider
    assert provider.imap
    assert provider.smtp
    for server, expected in ((provider.imap, imap), (provider.smtp, smtp)):
        account = server.account(address)
        assert (account.host, account.port, account.user) == expected
        assert isinstance(account, Account)


@pytest.mark.parametrize(
    ("records", "name"),
    [
        ([(1, "smtp.google.com.")], "Gmail"),
        ([(10, "ALT1.ASPMX.L.google.com."), (1, "aspmx.l.google.com.")], "Gmail"),
        ([(0, "example-org.mail.protection.outlook.com.")], "Microsoft 365"),
        ([(0, "example-org.a-v1.mx.microsoft.")], "Microsoft 365"),
        ([(10, "mx.notgoogle.com.")], ""),
        ([(10, "mx.example.org."), (20, "aspmx.l.google.com.")], "Gmail"),
        ([], ""),
    ],
)
def test_by_where_the_mail_of_a_domain_goes(records: list[tuple[int, str]], name: str) -> None:
    """From a real answer of a name server."""
    with serve_mx({"example.org.": records}) as resolver:
        try:
            hosts = mx_hosts("example.org", resolver)
        except DNSException:
            hosts = []
    provider = find_provider_by_mx(TABLE, hosts)
    assert (provider.name if provider else "") == name


def test_who_is_not_there() -> None:
    assert find_provider(TABLE, "anna@example.org") is None
    assert find_provider(TABLE, "anna@sub.gmail.com") is None


def test_who_wants_a_code() -> None:
    assert {one.name for one in TABLE if one.login == "microsoft"} == {"Outlook.com", "Microsoft 365"}


def test_who_keeps_what_is_sent() -> None:
    assert {one.name for one in TABLE if one.keeps_sent} == {"Gmail", "Outlook.com", "Microsoft 365"}


def test_a_domain_of_ones_own_at_a_known_provider() -> None:
    imap = Server(host="imap.fastmail.com", port=993, security="tls")
    smtp = Server(host="s.org", port=465, security="tls")
    found = complete_from_table(TABLE, Provider(name="", imap=imap, smtp=smtp))
    assert found.name == "Fastmail"
    assert found.smtp
    assert found.smtp.host == "s.org"
    stranger = Provider(name="", imap=Server(host="imap.example.org", port=993, security="tls"))
    assert complete_from_table(TABLE, stranger) is stranger


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("imap.example.org", ("imap.example.org", 993, "tls")),
        (" imap.example.org:143 ", ("imap.example.org", 143, "starttls")),
        ("127.0.0.1:10143", ("127.0.0.1", 10143, "tls")),
        ("mail:587", ("mail", 587, "starttls")),
    ],
)
def test_typed(text: str, server: tuple[str, int, str]) -> None:
    found = parse_server(text, 993)
    assert found
    assert (found.host, found.port, found.security) == server


@pytest.mark.parametrize(
    "text", ["", ":", "a b", "host:x", "host:0", "host:65536", "http://x", "-x", "a:1:2"]
)
def test_nothing_of_the_sort(text: str) -> None:
    assert parse_server(text, 993) is None


def test_who_stands_in_one_table_alone() -> None:
    """The servers of these no second table confirms."""
    alone = [
        one.name for one in TABLE if one.imap and not one.also and not one.source.startswith("providers")
    ]
    assert len(alone) == 8
    assert {name for one in TABLE for name in one.also} == {"FairEmail", "Delta Chat"}


KINDS = {
    "the password of your mailbox": r"The password of your mailbox(\.|; with)",
    "that, or an app password if it is refused": r"The password of your mailbox(, or|; if)",
    "your password, after you have allowed mail programs": "First allow it",
    "an app password, made for this one program": "An app|A secure mail key|The Passwort für",
    "[a code on a page of Microsoft's](#microsofts-accounts)": "No password at all",
    "nothing: only the provider's own bridge works. Use `pbem send` without an account": "Proton",
}
"""What `docs/MAIL-SETTINGS.md` says of a provider, and how the table begins in saying it."""


def test_the_page() -> None:
    """It names each provider once, beside the kind of password that the table tells."""
    whole = (Path(__file__).parents[2] / "docs" / "MAIL-SETTINGS.md").read_text("utf-8")
    page = whole.partition("\n## Providers\n")[2]
    rows = dict(re.findall(r"^\| (.+?) \| (.+) \|$", page, re.MULTILINE)[1:])
    named = [(kind, name) for kind, names in rows.items() for name in names.split(", ")]
    kinds = [
        (kind, one.name) for one in TABLE for kind, said in KINDS.items() if re.match(said, one.password)
    ]
    assert len(kinds) == len(TABLE)
    assert sorted(named) == sorted(kinds)
