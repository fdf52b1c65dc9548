"""A move that comes in while the board is open: it is shown by itself, and the window says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.umpire.game_state import Game
from pbem.web.board_session import BoardSession
from player.conftest import anna, both, game
from player.test_plan_store import play_to_decision
from support.board_player import begin_practice_game, play_at_board, run_pbem_at_home, sign_at
from support.browsers import Browser
from support.correspondents import Correspondent, play_share_and_orders
from web.test_playing_by_clicks import place_all

__all__ = ["anna", "both", "game"]

pytestmark = pytest.mark.thorough

COUNT_SOUNDS = """
window.sounds = 0;
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.sounds += 1; }
};
"""

WENT_ON = """
const [title, done] = arguments;
(function look() {
  if (document.title !== title) done(document.title); else setTimeout(look, 50);
})();
"""

PLACED = "place 117Inf 1101 119Inf 1102 120Inf 1103 823TD 1104 SPTD 1105"


@pytest.mark.parametrize("silent", [False, True])
def test_a_move_that_comes_in_is_told(browser: Browser, tmp_path: Path, silent: bool) -> None:
    """Here another program of the same player writes it, as fetching mail does. A click ends the notice."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        browser.run(COUNT_SOUNDS)
        title = browser.run("return document.title")
        if silent:
            player.click("#sound")
        place_all(player)
        assert run_pbem_at_home(tmp_path, "move", "game.yaml", PLACED).returncode == 0
        assert browser.wait(WENT_ON, title) == f"● Your move · {title}"
        player.wait()
        assert player.bound() == browser.run("return tableState.now.bound")
        assert player.texts("#alarm") == [""]
        assert browser.run("return window.sounds") == (0 if silent else 1)
        player.press_escape()
        assert browser.run("return document.title") == title


def test_ones_own_move_is_not_announced(browser: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    with play_at_board(browser, tmp_path) as player:
        title = browser.run("return document.title")
        place_all(player)
        player.sign()
        browser.wait(
            "setTimeout(arguments[0], 3000)"
        )  # longer than the program takes to say that it is stored
        assert browser.run("return document.title") == title


def just_before(deed: Callable[[], object], called: Callable[..., Any]) -> Callable[..., Any]:
    """A function that does `deed` when first called, as another program might, and always what it did."""
    left = [deed]

    def both_in_turn(*arguments: Any) -> Any:
        if left:
            left.pop()()
        return called(*arguments)

    return both_in_turn


def test_a_second_move_during_the_first(
    both: tuple[Correspondent, Correspondent], game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program writes once more while the board takes in what it has just read."""
    anna, bruno = both
    sitting = BoardSession(anna.local_player, game, anna.file)
    first = anna.save(play_share_and_orders(game, anna.person()))
    second = play_to_decision(first, anna, bruno)
    assert len(second.ids) > len(first.ids)
    writes_again = just_before(lambda: anna.save(second), anna.local_player.open)
    with monkeypatch.context() as patch:
        patch.setattr(anna.local_player, "open", writes_again)
        sitting.current_data()
    assert sitting.state.game.ids == first.ids
    sitting.current_data()
    assert sitting.state.game.ids == second.ids


def test_a_move_just_after_ones_own(
    both: tuple[Correspondent, Correspondent], game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program writes before the board shows what was signed there."""
    anna, bruno = both
    sitting = BoardSession(anna.local_player, game, anna.file)
    taken_in, gone_on = sitting._take_up, list[Game]()

    def write_meanwhile() -> None:
        signed = anna.local_player.open(anna.file.read_bytes())
        gone_on.append(anna.save(play_to_decision(signed, anna, bruno)))

    with monkeypatch.context() as patch:
        patch.setattr(sitting, "_take_up", just_before(write_meanwhile, taken_in))
        sign_at(sitting, "pass")
    sitting.current_data()
    assert sitting.state.game.ids == gone_on[0].ids
