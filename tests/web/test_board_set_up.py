"""Rommel y Montgomery is set up in minutes: a set-up chosen by its picture, then changed by dragging."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.board_player import begin_practice_game, play_at_board
from support.browsers import Browser

pytestmark = pytest.mark.thorough

PRESSES = 8
"""The picture, six drags, and the signature."""


@pytest.fixture
def home(browser: Browser, tmp_path: Path) -> Path:
    """The Axis player, asked for his first set-up."""
    begin_practice_game(tmp_path, "rommel", "--seat", "axis", "--option", "set_up_in_mines=infantry")
    browser.set_width(1280)
    return tmp_path


def test_a_set_up_is_chosen_by_its_picture_and_six_units_are_moved(browser: Browser, home: Path) -> None:
    with play_at_board(browser, home) as player:
        player.count_presses()
        counters = "return document.querySelectorAll('[data-order=\\'setup historical\\'] svg use').length"
        assert browser.run(counters) > 20
        player.click("[data-order='setup historical']")
        units = ["125Inf", "382Inf", "61-Tre", "433Inf", "39-Bol", "Ramcke-A"]
        to = ["1605", "1606", "1607", "1608", "1609", "1610"]
        for unit, at in zip(units, to, strict=True):
            player.drag(player.where(unit), at)
        assert [player.where(unit) for unit in units] == to
        words = player.sign()
        assert {f"place {unit} {at}" for unit, at in zip(units, to, strict=True)} <= set(words)
        assert player.presses() == PRESSES
        assert player.table().pending_question


def test_a_nationality_is_placed_and_moved_at_once(browser: Browser, home: Path) -> None:
    """Its counters go to where there is room; those on the map keep their places to one another."""
    with play_at_board(browser, home) as player:
        (german,) = (text for text in player.texts("#hand > button") if text.startswith("German, "))
        assert german.endswith("to place")
        player.click("#hand > button")
        lit = browser.run("return document.querySelectorAll('.cell.lit').length")
        assert lit > 50
        player.hex("1507")
        assert player.where("125Inf") == "1507"
        assert len(player.lines()) == 20
        player.click("#clear")
        player.press_escape()
        player.click("[data-order='setup historical']")
        player.click("#hand > button")
        assert browser.run("return document.querySelectorAll('.cell.chosen').length") == 7
        before = {unit: player.where(unit) for unit in ("125Inf", "382Inf")}
        player.drag(before["125Inf"], "1607")
        assert [player.where(unit) for unit in ("125Inf", "382Inf")] == ["1607", "1608"]
        assert before == {"125Inf": "1704", "382Inf": "1705"}


def test_a_place_says_what_it_forbids_before_the_click(browser: Browser, home: Path) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.support.wait import WebDriverWait

    with play_at_board(browser, home) as player:
        player.click("[data-unit='PzIII-1']")
        ActionChains(browser.driver).move_to_element(player.cell("1808")).perform()
        WebDriverWait(browser.driver, 20).until(lambda _: "mines" in player.texts("#forbids")[0])
        assert player.texts("#forbids")[0].startswith("R2.4")
        player.hex("1808")
        assert "R2.4" in player.texts("#refused")[0]
        assert not player.find("#ruling").is_displayed()
        player.click("#refused .rule")
        assert player.find("#ruling").is_displayed()
        assert "mine" in player.texts("#ruling p")[0]
        assert player.lines() == []


LIT = "return document.querySelector('.cell.lit')?.getAttribute('aria-label') ?? ''"


def test_an_opening_with_all_units_off_the_map_leads_to_them(browser: Browser, tmp_path: Path) -> None:
    """The Germans enter from the east: their counters are lit beside the map, and "Next" chooses one."""
    begin_practice_game(tmp_path, "mortain", "--seat", "german")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        assert browser.run("return document.querySelectorAll('#hand .piece:not(.idle)').length") > 1
        player.click("#next")
        (unit,) = player.chosen()
        player.hex(browser.run(LIT)[:4])
        assert [words.split()[:2] for words in player.lines()] == [["enter", unit]]


def test_what_is_beside_the_map_scrolls_with_the_orders(browser: Browser, tmp_path: Path) -> None:
    """No list has a scrollbar within another's, and nothing shows through below the buttons."""
    begin_practice_game(tmp_path, "rommel", "--seat", "axis")
    browser.set_width(1280, 800)
    with play_at_board(browser, tmp_path):
        scrolled = """
          const scrolls = (one) => one.scrollHeight > one.clientHeight + 1
            && ["auto", "scroll"].includes(getComputedStyle(one).overflowY);
          const [orders, buttons] = ["orders", "buttons"].map((id) => document.getElementById(id));
          const gap = orders.getBoundingClientRect().bottom - buttons.getBoundingClientRect().bottom;
          return [scrolls(orders), [...orders.querySelectorAll("*")].some(scrolls), gap];
        """
        whole, inner, gap = browser.run(scrolled)
        assert (whole, inner) == (True, False)
        assert abs(gap) <= 2
