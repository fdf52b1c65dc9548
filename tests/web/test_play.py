"""Whole turns played by clicks in a real Chromium, against the practice opponent."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.journal.shapes import Play
from web.browser import Browser
from web.playing import Player, begun, served

pytestmark = pytest.mark.thorough


def test_a_turn_ordered_by_clicks_is_signed_and_answered(browser: Browser, tmp_path: Path) -> None:
    begun(tmp_path, "mortain", "--seat", "us")
    browser.wide(1280)
    with served(tmp_path) as (address, _):
        browser.driver.get(address)
        player = Player(browser, tmp_path)
        for unit, at in {
            "117Inf": "1301",
            "119Inf": "1303",
            "120Inf": "1302",
            "823TD": "1304",
            "SPTD": "1305",
        }.items():
            player.order(f"place {unit} {at}")
        assert len(player.lines()) == 5
        words = player.sign()
        assert words == ["place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"]
        game = player.game()
        bodies = [entry.body for entry in game.entries]
        placed = [body for body in bodies if isinstance(body, Play) and body.orders and body.by == "us"]
        assert game.rules.view.write_words(placed[0].orders or []) == words
        assert game.table.writer == "us"  # the program has answered
        assert player.texts("#list li") == []
        assert not browser.complaints()


def test_a_set_up_and_a_turn_of_rommel_are_ordered_by_clicks(browser: Browser, tmp_path: Path) -> None:
    """The set-up ready-made, one half of it sealed; each unit on its hex, which the program finds the way to."""
    begun(tmp_path, "rommel", "--seat", "axis")
    browser.wide(1280)
    chooser = random.Random(5)
    questions: list[str] = []
    with served(tmp_path) as (address, _):
        browser.driver.get(address)
        player = Player(browser, tmp_path)
        while True:
            game, asked = player.game(), player.table().asked
            assert asked
            turn = game.rules.view.turn
            assert turn
            if turn(asked.state) > 1:
                break
            questions.append(asked.question)
            if asked.question.endswith("setup"):
                assert player.choice("setup historical")
            else:
                orders = game.rules.players["sensible"](asked, chooser)
                for words in game.rules.view.write_words(orders):
                    verb, unit, *rest = words.split()
                    player.order(f"move {unit} to {rest[-1]}" if verb == "move" else words)
            player.sign()
            assert len(player.game().entries) > len(game.entries), player.texts("#refused")
        assert {"axis_first_setup", "axis_screen_setup", "ground_move"} <= set(questions)
        assert not browser.complaints()


def test_a_whole_game_of_mortain_is_played_by_clicks(browser: Browser, tmp_path: Path) -> None:
    begun(tmp_path, "mortain", "--seat", "us")
    browser.wide(1280)
    chooser = random.Random(11)
    with served(tmp_path) as (address, _):
        browser.driver.get(address)
        player = Player(browser, tmp_path)
        while not (game := player.game()).table.ending:
            asked = player.table().asked
            assert asked
            orders = game.rules.players["sensible"](asked, chooser)
            wanted = [sorted(words.split()) for words in game.rules.view.write_words(orders)]
            assert [sorted(words.split()) for words in player.give(orders)] == wanted
            assert len(player.game().entries) > len(game.entries)
        assert player.texts("#prompt")[0].startswith("the game is over")
        assert not browser.complaints()
