"""The setting of a game of Rommel y Montgomery: options, map, counters, tables, and the names of things.

The names are those of the sides, of everything printed on counters and map, of the weather, and the words of
typed orders (R10). See RULES.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

import msgspec

from pbem.core.hexes import Grid
from pbem.core.sides import Side
from pbem.messages import Message, Messages, Said

tr = Messages("pbem.games.rommel")


NAME = "rommel"
PACKAGE = f"pbem.games.{NAME}"

ALLIED, AXIS = "allied", "axis"
SEATS = (ALLIED, AXIS)

FACES = (2, 3, 3, 4, 4, 5)
"""R1.2: the faces of the die."""

SUPPLY_RADIUS = 8
"""R5.4: how far supply reaches, in hexes, unless the scenario gives it."""

FLAK_RANGE = 3
"""R4.4: how far a gun fires at aircraft, in hexes, unless the scenario gives it."""

FLAK_HITS = 3
"""R4.4: the face that shoots an aircraft down."""

FIRST_COUNTERS = 16
"""R2.1, R2.3: how many counters the Axis places first, and the Allies last."""

MOST_ON_AN_AIRFIELD = 4
"""R2.4, R4.2, R4.6: how many aircraft of its side may be on an airfield."""

Weather: TypeAlias = Literal["dust", "storm", "clear"]
Nation: TypeAlias = Literal["german", "italian", "british", "commonwealth", "greek", "french"]
"""R9.1: the nationalities; each may have its own commander."""

Kind: TypeAlias = Literal[
    "infantry",
    "parachute",
    "mechanised",
    "field",
    "anti_tank",
    "mixed",
    "anti_aircraft",
    "supply",
    "tank",
    "fort",
    "fighter",
    "bomber",
]
"""R1.1: the types of counters, in the order of the rules' text."""

FOOT = ("infantry", "parachute")
"""R6.6: infantry that is not mechanised."""

ARTILLERY = ("field", "anti_tank", "mixed", "anti_aircraft")
AIRCRAFT = ("fighter", "bomber")
FLAK = ("mixed", "anti_aircraft")
"""R4.4: the kinds that fire at aircraft."""

MAY_FIRE = ("tank", "field", "anti_tank", "mixed")
"""R7.1: the kinds that fire at land units."""

Target: TypeAlias = Literal["soft", "fort", "one", "two", "three"]
"""The columns of the fire table: not a tank; on a fortification; a tank with one, two, three asterisks."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All the options in RULES.md; an edition is a preset of them."""

    after_last_turn: Literal["draw", "continue"]
    turns: Annotated[int, msgspec.Meta(ge=1)]
    last_turn: Annotated[int, msgspec.Meta(ge=1)]
    bomb_hits: tuple[int, ...]
    dust_artillery_moves_less: bool
    tanks_fire_and_fight: bool
    fire_frees_from_combat: bool
    mechanised_in_mines: bool
    defend_again: bool
    air_subturns: Annotated[int, msgspec.Meta(ge=1, le=4)]
    aa_then_fight: bool
    forts_anywhere: bool
    set_up_in_mines: Literal["all", "infantry"]

    @property
    def final_turn(self) -> int:
        """R8.3: the turn after which the game ends at the latest."""
        return self.turns if self.after_last_turn == "draw" else self.last_turn


class Counter(msgspec.Struct, frozen=True, gc=False):
    """A counter as printed (R1.1). `letter` and `stars` are a tank's, else empty and 0.

    `struck_combat` and `struck_movement` are those of a tank's striped twin (R1.3), else 0.
    """

    name: str
    side: str
    nation: Nation
    kind: Kind
    combat: int
    movement: int
    letter: str = ""
    stars: int = 0
    struck_combat: int = 0
    struck_movement: int = 0

    @property
    def flies(self) -> bool:
        """Whether it is an aircraft."""
        return self.kind in AIRCRAFT


class FireRow(msgspec.Struct, frozen=True):
    """A row of the fire table (R7.1): the range in hexes, and the faces that hit each kind of target."""

    reach: int
    hits: Mapping[Target, tuple[int, ...]]


