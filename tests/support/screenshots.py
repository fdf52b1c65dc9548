"""The screenshots of `docs/pictures`, in Chromium, 1280 by 800: `python -m support.screenshots` in `tests`.

`page.png` is the page of `rommel-allied-wins` at `#54`; `play.png` a practice game of Mortain, some cards in,
when the program has just played. Its cards are others each time.
"""

from __future__ import annotations

import random
from base64 import b64decode
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from support.board_player import begin_practice_game, play_at_board, run_pbem_at_home
from support.browsers import Browser, run_chromium
from support.game_pages import page_of

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
MOVES = 9


def take_page_picture(browser: Browser, folder: Path) -> None:
    """Take `page.png`."""
    path = folder / "page.html"
    path.write_text(page_of("rommel-allied-wins"), "utf-8")
    browser.open(path)
    browser.driver.get(f"{path.as_uri()}#54")
    take_screenshot(browser, "page.png")


def take_play_picture(browser: Browser, folder: Path) -> None:
    """Take `play.png`."""
    begin_practice_game(folder, "mortain", "--seat", "us")
    chooser = random.Random(1)
    for _ in range(MOVES):
        desk = LocalPlayer(folder / "home")
        (kept,) = desk.store.games()
        game = desk.open(kept.data)
        asked = permissions.unlock_state(game, desk.key).pending_question
        assert asked
        orders = game.rules.players["sensible"](asked, chooser)
        moved = run_pbem_at_home(folder, "move", "game.yaml", "; ".join(game.rules.view.write_words(orders)))
        assert moved.returncode == 0, moved.stderr
    with play_at_board(browser, folder):
        take_screenshot(browser, "play.png")


def take_screenshot(browser: Browser, name: str) -> None:
    """Take a picture of the window, once all has been drawn."""
    browser.run("dispatchEvent(new Event('wheel'))")  # what has happened need not be played
    browser.wait("setTimeout(arguments[0], 1500)")
    picture = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    (PICTURES / name).write_bytes(b64decode(picture["data"]))


if __name__ == "__main__":
    with contextmanager(run_chromium)() as browser, TemporaryDirectory() as folder:
        metrics = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        take_page_picture(browser, Path(folder))
        take_play_picture(browser, Path(folder))
