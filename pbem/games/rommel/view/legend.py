"""A position of Rommel y Montgomery as data for the renderer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.core.legend import Branch, Cell, Colour, Legend, Margin, Piece, Scenery, Sign, Track
from pbem.games.rommel.rules import movement, setup, victory
from pbem.games.rommel.rules.state import ELIMINATED, UNPLACED, Phase, State
from pbem.games.rommel.terms.options import EDITIONS, read
from pbem.games.rommel.terms.setting import ALLIED, AXIS, SEATS, Setting, other
from pbem.games.rommel.view.facts import SIDES, date

GROUND, SKY = "ground", "air"

KINDS = {
    "infantry": ("I", "infantry"),
    "parachute": ("P", "parachute"),
    "mechanised": ("M", "mechanised"),
    "tank": ("T", "tank"),
    "field": ("G", "field gun"),
    "anti_tank": ("K", "anti-tank"),
    "mixed": ("X", "anti-air and anti-tank"),
    "anti_aircraft": ("A", "anti-aircraft"),
    "supply": ("S", "supply"),
    "fort": ("", "fortification"),
    "fighter": ("F", "fighter"),
    "bomber": ("B", "bomber"),
}
"""R1.1: the letter and the word of each type; a fortification is a mark on the map."""

NATIONS = {
    "german": "German",
    "italian": "Italian",
    "british": "British",
    "commonwealth": "Commonwealth",
    "greek": "Greek",
    "french": "Free French",
}
"""R9.1: each may have a commander of its own."""

POINT, VILLAGE, AIRFIELD, FORT, STRANDED = "*", "@", "^", "]", "!"

MARKS = {
    POINT: "victory point: three win (R8.1)",
    VILLAGE: "village",
    AIRFIELD: "airfield",
    FORT: "fortification: doubles in defence (R6.6)",
    STRANDED: "out of supply: may not move (R5.4)",
}

TEXTURES = {"sea": "~", "depression": ":", "mines": "#", "cleared": "-"}
"""What fills the hexes of a terrain, so that it is seen at a glance."""

SCENERY: dict[str, Scenery] = {"clear": "desert", "sea": "water"}
BRANCHES: dict[str, Branch] = {
    "tank": "armour",
    "field gun": "artillery",
    "anti-aircraft": "anti-air",
    "fortification": "fort",
}
SIGNS: dict[str, Sign] = {
    POINT: "star",
    VILLAGE: "village",
    AIRFIELD: "airfield",
    FORT: "fort",
    STRANDED: "no supply",
}
COLOURS: dict[str, Colour] = {
    "german": "tan",
    "italian": "red",
    "british": "light green",
    "commonwealth": "dark green",
    "greek": "blue",
    "french": "light blue",
}
"""How these are drawn where it is not by their own word; the nations' colours are those of R1.1."""

WEATHERS = ("clear", "dust", "storm")

PHASES = {
    Phase.AXIS_FIRST_SETUP: "Axis sets up sixteen counters",
    Phase.AXIS_SCREEN_SETUP: "Axis sets up behind the screen",
    Phase.ALLIED_SCREEN_SETUP: "Allied sets up behind the screen",
    Phase.AXIS_OPEN: "the screen falls",
    Phase.ALLIED_LAST_SETUP: "Allied sets up its last sixteen",
    Phase.WEATHER: "weather",
    Phase.LANDING: "aircraft land",
    Phase.END_OF_TURN: "end of the turn",
    Phase.OVER: "the game is over",
}
"""The steps that are of one side or of both; the others are named after the side that is active."""

ACTIONS = {Phase.MOVE: "moves", Phase.FIRE: "fires", Phase.COMBAT: "fights"}


