"""The shape of a scenario file: what is printed on the board and on the counters.

`schemas/rommel-scenario.schema.json` says the same to other programs. Each value says whether it is known
and from which source.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

import msgspec

from pbem.core.maps import Factor, Frame, Road
from pbem.core.shape import Line, Name, Sourced, Struct, Text
from pbem.games.rommel.terms.setting import ALLIED, AXIS, FLAK_RANGE, SUPPLY_RADIUS, Kind, Nation, Target
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

SIDE_OF_NATION: dict[Nation, str] = {
    "german": AXIS,
    "italian": AXIS,
    "british": ALLIED,
    "commonwealth": ALLIED,
    "greek": ALLIED,
    "french": ALLIED,
}
"""The side of each nation."""

Stars = Annotated[int, msgspec.Meta(ge=0, le=3)]
Range = Annotated[int, msgspec.Meta(ge=1, le=9)]
Face = Annotated[
    int, msgspec.Meta(ge=2, le=5, description="a face of the die, from 2 to 5", extra={"tr": tr})
]
Faces = Annotated[
    list[Face],
    msgspec.Meta(min_length=1, description="one or more faces of the die, from 2 to 5", extra={"tr": tr}),
]
Radius = Annotated[int, msgspec.Meta(ge=1, le=99)]
Side = Literal["allied", "axis"]


class Area(Sourced, frozen=True, kw_only=True):
    """Hexes by blocks: rectangles of columns and rows, from the north-west hex to the south-east hex."""

    blocks: list[tuple[str, str]]

    def hexes(self) -> frozenset[str]:
        """Every hex of the blocks. A file may name one hex in a million blocks, so each is made only once."""
        columns: dict[tuple[str, str], set[int]] = {}
        for first, last in self.blocks:
            columns.setdefault((first[:2], last[:2]), set()).update(range(int(first[2:]), int(last[2:]) + 1))
        return frozenset(
            f"{column:02}{row:02}"
            for (west, east), rows in columns.items()
            for column in range(int(west), int(east) + 1)
            for row in rows
        )


class Zones(Struct, frozen=True, kw_only=True):
    """The areas where each side sets up (R2); hexes that are not land do not count."""

    axis: Area
    allied: Area


class Point(Sourced, frozen=True, kw_only=True):
    """A victory point (R8.1)."""

    name: Line


class PrintedHex(Sourced, frozen=True, kw_only=True):
    """A village or an airfield of a side."""

    name: Line
    side: Side


class Ground(NamedTuple):
    """The land hexes, those of them with mines, and those in each side's zone."""

    land: frozenset[str]
    mines: frozenset[str]
    zones: Mapping[str, frozenset[str]]


class Map(Frame, frozen=True, kw_only=True, dict=True):
    """The hex grid and what lies in it. Each step of a road is a road link (R5.3)."""

    land: Area
    mines: Area
    zones: Zones
    victory_points: dict[str, Point]
    villages: dict[str, PrintedHex]
    airfields: dict[str, PrintedHex]
    roads: list[Road]

    @cached_property
    def ground(self) -> Ground:
        """The areas, restricted to land. The blocks must lie on the map."""
        land = self.land.hexes()
        axis, allied = (land & zone.hexes() for zone in (self.zones.axis, self.zones.allied))
        return Ground(land, land & self.mines.hexes(), {AXIS: axis, ALLIED: allied})


class Weathers(Sourced, frozen=True, kw_only=True):
    """The weather by the faces of the die (R3.1)."""

    dust: list[Face]
    storm: list[Face]
    clear: list[Face]


class Hits(Struct, frozen=True, kw_only=True):
    """The faces that hit each kind of target (R7.1); none if it may not be fired at."""

    soft: list[Face] = msgspec.field(default_factory=list)
    fort: list[Face] = msgspec.field(default_factory=list)
    one: list[Face] = msgspec.field(default_factory=list)
    two: list[Face] = msgspec.field(default_factory=list)
    three: list[Face] = msgspec.field(default_factory=list)

    def by_target(self) -> dict[Target, tuple[int, ...]]:
        """The targets that may be fired at, with their faces."""
        targets: tuple[Target, ...] = ("soft", "fort", "one", "two", "three")
        return {target: tuple(getattr(self, target)) for target in targets if getattr(self, target)}


class Row(Sourced, frozen=True, kw_only=True):
    """A row of the fire table (R7.1): the range in hexes, and what hits."""

    range: Range
    hits: Hits


class Fire(Struct, frozen=True, kw_only=True):
    """The fire table: tanks of one, two and three asterisks, and the artillery that fires."""

    tank1: Row
    tank2: Row
    tank3: Row
    field: Row
    anti_tank: Row
    mixed: Row


class Bombing(Struct, frozen=True, kw_only=True):
    """The faces at which a bomb hits each kind of target (R4.5), tanks by their asterisks.

    For kinds that are missing here the option `bomb_hits` applies.
    """

    infantry: Faces = msgspec.field(default_factory=list)
    parachute: Faces = msgspec.field(default_factory=list)
    mechanised: Faces = msgspec.field(default_factory=list)
    field: Faces = msgspec.field(default_factory=list)
    anti_tank: Faces = msgspec.field(default_factory=list)
    mixed: Faces = msgspec.field(default_factory=list)
    anti_aircraft: Faces = msgspec.field(default_factory=list)
    supply: Faces = msgspec.field(default_factory=list)
    tank1: Faces = msgspec.field(default_factory=list)
    tank2: Faces = msgspec.field(default_factory=list)
    tank3: Faces = msgspec.field(default_factory=list)

    def by_row(self) -> dict[str, tuple[int, ...]]:
        """The kinds that are given, with their faces."""
        return {row: tuple(getattr(self, row)) for row in self.__struct_fields__ if getattr(self, row)}


class PrintedCounter(Sourced, frozen=True, kw_only=True):
    """A counter (R1.1): [combat, movement]; the last three fields are for tanks (R1.3)."""

    nation: Nation
    kind: Kind
    factors: tuple[Factor, Factor]
    letter: Line = ""
    stars: Stars = 0
    struck: tuple[Factor, Factor] = (0, 0)

    @property
    def side(self) -> str:
        """The side of its nation."""
        return SIDE_OF_NATION[self.nation]


class Scenario(Struct, frozen=True, kw_only=True):
    """A whole scenario file. Defaults are values that the text of the rules gives in words."""

    name: Name
    title: Line
    map: Map
    weather: Weathers
    fire: Fire
    flak_range: Range = FLAK_RANGE
    supply_radius: Radius = SUPPLY_RADIUS
    bombing: Bombing = Bombing()
    units: dict[str, PrintedCounter]
    sources: dict[str, Text]
