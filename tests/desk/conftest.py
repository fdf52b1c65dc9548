"""Two players whose desks are folders, and their game at a decision."""

from __future__ import annotations

from pathlib import Path

import pytest
from correspondence.players import Player, begun, players

from desk.test_plan import at_decision
from pbem.umpire import Game


@pytest.fixture
def both(tmp_path: Path) -> tuple[Player, Player]:
    return players(tmp_path)


@pytest.fixture
def anna(both: tuple[Player, Player]) -> Player:
    return both[0]


@pytest.fixture
def game(both: tuple[Player, Player]) -> Game:
    """It waits for a decision of Anna."""
    anna, bruno = both
    waiting = at_decision(begun(anna.person(), bruno.person()), anna, bruno)
    anna.save(waiting)
    return waiting
