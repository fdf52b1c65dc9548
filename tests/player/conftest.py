"""Two players whose homes are folders, and their game at a decision."""

from __future__ import annotations

import pytest

from correspondence.conftest import anna, both
from pbem.umpire.game_state import Game
from player.test_plan_store import play_to_decision
from support.correspondents import Correspondent, begin_game

__all__ = ["anna", "both"]


@pytest.fixture
def game(both: tuple[Correspondent, Correspondent]) -> Game:
    """It waits for a decision of Anna."""
    anna, bruno = both
    waiting = play_to_decision(begin_game(anna.person(), bruno.person()), anna, bruno)
    anna.save(waiting)
    return waiting
