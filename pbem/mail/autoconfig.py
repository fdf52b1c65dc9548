"""The servers of a domain that is not in the table: by its MX records, or by Mozilla's autoconfig.

A domain whose mail goes to a provider of the table has that provider's servers; DNS only chooses among these.
Through autoconfig a domain names its own servers, over verified HTTPS or not at all.

https://www.bucksch.org/1/projects/thunderbird/autoconfiguration/ describes the file. Only the names and ports
of servers that use TLS are taken from it, and which of the two user names they want. The player sees them
before typing a password.
"""

from __future__ import annotations

import ssl
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from threading import Thread
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import quote
from xml.parsers import expat

from dns.exception import DNSException
from dns.resolver import Resolver
from msgspec import ValidationError, convert

from pbem.base.limits import AUTOCONFIG_BYTES
from pbem.errors import MailError
from pbem.mail.settings import Provider, Server, find_provider_by_mx

SECONDS = 10.0
"""The seconds it may take in all, with unresolved names, slow servers and redirections."""

_SECURITY = {"SSL": "tls", "STARTTLS": "starttls"}
_USER = {"%EMAILADDRESS%": "address", "%EMAILLOCALPART%": "local"}
_SERVERS = {"imap": "incomingServer", "smtp": "outgoingServer"}


def candidate_urls(address: str) -> list[str]:
    """The URLs where the domain of an address might have the file, the more likely first."""
    domain = address.rpartition("@")[2].lower()
    quoted_address = quote(address, safe="")
    return [
        f"https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={quoted_address}",
        f"https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
    ]


def discover(address: str, table: list[Provider]) -> Provider | None:
    """The servers of the domain of an address; None if nothing usable is found.

    They are those of a provider in the table, if the domain's mail goes there; else those the domain itself
    names. All queries run at once, and nothing takes longer than `SECONDS`.
    """
    domain = address.rpartition("@")[2]
    places: dict[str, Callable[[], Provider | None]] = {}
    if table:
        places["MX"] = lambda: find_provider_by_mx(table, mx_hosts(domain, Resolver()))
    for url in candidate_urls(address):
        places[url] = partial(_provider_at, url)
    providers: dict[str, Provider | None] = {}

    def ask(place: str) -> None:
        with suppress(DNSException, OSError):
            providers[place] = places[place]()

    threads = [Thread(target=ask, args=(place,), daemon=True) for place in places]
    end = time.monotonic() + SECONDS
    for thread in threads:
        thread.start()  # a thread, because resolving a name has no timeout
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return next((provider for place in places if (provider := providers.get(place))), None)


def mx_hosts(domain: str, resolver: Resolver) -> list[str]:
    """The hosts a domain's mail goes to, most preferred first (RFC 5321, 5.1). Raises `DNSException`."""
    answer = resolver.resolve(domain, "MX", lifetime=SECONDS / 2)
    return [str(record.exchange) for record in sorted(answer, key=lambda record: int(record.preference))]


def parse_autoconfig(data: bytes) -> Provider:
    """The provider described in the file. Raises `MailError` if it has no servers with TLS."""
    servers: dict[str, Server] = {}
    by_password = True
    for kind, plain in _server_elements(data):
        server = _parse_server(plain)
        if server and kind not in servers:
            servers[kind] = server
            ways = plain["authentication"]
            by_password = by_password and not (ways and all(way == "OAuth2" for way in ways))
    if len(servers) < len(_SERVERS):
        raise MailError("found no mail servers under TLS for both reading and sending")
    return Provider(
        name="", imap=servers["imap"], smtp=servers["smtp"], login="password" if by_password else "token"
    )


def _parse_server(plain: dict[str, list[str]]) -> Server | None:
    """A server from the text of its elements, if it uses TLS and needs nothing we do not support."""
    host, port = "".join(plain["hostname"][:1]), "".join(plain["port"][:1])
    security, user = (
        names.get("".join(plain[key][:1])) for key, names in (("socketType", _SECURITY), ("username", _USER))
    )
    if not (port.isascii() and port.isdigit() and security and user):
        return None
    try:
        return convert({"host": host, "port": int(port), "security": security, "user": user}, Server)
    except (ValidationError, ValueError):
        return None


def _server_elements(data: bytes) -> list[tuple[str, dict[str, list[str]]]]:
    """The type and texts of the elements of each IMAP or SMTP server. Raises `MailError` for bad XML."""
    reader = _ElementReader()
    parser = expat.ParserCreate("utf-8")  # whatever it declares: Python would search for such a codec
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype  # so that there are no entities to expand
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise MailError(f"found no XML: {error}") from None
    return reader.servers


def _refuse_doctype(*_: object) -> None:
    raise MailError("found a document type, expected none")


class _ElementReader:
    """Follows the elements of the file as expat meets them."""

    def __init__(self) -> None:
        self.servers: list[tuple[str, dict[str, list[str]]]] = []
        self._path: list[str] = []
        self._server: dict[str, list[str]] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name)
        kind = attributes.get("type", "")
        if self._path == ["clientConfig", "emailProvider", _SERVERS.get(kind)]:
            keys = ("hostname", "port", "socketType", "username", "authentication")
            self._server = {key: [] for key in keys}
            self.servers.append((kind, self._server))

    def end(self, _: str) -> None:
        self._path.pop()
        if len(self._path) < 3:
            self._server = None

    def text(self, text: str) -> None:
        if self._server and len(self._path) == 4 and self._path[3] in self._server:
            self._server[self._path[3]].append(text.strip())


def _provider_at(url: str) -> Provider | None:
    """The servers in the file at this URL; None if there is no file, or no usable server."""
    try:
        return parse_autoconfig(_fetch(url))
    except HTTPError as answer:
        answer.close()  # it is the connection too
        return None
    # whatever is wrong with the server, it is of no use
    except (MailError, OSError, HTTPException, ValueError):
        return None


def _fetch(url: str) -> bytes:
    """The bytes at this URL. Raises `OSError`, `HTTPException`, and `MailError` for too many bytes."""
    context = ssl.create_default_context()
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler(), urllib.request.HTTPSHandler(context=context), _HttpsRedirects()
    )
    with opener.open(url, timeout=SECONDS) as response:
        data: bytes = response.read(AUTOCONFIG_BYTES + 1)
    if len(data) > AUTOCONFIG_BYTES:
        raise MailError(f"found more than {AUTOCONFIG_BYTES} bytes")
    return data


class _HttpsRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections only to HTTPS."""

    def redirect_request(
        self, req: Any, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if not newurl.startswith("https://"):
            raise HTTPError(newurl, code, "expected https", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
