"""What the opponent did is played once when the board has it, and drawn in the colour of his side."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games.mortain.rules import events as mortain
from support.board_player import (
    ARRIVED,
    BoardPlayer,
    begin_practice_game,
    orders_by_click,
    play_at_board,
    wait_for_page,
)
from support.browsers import Browser
from support.game_pages import game_of, page_of

WATCH = """
window.played = 0;
new MutationObserver(() => { played += document.documentElement.classList.contains("playing"); })
  .observe(document.documentElement, {attributeFilter: ["class"]});
"""
"""Count how often an animation begins."""

STILL = """
const done = arguments[0];
(function look() {
  if (!document.documentElement.classList.contains("playing")) done(); else setTimeout(look, 10);
})();
"""

PLACES = """
return Object.fromEntries([...document.querySelectorAll("#counters use")].map((one) =>
  [one.dataset.counter, one.getAttribute("transform")]));
"""

MOTION = "Emulation.setEmulatedMedia"


@pytest.fixture
def still(browser: Browser) -> Iterator[Browser]:
    """A browser whose user wants no motion."""
    reduced = {"name": "prefers-reduced-motion", "value": "reduce"}
    browser.driver.execute_cdp_cmd(MOTION, {"features": [reduced]})
    yield browser
    browser.driver.execute_cdp_cmd(MOTION, {"features": []})


TRACES = "return document.querySelectorAll('#traces > *').length"
PLAYING = "return document.documentElement.classList.contains('playing')"


def play_on(player: BoardPlayer, until: str = TRACES) -> None:
    """Play until something has happened that leaves a trace on the map, or until a script says so."""
    chooser = random.Random(1)
    player.browser.run(WATCH)
    while not player.browser.run(until):
        before = player.game()
        player.give(orders_by_click(player, chooser))
        wait_for_page(before, player)
        player.wait()


def opened(browser: Browser, folder: Path, name: str, at: str) -> None:
    """The page of an example at an entry."""
    path = folder / "page.html"
    path.write_text(page_of(name), "utf-8")
    browser.set_width(1280)
    browser.go("about:blank")
    browser.go(path.as_uri() + at)


@pytest.mark.thorough
def test_it_is_played_once_and_ends_with_the_game_as_it_is(browser: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "german")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        play_on(player, f"{TRACES} && played")  # the player's own attack leaves traces and is not played
        browser.wait(STILL)
        assert browser.run(PLACES) == places_now(player)
        assert "faded" in browser.run("return document.getElementById('traces').className.baseVal")
        browser.driver.refresh()  # he has seen it
        browser.wait(ARRIVED)
        browser.wait("setTimeout(arguments[0], 600)")
        assert not browser.run("return document.documentElement.classList.contains('playing')")


@pytest.mark.thorough
def test_a_click_ends_it(browser: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "german")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        play_on(player, PLAYING)
        browser.press(player.find("h1"))
        assert not browser.run(PLAYING)
        assert browser.run(PLACES) == places_now(player)


@pytest.mark.thorough
def test_who_wants_no_motion_has_none(still: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "german")
    still.set_width(1280)
    with play_at_board(still, tmp_path) as player:
        play_on(player)
        assert still.run("return played") == 0
        assert still.run(PLACES) == places_now(player)


def places_now(player: BoardPlayer) -> dict[str, Any]:
    """Where each counter lies, by the board drawn anew."""
    before = player.browser.run("board.show(tableState.now.shown)" + PLACES.replace("return", ";return", 1))
    assert isinstance(before, dict)
    return before


def test_each_side_has_a_colour_of_its_own(browser: Browser, tmp_path: Path) -> None:
    """Entry 57 has a shot of the Germans, the second seat: nothing else has its colour."""
    opened(browser, tmp_path, "mortain-it-exits", "#57")
    colours = browser.run(
        "const style = (one, name) => getComputedStyle(one).getPropertyValue(name);"
        "const shot = document.querySelector('#traces .shot:not(.under)');"
        "const other = document.createElementNS(shot.namespaceURI, 'path');"
        "other.setAttribute('class', 'shot seat-0'); shot.after(other);"
        "const map = document.getElementById('map');"
        "return [style(shot, 'stroke'), style(other, 'stroke'), style(map, '--lit')]"
    )
    assert len(set(colours)) == 3
    assert browser.run("return document.querySelector('#traces .shot:not(.under)').classList[1]") == "seat-1"


def test_a_hit_is_shown_on_the_counter_that_was_hit(browser: Browser, tmp_path: Path) -> None:
    """Of several units in a hex, one was hit: the star touches its counter and no other's middle."""
    game = game_of("mortain-it-exits")
    number, unit = next(
        (replayed.entry.body.n, tell.what.unit)
        for replayed in game.replayed_entries
        for tell in replayed.events
        if isinstance(tell.what, mortain.Hit)
        and len([cell for cell in cells_of(game, replayed) if tell.what.unit in cell]) == 1
        and max(len(cell) for cell in cells_of(game, replayed) if tell.what.unit in cell) > 1
    )
    opened(browser, tmp_path, "mortain-it-exits", f"#{number}")
    nearest = browser.run(
        "const middle = (one) => { const {x, y, width, height} = one.getBoundingClientRect();"
        " return [x + width / 2, y + height / 2]; };"
        "return [...document.querySelectorAll('#traces .struck')].map((star) => {"
        " const [x, y] = middle(star);"
        " const far = (one) => Math.hypot(middle(one)[0] - x, middle(one)[1] - y);"
        " return [...document.querySelectorAll('#counters use')]"
        "  .sort((one, other) => far(one) - far(other))[0].dataset.counter; })"
    )
    assert unit in nearest


def cells_of(game: Any, replayed: Any) -> list[list[str]]:
    """The counters in each hex after an entry."""
    legend = game.rules.view.legend(replayed.rest[0])
    return [[piece.name for piece in cell.pieces] for cell in legend.cells if cell.pieces]
