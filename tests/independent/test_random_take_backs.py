"""Random games with take-backs of both kinds: the second reader accepts links, shares and beats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from independent.minimal_verifier import verify
from pbem.format.draws import beat_seed
from pbem.umpire.game_state import Game
from support.games_with_retractions import mortain_game, rommel_game
from support.markers import sample_rows
from support.simulator import file_of, log_of

SEEDS = range(250)


@pytest.mark.parametrize("seed", sample_rows(list(SEEDS), 10))
@pytest.mark.parametrize("play", [mortain_game, rommel_game])
def test_accepted(play: Callable[[int], Game], seed: int) -> None:
    """It computes the seed of every beat from the shares alone, as the program does."""
    game = play(seed)
    completed = [beat for beat in game.state.beats if len(beat.secrets) == 2]
    assert verify(file_of(log_of(game))) == {
        beat.number: beat_seed(game.offer.game, beat.number, beat.secrets).hex() for beat in completed
    }
