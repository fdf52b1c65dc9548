"""The aims of players, as numbers by which `tactics` weighs movement and attacks."""

from __future__ import annotations

from msgspec import Struct


class Aims(Struct, frozen=True):
    """The weights by which a player judges, in steps of a unit towards its goal."""

    exit: float = 20.0
    """A German unit exits."""
    enter: float = 3.0
    """A unit comes on the map."""
    south: float = 0.0
    """A unit comes on the map a row further south."""
    flip: float = 4.0
    """A full unit is hit; each factor that it loses is added."""
    kill: float = 8.0
    """A reduced unit is hit; each factor that it has is added."""
    attack: float = 1.0
    """A factor for the value of every hit."""
    suppress: float = 0.4
    """A German unit is suppressed."""
    exposure: float = 0.5
    """A certain hit on a unit is to be expected in its hex."""
    caution: float = 1.0
    """A certain hit on a German unit is to be expected that goes in before the others are there."""
    shot: float = 0.4
    """The share of the value of a shot from the hex of a unit."""
    mass: int = 7
    """The number of Germans that go in together."""
    late: int = 4
    """The turn from which on they do not wait for each other."""
    work: float = 1.0
    """The value of a hit on a US unit, in steps: with fewer steps left, the Germans walk off the map."""
    step: float = 1.0
    """The value of a step: if it is low, units keep good places."""
    hurry: float = 4.0
    """The value of a step to Germans that walk off the map."""
    stack: float = 0.0
    """The value of another unit of the side in the hex."""
    company: float = 0.0
    """The value of another unit of the side in the hex or beside it."""
    worn: float = 0.0
    """The share by which a reduced unit has more to fear."""
    price: float = 0.0
    """The cost of a shot, subtracted from its value."""


SENSIBLE = Aims()
