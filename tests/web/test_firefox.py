"""Once more in another browser, with another implementation of Ed25519."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pbem.desk import Desk
from web.firefox import firefox
from web.pages import NAMES, altered, page_of
from web.playing import begun, served

VERDICT = """
new Promise((done) => {
  const root = document.documentElement;
  const look = () => root.dataset.proof !== "unchecked"
    ? done(`${root.dataset.proof} ${root.dataset.failed ?? ""}`)
    : setTimeout(look, 20);
  look();
})
"""

TABLE = """
(() => {
  const map = document.getElementById("map");
  const cell = document.querySelectorAll(".cell")[12];
  const box = cell.getBoundingClientRect();
  const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
  for (let times = 0; times < 3; times += 1)
    map.dispatchEvent(new WheelEvent("wheel", {clientX, clientY, deltaY: -100, cancelable: true}));
  const under = document.elementFromPoint(clientX, clientY)?.dataset.hex;
  const nearer = cell.getBoundingClientRect().width / box.width;
  cell.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const opened = document.getElementById("opened").textContent;
  for (const key of ["ArrowUp", "ArrowRight"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  return JSON.stringify({
    table: document.documentElement.classList.contains("table"),
    hex: cell.dataset.hex,
    under,
    nearer,
    label: cell.getAttribute("aria-label"),
    opened,
    entry: document.getElementById("when").value,
    cards: document.querySelectorAll(".deck .outcome").length,
  });
})()
"""


@pytest.mark.thorough
def test_examples_prove_themselves_and_an_altered_one_does_not(tmp_path: Path) -> None:
    with firefox(tmp_path) as browser:
        for name in NAMES if os.environ.get("PBEM_LONG") else NAMES[:1]:
            (tmp_path / "game.html").write_text(page_of(name), "utf-8")
            browser.open(tmp_path / "game.html")
            assert browser.run(VERDICT) == "holds ", name
        found = json.loads(browser.run(TABLE))
        assert found["table"]
        assert found["hex"] == found["under"], "the wheel zooms where it points"
        assert found["nearer"] > 1.5
        assert found["cards"] == 53
        assert found["opened"].startswith(found["label"][:4])
        assert found["entry"] == "1"
        html = altered(page_of("mortain-es-resigns"), "log", lambda log: log[7].update(say="Coward!"))
        (tmp_path / "game.html").write_text(html, "utf-8")
        browser.open(tmp_path / "game.html")
        assert browser.run(VERDICT) == "fails 7"


ORDERED = """
new Promise((done) => {
  const listed = () => [...document.querySelectorAll("#list li")].map((each) => each.firstChild.data);
  const look = () => document.querySelector("#prompt")?.textContent && !document.body.matches("[aria-busy]")
    ? done(listed().join("; "))
    : setTimeout(look, 20);
  look();
})
"""
"""The orders so far, once the program has answered."""

HEX = """
String(JSON.parse(document.getElementById("scene").textContent).hexes.findIndex(([one]) => one === "NUMBER"))
"""


@pytest.mark.thorough
def test_a_set_up_is_ordered_with_the_mouse_and_signed(tmp_path: Path) -> None:
    """By clicks; one unit is dragged to another hex, and a hex that is forbidden says why."""
    begun(tmp_path, "mortain", "--seat", "us")
    (tmp_path / "profile").mkdir()
    with served(tmp_path) as (address, _), firefox(tmp_path / "profile") as browser:

        def hex_of(number: str) -> str:
            return f'[data-hex="{browser.run(HEX.replace("NUMBER", number))}"]'

        browser.go(address)
        browser.run(ORDERED)
        browser.press('[data-unit="117Inf"]')
        browser.run(ORDERED)
        browser.press(hex_of("1901"))
        browser.run(ORDERED)
        assert "M2.1" in browser.run("document.getElementById('refused').textContent")
        for at in ("1301", "1303", "1302", "1304", "1305"):  # one unit after the other
            browser.press(hex_of(at))
            browser.run(ORDERED)
        words = browser.run(ORDERED)
        assert words.split("; ") == [
            "place 117Inf 1301",
            "place 119Inf 1303",
            "place 120Inf 1302",
            "place 823TD 1304",
            "place SPTD 1305",
        ]
        browser.press(hex_of("1305"), hex_of("1404"))
        assert browser.run(ORDERED) == words.replace("1305", "1404")
        browser.press("#finish")
        assert browser.run(ORDERED) == ""
    desk = Desk(tmp_path / "home")
    (kept,) = desk.shelf.games()
    assert len(desk.open(kept.data).entries) > 3