def legend(now: State) -> Legend:
    """Describe a position: the hexes with what stands in them, who is off the map, and the tracks."""
    setting = now.setting
    return Legend(
        columns=setting.grid.last_column - setting.grid.first_column + 1,
        rows=setting.grid.last_row - setting.grid.first_row + 1,
        cells=tuple(_cells(now)),
        terrain=_terrain(setting),
        marks=MARKS,
        sides={side: SIDES[side] for side in (AXIS, ALLIED)},  # west on the left
        margins=tuple(margin for margin in _margins(now) if margin.pieces),
        figures=tuple(_figures(now)),
        textures=TEXTURES,
        factors="combat-movement, a tank's letter and asterisks",
        kinds={word: letter for letter, word in KINDS.values() if letter},
        groups=NATIONS,
        reduced="struck",
        layers=(GROUND, SKY),
        links=tuple((one, two) for one in setting.grid.numbers for two in _roads(setting, one) if one < two),
        link="road: two hexes more along it (R5.3)",
        scenery=SCENERY,
        branches=BRANCHES,
        signs=SIGNS,
        colours=COLOURS,
        tracks=tuple(_tracks(now)),
    )


def _terrain(setting: Setting) -> dict[str, tuple[str, str]]:
    """The word and the explanation of each terrain."""
    mechanised = ", mechanised too" if setting.options.mechanised_in_mines else ""
    return {
        "clear": ("", "open ground"),
        "sea": ("sea", "sea, for aircraft alone"),
        "depression": ("depr", "depression, for aircraft alone"),
        "mines": ("mines", f"mined, for infantry alone{mechanised} (R5.6)"),
        "cleared": ("lane", "cleared of mines (R5.7)"),
    }


def _cells(now: State) -> Iterator[Cell]:
    """Every hex of the map."""
    grid = now.setting.grid
    coast = _coast(now.setting)
    supplied = {side: movement.supply_reach(now, side) for side in SEATS}
    for number in grid.numbers:
        yield Cell(
            number=number,
            column=int(number[:2]) - grid.first_column,
            row=int(number[2:]) - grid.first_row,
            terrain=_terrain_of(now, number, coast),
            label=next(iter(_places(now.setting, number)), ""),
            marks="".join(_marks(now, number)),
            pieces=_pieces(now, _units(now, number)),
            notes=tuple(_notes(now, number)),
            asides=(
                *_of("supply", [side for side in SEATS if number in supplied[side]]),
                *_of("zone", [side for side in SEATS if movement.entered_zone(now, other(side), number)]),
            ),
            zone=next((side for side in SEATS if number in now.setting.zones[side]), ""),
        )


def _of(what: str, sides: list[str]) -> Iterator[str]:
    """What a hex has of these sides, such as `supply: Allied, Axis`."""
    if sides:
        yield f"{what}: {', '.join(SIDES[side] for side in sides)}"


def _terrain_of(now: State, at: str, coast: dict[str, str]) -> str:
    """The terrain of a hex. What is no land is the sea in the north, the depression in the south."""
    if now.mined(at):
        return "mines"
    if at in now.setting.land:
        return "cleared" if at in now.cleared else "clear"
    return "depression" if at > coast.get(at[:2], at) else "sea"


def _coast(setting: Setting) -> dict[str, str]:
    """The northernmost land hex of each column that has one."""
    coast: dict[str, str] = {}
    for number in setting.grid.numbers:
        if number in setting.land:
            coast.setdefault(number[:2], number)
    return coast


def _marks(now: State, at: str) -> Iterator[str]:
    setting = now.setting
    if at in setting.victory_points:
        yield POINT
    elif any(at in setting.villages[side] for side in SEATS):
        yield VILLAGE
    if any(at in setting.airfields[side] for side in SEATS):
        yield AIRFIELD
    if at in now.forts:
        yield FORT


def _places(setting: Setting, at: str) -> dict[str, list[str]]:
    """The names of a hex, each with what bears it."""
    found: dict[str, list[str]] = {}
    if at in setting.victory_points:
        found.setdefault(setting.victory_points[at], []).append("victory point")
    for side in SEATS:
        for what, named in (("village", setting.villages), ("airfield", setting.airfields)):
            if at in named[side]:
                found.setdefault(named[side][at], []).append(f"{SIDES[side]} {what}")
    return found


