"""A part of a log is joined to the log that it continues, or the reader learns what he lacks (FORMAT 10)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.core.requests import Orders
from pbem.errors import SegmentRefused
from pbem.format.document import Document
from pbem.format.entries import Entry
from pbem.umpire.log_segment import join_segment, segment_after
from pbem.umpire.verify import parse_file
from support.game_stages import game_asking, started_game
from support.simulator import accept_game, offer_game, write_play

ELSEWHERE: Orders = [
    {"place": {"117Inf": "1103", "119Inf": "1402", "120Inf": "1304", "823TD": "1404", "SPTD": "1201"}}
]
GAME = game_asking("us")
SHORT_ID = GAME.ids[0][:8]


def segment() -> Document:
    """What follows entry 2, in which the US player has placed his units."""
    return parse_file(segment_after(GAME, 2))


def other_placement() -> tuple[Entry, ...]:
    """The same game, in which he has placed them elsewhere."""
    return write_play(started_game(), ELSEWHERE).entries


@pytest.mark.parametrize("length", [3, 4, len(GAME.entries)])
def test_it_is_joined_after_the_entry_that_it_names(length: int) -> None:
    """What the reader's own log has after that is replaced."""
    assert join_segment(segment(), GAME.entries[:length]) == GAME.entries


LACKING: dict[str, tuple[Callable[[], tuple[Entry, ...]], str]] = {
    "nothing": (
        lambda: (),
        f"entry 2 of game {SHORT_ID}, which is not on this computer: you need the whole file",
    ),
    "another game": (
        lambda: accept_game(offer_game(label="another")).entries,
        f"entry 2 of game {SHORT_ID}, which is not on this computer: you need the whole file",
    ),
    "a shorter log": (
        lambda: GAME.entries[:2],
        f"entry 2 of game {SHORT_ID}, but yours ends with entry 1: you need the whole file",
    ),
    "another entry": (
        other_placement,
        f"entry 2 of game {SHORT_ID}, but your entry 2 is {other_placement()[2].id[:8]} "
        f"and the sender's is {GAME.ids[2][:8]}; you need the whole file",
    ),
}


@pytest.mark.parametrize("own", LACKING)
def test_what_the_reader_lacks(own: str) -> None:
    entries, words = LACKING[own]
    with pytest.raises(SegmentRefused) as refused:
        join_segment(segment(), entries())
    assert str(refused.value) == f"this contains only what follows {words}"
    assert refused.value.hint == "ask the sender to type: pbem mail send --whole"
    assert refused.value.another == (own == "another entry")
