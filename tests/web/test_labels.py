"""Labels: on the whole map names lie over nothing and counters can be read, and beside it no label is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.texts import speaking
from pbem.web.game_page import game_page
from support.board_player import begin_practice_game, play_at_board
from support.browsers import Browser
from support.game_pages import game_of, page_of

pytestmark = pytest.mark.thorough

COVERED = """
const map = document.getElementById("map");
const scale = map.getScreenCTM().a;
const box = (one) => one.getBoundingClientRect();
const names = [...map.querySelectorAll(".label:not([aria-hidden])")].map((one) => {
  const size = parseFloat(getComputedStyle(one).fontSize) * scale;
  const { left, right } = box(one);
  const line = new DOMPoint(0, Number(one.getAttribute("y"))).matrixTransform(map.getScreenCTM()).y;
  return { words: one.textContent, left, right, top: line - 0.72 * size, bottom: line + 0.2 * size };
});
const counters = [...map.querySelectorAll("#counters use")].map((one) => {
  const face = getComputedStyle(one).getPropertyValue("--far-face").match(/[\\d.]+/);
  const matrix = one.getScreenCTM();
  const half = 29 * matrix.a * Number(face?.[0] ?? 1);
  const [x, y] = [matrix.e, matrix.f];
  return { words: one.dataset.counter, left: x - half, right: x + half, top: y - half, bottom: y + half };
});
const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
  && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
return names.flatMap((one, index) => [...counters, ...names.slice(index + 1)]
  .filter((other) => overlap(one, other)).map((other) => `${one.words} and ${other.words}`));
"""
"""Which names overlap a counter or another name by more than a pixel.

A counter is 58 units wide before it is made larger or smaller; capitals are 0.72 high, and tails 0.2 deep.
"""

CUT = """
const whole = ["verdict", "now"]; // sentences, which stand whole under "Claims" and in the story
const scrolls = (one) => one && one !== document.documentElement
  && (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
const clips = (one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX)
  && one.scrollWidth > one.clientWidth + 1;
const sticksOut = (one) => {
  const { left, right, width } = one.getBoundingClientRect();
  return width > 2 && (left < -1 || right > innerWidth + 1) && !scrolls(one);
};
return [...document.querySelectorAll("body *")]
  .filter((one) => one instanceof HTMLElement && one.checkVisibility() && one.textContent.trim())
  .filter((one) => !whole.includes(one.id) && (clips(one) || (!one.children.length && sticksOut(one))))
  .map((one) => one.textContent.trim());
"""
"""The texts that their box cuts off, or that stick out of the window where nothing scrolls."""

SHOTS_CUT = """
const map = document.getElementById("map").getBoundingClientRect();
const hexes = [...document.querySelectorAll("#map [data-hex]")].map((one) => Number(one.dataset.hex));
return hexes.flatMap((hex) => ["KS", "100%"].map((words) => {
  traces.show([["shot", [hexes.at(hex - 1)], hex, 0, words]]);
  const shown = [...document.querySelectorAll("#traces .thrown, #traces .reach, #traces .reached")];
  const isCut = (one) => one.getBoundingClientRect().top < map.top - 1;
  return !shown.length || shown.some(isCut) ? words + hex : "";
})).filter(Boolean);
"""
"""The hexes at which the card or the chance of a shot leaves the map."""

CHANCES = """
tableState.places.set("gun", 5);
tableState.chosen = new Set(["gun"]);
const option = ([hex, chance]) => ["fire", ["gun"], [hex], true, chance];
tableState.may = { options: [[3, "8%"], [3, "100%"], [3, "23%"], [4, "0%"]].map(option) };
return choices.currentTraces().map(([, , hex, , chance]) => [hex, chance]);
"""

NAMES = (
    'return [...document.querySelectorAll("#map .label:not([aria-hidden])")].map((one) => one.textContent)'
)


@pytest.mark.parametrize(
    ("example", "hidden"),
    [
        ("mortain-it-exits", 0),
        pytest.param("mortain-it-draw", 0, marks=pytest.mark.long),
        pytest.param("rommel-allied-wins", 7, marks=pytest.mark.long),
    ],
)
def test_names_lie_over_nothing_in_a_whole_game(
    example: str, hidden: int, browser: Browser, tmp_path: Path
) -> None:
    """Of Mortain each name is there, whole; from afar some of Rommel's wait until the map is nearer."""
    path = tmp_path / "page.html"
    path.write_text(page_of(example), "utf-8")
    browser.set_width(1280, 850)
    browser.open(path)
    browser.run("document.getElementById('whole').click()")
    every = browser.run(
        "return JSON.parse(document.getElementById('scene').textContent).hexes.map((hex) => hex[5])"
    )
    entries = browser.run("return document.querySelectorAll('#story > li').length")
    found = {}
    for entry in range(entries):
        browser.go(f"{path.as_uri()}#{entry}")
        found[entry] = browser.run(COVERED)
        names = browser.run(NAMES)
        assert len([name for name in every if name]) - len(names) <= hidden
    assert {entry: names for entry, names in found.items() if names} == {}


def test_counters_of_rommel_can_be_read_on_the_whole_map(browser: Browser, tmp_path: Path) -> None:
    """A counter alone in its hex is 28 pixels wide or more, its factors as large as small print."""
    begin_practice_game(tmp_path, "rommel", "--seat", "allied")
    browser.set_width(1280, 850)
    with play_at_board(browser, tmp_path) as player:
        player.choice("setup historical")
        browser.run("document.getElementById('whole').click()")
        assert browser.run(COVERED) == []
        widths = browser.run(
            "return [...document.querySelectorAll('#counters .alone')]"
            ".map((one) => one.getBoundingClientRect().width)"
        )
        assert len(widths) > 30
        assert min(widths) >= 28


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("width", "height"), [(1280, 850), (390, 844)])
@pytest.mark.parametrize(
    "language", ["de", "es", *(pytest.param(name, marks=pytest.mark.long) for name in ("it", "en"))]
)
@pytest.mark.parametrize(
    "example",
    ["mortain-it-exits", "rommel-goes-on", pytest.param("tabletop-hands-opened", marks=pytest.mark.long)],
)
def test_no_label_beside_the_map_is_cut(
    example: str, language: str, width: int, height: int, browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    with speaking(language):
        path.write_bytes(game_page(game_of(example)))
    browser.set_width(width, height)
    browser.open(path)
    cut = {"": browser.run(CUT)}
    for tab in browser.run("return [...document.querySelectorAll('#tabs button')]"):
        browser.run("arguments[0].click()", tab)
        cut[tab.text] = browser.run(CUT)
    assert len(cut) > 2
    assert {tab: texts for tab, texts in cut.items() if texts} == {}


def test_no_card_or_chance_of_a_shot_is_cut(browser: Browser, tmp_path: Path) -> None:
    """Whatever hex is shot at, the uppermost ones too."""
    path = tmp_path / "page.html"
    path.write_text(page_of("mortain-it-exits"), "utf-8")
    browser.set_width(1280)
    browser.go(path.as_uri())
    assert browser.run(SHOTS_CUT) == []


def test_of_several_targets_in_a_hex_the_best_chance_is_shown(browser: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path):
        assert sorted(browser.run(CHANCES)) == [[3, "100%"], [4, "0%"]]
