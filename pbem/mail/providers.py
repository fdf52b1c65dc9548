"""Mail providers: from an address to the servers of its mailbox.

The table is `providers.yaml`; for other domains `autoconfig` asks the domain itself, or the player is asked.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import replace

from pbem.mail.config import Account
from pbem.texts import Texts

tr = Texts("pbem")

_PORTS: dict[int, Literal["tls", "starttls"]] = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls"}
"""The encryption that is usual on each port (RFC 8314, 3.2 and 3.3)."""

Host = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\Z")]
"""The name of a server, by which its certificate is checked."""


class Server(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A server, and the player's user name there: his address, or the part before its @ (`local`)."""

    host: Host
    port: Annotated[int, Meta(ge=1, le=65535)]
    security: Literal["tls", "starttls"]
    user: Literal["address", "local"] = "address"

    def account(self, address: str) -> Account:
        """The account that has this address here."""
        user = address if self.user == "address" else address.rpartition("@")[0]
        return Account(host=self.host, port=self.port, security=self.security, user=user)


class Provider(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A provider, as `providers.yaml` describes it. One without servers admits no other programs."""

    name: str
    domains: list[str] = []
    imap: Server | None = None
    smtp: Server | None = None
    login: Literal["password", "token"] = "password"
    keeps_sent: bool = False
    password: str = ""
    source: str = ""
    read: str = ""
    also: list[str] = []

    @property
    def advice(self) -> str:
        """How to get the password, in the player's language; empty where it is not known."""
        return tr(self.password) if self.password else ""


def find_provider(providers: list[Provider], address: str) -> Provider | None:
    """The provider that has the domain of this address."""
    domain = address.rpartition("@")[2].lower()
    return next((provider for provider in providers if domain in provider.domains), None)


def complete_from_table(providers: list[Provider], found: Provider) -> Provider:
    """A discovered provider, completed by the table where that knows its IMAP server."""
    for provider in providers:
        if provider.imap and found.imap and provider.imap.host == found.imap.host:
            return replace(provider, imap=found.imap, smtp=found.smtp)
    return found


def parse_server(text: str, port: int) -> Server | None:
    """The server that a player has typed, as `host` or `host:port`; None where that is not valid."""
    host, _, number = text.strip().partition(":")
    try:
        chosen = int(number) if number else port
        plain = {"host": host, "port": chosen, "security": _PORTS.get(chosen, "tls")}
        return convert(plain, Server)
    except (ValidationError, ValueError):
        return None
