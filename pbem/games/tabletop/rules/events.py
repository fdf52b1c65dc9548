"""What happens at the table, for the journal."""

from __future__ import annotations

from pbem.core.requests import Event
from pbem.games.tabletop.terms.scenario import Face


class Rolled(Event, frozen=True):
    """T5: dice have fallen; `total` is None where they have no numbers. `note` is what they were for."""

    side: str
    dice: str
    note: str
    faces: tuple[Face, ...]
    total: int | None


class Drew(Event, frozen=True):
    """T5, T6: cards drawn; of an own deck the places, which its owner alone can read."""

    side: str
    deck: str
    cards: tuple[str, ...]
    hidden: bool
    note: str = ""


class Moved(Event, frozen=True):
    """T5, T6: a card named: `verb` is play, discard, remove or return. `hidden`: out of a hidden hand."""

    side: str
    verb: str
    card: str
    deck: str
    hidden: bool
    note: str = ""


class Shuffled(Event, frozen=True):
    """T5, T6: a deck has been shuffled; of an own one its order is sealed."""

    deck: str
    cards: int
    sealed: bool


class Noted(Event, frozen=True):
    """T7: a note; `digest` is the SHA-256 of a file that it names, in hex."""

    side: str
    text: str
    digest: str = ""


class TrackSet(Event, frozen=True):
    """T7: a track has another value."""

    side: str
    track: str
    before: int
    now: int


class HandedOver(Event, frozen=True):
    """T4: the other side has the table; `question` is what it is asked, if anything."""

    side: str
    to: str
    question: str = ""


class Proposed(Event, frozen=True):
    """T8: a side proposes a result: the name of the winning side, or none for a draw."""

    side: str
    winner: str
    note: str


class Answered(Event, frozen=True):
    """T8: the other side agrees to a result, or does not."""

    side: str
    agrees: bool


class Opened(Event, frozen=True):
    """T6: an own deck is open. `wrong` says what its owner has done that he could not: `""`, `order`, `card`.

    `card` is the card that he played without holding it.
    """

    side: str
    deck: str
    wrong: str = ""
    card: str = ""


class Ends(Event, frozen=True):
    """T8: the game is over; `winner` is a side's name, empty for a draw."""

    winner: str
    note: str
