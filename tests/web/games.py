"""Games against the program, played by clicks alone: a whole one of Mortain, and some turns of Rommel."""

from __future__ import annotations

import random

from pbem.core.requests import Orders
from pbem.player.order_sheet import OrderSheet
from pbem.umpire.game_state import Game
from web.playing import TOLD, BoardPlayer


def play_mortain(player: BoardPlayer, chooser: random.Random) -> list[int]:
    """Play to the end; how many clicks each decision took that was one order."""
    alone: list[int] = []
    player.count_presses()
    while not (game := player.game()).state.ending:
        orders = orders_by_click(player, chooser)
        wanted = [sorted(words.split()) for words in game.rules.view.write_words(orders)]
        assert [sorted(words.split()) for words in player.give(orders)] == wanted
        wait_for_page(game, player)
        presses = player.presses()
        if len(orders) == 1:
            alone.append(presses)
    assert player.texts("#prompt")[0].startswith("the game is over")
    return alone


def wait_for_page(game: Game, player: BoardPlayer) -> None:
    """Wait until the page has what has happened since; something has."""
    entries = len(player.game().entries)
    assert entries > len(game.entries), player.texts("#refused")
    player.browser.wait(TOLD, entries)


def orders_by_click(player: BoardPlayer, chooser: random.Random) -> Orders:
    """Orders of the sensible player up to the first that no click gives: half of an exchange (M4.2)."""
    asked = player.table().pending_question
    assert asked
    rules = player.game().rules
    given: Orders = []
    sheet = OrderSheet(player.game(), player.table())
    for order in rules.players["sensible"](asked, chooser):
        if "place" in order:
            return [order]
        (words,) = rules.view.write_words([order])
        if sorted(words.split()) not in [sorted(line.split()) for line in sheet.current.possible_additions]:
            break
        sheet.add(words)
        given.append(order)
    return given if sheet.current.is_whole else [{"pass": True}]


def play_rommel(player: BoardPlayer, chooser: random.Random, turns: int) -> None:
    """Play the set-up, ready-made and half of it sealed, and so many turns; the program finds each way."""
    questions: list[str] = []
    flights = 0
    while True:
        game, asked = player.game(), player.table().pending_question
        assert asked
        turn = game.rules.view.turn
        assert turn
        if turn(asked.state) > turns:
            break
        questions.append(asked.question)
        orders = game.rules.players["sensible"](asked, chooser)
        if asked.question.endswith("setup"):
            assert player.choice("setup historical")
        elif "air" in asked.question:
            flights += give_flights(player, game.rules.view.write_words(orders))
        else:
            for words in game.rules.view.write_words(orders):
                verb, unit, *rest = words.split()
                player.order(f"move {unit} to {rest[-1]}" if verb == "move" else words)
        player.sign()
        wait_for_page(game, player)
    assert {"axis_first_setup", "axis_screen_setup", "ground_move"} <= set(questions)
    assert flights > 3


def give_flights(player: BoardPlayer, lines: list[str]) -> int:
    """Give those orders of an air sub-turn that are offered one by one, or a pass; how many were given."""
    for words in lines:
        verb, *rest = words.split()
        order = f"fly {rest[0]} to {rest[-1]}" if verb == "fly" else words
        if order in player.sheet().current.possible_additions:
            player.order(order)
    given = len(player.lines())
    if not player.whole():
        player.click("#clear")
        player.press_escape()
        assert player.choice("pass")
        given = 0
    return given
