"""A player at the browser edition opened from disk: its page, and the frame with pbem's pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from pbem.player.backup import pack
from pbem.player.local_player import LocalPlayer
from support.age_file import age_file
from support.board_player import QUIET, BoardPlayer
from support.browsers import Browser, Firefox
from support.lobby_player import FILL, OPENED

STARTED = """
const done = arguments[0];
const wait = () => document.documentElement.dataset.started ? done(true) : setTimeout(wait, 50);
wait();
"""

HOLD_FILES = """
window.saved = [];
const plain = URL.createObjectURL;
URL.createObjectURL = (blob) => {
  const address = plain(blob);
  const reader = new FileReader();
  reader.onload = () => saved.push(reader.result);
  if (blob.type !== "text/javascript") reader.readAsDataURL(blob);
  return address;
};
HTMLAnchorElement.prototype.click = function () {};
window.showSaveFilePicker = undefined;
"""
"""Files to save stay in the page, for the test to take; no dialog asks where to save them."""

SAVED = """
const done = arguments[0];
const wait = () => (saved.length ? done(saved.shift()) : setTimeout(wait, 20));
wait();
"""

DRAWN = """
const done = arguments[0];
requestAnimationFrame(() => requestAnimationFrame(() => done()));
"""

ASK = """
const [what, request, done] = arguments;
transport.ask(what, JSON.parse(request)).then(done, ({message}) => done({problem: message}));
"""

PASSPHRASE, LIGHT = "battery staple", 10
"""Of a backup: its passphrase, and its work factor, a power of two."""

OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
FROM_ITSELF = ("file:", "data:", "blob:", "about:")
MOST_SECONDS = 60


class EditionPlayer:
    """A player at the edition open in the browser: a file, or a folder at a web server's address."""

    def __init__(self, browser: Browser | Firefox, edition: Path | str) -> None:
        self.browser = browser
        self.edition = edition
        self.holds_files = True
        self.seconds = 0.0  # from opening to the lobby

    def open(self, fragment: str = "") -> None:
        """Open the edition, and wait for the lobby."""
        begun = time.monotonic()
        self.browser.leave_frame()
        self.browser.go("about:blank")
        address = self.edition.as_uri() if isinstance(self.edition, Path) else self.edition
        self.browser.go(address + fragment)
        self.browser.wait(STARTED)
        if self.holds_files:
            self.browser.run(HOLD_FILES)
        self.seconds = time.monotonic() - begun
        self.enter()

    def enter(self) -> None:
        """Enter the frame with the page shown now."""

        def enter() -> bool:
            self.browser.leave_frame()
            self.browser.enter_frame("#game")
            return True

        wait_until(enter, "a page in the frame")

    def around(self, script: str, *arguments: Any) -> Any:
        """The value a script returns in the page around the frame."""
        self.browser.leave_frame()
        found = self.browser.run(script, *arguments)
        self.enter()
        return found

    def await_page(self, css: str) -> None:
        """Wait for a page with something that matches the selector, and enter it."""

        def is_there() -> bool:
            self.enter()
            return bool(self.browser.run("return Boolean(document.querySelector(arguments[0]))", css))

        wait_until(is_there, css)
        self.browser.wait(QUIET)

    def click(self, css: str, page: str = "") -> None:
        """Click on an element, and wait for the answer, or for the page it leads to, which has `page`."""
        self.await_layout()
        element = self.browser.find(css)
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", element)
        self.browser.press(element)
        if page:
            self.await_page(page)
        else:
            self.browser.wait(QUIET)

    def await_layout(self) -> None:
        """Wait until the bar above the frame is in place: it moves everything that can be clicked."""
        self.browser.leave_frame()
        self.browser.wait(DRAWN)
        self.enter()
        self.browser.wait(DRAWN)

    def begin_practice(self) -> None:
        """Begin a game of Mortain against the computer, and go to its board."""
        self.click("#begin-practice")
        self.fill("#begin-name", "Anna")
        self.click("#begin-go", page="#prompt")

    def order(self, words: str) -> None:
        """Type an order at the board."""
        self.fill("#line", words)
        self.click("#typed button")

    def said(self) -> str:
        """The text above the page."""
        script = """
          const shown = [...document.querySelectorAll("#bar p:not([hidden])")];
          return shown.map((p) => p.textContent).join(" ");
        """
        return str(self.around(script)).strip()

    def fill(self, css: str, words: str) -> None:
        """Type into a field."""
        self.browser.run(FILL, css, words)

    def choose_file(self, file: Path) -> str:
        """Choose a file to look at. Returns the verdict on it."""
        self.browser.choose_file("#file", file)
        self.browser.wait(OPENED)
        return self.text("#opened[open] #opened-verdict") or self.text("#alarm")

    def text(self, css: str) -> str:
        """The text of the first element that matches a selector; empty if there is none."""
        return str(self.browser.run("return document.querySelector(arguments[0])?.textContent ?? ''", css))

    def texts(self, css: str) -> list[str]:
        """The texts of all elements that match a selector."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"
        found: list[str] = self.browser.run(script, css)
        return found

    def is_shown(self, css: str) -> bool:
        """Whether there is something to see there."""
        script = "return Boolean(document.querySelector(arguments[0])?.getClientRects().length)"
        return bool(self.browser.run(script, css))

    def save_everything(self) -> tuple[bytes, str]:
        """Save everything with the button above the page. Returns the backup, and its passphrase."""
        self.around("document.getElementById('save').click()")
        data = self.saved()
        said = self.around("return document.getElementById('said').textContent")
        return data, said.partition("passphrase: ")[2]

    def ask(self, what: str, **request: Any) -> Any:
        """pbem's answer to the page in the frame."""
        found = self.browser.wait(ASK, what, json.dumps(request))
        assert not {"problem", "refused"} & set(found), found
        return found

    def bring_home(self, home: Path) -> None:
        """Restore a backup of an installed pbem's home, and open the board of its only game."""
        self.restore(age_file(pack(home / "home"), PASSPHRASE, LIGHT), PASSPHRASE)

    def restore(self, backup: bytes, passphrase: str) -> None:
        """Restore a backup, and open the board of its only game."""
        self.open()
        self.ask("restore", data=b64encode(backup).decode(), passphrase=passphrase)
        (game,) = [each["game"] for each in self.ask("state")["games"]]
        self.ask("take", game=game, newest=True)  # the player knows no newer state
        self.browser.run("transport.reload()")
        self.await_page("#games a.first")
        self.click("#games a.first", page="#prompt")

    def saved(self) -> bytes:
        """The file that the page saved last."""
        self.browser.leave_frame()
        address = self.browser.wait(SAVED)
        self.enter()
        return b64decode(address.partition(",")[2])


