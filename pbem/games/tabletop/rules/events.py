"""The events at the table, for the journal."""

from __future__ import annotations

from pbem.core.requests import Event
from pbem.games.tabletop.terms.scenario import Face


class Rolled(Event, frozen=True):
    """T5: dice were rolled; `total` is None for dice without numbers. `note` says what the roll was for."""

    side: str
    dice: str
    note: str
    faces: tuple[Face, ...]
    total: int | None


class Drew(Event, frozen=True):
    """T5, T6: cards were drawn; from a side's own deck only their places, which only its owner can read."""

    side: str
    deck: str
    cards: tuple[str, ...]
    hidden: bool
    note: str = ""


class Moved(Event, frozen=True):
    """T5, T6: a card was named; `verb` is play, discard, remove or return. `hidden`: from a hidden hand."""

    side: str
    verb: str
    card: str
    deck: str
    hidden: bool
    note: str = ""


class Shuffled(Event, frozen=True):
    """T5, T6: a deck was shuffled; the order of a side's own deck is sealed."""

    deck: str
    cards: int
    sealed: bool


class Noted(Event, frozen=True):
    """T7: a note; `digest` is the SHA-256, in hex, of a file it names."""

    side: str
    text: str
    digest: str = ""


class TrackSet(Event, frozen=True):
    """T7: a track has a new value."""

    side: str
    track: str
    before: int
    now: int


class HandedOver(Event, frozen=True):
    """T4: the other side has the table; `question` is the question put to it, if any."""

    side: str
    to: str
    question: str = ""


class Proposed(Event, frozen=True):
    """T8: a side proposes a result: the name of the winning side, or none for a draw."""

    side: str
    winner: str
    note: str


class Answered(Event, frozen=True):
    """T8: the other side agrees to a result, or declines it."""

    side: str
    agrees: bool


class Opened(Event, frozen=True):
    """T6: a side's own deck was opened. `wrong` is `order` or `card` if its owner cheated, else empty.

    `card` is a card played without being in the hand.
    """

    side: str
    deck: str
    wrong: str = ""
    card: str = ""


class Ends(Event, frozen=True):
    """T8: the game is over; `winner` is a side's name, empty for a draw."""

    winner: str
    note: str
