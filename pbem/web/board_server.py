"""Serves the board on this computer to the one browser that logged in, and to nobody else.

Built on the standard library: one page, a few kinds of request, one player. What keeps strangers out:

* It listens on 127.0.0.1 alone. `Host` must be its address, which defeats DNS rebinding.
* The address for the browser has a secret that works once: it is exchanged for a cookie (`HttpOnly`,
  `SameSite=Strict`). The path is a secret too, so that no other port receives the cookie.
* The browser gets the address from a login file that only its owner may read, since all users of a computer
  may see the command lines of its programs. The file is removed as soon as a browser has logged in.
* A request for anything but the page must come from it, by `Origin`, as JSON. There is no CORS.
* A request has at most `MAX_BODY_BYTES`; requests are answered one at a time.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

from pbem.errors import PbemError
from pbem.render.safe_text import safe_text
from pbem.texts import Texts, speaking, spoken

tr = Texts("pbem")

MAX_BODY_BYTES = 1 << 16
"""The most bytes of a request; a set-up of every counter takes two thousand."""

MAX_DISCARDED_BYTES = 1 << 26
"""How many bytes of a longer request are read nevertheless, so that the browser gets the refusal."""

HOST = "127.0.0.1"
COOKIE = "pbem"

HEARTBEAT_SECONDS = 2.0
"""Seconds between heartbeats to the page, by which its closing is noticed."""

GRACE_SECONDS = 6.0
"""Seconds that a closed page has to come back, as it does on reload."""

TIMEOUT_SECONDS = 30.0
"""Seconds for which a connection may be silent."""

Answer: TypeAlias = Callable[[bytes], dict[str, Any]]
"""Answers a request: from its body to plain data. Raises `PbemError`."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


_REDIRECT_PAGE = """\
<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={address}">
<link rel="icon" href="data:,">
<title>pbem play</title>
<a href="{address}">pbem play</a>
"""


