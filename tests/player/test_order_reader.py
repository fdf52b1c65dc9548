"""Orders as people write them, for terminal, board and mail alike: what is read, guessed, refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.core.rules import Rules
from pbem.correspondence.letter_layout import COLUMNS
from pbem.errors import Ambiguous, NotUnderstood, OrderError
from pbem.games.mortain import RULES as MORTAIN
from pbem.games.rommel import RULES as ROMMEL
from pbem.player.actions.action import ActionContext
from pbem.player.actions.parse_action import find_orders
from pbem.player.local_player import LocalPlayer
from pbem.player.order_preview import group_orders
from pbem.player.order_reader import OrderReader, Reading
from pbem.player.order_sheet import OrderSheet, OrdersRefused
from pbem.texts import speaking
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game, GameState
from support.correspondents import make_correspondents
from support.mail_answers import game_asking_anna, with_fixed_keys

from .test_parse_action import begin_games


@pytest.fixture
def entering(tmp_path: Path) -> tuple[Game, GameState]:
    """The Germans are to enter units in 1901 to 1905, one of them or more."""
    anna, bruno = with_fixed_keys(make_correspondents(tmp_path))
    game = game_asking_anna(anna, bruno)
    return game, permissions.unlock_state(game, anna.local_player.key)


@pytest.fixture
def reader(entering: tuple[Game, GameState]) -> OrderReader:
    game, table = entering
    assert table.pending_question
    return OrderReader(game, table.pending_question)


@pytest.mark.parametrize(
    ("language", "line", "orders"),
    [
        ("en", "enter DF 1901", ["enter DF 1901"]),
        ("en", "enter DF and D 1901", ["enter DF 1901", "enter D 1901"]),
        ("en", "enter DF 1901, D 1902", ["enter DF 1901", "enter D 1902"]),
        ("es", "Entra DF en 1901 y D en 1902", ["Entra DF 1901", "Entra D 1902"]),
        ("it", "entra D a 1902", ["entra D 1902"]),
        ("de", "Tiger 102 herein", None),
        ("en", "I pass", ["pass"]),
        ("en", "enter DF not to 1901", None),
        ("en", "do not enter DF 1901", None),
        ("en", "enter DF 1901 or D 1901", None),
        ("en", "enter DF 1901 unless D is at 1901", None),
    ],
)
def test_what_is_certain(reader: OrderReader, language: str, line: str, orders: list[str] | None) -> None:
    with speaking(language):
        if orders is None:
            with pytest.raises(OrderError):
                reader.read([line])
        else:
            assert reader.read([line]) == orders


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("DF to 1901", "enter DF 1901"),
        ("entre DF 1901", "enter DF 1901"),
        ("enter 2ss a 1901", "enter 2SS-A 1901"),
        ("enter DF 1901-1903", "enter DF 1901"),
    ],
)
def test_a_guess_is_never_an_order(reader: OrderReader, line: str, meant: str) -> None:
    assert reader.read_line(line) == Reading((meant,), is_guess=True)
    with pytest.raises(NotUnderstood) as refused:
        reader.read([line])
    assert refused.value.hint == f"did you mean {meant}?"
    assert refused.value.meant == meant


def test_a_name_that_two_units_may_have_is_refused(reader: OrderReader) -> None:
    with pytest.raises(Ambiguous, match="2SS-A, 2SS-B"):
        reader.read(["enter 2SS 1901"])


def test_the_sheet_of_terminal_and_board_reads_alike(entering: tuple[Game, GameState]) -> None:
    """What it guesses stands in the line that the player may send off."""
    sheet = OrderSheet(*entering)
    sheet.add("enter DF and D in 1901")
    assert sheet.current.lines == ("enter DF 1901", "enter D 1901")
    with pytest.raises(OrdersRefused) as refused:
        sheet.add("2ssb -> 1902; pass")
    assert refused.value.left == "enter 2SS-B 1902; pass"
    assert sheet.current.lines == ("enter DF 1901", "enter D 1901")


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [MORTAIN, ROMMEL], ids=lambda rules: rules.name)
def test_what_the_game_writes_is_read_as_it_stands(rules: Rules, tmp_path: Path) -> None:
    """And so it is in small letters, without hyphens, with a full stop."""
    desks = LocalPlayer(tmp_path / "anna"), LocalPlayer(tmp_path / "bruno")
    for player in desks:
        player.make_key()
    game, choose = begin_games(rules, *desks), random.Random(7)
    lines_read = 0
    while len(game.entries) < 20:
        player = next(one for one in desks if game.state.writer in permissions.held_seats(game, one.key))
        if permissions.has_forced_entry(game, player.key):
            game = write.play(game, player.key)
            continue
        asked = permissions.unlock_state(game, player.key).pending_question
        assert asked is not None
        orders = rules.players["sensible"](asked, choose)
        lines = rules.view.write_words(orders)
        reader = OrderReader(game, asked)
        assert reader.read(lines) == lines
        for line in lines[:5]:
            if len(line) < 60:
                sloppy = f"{line.lower().replace('-', '')}."
                assert rules.view.read_words(asked, reader.read([sloppy])) == rules.view.read_words(
                    asked, [line]
                )
                lines_read += 1
        game = write.play(game, player.key, orders)
    assert lines_read > 5


@pytest.mark.parametrize("language", ["en", "es", "it", "de"])
@pytest.mark.parametrize("rules", [MORTAIN, ROMMEL], ids=lambda rules: rules.name)
def test_a_line_of_what_is_possible_is_the_order_before_its_bracket(
    rules: Rules, language: str, tmp_path: Path
) -> None:
    """Copied from a letter as it stands there, on as many lines: nothing is asked or left out."""
    desks = LocalPlayer(tmp_path / "anna"), LocalPlayer(tmp_path / "bruno")
    for player in desks:
        player.make_key()
    game, choose = begin_games(rules, *desks), random.Random(7)
    brackets = 0
    while len(game.entries) < 14:
        player = next(one for one in desks if game.state.writer in permissions.held_seats(game, one.key))
        if permissions.has_forced_entry(game, player.key):
            game = write.play(game, player.key)
            continue
        asked = permissions.unlock_state(game, player.key).pending_question
        assert asked is not None
        with speaking(language):
            offers = ("; ".join(rules.view.write_words(orders)) for orders in rules.offers(asked))
            typed = [orders for orders in offers if len(orders) < 60]
            for copied in group_orders(typed, COLUMNS)[:20]:
                found = find_orders(ActionContext(player, game, tmp_path / "game.yaml"), copied)
                first, bracket, _ = " ".join(copied.split()).partition(" (")
                assert "; ".join(found.wish.lines) == first
                assert not found.guesses
                assert not found.left_out
                assert first in typed
                brackets += bool(bracket)
        game = write.play(game, player.key, rules.players["sensible"](asked, choose))
    assert brackets > 2
