"""Names, words and scenarios full of markup change nothing: they stand on the page as harmless text."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from pbem.games.mortain import RULES
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim, Person, Terms
from pbem.web.game_page import checker_page, game_page
from support.board_player import play_at_board, run_pbem_at_home
from support.browsers import Browser
from support.simulator import KEYS, clock, entropy

MARKUP = '</script><img src=x onerror="mine=1">'
WORDS = f"{MARKUP}<script>mine=1</script><!-- &lt; ' \" \u202egnorw\u202c \u2028 {{}} ${{mine=1}} ]]>"
NAME = "</title><svg onload=mine=1>\"'&amp;<!--"


@cache
def hostile() -> Game:
    """An offer and an accept by players who would like the page to be theirs."""
    data = RULES.scenarios.data("mortain") | {"name": "postcard", "title": MARKUP}
    data["units"]["117Inf"]["note"] = WORDS
    terms = Terms(RULES, dict(RULES.editions["it"]), "postcard", data)
    offerer, other = Person(NAME, KEYS["german"], MARKUP), Person(MARKUP, KEYS["us"])
    claim = Claim(at=clock(None).at, say=WORDS)
    game = write.offer(offerer, "german", terms, entropy("g"), claim=claim)
    return write.accept(game, other, entropy("u"), claim=claim)


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Browser:
    """The browser with the page of that game."""
    path = tmp_path / "game.html"
    path.write_bytes(game_page(hostile()))
    assert browser.open(path).proof == "holds"
    return browser


def test_nothing_of_it_is_markup_and_nothing_runs(shown: Browser) -> None:
    assert shown.run("return typeof mine") == "undefined"
    assert (
        shown.run(
            "return document"
            ".querySelectorAll('img, iframe, object, svg :is(script, image, foreignObject)').length"
        )
        == 0
    )
    own = game_page(hostile()).decode().count("<script")
    assert shown.run("return document.scripts.length") == own
    assert shown.complaints() == []


def test_it_stands_there_as_text(shown: Browser) -> None:
    """A double quote in a name becomes a single one, and what turns the line round a question mark."""
    said = shown.run("return document.querySelector('#entry-0 blockquote').textContent")
    assert said == WORDS.replace("\u202e", "?").replace("\u202c", "?").replace("\u2028", "")
    names = shown.run(
        "return [...document.querySelectorAll('#proof-found bdi')].map((one) => one.textContent)"
    )
    assert names == [f'"{name}"' for name in (NAME.replace('"', "'"), MARKUP.replace('"', "'"))]


def test_no_character_of_the_page_is_harmful_to_its_reader(shown: Browser) -> None:
    html = game_page(hostile()).decode()
    assert not {"\u202e", "\u202c", "\u2028", "\u200b", "\ufeff"} & set(html)
    text = shown.run("return document.body.innerText")
    assert not {"\u202e", "\u202c", "\u2028"} & set(text)


def test_the_checker_takes_it_as_data(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "check.html").write_bytes(checker_page())
    (tmp_path / "game.html").write_bytes(game_page(hostile()))
    browser.go((tmp_path / "check.html").as_uri())
    browser.driver.find_element("id", "files").send_keys(str(tmp_path / "game.html"))
    browser.wait(
        "const done = arguments[0], look = () =>"
        " document.querySelector('article[data-proof]') ? done() : setTimeout(look, 20); look();"
    )
    assert browser.run("return document.querySelector('article').dataset.proof") == "holds"
    assert browser.run("return typeof mine") == "undefined"
    assert browser.run("return document.querySelectorAll('img, svg').length") == 0


@pytest.mark.thorough
def test_at_the_board_it_is_text_too(browser: Browser, tmp_path: Path) -> None:
    """Of whoever offers the game: his name, and what he says."""
    german, us = tmp_path / "german", tmp_path / "us"
    for home in (german, us):
        home.mkdir()
        assert run_pbem_at_home(home, "key").returncode == 0
    made = run_pbem_at_home(
        german, "new", "mortain", "game.yaml", "--seat", "german", "--name", NAME, "--say", WORDS
    )
    assert made.returncode == 0, made.stderr
    (us / "game.yaml").write_bytes((german / "game.yaml").read_bytes())
    assert run_pbem_at_home(us, "join", "game.yaml", "--name", MARKUP).returncode == 0
    browser.set_width(1280)
    with play_at_board(browser, us) as player:
        player.hex("1901")
        assert browser.run("return typeof mine") == "undefined"
        foreign = "return document.querySelectorAll('img, iframe, object, svg :is(script, image)').length"
        assert browser.run(foreign) == 0
        assert "<svg onload=mine=1>" in browser.run("return document.body.innerText")
        assert any("<script>mine=1" in text for text in player.texts("#story li, #news li"))
