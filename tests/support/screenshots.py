"""The screenshots of `docs/pictures`, and small ones to compare: `python -m support.screenshots` in `tests`.

`page.png` is the page of `rommel-allied-wins` at `#54`; `play.png` a game of Mortain against the computer,
some cards in, with a unit chosen and its attacks on the map, 1280 by 800. Its cards differ each time.

The small ones, `tests/web/screens`, are five screens without text, whose fonts vary between systems, at a
twentieth of their size: what remains is the position and colour of everything.
"""

from __future__ import annotations

import random
import re
from base64 import b64decode
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from support.board_player import BoardPlayer, begin_practice_game, play_at_board, run_pbem_at_home
from support.browsers import Browser, run_chromium
from support.game_pages import page_of

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
MOVES = 9

SMALL = Path(__file__).parents[1] / "web" / "screens"
SHARE = 20
"""How many pixels of a screen become one, across and down."""

NO_WORDS = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("* { color: transparent !important; transition: none !important }"
  + "text { fill: transparent !important; stroke: none !important }"
  + "::-webkit-scrollbar { display: none }");
document.adoptedStyleSheets = [sheet];
for (const one of document.getAnimations()) one.finish();
"""

SHRINK = """
const [data, share, done] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width / share, image.height / share];
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
  done([canvas.toDataURL("image/png").split(",")[1], [...pixels]]);
};
image.src = `data:image/png;base64,${data}`;
"""


class Screen(NamedTuple):
    """A screen to compare with: a page of an example, or the board at the first question of a new game."""

    width: int
    height: int
    scheme: str
    page: str = ""
    board: tuple[str, str] = ("", "")


SCREENS = {
    "page-mortain": Screen(1280, 800, "light", page="mortain-it-exits"),
    "page-rommel-dark": Screen(1280, 800, "dark", page="rommel-allied-wins"),
    "board-mortain": Screen(1280, 800, "light", board=("mortain", "us")),
    "board-mortain-telephone": Screen(390, 844, "light", board=("mortain", "us")),
    "board-rommel-across-dark": Screen(844, 390, "dark", board=("rommel", "axis")),
}


def take_small(browser: Browser, folder: Path, screen: Screen) -> tuple[bytes, list[int]]:
    """A small screen without its text: as PNG, and its pixels by red, green, blue and opacity."""
    features = [{"name": "prefers-color-scheme", "value": screen.scheme}]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.set_width(screen.width, screen.height)
    try:
        if screen.page:
            path = folder / "page.html"
            path.write_text(page_of(screen.page), "utf-8")
            browser.open(path)
            shown = _capture_without_words(browser)
        else:
            game, seat = screen.board
            begin_practice_game(folder, game, "--seat", seat)
            with play_at_board(browser, folder) as player:
                player.wait()
                shown = _capture_without_words(browser)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return shrink(browser, shown, SHARE)


def _capture_without_words(browser: Browser) -> str:
    browser.run(NO_WORDS)
    browser.wait("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    picture: str = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    return picture


def shrink(browser: Browser, picture: str, share: int) -> tuple[bytes, list[int]]:
    """A PNG, in base64, with one pixel for `share` across and down; and its pixels."""
    browser.go("about:blank")
    small, pixels = browser.wait(SHRINK, picture, share)
    return b64decode(small), pixels


def take_page_picture(browser: Browser, folder: Path) -> None:
    """Take `page.png`."""
    path = folder / "page.html"
    path.write_text(page_of("rommel-allied-wins"), "utf-8")
    browser.open(path)
    browser.go(f"{path.as_uri()}#54")
    take_screenshot(browser, "page.png")


def take_play_picture(browser: Browser, folder: Path) -> None:
    """Take `play.png`."""
    begin_practice_game(folder, "mortain", "--seat", "us")
    chooser = random.Random(1)
    for _ in range(MOVES):
        player = LocalPlayer(folder / "home")
        (kept,) = player.store.games()
        game = player.open(kept.data)
        asked = permissions.unlock_state(game, player.key).pending_question
        assert asked
        orders = game.rules.players["sensible"](asked, chooser)
        moved = run_pbem_at_home(folder, "move", "game.yaml", "; ".join(game.rules.view.write_words(orders)))
        assert moved.returncode == 0, moved.stderr
    with play_at_board(browser, folder) as board:
        choose_who_attacks(board)
        take_screenshot(browser, "play.png")


def choose_who_attacks(player: BoardPlayer) -> None:
    """Choose the unit with the best attack of its own, so that the map shows its chance; else the next."""
    asked = player.table().pending_question
    attacks = player.game().rules.view.odds(asked) if asked else []
    alone = [attack for attack in attacks if re.match(r"fire \S+ at ", attack.words)]
    if not alone:
        player.click("#next")
        return
    player.choose(max(alone, key=lambda attack: attack.hit).words.split()[1])


def take_screenshot(browser: Browser, name: str) -> None:
    """Take a picture of the window, once everything is drawn."""
    browser.run("dispatchEvent(new Event('wheel'))")  # the news need not be played
    browser.wait("setTimeout(arguments[0], 1500)")
    picture = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    (PICTURES / name).write_bytes(b64decode(picture["data"]))


if __name__ == "__main__":
    with contextmanager(run_chromium)() as browser, TemporaryDirectory() as folder:
        browser.set_width(1280, 800)
        take_page_picture(browser, Path(folder))
        take_play_picture(browser, Path(folder))
        for name, screen in SCREENS.items():
            with TemporaryDirectory() as home:
                (SMALL / f"{name}.png").write_bytes(take_small(browser, Path(home), screen)[0])
