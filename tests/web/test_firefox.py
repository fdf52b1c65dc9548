"""Once more in another browser, with another implementation of Ed25519."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from web.firefox import firefox
from web.pages import NAMES, altered, page_of

VERDICT = """
new Promise((done) => {
  const root = document.documentElement;
  const look = () => root.dataset.proof !== "unchecked"
    ? done(`${root.dataset.proof} ${root.dataset.failed ?? ""}`)
    : setTimeout(look, 20);
  look();
})
"""


@pytest.mark.thorough
def test_examples_prove_themselves_and_an_altered_one_does_not(tmp_path: Path) -> None:
    with firefox(tmp_path) as browser:
        for name in NAMES if os.environ.get("PBEM_LONG") else NAMES[:1]:
            (tmp_path / "game.html").write_text(page_of(name), "utf-8")
            browser.open(tmp_path / "game.html")
            assert browser.run(VERDICT) == "holds ", name
        html = altered(page_of("mortain-es-resigns"), "log", lambda log: log[7].update(say="Coward!"))
        (tmp_path / "game.html").write_text(html, "utf-8")
        browser.open(tmp_path / "game.html")
        assert browser.run(VERDICT) == "fails 7"
