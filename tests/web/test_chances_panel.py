"""The chart of the chances in a real Chromium: each point leads to its entry, and the policy holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from pbem.analysis.playouts import main_line
from pbem.analysis.turning_points import PlayoutPair, PlayoutTask, make_report
from pbem.web.chances_panel import chances_panel
from pbem.web.game_page import game_page
from support.browsers import Browser
from support.game_pages import game_of

pytestmark = pytest.mark.thorough

CLICK = """
const point = document.querySelector(`#chart a[href="#${arguments[0]}"]`);
point.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
"""
SEEN = "return [document.getElementById('when').value, document.getElementById('now').textContent];"
DRAWN = "return document.querySelectorAll('#chart circle').length;"


def even_chances(tasks: Sequence[PlayoutTask]) -> Iterable[list[PlayoutPair]]:
    """Playouts of which each other is won: which they are, the chart does not care."""
    return [[PlayoutPair(n % 2, n % 2, True) for n in range(task.number)] for task in tasks]


def test_a_point_leads_to_its_entry(browser: Browser, tmp_path: Path) -> None:
    game = game_of("mortain-it-exits")
    report = make_report(game.rules, main_line(game), 100, even_chances, lambda made, wanted: None)
    path = tmp_path / "page.html"
    path.write_bytes(game_page(game, chances_panel(game, report)))
    browser.set_width(1280)
    assert browser.open(path).proof == "holds"
    assert browser.run(DRAWN) >= 52
    for entry in (37, 2):
        browser.run(CLICK, entry)
        browser.wait("const done = arguments[0]; setTimeout(done, 50);")
        shown, told = browser.run(SEEN)
        assert shown == str(entry)
        assert told.startswith(f"Entry {entry} of 79.")
    assert browser.complaints() == []
