"""A real HTTPS server on loopback with the pages of any host, behind a proxy that leads to it.

A program finds it through `https_proxy`, and trusts it through `SSL_CERT_FILE`: it looks for
autoconfig.example.org, and is shown a certificate for that name.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import TypeVar
from urllib.parse import parse_qs

from support.smtp_servers import Authority

Serving = TypeVar("Serving", ThreadingHTTPServer, ThreadingTCPServer)


@dataclass
class HttpsSite:
    """The server's pages by `host/path`, and the requests it got; `forms` answer posted forms."""

    pages: dict[str, bytes] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    forms: dict[str, Callable[[dict[str, str]], tuple[int, bytes]]] = field(default_factory=dict)
    drips: bool = False
    requests: list[str] = field(default_factory=list)
    proxy: str = ""


@contextmanager
def serve_https(authority: Authority, *hosts: str) -> Iterator[HttpsSite]:
    """A server that can show a certificate for these hosts, inside the `with`."""
    site = HttpsSite()

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = f"{self.headers['Host']}{self.path}"
            site.requests.append(asked)
            place = asked.partition("?")[0]
            if place in site.moved:
                self.send_response(302)
                self.send_header("Location", site.moved[place])
                self.end_headers()
            elif place in site.pages:
                self.send_response(200)
                self.end_headers()
                self._write(site.pages[place])
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            asked = f"{self.headers['Host']}{self.path}"
            site.requests.append(asked)
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            status, page = site.forms[asked]({name: values[0] for name, values in form.items()})
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def _write(self, page: bytes) -> None:
            with suppress(OSError):
                for number in range(len(page)) if site.drips else ():
                    self.wfile.write(page[number : number + 1])
                    time.sleep(0.2)
                self.wfile.write(b"" if site.drips else page)

        def log_message(self, format: str, *args: object) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issuer.issue_cert(*hosts).configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with _running(server), _running(_proxy(site, server.server_port)) as proxy:
        site.proxy = f"http://127.0.0.1:{proxy.server_address[1]}"
        yield site


def _proxy(site: HttpsSite, port: int) -> ThreadingTCPServer:
    """A proxy that leads every CONNECT to this port, whatever the host; it serves all pages in clear."""

    class Connect(StreamRequestHandler):
        def handle(self) -> None:
            method, url, *_ = self.rfile.readline().decode().split()
            while self.rfile.readline().strip():
                pass
            if method == "GET":
                site.requests.append(url)
                self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" + site.pages[url.removeprefix("http://")])
                return
            self.wfile.write(b"HTTP/1.0 200 connected\r\n\r\n")
            with socket.create_connection(("127.0.0.1", port)) as there:
                back = threading.Thread(target=_pump, args=(there, self.connection))
                back.start()
                _pump(self.connection, there)
                back.join()

    return ThreadingTCPServer(("127.0.0.1", 0), Connect)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


@contextmanager
def _running(server: Serving) -> Iterator[Serving]:
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that leaves is no news here
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
