"""What a game's rules bring beside the rules themselves."""

from __future__ import annotations

import pytest

from pbem.games import load


@pytest.mark.parametrize(("game", "playouts"), [("mortain", 2000), ("rommel", 300)])
def test_playouts_of_a_report(game: str, playouts: int) -> None:
    """As docs/decisions/0025-report.md says: Rommel's players are slow, and say so beside them."""
    assert load(game).playouts == playouts
