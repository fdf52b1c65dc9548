"""Letters as a telephone shows them: 390 pixels wide, by day and by night, in a real browser."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.correspondence.letter import letter_paragraphs
from pbem.correspondence.letter_layout import as_html, picture_of
from pbem.correspondence.question_letters import question_letter
from pbem.correspondence.question_record import PendingLetter
from pbem.mail.outgoing import content_id
from pbem.mail.settings import MailSettings
from support.browsers import Browser, run_chromium
from support.status_cases import SITUATIONS, TODAY, StatusCase
from support.status_surfaces import SituatedHome

pytestmark = pytest.mark.thorough

SCREEN = 664
"""Pixels of a letter that a telephone shows at first: 844, less the bars of a mail program."""

AS_WIDE = '<head><meta name="viewport" content="width=device-width"/></head>'
"""So a mail program shows a letter: as wide as its own window."""

MEASURE = """
const ends = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const at = texts.currentNode.data.indexOf(arguments[0]);
  const range = document.createRange();
  range.selectNodeContents(texts.currentNode);
  if (at >= 0) ends.push(range.getBoundingClientRect().bottom);
}
const style = getComputedStyle(document.body);
const pictures = [...document.images].map((one) => one.getBoundingClientRect().right);
return {ends, wide: document.documentElement.scrollWidth, pictures, colour: style.color};
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from run_chromium()


def opened(browser: Browser, page: str, image: bytes, scheme: str, folder: Path) -> None:
    data = "data:image/png;base64," + base64.b64encode(image).decode()
    file = folder / "letter.html"
    page = page.replace("<body>", f"{AS_WIDE}<body>")
    file.write_text(page.replace(f"cid:{content_id(image)}", data) if image else page, "utf-8")
    browser.set_width(390)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.go(file.as_uri())


def is_shown_at_once(browser: Browser, words: str, scheme: str) -> None:
    found = browser.run(MEASURE, words)
    assert found["ends"], words
    assert min(found["ends"]) <= SCREEN
    assert found["wide"] <= 390
    assert all(right <= 390 for right in found["pictures"])
    assert (found["colour"] == "rgb(255, 255, 255)") == (scheme == "dark")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a decision", "pbem mail send"),
        ("a proposal", "pbem mail send"),
        ("words with a share", "pbem mail send"),
        ("a missing commander", "pbem show"),
    ],
)
def test_how_to_answer_the_opponent(
    name: str, words: str, scheme: str, browser: Browser, tmp_path: Path
) -> None:
    told = letter_paragraphs(SITUATIONS[name]().game)
    opened(browser, as_html(told), picture_of(told), scheme, tmp_path)
    is_shown_at_once(browser, words, scheme)


def asking(found: StatusCase, folder: Path) -> tuple[str, bytes]:
    home = SituatedHome(folder, found)
    draft = question_letter(
        home.local_player, MailSettings(address="gerda@example.org"), found.game, PendingLetter(), TODAY
    )
    assert draft.date == datetime(2026, 10, 1, 12, tzinfo=UTC)
    return draft.html, draft.picture


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["a decision", "a proposal", "words with a share", "a missing commander"])
def test_how_to_answer_ones_own_computer(
    name: str, scheme: str, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(TODAY.timestamp())))
    opened(browser, *asking(SITUATIONS[name](), tmp_path), scheme, tmp_path)
    is_shown_at_once(browser, "Reply with", scheme)
