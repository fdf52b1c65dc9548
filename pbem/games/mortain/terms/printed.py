"""The shape of a scenario file: what is printed on the map and on the counters.

`schemas/mortain-scenario.schema.json` says the same to other programs. Each value says whether it is known
and from which source.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pbem.core.maps import Factor, Frame, Road
from pbem.core.shape import Line, Name, Sourced, Struct, Text
from pbem.games.mortain.terms.setting import Kind
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")

Terrain = Literal["clear", "woods", "village", "city", "hill"]
Modifier = Annotated[int, msgspec.Meta(ge=-9, le=9)]
Turn = Annotated[int, msgspec.Meta(ge=1, le=99, description="a turn number, 1 to 99", extra={"tr": tr})]


class Strength(Sourced, frozen=True, kw_only=True):
    """The strength of a support attack (M6.3)."""

    value: Factor


class Support(Struct, frozen=True, kw_only=True):
    """Both support attacks."""

    artillery: Strength
    air: Strength


class TerrainModifier(Sourced, frozen=True, kw_only=True):
    """The number that a terrain adds to the card (M5.5)."""

    value: Modifier


class Modifiers(Struct, frozen=True, kw_only=True):
    """The modifier of each terrain."""

    clear: TerrainModifier
    woods: TerrainModifier
    village: TerrainModifier
    city: TerrainModifier
    hill: TerrainModifier


class PrintedHex(Sourced, frozen=True, kw_only=True):
    """A hex whose terrain is not the default, or that has a name."""

    terrain: Terrain
    label: Line = ""


class Map(Frame, frozen=True, kw_only=True):
    """The hex grid and what lies in it. Roads are drawn but have no effect."""

    otherwise: Terrain
    hexes: dict[str, PrintedHex]
    roads: list[Road] = msgspec.field(default_factory=list)
    modifiers: Modifiers


class PrintedCounter(Sourced, frozen=True, kw_only=True):
    """A counter (M1.1): two faces, each [anti-tank, anti-infantry]."""

    side: Literal["us", "german"]
    kind: Kind
    starts: Literal["map", "west", "east"]
    arrives: Turn
    full: tuple[Factor, Factor]
    reduced: tuple[Factor, Factor]
    tiger: bool = False


class Scenario(Struct, frozen=True, kw_only=True):
    """A whole scenario file."""

    name: Name
    title: Line
    map: Map
    units: dict[str, PrintedCounter]
    support: Support
    sources: dict[str, Text]
