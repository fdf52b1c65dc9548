"""The board in the browser edition: its languages, and what it can do, by the players of `pbem play`."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from support.board_player import begin_practice_game, orders_by_click, run_pbem_at_home, wait_for_page
from support.browsers import Browser, run_firefox
from support.edition_player import EditionPlayer, InEdition, forget_all
from support.markers import Posix, requires
from web.test_accessibility import liking, serious_faults
from web.test_card_table import FALLEN, FILE, TablePlayer, begin_at_table, carry, play_a_turn
from web.test_keyboard import KeyboardPlayer
from web.test_turn_animation import PLACES, STILL, places_now, play_on

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
    r"|Abbaye Blanche|Bion|For[eê]t de Mortain|Juvigny|Lande Pourrie|Mortain|Romagny|St-Barth[eé]lemy"
    r"|US|DF|SPTD|CC[ABR]|\d*SS(-[AB])?|\d+(Inf|StuG|TD)|Tiger102"
    r"|Scenario:|Password:"  # Italian
)
"""What is the same in every language, or in two."""

ENGLISH_WORDS = re.compile(r"\b(and|are|by|is|not|of|or|the|this|to|with|you|your)\b")


def test_no_word_of_english_is_left(edition: Path, browser: Browser, tmp_path: Path) -> None:
    """Lobby, board, and the page around: each text is another than for somebody who reads English."""
    english = words_of(EditionPlayer(browser, edition))
    assert all(only_in_english(english, english)), "it would be seen"
    for language in ("de", "es", "it"):
        forget_all(browser)
        with browser.reading(f"{language}-{language.upper()}, {language}, en"):
            player = EditionPlayer(browser, edition)
            assert only_in_english(words_of(player), english) == [[], [], []], language
            assert player.around("return document.documentElement.lang") == language
    (tmp_path / "profile").mkdir()
    with run_firefox(tmp_path / "profile", "es-ES, es, en") as firefox:
        firefox.set_width(1280)
        assert only_in_english(words_of(EditionPlayer(firefox, edition)), english) == [[], [], []]


class TableInEdition(InEdition, TablePlayer):
    """Who plays at a table without a map in the edition."""


class KeyboardInEdition(InEdition, KeyboardPlayer):
    """Who plays at a board of the edition with keys alone."""


def test_the_table_a_turn_each(edition: Path, browser: Browser, tmp_path: Path) -> None:
    """Cards of a hidden hand, dice, a track: Anna in the edition, Bruno with the installed program."""
    anna, bruno = begin_at_table(tmp_path, "cards")
    assert run_pbem_at_home(anna, "move", FILE, "draw 3 from red; end").returncode == 0
    carry(anna, bruno)
    played = run_pbem_at_home(bruno, "move", FILE, 'draw 2 from blue; roll 2d6 "ambush"; end')
    assert played.returncode == 0, played.stderr
    carry(bruno, anna)
    edition_player = EditionPlayer(browser, edition)
    edition_player.bring_home(anna)
    player = TableInEdition(browser, anna)
    player.wait()
    browser.wait(FALLEN)
    assert player.texts("#fallen tr")[0].startswith("ambush")
    hand = player.hand()
    assert len(hand) == 3
    play_a_turn(player, "cards")
    assert player.texts(".open-card") == hand[:1]
    entries = len(player.game().entries)
    (bruno / FILE).write_bytes(player.stored())
    assert run_pbem_at_home(bruno, "show", FILE).returncode == 0
    answered = run_pbem_at_home(bruno, "move", FILE, 'roll d6 "morale"; end')
    assert answered.returncode == 0, answered.stderr
    edition_player.click("#home", page="#games li")
    verdict = edition_player.choose_file(bruno / FILE)
    assert verdict == "Everything passes: all ten checks."
    edition_player.click("#take button", page="#prompt")
    browser.wait(FALLEN)
    assert any(one.startswith("morale") for one in player.texts("#fallen tr"))
    assert len(player.game().entries) > entries
    assert set(hand[1:]) <= set(player.hand())


def test_the_turn_of_the_computer_plays_itself(edition: Path, browser: Browser, tmp_path: Path) -> None:
    """Once, and the game lies there as it is; what is to be done stands beside the orders."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    EditionPlayer(browser, edition).bring_home(tmp_path)
    player = InEdition(browser, tmp_path)
    assert player.texts("#due li") == ["5 units are left to place: 117Inf, 119Inf, 120Inf, 823TD, SPTD"]
    play_on(player)
    browser.wait(STILL)
    assert browser.run("return played") >= 1
    assert browser.run(PLACES) == places_now(player)
    assert "faded" in browser.run("return document.getElementById('traces').className.baseVal")
    assert browser.run("return document.getElementById('tones').hidden"), "no move comes in by itself"


def test_a_set_up_and_a_turn_by_keyboard(edition: Path, browser: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    EditionPlayer(browser, edition).bring_home(tmp_path)
    player = KeyboardInEdition(browser, tmp_path)
    chooser = random.Random(3)
    player.count_presses()
    for _ in range(2):
        game = player.game()
        player.give(orders_by_click(player, chooser))
        wait_for_page(game, player)
    assert player.presses() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(edition: Path, browser: Browser, tmp_path: Path, scheme: str) -> None:
    """In the lobby as it opens, in the lobby, at the board, and in the page around them."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    with liking(browser, scheme):
        player = EditionPlayer(browser, edition)
        player.bring_home(tmp_path)
        assert serious_faults(browser) == []
        player.click("#home", page="#games li")
        assert serious_faults(browser) == []
        browser.leave_frame()
        assert serious_faults(browser) == []


def test_drawers_stay_as_they_were(edition: Path, browser: Browser) -> None:
    """At another page, and when the browser comes back."""
    player = EditionPlayer(browser, edition)
    player.open()
    player.begin_practice()
    tabs = "return [...document.querySelectorAll('#tabs [aria-expanded]')].map((tab) => tab.ariaExpanded)"
    before = browser.run(tabs)
    player.click("#tabs button")
    after = browser.run(tabs)
    assert after != before
    player.click("#home", page="#games li")
    player.click("#games a.first", page="#prompt")
    assert browser.run(tabs) == after
    player.open()
    player.click("#games a.first", page="#prompt")
    assert browser.run(tabs) == after