class RequestDenied(Exception):
    """A refused request: the HTTP status, and the reason."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class BoardServer(ThreadingHTTPServer):
    """Serves one page and its requests, until the page is closed."""

    daemon_threads = True
    allow_reuse_address = allow_reuse_port = (
        False  # else Windows would let other programs listen on the port too
    )

    def __init__(
        self,
        page: Callable[[], bytes],
        answers: dict[str, Answer],
        files: dict[str, Callable[[], tuple[str, bytes]]],
    ) -> None:
        self.page = page
        self.answers = answers
        self.files = files
        self.request_lock = threading.Lock()
        self.path = f"/{secrets.token_urlsafe(16)}/"
        self._secret = secrets.token_urlsafe(32)
        self.cookie = secrets.token_urlsafe(32)
        self._lock = threading.Lock()
        self._login_file: Path | None = None
        self._open_pages = 0
        self._last_closed = 0.0
        self._language = spoken()
        super().__init__((HOST, 0), _RequestHandler)

    def server_bind(self) -> None:
        """Listen, without looking up the name of this computer, which may take seconds on a Mac."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    @property
    def origin(self) -> str:
        """The origin of the page, as a browser sends it."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def address(self) -> str:
        """The address for the browser to open; it works once."""
        return f"{self.origin}{self.path}?key={self._secret}"

    def write_login_file(self, folder: Path) -> Path:
        """Write a file in the folder, readable by its owner alone, that logs a browser in once.

        Raises `OSError` if it cannot be written, or if others may read files there.
        """
        handle, name = tempfile.mkstemp(".html", "pbem-play-", folder)  # mode 0600
        self._login_file = Path(name)
        with open(handle, "w", encoding="utf-8") as file:
            if os.name != "nt" and os.fstat(handle).st_mode & 0o077:  # a file system without modes
                raise OSError("others may read it")
            file.write(_REDIRECT_PAGE.format(address=self.address))
        return self._login_file

    def remove_login_file(self) -> None:
        """Remove the login file, if there is one."""
        if self._login_file:
            with suppress(OSError):
                self._login_file.unlink()
            self._login_file = None

    def spend_secret(self, secret: str) -> bool:
        """Whether this is the secret, which is then used up."""
        with self._lock:
            good = bool(self._secret) and compare_digest(secret.encode(), self._secret.encode())
            if good:
                self._secret = ""
                self.remove_login_file()
        return good

    def page_opened(self) -> None:
        """Note that a page was opened."""
        with self._lock:
            self._open_pages += 1

    def page_closed(self) -> None:
        """Note that a page was closed, or is being reloaded."""
        with self._lock:
            self._open_pages -= 1
            self._last_closed = time.monotonic()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, in the language in which the board was opened."""
        with speaking(self._language):
            super().process_request_thread(request, client_address)

    def service_actions(self) -> None:
        """Shut down some seconds after the last page was closed."""
        if (
            self._last_closed
            and not self._open_pages
            and time.monotonic() - self._last_closed > GRACE_SECONDS
        ):
            threading.Thread(target=self.shutdown, daemon=True).start()
            self._last_closed = 0.0

    def server_close(self) -> None:
        """Stop listening, and remove the login file."""
        self.remove_login_file()
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Show an error unless it is a browser that closed its connection."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _RequestHandler(BaseHTTPRequestHandler):
    """Answers the requests of a connection."""

    server: BoardServer
    timeout = TIMEOUT_SECONDS
    server_version, sys_version = "pbem", ""

    def do_GET(self) -> None:
        """Answer with the page, a download, or heartbeats."""
        try:
            self._check_host()
            address = urlsplit(self.path)
            if address.path != self.server.path and not self._is_known_path(address.path):
                raise RequestDenied(404, tr("there is nothing here"))
            name = address.path.removeprefix(self.server.path)
            secret = parse_qs(address.query).get("key", [""])[0]
            if not name and secret:
                self._exchange_secret(secret)
                return
            self._check_cookie()
            if not name:
                with self.server.request_lock:
                    content = self.server.page()
                self._send(200, "text/html; charset=utf-8", content)
            elif name == "life":
                self._send_heartbeats()
            else:
                with self.server.request_lock:
                    file, data = self.server.files[name]()
                self._send(200, "application/octet-stream", data, file=file)
        except RequestDenied as denied:
            self._deny(denied)

    def do_POST(self) -> None:
        """Answer a request of the page."""
        try:
            self._check_host()
            name = self.path.removeprefix(self.server.path)
            answer = self.server.answers.get(name) if self.path.startswith(self.server.path) else None
            if answer is None:
                raise RequestDenied(404, tr("there is nothing here"))
            self._check_cookie()
            if self.headers.get_all("Origin") != [self.server.origin]:
                raise RequestDenied(403, tr("the request comes from another page: nothing was done"))
            body = self._read_body()
            with self.server.request_lock:
                try:
                    result = answer(body)
                except PbemError as error:
                    result = {
                        "refused": {
                            "error": safe_text(str(error)),
                            "hint": safe_text(error.hint),
                            "number": "",
                            "rule": "",
                        }
                    }
            self._send(200, "application/json", json.dumps(result, default=str).encode())
        except RequestDenied as denied:
            self._deny(denied)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: nobody reads it."""

    def _is_known_path(self, path: str) -> bool:
        name = path.removeprefix(self.server.path)
        return path.startswith(self.server.path) and (name == "life" or name in self.server.files)

    def _check_host(self) -> None:
        if self.headers.get_all("Host") != [f"{HOST}:{self.server.server_port}"]:
            raise RequestDenied(403, tr("the request was meant for another host: nothing was done"))

    def _check_cookie(self) -> None:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is None or not compare_digest(cookie.value.encode(), self.server.cookie.encode()):
            raise RequestDenied(
                403, tr("this browser was not let in: type pbem play again, and open its address")
            )

    def _exchange_secret(self, secret: str) -> None:
        """Exchange the secret of the address for a cookie; a browser that has the cookie goes on to the page.

        It does so by a page of its own: after an HTTP redirect, the login file would count as the origin of
        the request, and a browser sends no `SameSite=Strict` cookie with that.
        """
        headers = {}
        if self.server.spend_secret(secret):
            cookie = f"{COOKIE}={self.server.cookie}; Path={self.server.path}; HttpOnly; SameSite=Strict"
            headers["Set-Cookie"] = cookie
        else:
            try:
                self._check_cookie()
            except RequestDenied:
                raise RequestDenied(
                    403, tr("this address has already been used: type pbem play again for a new one")
                ) from None
        page = _REDIRECT_PAGE.format(address=self.server.path)
        self._send(200, "text/html; charset=utf-8", page.encode(), headers=headers)

    def _read_body(self) -> bytes:
        if self.headers.get("Content-Type", "") != "application/json":
            raise RequestDenied(415, tr("the request is not application/json"))
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            raise RequestDenied(411, tr("the request does not say its length"))
        if len(length) > 9 or int(length) > MAX_BODY_BYTES:
            self._discard_body(int(length[:9]))
            raise RequestDenied(
                413,
                tr(
                    "the request has {bytes} bytes, more than {most}: nothing was done",
                    bytes=length[:9],
                    most=MAX_BODY_BYTES,
                ),
            )
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise RequestDenied(400, tr("the request ends too early"))
        return body

    def _discard_body(self, length: int) -> None:
        """Read and discard a body that is too long, up to a limit, so that the browser gets the answer."""
        left = min(length, MAX_DISCARDED_BYTES)
        while left > 0 and (passed := len(self.rfile.read(min(left, 1 << 16)))):
            left -= passed

    def _send_heartbeats(self) -> None:
        """Send heartbeats until the page closes the connection."""
        self.server.page_opened()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self._end_headers({})
            while True:
                self.wfile.write(b": here\n\n")
                if self._has_gone(HEARTBEAT_SECONDS):
                    return
        except OSError:
            return
        finally:
            self.server.page_closed()

    def _has_gone(self, seconds: float) -> bool:
        """Whether the browser closes the connection within this time."""
        self.connection.settimeout(seconds)
        try:
            return not self.connection.recv(1)
        except TimeoutError:
            return False
        finally:
            self.connection.settimeout(TIMEOUT_SECONDS)

    def _deny(self, denied: RequestDenied) -> None:
        self.close_connection = True
        self._send(denied.status, "text/plain; charset=utf-8", f"pbem: {denied}\n".encode())

    def _send(
        self, status: int, kind: str, data: bytes, *, file: str = "", headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if file:
            self.send_header("Content-Disposition", f'attachment; filename="{file}"')
        self._end_headers(headers or {})
        self.wfile.write(data)

    def _end_headers(self, more: dict[str, str]) -> None:
        for name, value in {**_HEADERS, **more}.items():
            self.send_header(name, value)
        self.end_headers()
