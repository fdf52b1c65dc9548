"""A page altered in over 200 ways: each is red at its entry, or touches what its top says is told.

And its file edited, with styles too: it is red, in words and a colour that nothing in the file can change, or
it shows its own map all the same.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from support.browsers import DONE, Browser
from support.game_pages import page_of
from support.markers import sample_rows
from support.page_alterations import ASIDE, CARDS, DICE, SIGNED, Row, edits, rows
from web.test_checker import checker_verdict as checked

pytestmark = pytest.mark.thorough  # in a browser

ALTERED = """
const [rows, done] = arguments;
const ids = ["log", "draws", "positions", "scene"];
const written = ids.map((id) => document.getElementById(id).textContent);
let untouched;

/** Set a value in data or in an element, and say how to undo it. */
function set(within, path, value) {
  const last = path.at(-1);
  const place = path.slice(0, -1).reduce((inner, key) => inner[key], within);
  const before = place[last];
  place[last] = value;
  return () => { place[last] = before; };
}

async function seen(changes) {
  const data = Object.fromEntries(ids.map((id, at) => [id, JSON.parse(written[at])]));
  const undo = [];
  for (const [where, path, value] of changes) {
    if (ids.includes(where)) set(data, [where, ...path], value);
    else {
      const element = document.querySelector(where);
      if (path[0] === "textContent") undo.push([element, [...element.childNodes]]);
      set(element, path, value);
    }
  }
  const beside = {...data.draws, positions: data.positions};
  const proving = changes.some(([where]) => ids.slice(0, 3).includes(where));
  untouched ??= await proof.check(data.log, beside);  // the first row alters nothing
  const found = mapCheck.check(proving ? await proof.check(data.log, beside) : untouched, data.scene);
  for (const [element, nodes] of undo) element.replaceChildren(...nodes);
  return [found.state, found.failed, found.problem, proofView.unproven(found, true).join(" ")];
}

(async () => {
  const answers = [];
  for (const changes of rows) answers.push(await seen(changes));
  done(answers);
})();
"""

every_row = cache(rows)


def found(browser: Browser, folder: Path, name: str, changes: list[Any]) -> list[Any]:
    """What that page would have found, altered in each of these ways."""
    path = folder / "game.html"
    path.write_text(page_of(name), "utf-8")
    browser.go(path.as_uri())
    browser.wait(DONE)
    answers: list[Any] = browser.wait(ALTERED, changes)
    return answers


def test_there_are_many() -> None:
    found = every_row()
    assert len(found) >= 200
    assert len({(row.page, row.name) for row in found}) == len(found)


@pytest.mark.parametrize("name", [CARDS, ASIDE, pytest.param(DICE, marks=pytest.mark.long)])
def test_each_is_red_or_told(browser: Browser, tmp_path: Path, name: str) -> None:
    own = [row for row in every_row() if row.page == name]
    honest, *answers = found(browser, tmp_path, name, [[], *(row.changes for row in own)])
    assert honest[:3] == ["holds", None, ""]
    wrong = [
        (row.name, row.seen, answer)
        for row, answer in zip(own, answers, strict=True)
        if not right(row, answer)
    ]
    assert wrong == []


def right(row: Row, answer: list[Any]) -> bool:
    """Whether it is red at the entry where it must be, or holds and is said to be told."""
    state, failed, _, told = answer
    if isinstance(row.seen, int):
        return (state, failed) == ("fails", row.seen)
    return state == "holds" and row.seen in told


DRAWN = """
const map = document.getElementById("map");
map.classList.remove("numberless");
const frame = document.getElementById("ground").getScreenCTM();
const seen = {opacityProperty: true, visibilityProperty: true};
const moved = (one) => {
  const there = frame.inverse().multiply(one.getScreenCTM());
  const due = (one.getAttribute("transform") ?? "").match(/-?[\\d.]+/g)?.map(Number) ?? [0, 0, 1];
  return ["e", "f", "a"].some((part, at) => Math.abs(there[part] - due[at]) > 0.01);
};
const wrong = [...map.querySelectorAll(".number, #counters, #counters use")]
  .filter((one) => moved(one) || !one.checkVisibility(seen));
return [wrong.length, getComputedStyle(document.getElementById("stage"), "::after").content];
"""
"""How many numbers and counters are moved or hidden; what a style lays over the map."""

TOP = """
const bar = document.querySelector("html > p");
if (!bar) return null;
const {x, y, width, height} = bar.getBoundingClientRect();
const {color, backgroundColor, fontSize, opacity} = getComputedStyle(bar);
const above = document.elementFromPoint(x + width / 2, y + height / 2)?.closest("p") === bar;
const wide = width >= document.documentElement.clientWidth;
return [bar.textContent, color, backgroundColor, fontSize, opacity, wide, above];
"""

EDITS = {edit.name: edit for edit in edits()}

every_edit = pytest.mark.parametrize("name", sample_rows(EDITS, 5))


@every_edit
def test_an_edited_page(browser: Browser, tmp_path: Path, name: str) -> None:
    edit = EDITS[name]
    path = tmp_path / "game.html"
    path.write_text(edit.edit(page_of(DICE)), "utf-8")
    browser.set_width(1280)
    proof, failed, words = browser.open(path)
    if edit.page is None:
        assert (proof, failed) == ("holds", None)
        assert browser.run(DRAWN) == [0, "none"]
        assert browser.run(TOP) is None
        return
    assert (proof, failed) == ("fails", str(edit.page)), words
    assert words.startswith("FAILS, step")
    assert browser.run(TOP) == [words, "rgb(168, 15, 28)", "rgb(253, 231, 231)", "16px", "1", True, True]


@every_edit
def test_the_checker_judges_an_edited_page(checking: Browser, tmp_path: Path, name: str) -> None:
    """As the page itself would."""
    edit = EDITS[name]
    path = tmp_path / "game.html"
    path.write_text(edit.edit(page_of(DICE)), "utf-8")
    proof, failed, _ = checked(checking, path)
    expected = ("holds", None) if edit.checker is None else ("fails", str(edit.checker))
    assert (proof, failed) == expected


def test_without_a_style_of_its_own(browser: Browser, tmp_path: Path) -> None:
    """One whose own style sheet is altered has none; that it fails is said in red all the same."""
    forged = EDITS["the verdict in other words and colours"]
    html = forged.edit(page_of(DICE)).replace("<style>", "<style>[popover]{display:none!important}", 1)
    path = tmp_path / "game.html"
    path.write_text(html, "utf-8")
    assert browser.open(path)[:2] == ("fails", str(SIGNED))
    words, *looks = browser.run(TOP)
    assert words.startswith("FAILS, step")
    assert looks == ["rgb(168, 15, 28)", "rgb(253, 231, 231)", "16px", "1", True, True]
