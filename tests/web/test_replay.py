"""The replay in a real Chromium: each entry shows its position; hand, keys and address steer it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.core.run import public
from pbem.web.game_page import game_page
from support import commanders_game
from support.browsers import Browser
from support.game_pages import alter_data, game_of, page_of

pytestmark = pytest.mark.thorough

SEEN = """
const cells = [...document.querySelectorAll("#cells use")].map((cell) => cell.getAttribute("aria-label"));
return {
  entry: Number(document.getElementById("when").value),
  current: [...document.querySelectorAll("#story [aria-current]")].map((item) => item.id),
  cells: cells,
  counters: document.querySelectorAll("#counters use").length,
  traces: [...document.querySelectorAll("#traces > *")]
    .map((trace) => trace.getAttribute("class").replace(/ seat-[01]/, "")),
  now: document.getElementById("now").textContent,
  off: document.getElementById("off").textContent,
};
"""
GO = """
const when = document.getElementById("when");
when.value = arguments[0];
when.dispatchEvent(new Event("input"));
"""
PRESS = """
const to = document.activeElement ?? document.body;
to.dispatchEvent(new KeyboardEvent("keydown", {key: arguments[0], bubbles: true, cancelable: true}));
"""
TOUCH = """
const map = document.getElementById("map");
map.setPointerCapture = () => {};  // no finger is there to be captured
for (const [kind, pointerId, clientX] of arguments[0]) {
  map.dispatchEvent(new PointerEvent("pointer" + kind, {pointerId, clientX, clientY: 300, bubbles: true}));
}
"""
CLICK = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}));"


def opened(browser: Browser, folder: Path, html: str, entry: str = "") -> None:
    """Open a page in a file of its own, at an entry."""
    path = folder / "page.html"
    path.write_text(html, "utf-8")
    browser.set_width(1280)
    browser.go("about:blank")
    browser.go(path.as_uri() + entry)


def seen(browser: Browser) -> dict[str, Any]:
    found: dict[str, Any] = browser.run(SEEN)
    return found


TITLES = {"unplaced": "Not yet placed", "waiting": "Waiting", "exited": "Exited", "eliminated": "Eliminated"}
"""Of the boxes: where a unit may be that is in no hex."""


@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("mortain-it-draw", 4),
        pytest.param("mortain-it-draw", 1, marks=pytest.mark.long),
        ("rommel-goes-on", 24),
    ],
)
def test_each_entry_shows_its_position(name: str, every: int, browser: Browser, tmp_path: Path) -> None:
    game = game_of(name)
    opened(browser, tmp_path, page_of(name))
    for number, chapter in enumerate(game.replayed_entries):
        if number % every == 0:
            browser.run(GO, number)
            there = seen(browser)
            assert there["entry"] == number
            assert there["current"] == [f"entry-{number}"]
            assert chapter.rest
            legend = game.rules.view.legend(chapter.rest[0])
            for cell, words in zip(legend.cells, there["cells"], strict=True):
                assert words.startswith(cell.number)
                assert legend.terrain[cell.terrain][1] in words
                assert all(f". {piece.name}, " in words for piece in cell.pieces)
                assert words.count(". ") >= len(cell.pieces)
            units = public(game.rules, *chapter.rest)["units"]
            assert all(TITLES.get(unit["at"], "") in there["off"] for unit in units.values())
    assert browser.complaints() == []


def test_the_address_opens_an_entry(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("mortain-it-exits"), "#57")
    there = seen(browser)
    assert there["entry"] == 57
    assert there["now"].startswith("Entry 57 of 79. German: exit Tiger102; fire 37SS at 823TD")
    assert there["traces"].count("shot") == 1
    browser.wait("addEventListener('hashchange', () => arguments[0]()); location.hash = '#13';")
    assert seen(browser)["entry"] == 13


def test_the_end_is_shown_first(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("mortain-it-exits"))
    assert seen(browser)["entry"] == 79


def test_keys(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("mortain-it-exits"), "#57")
    for key, entry in (
        ("ArrowRight", 58),
        ("ArrowLeft", 57),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowDown", 79),
        ("ArrowUp", 0),
        ("End", 79),
    ):
        browser.run(PRESS, key)
        assert seen(browser)["entry"] == entry
    browser.run(PRESS, " ")  # at the end, playing begins with the first entry
    assert seen(browser)["entry"] == 0
    assert browser.run("return document.getElementById('play').ariaLabel") == "Pause"
    browser.run(PRESS, " ")
    assert browser.run("return document.getElementById('play').ariaLabel") == "Play"


@pytest.mark.parametrize(
    ("pace", "events"),
    [("turn", {"turn_begins"}), pytest.param("combat", {"attack", "attack_card"}, marks=pytest.mark.long)],
)
def test_steps_by_turn_and_by_combat(pace: str, events: set[str], browser: Browser, tmp_path: Path) -> None:
    game = game_of("mortain-it-draw")
    last = len(game.entries) - 1
    stops = [
        n
        for n, chapter in enumerate(game.replayed_entries)
        if any(tell.event in events for tell in chapter.events)
    ]
    opened(browser, tmp_path, page_of("mortain-it-draw"), "#0")
    browser.run("document.getElementById('pace').value = arguments[0]", pace)
    found: list[int] = []
    while not found or found[-1] != last:
        browser.run(CLICK, "#on")
        found.append(seen(browser)["entry"])
    assert found == sorted({*stops, last} - {0})


def test_a_line_of_the_story_shows_what_it_tells_and_lights_its_hexes(
    browser: Browser, tmp_path: Path
) -> None:
    opened(browser, tmp_path, page_of("mortain-it-exits"), "#3")
    browser.run(CLICK, "#entry-57 .told:nth-of-type(3)")
    there = seen(browser)
    assert there["entry"] == 57
    assert "shot" in there["traces"]
    assert "way" not in there["traces"]
    lit = browser.run(
        "return [...document.querySelectorAll('.lit')].map((cell) => cell.getAttribute('aria-label'))"
    )
    assert [words[:4] for words in lit] == ["1204"]


def test_the_map_is_walked_and_opened_with_keys(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("mortain-it-exits"), "#57")
    browser.run("document.querySelector('#cells [tabindex=\"0\"]').focus()")
    focused = "return document.activeElement.getAttribute('aria-label')"
    assert browser.run(focused).startswith("1101, Juvigny")
    for key in (
        "ArrowRight",
        "ArrowRight",
        "ArrowDown",
        "ArrowDown",
        "ArrowLeft",
        "ArrowUp",
        "ArrowRight",
        "ArrowDown",
    ):
        browser.run(PRESS, key)
    assert browser.run(focused) == "1303, woods, +1, blocks sight. 37SS, German infantry, 2-3"
    assert seen(browser)["entry"] == 57  # the arrows walk, and do not step
    browser.run(PRESS, "Enter")
    lines = browser.run(
        "return [...document.querySelectorAll('#opened p')].map((line) => line.innerText.trim())"
    )
    assert lines == ["1303, woods, +1, blocks sight", "37SS, German infantry, 2-3"]
    assert browser.run("return document.querySelectorAll('#cells [tabindex=\"0\"]').length") == 1


def test_fingers_move_the_map_and_bring_it_nearer(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("rommel-axis-wins"))
    box = "return document.getElementById('map').getAttribute('viewBox').split(' ').map(Number)"
    opens = browser.run(box)
    browser.run(CLICK, "#whole")
    whole = browser.run(box)
    assert opens[2] < whole[2]  # where something has happened, so near that it can be read
    browser.run(CLICK, "#closer")
    nearer = browser.run(box)
    assert nearer[2] < whole[2]
    browser.run(TOUCH, [["down", 1, 300], ["move", 1, 200], ["up", 1, 200]])
    moved = browser.run(box)
    assert moved[0] > nearer[0]
    assert moved[2] == nearer[2]
    browser.run(TOUCH, [["down", 1, 300], ["down", 2, 340], ["move", 2, 420], ["up", 1, 300], ["up", 2, 420]])
    assert browser.run(box)[2] == pytest.approx(moved[2] / 3, rel=0.01)  # from 40 pixels apart to 120
    browser.run(CLICK, "#whole")
    assert browser.run(box) == whole


def test_a_telephone_scrolls_one_way_only(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, page_of("rommel-axis-wins"), "#57")
    for width in (390, 360):
        browser.set_width(width)
        assert browser.run("return document.documentElement.scrollWidth") <= width


def test_words_full_of_markup_are_words(browser: Browser, tmp_path: Path) -> None:
    """As if a scenario could name its units and hexes so: whatever the data say, it is text."""
    evil = "</script><img src=x onerror=alert(1)><script>alert(2)</script>\"'>{{7*7}}"

    def spoil(data: Any) -> None:
        data["faces"] = [evil] * len(data["faces"])
        data["terrain"] = [evil] * len(data["terrain"])
        for hex_ in data["hexes"]:
            hex_[5] = evil
        for frame in data["frames"]:
            for name in ("owed", "figures", "off"):
                if name in frame:
                    frame[name] = json.loads(json.dumps(frame[name]).replace("Turn", json.dumps(evil)[1:-1]))

    opened(browser, tmp_path, alter_data(page_of("mortain-it-exits"), "scene", spoil), "#57")
    browser.run(CLICK, "#cells use:nth-child(13)")
    assert evil in browser.run("return document.getElementById('opened').textContent")
    assert browser.run("return document.querySelectorAll('img').length") == 0
    assert browser.complaints() == []


IN_1204 = """
const labels = [...document.querySelectorAll(".cell")].map((cell) => cell.getAttribute("aria-label"));
return labels.find((label) => label.startsWith("1204"));
"""

OPTIONS = "return [...document.getElementById('first').options].map((one) => one.textContent)"


def test_a_commanders_counters_come_first(browser: Browser, tmp_path: Path) -> None:
    """FORMAT 11: whose, the reader chooses; the page is the same for all. 1204 holds two nations."""
    opened(browser, tmp_path, game_page(commanders_game.game_with_parts()).decode())
    assert browser.run(OPTIONS) == ["anybody", '"Graziani" (italian)', '"Freyberg" (commonwealth)']
    lies = browser.run(IN_1204)
    browser.run("const first = document.getElementById('first'); first.value = '0'; first.onchange();")
    his = browser.run(IN_1204)
    assert lies.index("Bf109") < lies.index("MC202")
    assert his.index("MC202") < his.index("Bf109")
    assert sorted(his.split(". ")) == sorted(lies.split(". "))
    assert browser.complaints() == []
