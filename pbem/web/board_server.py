"""Serves the pages on this computer to the one browser that logged in, and to nobody else.

Built on the standard library, it serves the answers of `pages.py` to one player. What keeps strangers out:

* It listens only on 127.0.0.1. `Host` must be its address, which defeats DNS rebinding.
* The address for the browser has a secret that works once: it is exchanged for a cookie (`HttpOnly`,
  `SameSite=Strict`). The path is a secret too, so that no other port receives the cookie.
* The browser gets the address from a login file that only its owner can read, since all users of a computer
  may see the command lines of its programs. The file is deleted as soon as a browser has logged in.
* A request for anything but the page must come from it, by `Origin`, as JSON. There is no CORS.
* A request is limited to the bytes its function allows; requests are answered one at a time.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import tempfile
import threading
import time
from contextlib import suppress
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer
from pbem.render.safe_text import safe_text
from pbem.texts import Texts, speaking
from pbem.umpire.game_state import Game
from pbem.web.mail_form import MailForm
from pbem.web.pages import Pages

tr = Texts("pbem")

MAX_DISCARDED_BYTES = 1 << 26
"""How many bytes of a request that is too long are still read, so that the browser gets the refusal."""

HOST = "127.0.0.1"
COOKIE = "pbem"

HEARTBEAT_SECONDS = 2.0
"""Seconds between heartbeats to the page, which detect that it was closed."""

LIFE = "life"
"""The name, below the path of a page, of the connection for its heartbeats."""

GRACE_SECONDS = 6.0
"""Seconds a closed page has to return, as it does on reload."""

TIMEOUT_SECONDS = 30.0
"""Seconds for which a connection may be silent."""

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
    """Serves pages and their requests, until the last page is closed; `start` is the path of the first."""

    daemon_threads = True
    allow_reuse_address = allow_reuse_port = (
        False  # otherwise Windows would let other programs listen on the port too
    )

    def __init__(self, pages: Pages, start: str = "") -> None:
        self.pages = pages
        self.start = start
        self.request_lock = threading.Lock()
        self.path = f"/{secrets.token_urlsafe(16)}/"
        self._secret = secrets.token_urlsafe(32)
        self.cookie = secrets.token_urlsafe(32)
        self._lock = threading.Lock()
        self._login_file: Path | None = None
        self._open_pages = 0
        self._last_closed = 0.0
        super().__init__((HOST, 0), _RequestHandler)

    def server_bind(self) -> None:
        """Listen, without looking up the name of this computer, which can take seconds on a Mac."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    @property
    def origin(self) -> str:
        """The origin of the page as a browser sends it."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def address(self) -> str:
        """The address for the browser to open; it works once."""
        return f"{self.origin}{self.path}{self.start}?key={self._secret}"

    def write_login_file(self, folder: Path) -> Path:
        """Write a file in the folder, readable only by its owner, that logs a browser in once.

        Raises `OSError` if it cannot be written, or if others can read files there.
        """
        handle, name = tempfile.mkstemp(".html", "pbem-play-", folder)  # mode 0600
        self._login_file = Path(name)
        with open(handle, "w", encoding="utf-8") as file:
            if os.name != "nt" and os.fstat(handle).st_mode & 0o077:  # a file system without modes
                raise OSError("others may read it")
            file.write(_REDIRECT_PAGE.format(address=self.address))
        return self._login_file

    def remove_login_file(self) -> None:
        """Delete the login file, if there is one."""
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
        """Answer in a separate thread, in the language of the pages."""
        with speaking(self.pages.language):
            super().process_request_thread(request, client_address)

    def service_actions(self) -> None:
        """Shut down some seconds after the last page was closed, unless another is being made."""
        if self.request_lock.locked():
            self._last_closed = self._last_closed and time.monotonic()
        if (
            self._last_closed
            and not self._open_pages
            and time.monotonic() - self._last_closed > GRACE_SECONDS
        ):
            threading.Thread(target=self.shutdown, daemon=True).start()
            self._last_closed = 0.0

    def server_close(self) -> None:
        """Stop listening, and delete the login file."""
        self.remove_login_file()
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Show an error, unless a browser has just closed its connection."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _RequestHandler(BaseHTTPRequestHandler):
    """Answers the requests of a connection."""

    server: BoardServer
    timeout = TIMEOUT_SECONDS
    server_version, sys_version = "pbem", ""

    def do_GET(self) -> None:
        """Answer with a page, or heartbeats."""
        try:
            self._check_host()
            address = urlsplit(self.path)
            name = self._name(address.path)
            page = name.removesuffix(LIFE)
            if not self.server.pages.has(page):
                raise RequestDenied(404, tr("there is nothing here"))
            if page == name and (secret := parse_qs(address.query).get("key", [""])[0]):
                self._exchange_secret(secret, address.path)
                return
            self._check_cookie()
            if page != name:
                self._send_heartbeats(page)
                return
            with self.server.request_lock:
                try:
                    content = self.server.pages.html(name)
                except PbemError as error:
                    raise RequestDenied(409, safe_text(str(error))) from None
            self._send(200, "text/html; charset=utf-8", content)
        except RequestDenied as denied:
            self._deny(denied)

    def do_POST(self) -> None:
        """Answer a request of a page."""
        try:
            self._check_host()
            name = self._name(self.path)
            function = self.server.pages.function(name)
            if function is None:
                raise RequestDenied(404, tr("there is nothing here"))
            self._check_cookie()
            if self.headers.get_all("Origin") != [self.server.origin]:
                raise RequestDenied(403, tr("the request comes from another page: nothing was done"))
            body = self._read_body(function.most_bytes)
            with self.server.request_lock:
                answer = self.server.pages.answer(name, body)
            self._send(200, "application/json", json.dumps(answer).encode())
        except RequestDenied as denied:
            self._deny(denied)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: nobody reads it."""

    def _name(self, path: str) -> str:
        """The name a path has below the secret one. Raises `RequestDenied` for any other path."""
        if not path.startswith(self.server.path):
            raise RequestDenied(404, tr("there is nothing here"))
        return path.removeprefix(self.server.path)

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
                403,
                tr("this browser does not have access: type pbem play again, and open the address it shows"),
            )

    def _exchange_secret(self, secret: str, path: str) -> None:
        """Exchange the secret of the address for a cookie; a browser with the cookie continues to the page.

        The exchange needs a page of its own: after an HTTP redirect, the login file would count as the origin
        of the request, and a browser sends no `SameSite=Strict` cookie with that.
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
        page = _REDIRECT_PAGE.format(address=path)
        self._send(200, "text/html; charset=utf-8", page.encode(), headers)

    def _read_body(self, most: int) -> bytes:
        if self.headers.get("Content-Type", "") != "application/json":
            raise RequestDenied(415, tr("the request is not application/json"))
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            raise RequestDenied(411, tr("the request does not state its length"))
        if len(length) > 9 or int(length) > most:
            self._discard_body(int(length[:9]))
            raise RequestDenied(
                413,
                tr(
                    "the request has {bytes} bytes, more than {most}: nothing was done",
                    bytes=length[:9],
                    most=most,
                ),
            )
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise RequestDenied(400, tr("the request is incomplete"))
        return body

    def _discard_body(self, length: int) -> None:
        """Read and discard a body that is too long, up to a limit, so that the browser gets the answer."""
        left = min(length, MAX_DISCARDED_BYTES)
        while left > 0 and (passed := len(self.rfile.read(min(left, 1 << 16)))):
            left -= passed

    def _send_heartbeats(self, page: str) -> None:
        """Send heartbeats until the page closes the connection; they change when its game continues."""
        self.server.page_opened()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self._end_headers({})
            while True:
                with self.server.request_lock:
                    state = self.server.pages.stored_state(page)
                self.wfile.write(f"data: {state}\n\n".encode())
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

    def _send(self, status: int, kind: str, data: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self._end_headers(headers or {})
        self.wfile.write(data)

    def _end_headers(self, more: dict[str, str]) -> None:
        for name, value in {**_HEADERS, **more}.items():
            self.send_header(name, value)
        self.end_headers()


def open_pages(player: LocalPlayer, folder: Path) -> Pages:
    """The pages of a player whose files go to `folder`, with the functions of an installed pbem."""
    return Pages(player, folder, MailForm(player.home))


def open_board(player: LocalPlayer, game: Game, file: Path) -> BoardServer:
    """A server of the player's pages, ready to start with the board of a game.

    Raises `OSError` if there is no free port.
    """
    pages = open_pages(player, file.parent)
    return BoardServer(pages, pages.add_board(game, file))
