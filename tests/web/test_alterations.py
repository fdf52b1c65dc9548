"""A page altered in over 200 ways: each is red at its entry, or touches what its top says is told."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from web.alterations import ASIDE, CARDS, DICE, Row, rows
from web.browser import DONE, Browser
from web.pages import page_of

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
  const found = drawn.check(proving ? await proof.check(data.log, beside) : untouched, data.scene);
  for (const [element, nodes] of undo) element.replaceChildren(...nodes);
  return [found.state, found.failed, found.problem, recipes.told(found, true).join(" ")];
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
    browser.driver.get(path.as_uri())
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
