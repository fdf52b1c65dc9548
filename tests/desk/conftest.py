"""Two players whose desks are folders, and their game at a decision."""

from __future__ import annotations

import pytest
from correspondence.conftest import anna, both
from correspondence.players import Player, begun

from desk.test_plan import at_decision
from pbem.umpire.game_state import Game

__all__ = ["anna", "both"]


@pytest.fixture
def game(both: tuple[Player, Player]) -> Game:
    """It waits for a decision of Anna."""
    anna, bruno = both
    waiting = at_decision(begun(anna.person(), bruno.person()), anna, bruno)
    anna.save(waiting)
    return waiting
