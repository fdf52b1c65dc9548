"""The aims of players, as numbers by which `tactics` weighs movement and attacks."""

from __future__ import annotations

from msgspec import Struct


class Aims(Struct, frozen=True):
    """The worth of things to a player, in steps of a unit towards its goal."""

    exit: float = 20.0
    """A German unit exits."""
    enter: float = 3.0
    """A unit comes on the map."""
    south: float = 0.0
    """A unit comes on the map a row further south."""
    flip: float = 4.0
    """A full unit is hit; beside it each factor that it loses."""
    kill: float = 8.0
    """A reduced unit is hit; beside it each factor that it has."""
    attack: float = 1.0
    """Every hit, times this."""
    suppress: float = 0.4
    """A German unit is suppressed."""
    exposure: float = 0.5
    """A certain hit is to be feared where a unit goes."""
    caution: float = 1.0
    """A certain hit is to be feared where a German unit would go in before the others are there."""
    shot: float = 0.4
    """A hit is to be had from where a unit goes, for each step that it is worth."""
    mass: int = 7
    """The number of Germans who go in together."""
    late: int = 4
    """From this turn on they wait for nobody."""
    work: float = 1.0
    """The steps that a hit on a US unit is worth: with fewer to go, the Germans walk out."""
    step: float = 1.0
    """The worth of a step: if less, units stay where they stand well."""
    hurry: float = 4.0
    """The worth of a step to Germans who walk out."""
    stack: float = 0.0
    """The worth of another unit of one's own in the hex."""
    company: float = 0.0
    """The worth of another in the hex or beside it."""
    worn: float = 0.0
    """The additional fear of a reduced unit, as a share."""
    price: float = 0.0
    """The worth below which fire is worth nothing."""


SENSIBLE = Aims()
