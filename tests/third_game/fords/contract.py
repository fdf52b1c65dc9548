"""What pbem's contract suite has to know of Three Fords: see `tests/playout.py`, `Contract`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from fords.rules import FACES, State, losing
from pbem.core.requests import Orders, Plain, Question, Tell

OPTIONS: Mapping[str, Sequence[Plain]] = {"turns": (1, 2, 5), "rafts": (1, 2, 3)}

MET = {
    *(("asked", "F2"), ("guards", "F2"), ("digs_in", "F5")),
    *(("rows", "F2"), ("meets", "F3"), ("victory", "F1")),
}

MET_OF = {1: MET - {("digs_in", "F5")}}
"""Of versions before the newest."""


def scatter(begun: State, chooser: Random) -> State:
    """Any turn, with some rafts lost."""
    return replace(begun, turn=chooser.randint(1, begun.turns), rafts=chooser.randint(1, begun.rafts))


def varied(ask: Question, orders: Orders, chooser: Random) -> Orders:
    """The practice player leaves nothing out."""
    return orders


def hit(told: Sequence[Tell]) -> bool | None:
    """Nobody attacks."""
    return None


def check(begun: State, before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """F1 to F3: rafts are lost one at a time, by the faces that repel, and an end has its reason."""
    faces = losing(replace(begun, turn=before["turn"], dug=before.get("dug")))
    lost = [tell.facts["face"] in faces for tell in told if tell.event == "meets"]
    assert all(tell.facts["face"] in FACES for tell in told if tell.event == "meets")
    assert before["rafts"] - now["rafts"] == sum(lost) <= 1
    crossed = any(tell.event == "rows" and tell.facts["at"] != before["guard"] for tell in told)
    last = before["turn"] == begun.turns and bool(lost)
    assert (now["asks"] is None) == (crossed or now["rafts"] == 0 or last)
