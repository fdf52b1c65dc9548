"""`pbem move --dry-run` shows what would happen, and writes nothing, whoever would give the orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import SET_UP
from correspondence.conftest import anna, both, bruno
from correspondence.test_plans_by_mail import arm_plan
from correspondence.test_watch import game_waiting_for_anna
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions, write
from pbem.umpire.verify import open_game
from support.board_player import begin_practice_game
from support.correspondents import Correspondent, stored_game, type_command

__all__ = ["anna", "both", "bruno"]


def test_orders_of_a_plan(
    anna: Correspondent, bruno: Correspondent, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or what stops it, as the move itself would say."""
    game = game_waiting_for_anna(anna, bruno, decision=True)
    anna.save(game)
    dry = "move", "game.yaml", "--plan", "--dry-run"
    assert anna.type(*dry) == 3
    assert "error: you have no armed plan on this computer\n" in capsys.readouterr()[1]
    arm_plan(anna, game, "do pass")
    assert anna.type(*dry) == 0
    shown = capsys.readouterr()[0]
    assert "It would now order: pass\n" in shown
    assert "The Germans pass" in shown
    assert stored_game(anna).ids == open_game(anna.file.read_bytes()).ids == game.ids
    arm_plan(anna, game, "when turn 2", "do pass")
    assert anna.type(*dry) == 3
    assert "no step applies at the moment" in capsys.readouterr()[1]


def test_a_share_when_a_plan_is_armed(
    anna: Correspondent, bruno: Correspondent, capsys: pytest.CaptureFixture[str]
) -> None:
    game = game_waiting_for_anna(anna, bruno, decision=False)
    anna.save(game)
    arm_plan(anna, game, "do pass")
    capsys.readouterr()
    assert anna.type("move", "game.yaml", "--plan", "--dry-run") == 0
    assert "error" not in capsys.readouterr()[1]
    assert open_game(anna.file.read_bytes()).ids == game.ids


def test_the_computers_orders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are due if a program ended before it saved them."""
    file = begin_practice_game(tmp_path, "mortain", "--seat", "us")
    player, game = LocalPlayer(tmp_path / "home"), open_game(file.read_bytes())
    asked = permissions.unlock_state(game, player.key).pending_question
    assert asked is not None
    set_up = write.play(game, player.key, game.rules.view.read_words(asked, [SET_UP]))
    player.save(set_up, file)
    assert type_command(player, tmp_path, "move", "game.yaml", "--dry-run") == 0
    assert "German: " in capsys.readouterr()[0]
    assert open_game(file.read_bytes()).ids == set_up.ids
    assert type_command(player, tmp_path, "move", "game.yaml") == 0
    assert open_game(file.read_bytes()).ids[: len(set_up.ids)] == set_up.ids
    assert len(open_game(file.read_bytes()).ids) > len(set_up.ids)