class Setting(msgspec.Struct, frozen=True, dict=True):
    """Options, counters in the scenario's order, map and tables.

    Hexes are strings CCRR. `roads` holds both directions of every link. The keys of `fire` are the firers'
    rows: a kind of artillery, or `tank1` to `tank3` by its asterisks. `flak_range` (R4.4) and `supply_radius`
    (R5.4) are in hexes.
    """

    options: Options
    counters: Mapping[str, Counter]
    grid: Grid
    land: frozenset[str]
    roads: frozenset[tuple[str, str]]
    villages: Mapping[str, Mapping[str, str]]
    """By side: the hexes of its villages with their names."""
    airfields: Mapping[str, Mapping[str, str]]
    """By side: the hexes of its airfields with their names."""
    victory_points: Mapping[str, str]
    mines: frozenset[str]
    zones: Mapping[str, frozenset[str]]
    """By side: the land hexes where it sets up (R2)."""
    weather: Mapping[int, Weather]
    """By face of the die: the weather (R3.1)."""
    fire: Mapping[str, FireRow]
    flak_range: int
    supply_radius: int
    bombing: Mapping[str, tuple[int, ...]]
    """By the target's kind, or `tank1` to `tank3`: the faces that hit, if the scenario gives them.

    Otherwise the option `bomb_hits` applies (R4.5).
    """

    @cached_property
    def nearby(self) -> dict[str, tuple[str, ...]]:
        """The land hexes around each hex."""
        adjacent = self.grid.adjacent
        return {at: tuple(near for near in adjacent(at) if near in self.land) for at in self.grid.numbers}

    @cached_property
    def land_units(self) -> tuple[str, ...]:
        """The land units of both sides, without fortifications, in the scenario's order."""
        counters = self.counters.values()
        return tuple(counter.name for counter in counters if not counter.flies and counter.kind != "fort")

    @cached_property
    def aircraft(self) -> tuple[str, ...]:
        """The aircraft of both sides, in the scenario's order."""
        return tuple(name for name, counter in self.counters.items() if counter.flies)

    @cached_property
    def armies(self) -> dict[str, tuple[str, ...]]:
        """The land units of each side, without fortifications, in the scenario's order."""
        return self._by_side(self.land_units)

    @cached_property
    def air_forces(self) -> dict[str, tuple[str, ...]]:
        """The aircraft of each side, in the scenario's order."""
        return self._by_side(self.aircraft)

    @cached_property
    def supplies(self) -> dict[str, tuple[str, ...]]:
        """The supply units of each side, in the scenario's order."""
        return self._by_side(name for name in self.land_units if self.counters[name].kind == "supply")

    @cached_property
    def guns(self) -> dict[str, tuple[str, ...]]:
        """R4.4: the guns of each side that fire at aircraft, sorted by name."""
        return self._by_side(sorted(name for name in self.land_units if self.counters[name].kind in FLAK))

    @cached_property
    def forts(self) -> tuple[str, ...]:
        """The names of the fortifications, all of them the Axis's."""
        return tuple(name for name, counter in self.counters.items() if counter.kind == "fort")

    def _by_side(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {side: [] for side in SEATS}
        for name in names:
            found[self.counters[name].side].append(name)
        return {side: tuple(named) for side, named in found.items()}


def other_side(side: str) -> str:
    """The opposing side."""
    return AXIS if side == ALLIED else ALLIED


SIDES = {
    AXIS: Side(name=tr("Axis"), the=tr("the Axis"), of=tr("of the Axis"), to=tr("to the Axis")),
    ALLIED: Side(
        name=tr("Allied"),
        the=tr("the Allies"),
        of=tr("of the Allies"),
        to=tr("to the Allies"),
        many=True,
    ),
}
"""The names of each side in sentences (R2.1, R2.2)."""


_KIND_NAMES: dict[str, Said] = {
    "infantry": tr("infantry"),
    "parachute": tr("parachute"),
    "mechanised": tr("mechanised"),
    "tank": tr("tank"),
    "field": tr("field gun"),
    "anti_tank": tr("anti-tank"),
    "mixed": tr("anti-air and anti-tank"),
    "anti_aircraft": tr("anti-aircraft"),
    "supply": tr("supply"),
    "fort": tr("fortification"),
    "fighter": tr("fighter"),
    "bomber": tr("bomber"),
}


def kind_name(of: str) -> Said:
    """R1.1: the name of a type of counters."""
    return _KIND_NAMES[of]


def weather_name(today: Weather) -> Said:
    """R3.1: the name of a weather."""
    match today:
        case "dust":
            return tr("dust")
        case "storm":
            return tr("storm")
        case "clear":
            return tr.sense("of the weather", "clear")


def nation_names() -> dict[str, Said]:
    """R9.1: the names of the nationalities, each of which may have its own commander."""
    return {
        "german": tr("German"),
        "italian": tr("Italian"),
        "british": tr("British"),
        "commonwealth": tr("Commonwealth"),
        "greek": tr("Greek"),
        "french": tr("Free French"),
    }


def place_name(name: str) -> Said:
    """A name on the map. One of those in `data/alamein.yaml` is a description, which is translated."""
    return tr("Desert strip") if name == "Desert strip" else name


VERBS = ("setup", "place", "fly", "bomb", "dogfight", "land", "stand", "move", "fire", "attack", "aa", "pass")

AT, BOMB, CLEAR, DOGFIGHT, DOWN, ON, TO = RESERVED = ("at", "bomb", "clear", "dogfight", "down", "on", "to")
"""Prepositions and keywords of orders: no unit may have such a name."""

AIMS = ("hold", "bombers", "all")
"""R4.4: what a gun fires at."""

# fmt: off
TYPED = (
    "setup", "place", "fly", "bomb", "dogfight", "land", "stand", "move", "fire", "attack", "aa", "pass",
    "at", "clear", "down", "on", "to",
    "hold", "bombers", "all",
    "historical", "deep", "wall", "north", "spread",
)
# fmt: on
"""All words of typed orders, and the names of ready-made set-ups (R2)."""


def order_words(words: str) -> Message:
    """Words of orders in the player's language; names and hexes stay as they are."""
    return tr.own(words)
