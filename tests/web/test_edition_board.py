"""The board in the browser edition: its languages, and what it can do, by the players of `pbem play`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.browsers import Browser, run_firefox
from support.edition_player import EditionPlayer, forget_all
from support.markers import Posix, requires

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]

WORDS = """
const found = [document.title];
const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
while (nodes.nextNode()) {
  const node = nodes.currentNode;
  if (node instanceof Text) {
    if (!node.parentElement.closest("script, style, pre")) found.push(node.data);
  } else for (const name of ["aria-label", "title", "placeholder", "alt"])
    found.push(node.getAttribute(name) ?? "");
}
return found.map((words) => words.trim().replace(/\\s+/g, " ")).filter((words) => /[a-z]{2}/i.test(words));
"""
"""All that a page says, shown or not: its texts, and the names of what has none."""


@pytest.fixture
def browser(browser: Browser) -> Browser:
    """The Chromium, in which nothing is stored."""
    forget_all(browser)
    browser.set_width(1280)
    return browser


def words_of(player: EditionPlayer) -> list[set[str]]:
    """What is said by the page around, the lobby, and the board of a game that has begun."""
    player.open()
    lobby: list[str] = player.browser.run(WORDS)
    player.begin_practice()
    board: list[str] = player.browser.run(WORDS)
    around: list[str] = player.around(WORDS)
    return [set(around), set(lobby), set(board)]


def only_in_english(told: list[set[str]], english: list[set[str]]) -> list[list[str]]:
    """What is said as in English, and is no name; or with a word that only English has."""
    return [
        sorted(
            one
            for one in here
            if (one in there and not NAMES.fullmatch(one)) or ENGLISH_WORDS.search(one.lower())
        )
        for here, there in zip(told, english, strict=True)
    ]


NAMES = re.compile(
    r"pbem( [\d.]+ ·)?|English|Deutsch|español|italiano|Stand at Mortain"
    r"|Abbaye Blanche|Bion|Foret de Mortain|Juvigny|Lande Pourrie|Mortain|Romagny|St-Barthelemy"
    r"|US|DF|SPTD|CC[ABR]|\d*SS(-[AB])?|\d+(Inf|StuG|TD)|Tiger102"
    r"|Scenario:|Password:"  # Italian
)
"""What is the same in every language, or in two."""

ENGLISH_WORDS = re.compile(r"\b(and|are|by|is|not|of|or|the|this|to|with|you|your)\b")


@pytest.mark.parametrize("language", ["de", "es", "it"])
def test_no_word_of_english_is_left(edition: Path, browser: Browser, tmp_path: Path, language: str) -> None:
    """Lobby, board, and the page around: each text is another than for somebody who reads English."""
    english = words_of(EditionPlayer(browser, edition))
    assert all(only_in_english(english, english)), "it would be seen"
    forget_all(browser)
    with browser.reading(f"{language}-{language.upper()}, {language}, en"):
        player = EditionPlayer(browser, edition)
        told = words_of(player)
        assert only_in_english(told, english) == [[], [], []]
        assert player.around("return document.documentElement.lang") == language
    if language == "es":
        (tmp_path / "profile").mkdir()
        with run_firefox(tmp_path / "profile", "es-ES, es, en") as firefox:
            firefox.set_width(1280)
            assert only_in_english(words_of(EditionPlayer(firefox, edition)), english) == [[], [], []]
