"""A player at `pbem play` without a file: the lobby in a browser, and the boards of its games."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.player.local_player import LocalPlayer
from pbem.umpire.game_state import Game
from support.board_player import ARRIVED, QUIET, BoardPlayer, serve_board
from support.browsers import Browser, Firefox

IN_THE_LOBBY = """
const done = arguments[0];
(function look() {
  const there = document.querySelector("#ways") && document.readyState === "complete";
  if (there) done(); else setTimeout(look, 20);
})();
"""

COUNT_CLICKS = """
if (!window.counting) addEventListener("pointerdown", () => {
  sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true);
window.counting = true;
"""

FILL = """
const [css, words] = arguments;
const field = document.querySelector(css);
field.focus();
field.value = words;
for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
"""

OPENED = """
const done = arguments[0];
(function look() {
  const said = document.querySelector("dialog[open]") || !document.getElementById("alarm").hidden;
  if (said && !document.querySelector("[aria-busy=true]")) done(); else setTimeout(look, 20);
})();
"""


class LobbyPlayer:
    """A player at the lobby open in the browser; `folder` has their home and files."""

    def __init__(self, browser: Browser | Firefox, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.board = BoardPlayer(browser, folder)

    def click(self, css: str) -> None:
        """Click on an element, and wait for the answer."""
        element = self.browser.find(css)
        self.browser.run(f"{COUNT_CLICKS}; arguments[0].scrollIntoView({{block: 'center'}})", element)
        self.browser.press(element)
        self.browser.wait(QUIET)

    def fill(self, css: str, words: str) -> None:
        """Type into a field."""
        self.browser.run(FILL, css, words)

    def open_file(self, file: Path) -> str:
        """Choose a file to look at. Returns the verdict on it, or what is wrong."""
        self.browser.choose_file("#file", file)
        return self._opened()

    def paste(self, text: str) -> str:
        """Paste a text that contains a game. Returns the verdict."""
        self.fill("#pasted", text)
        return self._opened()

    def _opened(self) -> str:
        self.browser.wait(OPENED)
        return self.text("#opened[open] #opened-verdict") or self.text("#alarm")

    def text(self, css: str) -> str:
        """The text of the first element that matches a selector; empty if there is none."""
        return str(self.browser.run("return document.querySelector(arguments[0])?.textContent ?? ''", css))

    def is_shown(self, css: str) -> bool:
        """Whether there is something to see there."""
        script = "return Boolean(document.querySelector(arguments[0])?.getClientRects().length)"
        return bool(self.browser.run(script, css))

    def clicks(self) -> int:
        """The number of clicks so far."""
        return int(self.browser.run("return Number(sessionStorage.clicks ?? 0)"))

    def to_board(self, css: str) -> BoardPlayer:
        """Click on a link to a board. Returns the player there."""
        self.click(css)
        self.browser.wait(ARRIVED)
        self.browser.wait(QUIET)
        self.browser.run(COUNT_CLICKS)
        return self.board

    def to_lobby(self) -> None:
        """Go from a board to the lobby."""
        self.click("#home")
        self.browser.wait(IN_THE_LOBBY)

    def file(self) -> Path:
        """The player's only game file."""
        (found,) = self.folder.glob("*.yaml")
        return found

    def games(self) -> list[Game]:
        """The player's stored games."""
        player = LocalPlayer(self.folder / "home")
        return [player.open(kept.data) for kept in player.store.games()]

    def begin_offer(self, name: str, seat: str) -> None:
        """Offer Mortain as a side; leaves the dialog that sends it open."""
        self.click("#begin-offer")
        self.fill("#begin-name", name)
        self.click(f"#begin-seat [value={seat}]")
        self.click("#begin-go")


@contextmanager
def visit(browser: Browser | Firefox, folder: Path) -> Iterator[LobbyPlayer]:
    """A player at their lobby, until they stop pbem; checks that the browser had no complaints."""
    folder.mkdir(exist_ok=True)
    with serve_board(folder, "") as (address, program):
        browser.go(address)
        browser.wait(IN_THE_LOBBY)
        yield LobbyPlayer(browser, folder)
        complaints = browser.complaints()
        browser.go("about:blank")
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 0
        assert complaints == [], complaints


def answer_of(pages: Any, path: str, **request: Any) -> Any:
    """pbem's answer to a page, without a server."""
    from msgspec import json

    return pages.answer(path, json.encode(request))
