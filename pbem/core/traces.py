"""The traces of an event on a map: a unit's way, a shot and its result, a hit, a loss.

A game's view makes traces of its events; code that draws a game entry by entry, or reckons its luck, knows
no game. Hexes are numbers as printed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct


class Turn(Struct, frozen=True):
    """A turn begins."""

    number: int


class Way(Struct, frozen=True):
    """A unit of a side goes from hex to hex; of one hex alone: it comes there, or leaves from there."""

    side: str
    hexes: tuple[str, ...]


class Shot(Struct, frozen=True):
    """A side attacks a hex out of others (support comes out of none), and hits with this exact chance.

    `words` says who attacks whom, in short. One that is declared first and carried out later leaves this
    trace twice: the last before it is settled counts.
    """

    side: str
    out_of: tuple[str, ...]
    at: str
    chance: Fraction
    words: str


class Drawn(Struct, frozen=True):
    """The card or the dice of the last shot, as said: `9S`, `3`, `5 : 2`."""

    words: str


class Settled(Struct, frozen=True):
    """The last shot hits or not; if several of these follow one, the first counts."""

    hit: bool


class Struck(Struct, frozen=True):
    """A unit is hit, and flips to its weaker face."""

    at: str


class Lost(Struct, frozen=True):
    """A unit is eliminated."""

    at: str
    unit: str


Trace: TypeAlias = Turn | Way | Shot | Drawn | Settled | Struck | Lost
"""In the order in which they come to pass."""
