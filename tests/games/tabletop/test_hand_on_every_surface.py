"""A hidden hand is shown to its owner on every surface of his own, and nowhere else."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest

from pbem.correspondence.letter import letter
from pbem.games.tabletop import RULES
from pbem.player.store.game_file import game_file_bytes
from pbem.render.ascii_picture import ascii_picture
from pbem.umpire.game_state import Game
from pbem.web.game_page import game_page
from support.status_cases import StatusCase
from support.status_surfaces import SURFACES, SituatedHome
from support.tabletop_games import KEYS, begun, hand, play, settled

OWN = {"show", "prompt", "terminal", "board", "to herself"}
"""The surfaces that show a position to the player himself."""

NEEDS_A_TERMINAL = pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")


@cache
def game_with_hands() -> Game:
    """Both have drawn, and the Reds have the table."""
    game = play(begun(), {"draw": 4, "from": "red"}, {"end": True})
    return settled(play(settled(game), {"draw": 4, "from": "blue"}, {"end": True}))


def secret(deck: str) -> list[str]:
    """The cards of a hand whose names only that deck has."""
    [other] = {"red", "blue"} - {deck}
    theirs = RULES.scenarios.data("cards")["decks"][other]["cards"]
    return [card for card in hand(game_with_hands(), deck) or [] if card not in theirs]


def leaks(shown: str, deck: str) -> list[str]:
    """The cards of a hand that a text tells; one that lists the whole deck tells none."""
    pack = game_with_hands().state.run.state.setting.packs[deck].cards
    return [] if all(card in shown for card in pack) else [card for card in secret(deck) if card in shown]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def read(folder: Path, seat: str, surface: str) -> str:
    """A surface as the player of that seat sees it."""
    home = SituatedHome(folder, StatusCase(game_with_hands(), "", begun(), key=KEYS[seat]))
    return " ".join(SURFACES[surface](home).split())


@pytest.mark.parametrize("surface", sorted(set(SURFACES) - {"json"}))
def test_who_sees_the_hand(surface: str, tmp_path: Path) -> None:
    assert secret("red")
    shown = read(tmp_path, "first", surface)
    assert "Traceback" not in shown
    assert leaks(shown, "red") == (secret("red") if surface in OWN else [])
    assert not leaks(shown, "blue")


@pytest.mark.parametrize("surface", sorted(set(SURFACES) - {"json", "prompt", "to herself", "letter"}))
def test_the_other_sees_his_own_hand_alone(surface: str, tmp_path: Path) -> None:
    shown = read(tmp_path, "second", surface)
    assert not leaks(shown, "red")


@pytest.mark.parametrize(("seat", "deck"), [("first", "red"), ("second", "blue")])
def test_data_for_a_program(seat: str, deck: str, tmp_path: Path) -> None:
    """The public position there lists both decks in the sequence of the scenario, which tells nothing."""
    home = SituatedHome(tmp_path, StatusCase(game_with_hands(), "", begun(), key=KEYS[seat]))
    shown = json.loads(home.type("show", "game.yaml", "--json"))
    drawn = [] if seat == "second" else hand(game_with_hands(), deck)  # the Reds complete the Blues' draw
    assert list(shown["private"].values()) == [drawn]


def test_nothing_that_leaves_has_a_hand() -> None:
    game = game_with_hands()
    picture = ascii_picture(RULES.view.legend(game.state.run.state))
    for leaves in (game_file_bytes(game).decode(), letter(game), game_page(game).decode(), picture):
        assert not [*leaks(leaves, "red"), *leaks(leaves, "blue")]
