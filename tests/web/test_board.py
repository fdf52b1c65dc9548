"""The table in a real Chromium: drawers, map under mouse and finger, cards, looking back while playing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.umpire.game_state import ReplayedEntry
from support.board_player import TOLD, begin_practice_game, play_at_board
from support.browsers import Browser
from support.game_pages import game_of, page_of
from web.test_playing_by_clicks import place_all
from web.test_replay import CLICK, GO, PRESS

pytestmark = pytest.mark.thorough

VIEW = "return document.getElementById('map').getAttribute('viewBox').split(' ').map(Number)"
UNDER = "return document.elementFromPoint(arguments[0], arguments[1])?.dataset.hex"
HEX = "return document.querySelector(arguments[0]).getBoundingClientRect().height"
SHOWN = "return [...document.querySelectorAll('.drawer')].filter((one) => !one.hidden).map((one) => one.id)"
TAB = """
const [id] = arguments;
document.querySelector(`#tabs [aria-controls="${id}"]`).click();
"""
TAPS = """
const [clientX, clientY, ...tapped] = arguments;
const finger = {clientX, clientY, pointerId: 7, pointerType: "touch", bubbles: true};
for (const one of tapped)
  for (const kind of ["pointerdown", "pointerup"])
    document.querySelector(one).dispatchEvent(new PointerEvent(kind, finger));
