"""The traces of an event on a map: a unit's way, a shot and its result, a hit, a loss; on a table, dice.

A game's view makes traces of its events; code that draws a game entry by entry, or computes its luck, knows
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
    """A unit of a side moves from hex to hex; with one hex only: it arrives or leaves there."""

    side: str
    hexes: tuple[str, ...]
    unit: str = ""


class Shot(Struct, frozen=True):
    """A side attacks a hex from others (support from none), and hits with this exact chance.

    `words` says who attacks whom, in short. An attack that is declared first and carried out later leaves
    this trace twice: the last before the result counts.
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
    """The last shot hits or not; if several of these follow a shot, the first counts."""

    hit: bool


class Struck(Struct, frozen=True):
    """A unit is hit, and flips to its weaker face."""

    at: str
    unit: str = ""


class Lost(Struct, frozen=True):
    """A unit is eliminated."""

    at: str
    unit: str


class Rolled(Struct, frozen=True):
    """A side has rolled dice on a table without a map: dice as typed, their faces and sum, the purpose."""

    side: str
    dice: str
    faces: tuple[str, ...]
    total: str
    purpose: str


Trace: TypeAlias = Turn | Way | Shot | Drawn | Settled | Struck | Lost | Rolled
"""An event has its traces in the order in which they happen."""