class InEdition(BoardPlayer):
    """A player at a board of the edition: the stored game is that of the browser."""

    def stored(self) -> bytes:
        found = self.browser.wait(ASK, "file", "{}")
        return b64decode(found["data"])


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds. Raises `AssertionError` after some time."""
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end:
        try:
            holding = holds()
        except Exception:  # the frame has just been replaced, which each browser reports differently
            holding = False
        if holding:
            return
        time.sleep(0.02)
    raise AssertionError(f"not there: {what}")


@contextmanager
def without_network(browser: Browser | Firefox) -> Iterator[None]:
    """Cut the network; check that nothing was requested but the file's content, and no complaints."""
    if isinstance(browser, Firefox):
        browser.call("session.subscribe", events=["network.beforeRequestSent"])
        browser.run("new Image().src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='")  # 140 records no file
        yield
        requests = browser.requests
    else:
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE)
        browser.driver.get_log("performance")
        try:
            yield
        finally:
            browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**OFFLINE, "offline": False})
        events = [json.loads(each["message"])["message"] for each in browser.driver.get_log("performance")]
        requests = [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
    assert requests, "none was recorded"
    assert [each for each in requests if not each.startswith(FROM_ITSELF)] == []
    assert browser.complaints() == []


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve the folder on this computer. Yields the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def forget_all(browser: Browser) -> None:
    """Have the browser delete everything that a page opened from disk has stored."""
    browser.go("about:blank")  # otherwise the open page would store it again
    everything = {"origin": "file://", "storageTypes": "all"}
    browser.driver.execute_cdp_cmd("Storage.clearDataForOrigin", everything)


def restored_player(folder: Path, data: bytes, word: str) -> LocalPlayer:
    """The player of an installed pbem in whose home a backup was restored."""
    folder.mkdir()
    (folder / "pbem.age").write_bytes(data)
    home = {"PBEM_HOME": str(folder / "home"), "PBEM_BACKUP_PASSPHRASE": word}
    command = [sys.executable, "-m", "pbem", "restore", str(folder / "pbem.age")]
    subprocess.run(command, env={**os.environ, **home}, check=True)
    return LocalPlayer(folder / "home")
