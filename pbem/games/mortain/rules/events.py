"""The events that the rules report: a struct for each kind, with typed facts.

Each docstring gives the rule and the meaning. Units, hexes, cards and seats are strings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pbem.core.requests import Event
from pbem.games.mortain.rules.state import Way
from pbem.messages import Said

During: TypeAlias = Literal["activation", "combat"]
"""What a card was drawn for."""

Reason: TypeAlias = Literal["card", "face", "joker", "deck"]
"""Why an attack misses; `deck`: no card is left."""


class Placed(Event, frozen=True):
    """M2.1: the US units are set up, each in its hex."""

    units: Mapping[str, str]


class TurnBegins(Event, frozen=True):
    """M3.1: all cards are shuffled; the number of the turn, and the number of turns in the game."""

    turn: int
    turns: int


class Card(Event, frozen=True):
    """M3.2: an activation card. `allowance` counts units, None for a face card.

    If not `asked`, the seat could only pass, so there was no question.
    """

    card: str
    seat: str
    colour: Literal["black", "red"]
    allowance: int | None
    asked: bool


class Passes(Event, frozen=True):
    """M3.2: a seat passes on a card."""

    seat: str
    card: str


class Moves(Event, frozen=True, rename={"from_": "from"}):
    """M4.1: a unit moves from hex to hex."""

    seat: str
    unit: str
    from_: str
    to: str


class Enters(Event, frozen=True):
    """M4.4: a waiting unit enters."""

    seat: str
    unit: str
    at: str


class Exits(Event, frozen=True, rename={"from_": "from"}):
    """M4.5: a German unit leaves the map; the exits so far, this one included, and those needed."""

    seat: str
    unit: str
    from_: str
    exits: int
    needed: int


class Suppresses(Event, frozen=True):
    """M6.4: the hex in the middle of the seven."""

    seat: str
    at: str


class Attack(Event, frozen=True):
    """M5.1, for support M6.3: an attack is declared on targets in the hex `at`; support has no firers.

    `factor` is None for support. `modifier` is the sum of `why`, whose reasons are a terrain, `all adjacent`,
    `Tiger 102` and `suppressed`; none of them is 0.
    """

    by: str
    way: Way
    firers: tuple[str, ...]
    targets: tuple[str, ...]
    at: str
    factor: Literal["AT", "AI"] | None
    strength: int
    modifier: int
    why: tuple[tuple[str, int], ...]


class AttackCard(Event, frozen=True):
    """M5.5: a card is drawn for an attack; `result` is its modified value, None for faces and joker."""

    card: str
    result: int | None
    strength: int


class Face(Event, frozen=True):
    """M5.7: how a face card counts."""

    card: str
    choice: Literal["redraw", "miss"]


class Hit(Event, frozen=True):
    """M5.6: a unit flips to its reduced face."""

    unit: str
    at: str


class Eliminated(Event, frozen=True):
    """M1.2: a reduced unit is hit."""

    unit: str
    at: str


class Misses(Event, frozen=True):
    """M5.6 card, M5.7 face, M5.8 joker, M7.3 deck: an attack misses, and why."""

    targets: tuple[str, ...]
    reason: Reason


class JokerAside(Event, frozen=True):
    """M7.2: the joker is drawn too early, and set aside."""

    during: During


class JokerEnds(Event, frozen=True):
    """M7.1: the joker ends the turn."""

    during: During


class DeckOut(Event, frozen=True):
    """M7.3: no card is left, and the turn ends."""

    turn: int


class TurnEnds(Event, frozen=True):
    """M7.4: a turn is over; the exits so far, and those needed."""

    turn: int
    turns: int
    exits: int
    needed: int


class Victory(Event, frozen=True):
    """M8.1, M8.2, or early M8.3: the game is over. `reason` is a clause, `five German units have exited`."""

    winner: str | None
    reason: Said