"""
"""Quick taps at one place of the screen, on what selectors fit: the map may have moved in between."""
WHEEL = """
const [clientX, clientY, deltaY] = arguments;
const event = new WheelEvent("wheel", {clientX, clientY, deltaY, bubbles: true, cancelable: true});
document.getElementById("map").dispatchEvent(event);
"""


def opened(browser: Browser, folder: Path, name: str, entry: str = "", width: int = 1280) -> None:
    """The page of an example in a window so wide."""
    path = folder / f"{name}.html"
    path.write_text(page_of(name), "utf-8")
    browser.set_width(width)
    browser.go("about:blank")
    browser.go(path.as_uri() + entry)


def touching(browser: Browser, on: bool) -> None:
    """Whether the screen is touched."""
    wish = {"enabled": True, "maxTouchPoints": 2} if on else {"enabled": False}
    browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", wish)


def tap(browser: Browser, x: float, y: float) -> None:
    """A finger on the screen, for a moment."""
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        wish: dict[str, Any] = {"type": kind, "touchPoints": points}
        browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", wish)


def begins(chapter: ReplayedEntry) -> bool:
    """Whether a turn begins with an entry."""
    return any(tell.event == "turn_begins" for tell in chapter.events)


def test_a_finished_game_says_who_won_and_plays_from_the_start(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, "mortain-it-exits")
    top = browser.run("return document.getElementById('state').innerText")
    assert "the Germans win (M8.3: five German units have exited)" in top
    assert browser.run("return document.getElementById('when').value") == "79"
    browser.run(CLICK, "#again")
    assert browser.run("return document.getElementById('when').value") == "0"
    assert browser.run("return document.getElementById('play').ariaLabel") == "Pause"
    browser.run(CLICK, "#play")
    browser.run("document.querySelector('#speed option').value = 1; board.byId('speed').value = 1")
    browser.run(CLICK, "#play-turn")
    browser.wait(
        "const done = arguments[0], play = document.getElementById('play');"
        "(function look() { if (play.ariaLabel === 'Play') done(); else setTimeout(look, 10); })();"
    )
    turns = [n for n, one in enumerate(game_of("mortain-it-exits").replayed_entries) if begins(one)]
    assert browser.run("return Number(document.getElementById('when').value)") == turns[0]
    wide = browser.run(
        "const box = board.byId('stage').getBoundingClientRect(); return [box.width, box.height]"
    )
    assert wide[0] > 0.6 * 1280
    assert wide[1] > 0.7 * 850


def test_drawers_are_remembered(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, "mortain-it-exits")
    before = browser.run(SHOWN)
    assert "told" in before
    assert "proof" not in before
    browser.run(TAB, "proof")
    browser.run(TAB, "told")
    browser.driver.refresh()
    found = browser.run(SHOWN)
    browser.run("localStorage.clear()")
    assert set(found) == {*before, "proof"} - {"told"}
    browser.set_width(390)
    browser.run(TAB, "cards")
    browser.run(TAB, "told")
    assert browser.run("return document.getElementById('drawers').scrollTop") > 0  # at the last entry
    browser.run(TAB, "luck")
    assert browser.run(SHOWN) == ["luck"]  # one at a time
    assert browser.run("return document.getElementById('drawers').scrollTop") == 0
    browser.run("localStorage.clear(); location.hash = '#beat-3'")
    browser.wait("setTimeout(arguments[0], 50)")
    assert browser.run(SHOWN) == ["proof"]  # a link into a drawer opens it
    assert browser.run("return document.documentElement.scrollWidth") <= 390


def test_the_wheel_zooms_where_it_points(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, "rommel-axis-wins", "#57")
    before, at = browser.run(VIEW), browser.run(UNDER, 130, 190)
    for _ in range(4):
        browser.run(WHEEL, 130, 190, -100)
    assert browser.run(VIEW)[2] < 0.6 * before[2]
    assert at
    assert browser.run(UNDER, 130, 190) == at
    browser.run(CLICK, "#whole")
    assert browser.run("return getComputedStyle(document.querySelector('#map .number')).display") == "none"
    browser.run(PRESS, "f")  # back to where it happened, so large that it can be read
    assert browser.run(HEX, ".cell") >= 44
    assert browser.run("return getComputedStyle(document.querySelector('#map .number')).display") != "none"


def test_a_finger_brings_near_what_is_too_small_to_hit(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, "rommel-axis-wins", "#57", width=390)
    touching(browser, True)
    try:
        browser.run(CLICK, "#whole")
        assert browser.run(HEX, ".cell") < 44
        x, y = browser.run(
            "const box = document.querySelector('[aria-label*=\". \"]').getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]"
        )
        tap(browser, x, y)
        browser.wait("setTimeout(arguments[0], 50)")
        assert browser.run(HEX, ".cell") >= 44
        assert browser.run("return document.getElementById('opened').textContent") == ""
        browser.wait("setTimeout(arguments[0], 400)")
        before = browser.run(HEX, ".cell")
        browser.run(TAPS, 195, 250, "#map", "#map")
        twice = browser.run(HEX, ".cell")
        assert twice == pytest.approx(2 * before, rel=0.01)
        browser.run(TAPS, 195, 250, "[data-hex='3']", "[data-hex='9']")
        browser.run(TAPS, 195, 250, "[data-hex='3']", "#opened", "[data-hex='3']")
        assert browser.run(HEX, ".cell") == twice, "a unit is chosen, another one of its stack, a hex"
    finally:
        touching(browser, False)


def test_a_counter_under_the_pointer_is_large(browser: Browser, tmp_path: Path) -> None:
    from selenium.webdriver import ActionChains

    opened(browser, tmp_path, "rommel-axis-wins", "#57")
    browser.run(PRESS, "f")
    cell = browser.driver.find_element("css selector", '[aria-label*=". 88mm-1, "]')
    ActionChains(browser.driver).move_to_element(cell).pause(0.4).perform()
    told = browser.run("return document.getElementById('large').textContent")
    assert told.startswith(cell.get_attribute("aria-label")[:4])
    assert "88mm-1, German" in told
    drawn = browser.run("return document.querySelector('#large .counter').getBoundingClientRect().width")
    assert drawn > 70
    assert browser.run("return document.querySelectorAll('#story .tells').length") > 0


def test_cards_are_cards(browser: Browser, tmp_path: Path) -> None:
    """Entry 54 draws the joker, which ends the turn, and after all were shuffled the 3 of spades."""
    opened(browser, tmp_path, "mortain-it-exits", "#54")
    labels = (
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.getAttribute('aria-label'))"
    )
    assert browser.run(labels, ".drawn-now .outcome") == ["joker", "3 of spades"]
    assert browser.run(labels, ".discard .outcome") == ["3 of spades"]
    left = browser.run(labels, ".deck .outcome:not(.gone)")
    assert len(left) == 52
    assert left[:3] == ["ace of spades", "2 of spades", "4 of spades"]
    assert browser.run("return document.querySelectorAll('#traces .card').length") == 1
    browser.run(GO, 52)
    assert "joker" in browser.run(labels, ".deck .outcome:not(.gone)")
    assert browser.run("return document.querySelectorAll('.discard .outcome').length") == 53 - len(
        browser.run(labels, ".deck .outcome:not(.gone)")
    )


def test_luck_is_a_chart_to_click(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, "mortain-it-exits", "#3")
    browser.run(CLICK, '#luck-chart a[href="#54"]')
    browser.wait("setTimeout(arguments[0], 50)")
    assert browser.run("return document.getElementById('when').value") == "54"
    assert browser.run("return document.querySelector('#luck-chart .cursor').getAttribute('transform')") != ""
    assert browser.complaints() == []


def test_what_the_opponent_did_is_stepped_through_and_orders_stay(browser: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        place_all(player)
        player.click("#to-first")
        assert browser.run("return document.documentElement.className").split() == ["table", "back"]
        assert player.texts("#now")[0].startswith("Entry 0 of")
        assert browser.run("return document.querySelectorAll('#counters use').length") == 0
        player.click("#return")
        assert len(player.lines()) == 5  # half-made orders are as they were
        assert browser.run("return document.querySelectorAll('#counters use').length") == 5
        player.sign()
        traces = "return document.querySelectorAll('#traces > *').length"
        browser.wait(TOLD, len(player.game().entries))
        while not browser.run(traces):  # until the German has come
            assert player.choice("pass")
            player.sign()
            browser.wait(TOLD, len(player.game().entries))
        browser.set_width(1280, 450)  # where what has happened has no room
        browser.run("scrollTo(0, 10000)")
        assert browser.run("return document.documentElement.scrollTop") == 0
        browser.set_width(1280)
        player.click("#watch")
        player.click("#play")
        assert player.texts("#story [aria-current=step]")
        player.click("#to-last")
        player.click("#next")
        assert player.chosen()
        player.click("#back")
        assert player.texts("#now")[0].startswith("Entry ")
        assert player.find("#return").is_displayed()


def test_the_first_stop_of_the_tab_key_on_the_map_walks_over_it(browser: Browser, tmp_path: Path) -> None:
    """The arrow keys move from hex to hex; they do not step through the game."""
    from selenium.webdriver import ActionChains, Keys

    opened(browser, tmp_path, "mortain-it-exits", "#57")
    browser.set_width(1280)
    where = "return [document.activeElement.id, document.activeElement.getAttribute('aria-label')]"
    for _ in range(40):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        name, label = browser.run(where)
        if name == "map" or (label or "").startswith("1101"):
            break
    assert label.startswith("1101"), (name, label)
    ActionChains(browser.driver).send_keys(Keys.ARROW_RIGHT).perform()
    assert browser.run(where)[1].startswith("1201")
    assert browser.run("return document.getElementById('when').value") == "57"
