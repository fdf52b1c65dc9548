"""A game as others get it: from the bytes of a whole file alone, and from another process."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from msgspec import structs

from pbem.errors import VerificationError
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import segment_after
from pbem.umpire.verify import open_game, parse_log
from support.game_stages import game_asking, game_with_every_kind
from support.simulator import first_offer, mailed_file, write_reply


@pytest.mark.parametrize("read", [open_game, parse_log])
def test_a_part_of_a_log_is_no_game(read: Callable[[bytes], object]) -> None:
    """FORMAT 10: it cannot be verified alone."""
    game = game_asking("us")
    with pytest.raises(VerificationError) as refused:
        read(segment_after(game, 2))
    assert (refused.value.step, refused.value.entry) == (2, None)
    said = f"this is not a whole game, only the entries of {game.ids[0][:8]} after entry 2"
    assert str(refused.value.problem) == said
    assert refused.value.hint == "you need the whole file; the sender has it"


def with_closure() -> Game:
    """A game whose question reads its answer by a function within another, as somebody else's may."""
    game = game_asking("us")
    *before, last = game.replayed_entries
    assert last.question is not None
    question = structs.replace(last.question, read=lambda orders: orders)
    return structs.replace(game, replayed_entries=(*before, structs.replace(last, question=question)))


@pytest.mark.parametrize("make", [game_with_every_kind, lambda: game_asking("us"), with_closure])
def test_a_game_from_another_process(make: Callable[[], Game]) -> None:
    """It comes whole, and can be played on."""
    game = make()
    again = pickle.loads(pickle.dumps(game))
    assert again.ids == game.ids
    assert again.state.position_digest() == game.state.position_digest()
    assert [one.events for one in again.replayed_entries] == [one.events for one in game.replayed_entries]
    if game.state.writer:
        assert mailed_file(write_reply(again, first_offer)) == mailed_file(write_reply(game, first_offer))
