"""A scenario of one's own, made in the lobby as a new user would, in Chromium."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from support.browsers import Browser
from support.lobby_player import LobbyPlayer, visit

pytestmark = pytest.mark.thorough

MOST_CLICKS = 9

CHITS = """\
2 Southwestern Front
2 Voronezh Front
2 Southern Front
XXIV Panzer
XXXXVIII Panzer
II SS Panzer
Manstein
Stavka
"""


def field(name: str) -> str:
    return f'#scenario-fields [data-field="{name}"]'


def make_a_scenario(player: LobbyPlayer, pace: float = 0) -> None:
    """A chit-pull game, from the lobby to what can be offered; `pace` is how long each step takes."""

    def click(css: str) -> None:
        time.sleep(pace)
        player.click(css)

    def fill(css: str, words: str, pasted: bool = False) -> None:
        time.sleep(pace if pasted else pace * len(words) / 8)
        player.fill(css, words)

    click("#begin-offer")
    fill("#begin-name", "Anna")
    fill("#begin-game", "tabletop")
    fill("#begin-scenario", "chits")
    click("#begin-own")
    fill(field("title"), "A Victory Lost")
    fill(field("side1"), "Soviets")
    fill(field("side2"), "Germans")
    fill(field("tracks"), "turn 1\nVP 0")
    fill(field("deck1.cards"), CHITS, pasted=True)
    click("#scenario-made .first")


def test_a_scenario_for_a_real_game(browser: Browser, tmp_path: Path) -> None:
    """Title, sides, tracks, the chits pasted one a line; then the offer, with the sides by their names."""
    browser.set_width(1280)
    with visit(browser, tmp_path) as player:
        make_a_scenario(player)
        assert not browser.run("return document.getElementById('scenario-form').open")
        assert browser.run("return document.getElementById('begin-scenario').value") == "a-victory-lost"
        assert [player.text(f"#begin-seat label:nth-child({n})") for n in (1, 2)] == ["Soviets", "Germans"]
        player.click("#begin-go")
        assert player.clicks() <= MOST_CLICKS
        offer = player.board.game()
        assert offer.state.run.state.setting.packs["cup"].cards.count("Voronezh Front") == 2
        assert browser.complaints() == []


def test_what_is_wrong_stands_beside_its_field(browser: Browser, tmp_path: Path) -> None:
    with browser.as_telephone(), visit(browser, tmp_path) as player:
        browser.run("document.getElementById('begin-offer').click()")
        for css, words in (("#begin-name", "Anna"), ("#begin-game", "tabletop")):
            player.fill(css, words)
        browser.run("document.getElementById('begin-own').click()")
        browser.wait("const done = arguments[0]; setTimeout(done, 500)")
        player.fill(field("side2"), 'the "Axis"')
        player.fill(field("dice"), "battle hit miss")
        browser.run("document.querySelector('#scenario-made .first').click()")
        browser.wait("const done = arguments[0]; setTimeout(done, 500)")
        assert "battle: hit, hit, miss" in player.text('[id="wrong-dice"]')
        player.fill(field("dice"), "battle: hit, miss")
        browser.run("document.querySelector('#scenario-made .first').click()")
        browser.wait("const done = arguments[0]; setTimeout(done, 500)")
        assert "quotation marks" in player.text('[id="wrong-side2"]')
        assert not player.text('[id="wrong-dice"]')
        assert browser.run("return document.activeElement.dataset.field") == "side2"
        assert not browser.run("return document.documentElement.scrollWidth > innerWidth")
