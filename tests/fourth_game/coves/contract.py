"""What pbem's contract suite has to know of Smugglers: see `tests/playout.py`, `Contract`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from coves.rules import State
from pbem.core.requests import Orders, Plain, Question, Tell

OPTIONS: Mapping[str, Sequence[Plain]] = {"turns": (1, 3, 5, 9), "cutters": (0, 4, 6)}

MET = {
    *(("asked", "S3"), ("deals", "S2"), ("watches", "S3")),
    *(("lands", "S4"), ("caught", "S4"), ("ends", "S1")),
}


def scatter(begun: State, chooser: Random) -> State:
    """From the beginning: there is nothing to scatter."""
    return begun


def varied(ask: Question, orders: Orders, chooser: Random) -> Orders:
    """The practice player leaves nothing out."""
    return orders


def hit(told: Sequence[Tell]) -> bool | None:
    """Nobody attacks."""
    return None


def check(begun: State, before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """S1 to S4: no cargo is in two places, and one that has left the hand does not come back."""
    places = [*now["deck"], *now["hand"], *now["landed"], *now["seized"]]
    assert len(places) == len(set(places)) <= len(begun.worth)
    assert set(now["landed"]) >= set(before["landed"])
    assert set(now["seized"]) >= set(before["seized"])
    assert len(now["hand"]) <= 3
