"""A game looked over at the board in a real Chromium: the chart, an entry, and other orders on the map."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.board_player import begin_practice_game, play_at_board, run_pbem_at_home
from support.browsers import Browser
from support.lobby_player import visit

pytestmark = pytest.mark.thorough

LOOKED_OVER = """
const done = arguments[0];
(function look() {
  const there = document.querySelector("#look-chart svg") && document.getElementById("look-share").hidden;
  if (there) done(); else setTimeout(look, 50);
})();
"""

LOOKED_AT = """
const [words, done] = arguments;
(function look() {
  if (document.getElementById("looked").textContent.includes(words)) done(); else setTimeout(look, 50);
})();
"""

POINT = """
const point = document.querySelector(`#look-chart a[href="#${arguments[0]}"]`);
point.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
"""

COUNTERS = "return document.getElementById('counters').outerHTML"

LINKS = """
const found = [...document.querySelectorAll(`${arguments[0]} a`)].map((link) => link.href);
return found.filter((page) => page.includes("#look"));
"""

ASKED = """
const done = arguments[0];
transport.ask("review", {}).then(({ refused }) => done(refused.error));
"""

SET_UP = "place 117Inf 1804 119Inf 1303 120Inf 1501 823TD 1403 SPTD 1305"


def test_a_practice_game_is_looked_over(browser: Browser, tmp_path: Path) -> None:
    """The set-up of a beginner, and the computer's, which is drawn on the map and taken off again."""
    browser.set_width(1280)
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    assert run_pbem_at_home(tmp_path, "move", "game.yaml", SET_UP).returncode == 0
    with play_at_board(browser, tmp_path) as player:
        assert not player.browser.run("return document.getElementById('look-over').hidden")
        player.browser.run("document.getElementById('this-game').open = true")
        player.browser.press(player.browser.find("#look-over"))
        browser.wait(LOOKED_OVER)
        browser.run(POINT, 2)
        browser.wait(LOOKED_AT, "Before entry 2: the Americans win ")
        said = browser.run("return document.getElementById('looked').textContent")
        assert f"P{SET_UP[1:]} (US)." in said.replace("; place", "")
        assert browser.run("return document.getElementById('when').value") == "2"
        ordered = browser.run(COUNTERS)
        player.browser.press(player.browser.find("#look-others button"))
        assert browser.run("return document.getElementById('now').textContent").startswith(
            "The computer would "
        )
        assert browser.run(COUNTERS) != ordered
        player.browser.press(player.browser.find("#look-others button"))
        assert browser.run(COUNTERS) == ordered


def test_a_finished_game_is_looked_over_from_the_lobby(browser: Browser, tmp_path: Path) -> None:
    """The list of games leads to it; a game in progress against a person offers nothing."""
    browser.set_width(1280)
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    assert run_pbem_at_home(tmp_path, "move", "game.yaml", SET_UP).returncode == 0
    assert run_pbem_at_home(tmp_path, "resign", "game.yaml", "--yes").returncode == 0
    assert run_pbem_at_home(tmp_path, "new", "mortain", "offer.yaml", "--seat", "us").returncode == 0
    with visit(browser, tmp_path) as player:
        [link] = browser.run(LINKS, "#mine")
        assert link.endswith("/#look-over")
        player.to_board("#mine a[href$='#look-over']")
        browser.wait(LOOKED_OVER)
        assert player.is_shown("#look-chart svg")
        assert not player.is_shown("#look-over")


def test_a_game_against_a_person_offers_nothing(browser: Browser, tmp_path: Path) -> None:
    assert run_pbem_at_home(tmp_path, "key").returncode == 0
    assert run_pbem_at_home(tmp_path, "new", "mortain", "game.yaml", "--seat", "us").returncode == 0
    with play_at_board(browser, tmp_path):
        assert browser.run("return document.getElementById('look-over').hidden")
        answer = browser.wait(ASKED)
        assert answer == "the computer does not review a game against a person before it is over"
