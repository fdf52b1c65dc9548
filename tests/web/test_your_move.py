"""A move that comes in while the board is open: it is shown by itself, and the window says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.board_player import begin_practice_game, play_at_board, run_pbem_at_home
from support.browsers import Browser
from web.test_playing_by_clicks import place_all

pytestmark = pytest.mark.thorough

COUNT_SOUNDS = """
window.sounds = 0;
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.sounds += 1; }
};
"""

WENT_ON = """
const [title, done] = arguments;
(function look() {
  if (document.title !== title) done(document.title); else setTimeout(look, 50);
})();
"""

PLACED = "place 117Inf 1101 119Inf 1102 120Inf 1103 823TD 1104 SPTD 1105"


@pytest.mark.parametrize("silent", [False, True])
def test_a_move_that_comes_in_is_told(browser: Browser, tmp_path: Path, silent: bool) -> None:
    """Here another program of the same player writes it, as fetching mail does. A click ends the notice."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        browser.run(COUNT_SOUNDS)
        title = browser.run("return document.title")
        if silent:
            player.click("#sound")
        place_all(player)
        assert run_pbem_at_home(tmp_path, "move", "game.yaml", PLACED).returncode == 0
        assert browser.wait(WENT_ON, title) == f"● Your move · {title}"
        player.wait()
        assert player.bound() == browser.run("return tableState.now.bound")
        assert player.texts("#alarm") == [""]
        assert browser.run("return window.sounds") == (0 if silent else 1)
        player.press_escape()
        assert browser.run("return document.title") == title


def test_ones_own_move_is_not_announced(browser: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    with play_at_board(browser, tmp_path) as player:
        title = browser.run("return document.title")
        place_all(player)
        player.sign()
        browser.wait(
            "setTimeout(arguments[0], 3000)"
        )  # longer than the program takes to say that it is stored
        assert browser.run("return document.title") == title
