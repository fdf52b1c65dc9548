"""What players want, and how much: the numbers by which `tactics` weighs movement and attacks."""

from __future__ import annotations

from msgspec import Struct


class Aims(Struct, frozen=True):
    """What things are worth to a player, in steps of a unit towards where it wants to go."""

    exit: float = 20.0
    """A German unit exits."""
    enter: float = 3.0
    """A unit comes on the map."""
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
    """So many Germans go in together."""
    late: int = 4
    """From this turn on they wait for nobody."""
    work: float = 1.0
    """How many steps a hit on a US unit is worth: with fewer to go, the Germans walk out."""
    step: float = 1.0
    """What a step is worth: less, and units stay where they stand well."""
    hurry: float = 4.0
    """What a step is worth to Germans who walk out."""
    stack: float = 0.0
    """Another unit of one's own stands in the hex."""
    company: float = 0.0
    """Another stands in the hex or beside it."""
    worn: float = 0.0
    """How much more a reduced unit has to fear, as a share."""
    price: float = 0.0
    """What any fire has to be worth before it is worth anything."""


SENSIBLE = Aims()
