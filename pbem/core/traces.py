"""The traces of an event on a map (a unit's path, a shot and its result, a hit, a loss) or a table (dice).

A game's view turns its events into traces, so that the code that draws replays and computes luck needs to
know no game. Hexes are numbers as printed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct


class Turn(Struct, frozen=True):
    """A turn begins."""

    number: int


class Way(Struct, frozen=True):
    """A unit of a side moves from hex to hex, or with a single hex, enters or leaves the map there."""

    side: str
    hexes: tuple[str, ...]
    unit: str = ""


class Shot(Struct, frozen=True):
    """A side attacks a hex from other hexes (support comes from none), with this exact chance of a hit.

    `words` says in short who attacks whom. An attack declared first and carried out later leaves this trace
    twice: the last one before the result counts.
    """

    side: str
    out_of: tuple[str, ...]
    at: str
    chance: Fraction
    words: str


class Drawn(Struct, frozen=True):
    """The card or the dice of the last shot, as text: `9S`, `3`, `5 : 2`."""

    words: str


class Settled(Struct, frozen=True):
    """Whether the last shot hits; if several of these follow a shot, the first counts."""

    hit: bool


class Struck(Struct, frozen=True):
    """A unit is hit and flipped to its weaker face."""

    at: str
    unit: str = ""


class Lost(Struct, frozen=True):
    """A unit is eliminated."""

    at: str
    unit: str


class Rolled(Struct, frozen=True):
    """A side rolls dice on a table without a map: the dice as typed, their faces and sum, and the purpose."""

    side: str
    dice: str
    faces: tuple[str, ...]
    total: str
    purpose: str


Trace: TypeAlias = Turn | Way | Shot | Drawn | Settled | Struck | Lost | Rolled
"""A trace; those of an event are in the order in which they happen."""
