"""Since when a move is due, and until when, by the clocks that players claim: they prove nothing.

An entry that decides nothing has no clock (FORMAT 6), because pbem writes it at once. So a move after such an
entry has been due since the last entry with a clock.

The offer can contain a deadline as `x: {deadline: 7d}` (FORMAT 4). It is signed, and accepting the offer
agrees to it. The rules never read it: a player who is late loses nothing.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from msgspec import Struct

from pbem.errors import FileError
from pbem.messages import Messages, Said
from pbem.umpire.game_state import Game

tr = Messages("pbem")

DEADLINE_KEY = "deadline"
"""The key of the deadline in the offer's `x`."""

_LENGTH = re.compile(r"([1-9][0-9]{0,3})([dh])")
_LONGEST = timedelta(days=365)


class Deadline(Struct, frozen=True):
    """The time the offer allows for a move: days such as `7d`, or hours such as `36h`."""

    text: str
    length: timedelta

    @classmethod
    def parse(cls, text: str) -> Deadline:
        """Parse `7d` or `36h`, at most 365 days. Raises `FileError`."""
        if match := _LENGTH.fullmatch(text):
            number = int(match[1])
            length = timedelta(days=number) if match[2] == "d" else timedelta(hours=number)
            if length <= _LONGEST:
                return cls(text, length)
        problem = tr("'{found}' is not a time from 1d to 365d, or in hours such as 36h", found=text[:20])
        raise FileError(problem)

    @property
    def description(self) -> Said:
        """The deadline in words: `7 days a move`."""
        number = int(self.text[:-1])
        if self.text.endswith("h"):
            return tr.plural("{number} hour a move", "{number} hours a move", number)
        return tr.plural("{number} day a move", "{number} days a move", number)


class DueTime(Struct, frozen=True):
    """When a seat must write: since when and by whose clock, and until when; in UTC, if known."""

    seat: str
    clock_of: str
    since: datetime | None
    until: datetime | None


def has_passed(until: datetime | None, now: datetime) -> bool:
    """Whether a deadline, if there is one, has passed."""
    return until is not None and until < now


def agreed_deadline(game: Game) -> Deadline | None:
    """The deadline in the offer; None without one, or if another program wrote it in another form."""
    text = (game.offer.x or {}).get(DEADLINE_KEY)
    try:
        return Deadline.parse(text) if isinstance(text, str) else None
    except FileError:
        return None


def due_time(game: Game) -> DueTime | None:
    """When the next seat must write, counted from the last entry with a clock; None when the game is over.

    There is no deadline while a seat is free.
    """
    seat = game.state.writer
    if seat is None:
        return None
    bodies = [entry.body for entry in reversed(game.entries)]
    last = next((body for body in bodies if body.at is not None), bodies[0])
    since = None if last.at is None else datetime.fromisoformat(last.at)
    deadline = agreed_deadline(game) if seat in game.seats else None
    return DueTime(seat, last.by, since, _end_of(since, deadline.length) if since and deadline else None)


def _end_of(since: datetime, length: timedelta) -> datetime | None:
    """The end of the deadline, or None after the calendar's last year: a claimed clock can be absurd."""
    try:
        return since + length
    except OverflowError:
        return None
