"""A game: its log, checked and replayed, with the events of each entry."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pbem.core.requests import Question, Tell
from pbem.core.rules import Rules
from pbem.format.entries import Entry
from pbem.format.shapes import Accept, Offer, Seat
from pbem.umpire.game_state import Beat, GameState


class ReplayedEntry(Struct, frozen=True):
    """One entry and what it led to.

    `events` in order, the beat that it completed, if any, and the state of the rules after it, with the
    question pending then, if any. `rest` is the position of FORMAT section 7: the state when the rules last
    asked or were over, up to the end of this entry, with the question; None if there was no such moment.
    """

    entry: Entry
    events: tuple[Tell, ...]
    beat: Beat | None
    state: Any
    question: Question | None
    rest: tuple[Any, Question | None] | None


class Game(Struct, frozen=True):
    """A log that has passed FORMAT section 9, replayed. `state` must not be changed."""

    replayed_entries: tuple[ReplayedEntry, ...]
    rules: Rules
    state: GameState

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log."""
        return tuple(replayed.entry for replayed in self.replayed_entries)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entries (FORMAT 2); the first is the game's own."""
        return tuple(replayed.entry.id for replayed in self.replayed_entries)

    @property
    def offer(self) -> Offer:
        """Entry 0: the rules, options and scenario agreed on."""
        body = self.replayed_entries[0].entry.body
        assert isinstance(body, Offer)
        return body

    @property
    def seats(self) -> dict[str, Seat]:
        """The seats taken so far, by name, the offerer's first."""
        bodies = (replayed.entry.body for replayed in self.replayed_entries[:2])
        return {body.by: body.seat for body in bodies if isinstance(body, (Offer, Accept))}