def _notes(now: State, at: str) -> Iterator[str]:
    """What is in a hex beside its units."""
    for name, whats in _places(now.setting, at).items():
        yield f"{name} ({', '.join(whats)})"
    if at in now.forts:
        yield "fortification"
    if at in now.setting.mines:
        yield "mined" if now.mined(at) else "cleared of mines"
    if roads := _roads(now.setting, at):
        yield f"road to {', '.join(roads)}"


def _roads(setting: Setting, at: str) -> list[str]:
    """The neighbours that a road leads to."""
    return [near for near in setting.grid.adjacent(at) if (at, near) in setting.roads]


def _units(now: State, at: str) -> Iterator[str]:
    """The units in a hex, on the ground and above it."""
    if at in now.ground:
        yield now.ground[at]
    yield from now.sky.get(at, ())


def _pieces(now: State, names: Iterable[str]) -> tuple[Piece, ...]:
    """The counters of these units, with the face that is up."""
    return tuple(_piece(now, name) for name in names)


def _piece(now: State, name: str) -> Piece:
    counter = now.counter(name)
    tank = f" {counter.letter}{'*' * counter.stars}" if counter.stars else ""
    if counter.kind == "fort":
        factors, struck, stranded = "", False, False
    else:
        factors, struck = f"{now.combat(name)}-{now.movement(name)}{tank}", now.units[name].struck
        stranded = _stranded(now, name)
    return Piece(
        name,
        counter.side,
        KINDS[counter.kind][1],
        struck,
        factors,
        group=counter.nation,
        layer=SKY if counter.flies else GROUND,
        marks=STRANDED if stranded else "",
    )


def _stranded(now: State, name: str) -> bool:
    """R5.4: whether a unit on the ground is out of supply; in the set-up none is, because supply may come."""
    on_ground = now.on_map(name) and not now.counter(name).flies
    return on_ground and now.step not in setup.RULE and not movement.in_supply(now, name)


def _margins(now: State) -> Iterator[Margin]:
    """Who is off the map, and why."""
    for side in (AXIS, ALLIED):
        units = [name for name in now.units if now.side(name) == side]
        waiting = [name for name in units if now.at(name) == UNPLACED]
        forts = now.setting.forts if side == AXIS and waiting else ()
        yield Margin(f"{SIDES[side]} not yet placed", _pieces(now, [*waiting, *forts]))
        yield Margin(
            f"{SIDES[side]} eliminated", _pieces(now, [name for name in units if now.at(name) == ELIMINATED])
        )


def _figures(now: State) -> Iterator[tuple[str, str]]:
    """The tracks beside the map."""
    options = now.setting.options
    yield "Turn", f"{now.turn} of {options.final_turn}"
    if day := date(now.turn):
        yield "Date", day
    yield "Weather", now.weather or "not yet known"
    yield "Phase", _phase(now)
    held, lost = victory.held(now), victory.lost_villages(now)
    points = len(now.setting.victory_points)
    yield "Allied points", f"{len(held)} of {points}" + (f" ({', '.join(held)})" if held else "")
    yield "Allied villages", f"lost {', '.join(lost)}" if lost else "safe"
    yield "Edition", next((name for name, preset in EDITIONS.items() if read(preset) == options), "own")


def _tracks(now: State) -> Iterator[Track]:
    """The figures that have a row of boxes on the map."""
    options = now.setting.options
    yield Track("Turn", tuple(map(str, range(1, options.final_turn + 1))), now.turn - 1)
    yield Track("Weather", WEATHERS, WEATHERS.index(now.weather) if now.weather else -1)
    flying = now.step == Phase.AIR
    yield Track("Air", tuple(map(str, range(1, options.air_subturns + 1))), now.subturn - 1 if flying else -1)


def _phase(now: State) -> str:
    side = SIDES[now.active]
    if now.step == Phase.AIR:
        return f"{side} flies, sub-turn {now.subturn} of {now.setting.options.air_subturns}"
    return PHASES.get(now.step) or f"{side} {ACTIONS[now.step]}"
