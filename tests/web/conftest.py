from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.web.game_page import checker_page
from support.browsers import Browser, run_chromium


@pytest.fixture(scope="session")
def open_browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    yield from run_chromium()


@pytest.fixture
def browser(open_browser: Browser) -> Browser:
    """The Chromium, which has nothing to complain of yet, whatever the test before has altered."""
    open_browser.complaints()
    return open_browser


@pytest.fixture
def checking(browser: Browser, tmp_path: Path) -> Browser:
    """The browser with the checker open in it."""
    path = tmp_path / "check.html"
    path.write_bytes(checker_page())
    browser.set_width(1280)
    browser.go(path.as_uri())
    return browser


@pytest.fixture
def edition() -> Path:
    """What `.ci/browser` has made and checked under node."""
    file = Path(__file__).parents[2] / "dist" / "browser" / "pbem.html"
    assert file.exists(), "make it first: .ci/browser"
    return file
