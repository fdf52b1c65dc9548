"""A game by keyboard alone, and what is heard at the board: what is legal, and why something is not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from support.board_player import (
    QUIET,
    BoardPlayer,
    begin_practice_game,
    orders_by_click,
    play_at_board,
    play_mortain,
    wait_for_page,
)
from support.browsers import Browser

pytestmark = pytest.mark.thorough

MOST_STOPS = 60
"""Between the map and what a player orders with there are fewer places than this to which the Tab key leads.

The story, with up to two places an entry, is behind both.
"""

WAY = """
const [wanted] = arguments;
const {activeElement} = document;
const to = typeof wanted === "string" ? document.querySelector(wanted) : wanted;
if (activeElement === to) return "";
const isBehind = activeElement.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING;
return activeElement !== document.body && isBehind ? "back" : "on";
"""
"""In which direction of the document an element is from the one that has the keys; empty if it has them."""

HEARD = "setTimeout(arguments[0], 600)"
"""What forbids a hex is said a little after the keys have come to it."""

PLACE = """
const {hexes} = JSON.parse(document.getElementById("scene").textContent);
const [, , , column, row] = hexes[Number(document.activeElement.dataset.hex)];
const [, , , toColumn, toRow] = hexes.find(([number]) => number === arguments[0]);
return [toColumn - column, toRow - row];
"""
"""How many columns and rows the hex of a number is away from the one that has the keys."""


class KeyboardPlayer(BoardPlayer):
    """Who has no mouse: Tab goes to a button or to the map, arrow keys over the map, Enter presses."""

    def __init__(self, browser: Browser, home: Path) -> None:
        super().__init__(browser, home)
        self._driver = browser.driver

    def order(self, words: str) -> None:
        """Give one order; whatever plays on the map ends with the first key."""
        self._key("SHIFT")
        super().order(words)

    def hex(self, number: str, *, more: bool = False) -> None:
        """Walk to a hex, and press Enter there."""
        self._choose_several(more)
        self.walk(number)
        self._key("ENTER")
        self.browser.wait(QUIET)

    def walk(self, number: str) -> None:
        """Walk over the map to a hex."""
        self._tab_to('#cells [tabindex="0"]')
        columns, rows = self.browser.run(PLACE, number)
        for _ in range(abs(columns)):
            self._key("ARROW_RIGHT" if columns > 0 else "ARROW_LEFT")
        for _ in range(abs(rows)):
            self._key("ARROW_DOWN" if rows > 0 else "ARROW_UP")
        assert self.browser.run(PLACE, number) == [0, 0]

    def _press(self, element: Any, *, more: bool = False) -> None:
        self._choose_several(more)
        self._tab_to(element)
        self._key("ENTER")
        self.browser.wait(QUIET)

    def _choose_several(self, wanted: bool) -> None:
        if self.browser.run("return document.getElementById('together').checked") != wanted:
            self._tab_to("#together")
            self._key("SPACE")

    def _tab_to(self, wanted: Any) -> None:
        """Press Tab, or Shift and Tab where it is behind, until an element has the keys.

        It can be given by a selector.
        """
        for _ in range(MOST_STOPS):
            way = self.browser.run(WAY, wanted)
            if not way:
                return
            self._key("TAB", shift=way == "back")
        raise AssertionError(f"Tab does not lead to {wanted}")

    def _key(self, name: str, *, shift: bool = False) -> None:
        from selenium.webdriver.common.keys import Keys

        keys = (Keys.SHIFT if shift else "") + getattr(Keys, name)
        self._driver.switch_to.active_element.send_keys(keys)


@pytest.fixture
def player(browser: Browser, tmp_path: Path) -> Any:
    """Who plays Mortain with keys alone."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path):
        yield KeyboardPlayer(browser, tmp_path)


def test_a_set_up_and_a_turn_by_keyboard(player: KeyboardPlayer) -> None:
    chooser = random.Random(3)
    player.count_presses()
    for _ in range(3):
        game = player.game()
        player.give(orders_by_click(player, chooser))
        wait_for_page(game, player)
    assert player.presses() == 0


@pytest.mark.long
def test_a_whole_game_by_keyboard(player: KeyboardPlayer) -> None:
    play_mortain(player, random.Random(3))
    assert player.presses() == 0


def test_arrow_keys_walk_over_hexes_and_do_nothing_else(player: KeyboardPlayer) -> None:
    """They do not step through the game that is played again."""
    player.walk("1503")
    label = "return document.activeElement.getAttribute('aria-label')"
    assert player.browser.run(label).startswith("1503")
    steps = player.browser.run("return document.getElementById('when').value")
    player.walk("1404")
    assert player.browser.run(label).startswith("1404")
    assert player.browser.run("return document.getElementById('when').value") == steps
    assert not player.browser.run("return document.body.classList.contains('back')")


def test_what_is_legal_is_heard_and_why_something_is_not(player: KeyboardPlayer) -> None:
    """M2.1: no unit is placed in the east; the label of a hex says that one may be placed elsewhere."""
    player.click('[data-unit="117Inf"]')
    player.walk("1503")
    heard = player.browser.run("return document.activeElement.getAttribute('aria-label')")
    assert heard.startswith("1503, ")
    assert "An order is possible here" in heard
    player.walk("1901")
    assert "An order" not in player.browser.run("return document.activeElement.getAttribute('aria-label')")
    player.browser.wait(HEARD)
    assert "19" in player.texts("#forbids")[0]
    assert player.find("#forbids").get_attribute("aria-live") == "polite"
    player.hex("1503")
    assert player.lines() == ["place 117Inf 1503"]
    assert player.texts("#due li") == ["4 units are left to place: 119Inf, 120Inf, 823TD, SPTD"]
    assert player.find("#task").get_attribute("role") == "status"
