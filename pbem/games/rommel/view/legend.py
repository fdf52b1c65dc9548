"""A position of Rommel y Montgomery as data for the renderer, with the tracks and figures beside the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from typing import TypeAlias

from msgspec.structs import replace

from pbem.core.legend import Branch, Cell, Colour, Legend, Margin, Piece, Scenery, Sign, Track
from pbem.core.requests import Plain
from pbem.core.sentences import listed
from pbem.core.versions import edition
from pbem.games.rommel.rules import flak, movement, setup, victory
from pbem.games.rommel.rules.state import ELIMINATED, UNPLACED, Phase, State
from pbem.games.rommel.terms import setting
from pbem.games.rommel.terms.options import EDITIONS
from pbem.games.rommel.terms.setting import (
    ALLIED,
    AXIS,
    SEATS,
    SIDES,
    Setting,
    Weather,
    kind_name,
    nation_names,
    place_name,
)
from pbem.games.rommel.view.names import amount_of_kind, brief_names, date_of_turn, side_name
from pbem.texts import Texts, spoken

tr = Texts("pbem.games.rommel")


WEATHERS: tuple[Weather, ...] = ("clear", "dust", "storm")


def figures_beside_map(now: State, editions: Mapping[str, Mapping[str, Plain]]) -> Iterator[tuple[str, str]]:
    """The figures of a position, with their names."""
    options = now.setting.options
    yield tr("Turn"), tr("{turn} of {turns}", turn=now.turn, turns=options.final_turn)
    if day := date_of_turn(now.turn):
        yield tr("Date"), day
    yield tr("Weather"), str(setting.weather_name(now.weather)) if now.weather else tr("not yet known")
    yield tr.sense("of a turn", "Phase"), _describe_phase(now)
    held, lost = victory.held_points(now), victory.lost_villages(now)
    points = tr("{held} of {points}", held=len(held), points=len(now.setting.victory_points))
    yield tr("Allied points"), points + (f" ({listed(held)})" if held else "")
    yield (
        tr("Allied villages"),
        tr("lost {hexes}", hexes=listed(lost)) if lost else tr.sense("of villages", "safe"),
    )
    yield tr("Edition"), edition(options, editions) or tr.sense("of an edition", "own")


def tracks_beside_map(now: State) -> Iterator[Track]:
    """The figures that have a track of boxes on the map."""
    options = now.setting.options
    yield Track(tr("Turn"), tuple(map(str, range(1, options.final_turn + 1))), now.turn - 1)
    weathers, today = tuple(str(setting.weather_name(one)) for one in WEATHERS), now.weather
    yield Track(tr("Weather"), weathers, WEATHERS.index(today) if today else -1)
    flying = now.step == Phase.AIR
    subturns = tuple(map(str, range(1, options.air_subturns + 1)))
    yield Track(tr.sense("of sub-turns", "Air"), subturns, now.subturn - 1 if flying else -1)


def _describe_phase(now: State) -> str:
    """What happens now, and who does it."""
    match now.step:
        case Phase.AXIS_FIRST_SETUP:
            return tr("the Axis sets up sixteen counters")
        case Phase.AXIS_SCREEN_SETUP:
            return tr("the Axis sets up behind the screen")
        case Phase.ALLIED_SCREEN_SETUP:
            return tr("the Allies set up behind the screen")
        case Phase.AXIS_OPEN:
            return tr("the screen is removed")
        case Phase.ALLIED_LAST_SETUP:
            return tr("the Allies set up their last sixteen")
        case Phase.WEATHER:
            return tr("weather")
        case Phase.LANDING:
            return tr("aircraft land")
        case Phase.END_OF_TURN:
            return tr("end of the turn")
        case Phase.OVER:
            return tr("the game is over")
        case Phase.AIR:
            most = now.setting.options.air_subturns
            return tr(
                "{side} {side:flies|fly}, sub-turn {number} of {most}",
                side=SIDES[now.active],
                number=now.subturn,
                most=most,
            )
        case Phase.MOVE:
            return tr("{side} {side:moves|move}", side=SIDES[now.active])
        case Phase.FIRE:
            return tr("{side} {side:fires|fire}", side=SIDES[now.active])
        case Phase.COMBAT:
            return tr("{side} {side:fights|fight}", side=SIDES[now.active])


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
"""R1.1: the letter and the key of each type; a fortification is a mark on the map."""

POINT, VILLAGE, AIRFIELD, FORT, STRANDED = "*", "@", "^", "]", "!"

TEXTURES = {"sea": "~", "depression": ":", "mines": "#", "cleared": "-"}
"""The character that fills the hexes of a terrain, to show it at a glance."""

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
"""How to draw whatever is not named like its drawing; the nations' colours are those of R1.1."""


def legend(now: State, editions: Mapping[str, Mapping[str, Plain]] = EDITIONS) -> Legend:
    """Describe a position: the hexes and what is in them, the units off the map, and the tracks.

    `editions` are those of this version of the rules.
    """
    setting = now.setting
    return Legend(
        columns=setting.grid.last_column - setting.grid.first_column + 1,
        rows=setting.grid.last_row - setting.grid.first_row + 1,
        cells=tuple(_cells(now)),
        terrain=_terrain(setting),
        brief=brief_names(),
        marks=_mark_meanings(),
        sides={seat: side_name(seat) for seat in (AXIS, ALLIED)},  # west is on the left
        margins=tuple(margin for margin in _margins(now) if margin.pieces),
        figures=tuple(figures_beside_map(now, editions)),
        turn=tr("Turn"),
        textures=TEXTURES,
        factors=tr("combat-movement, a tank's letter and asterisks"),
        kinds={key: letter for letter, key in KINDS.values() if letter},
        groups={key: str(name) for key, name in nation_names().items()},
        reduced=tr.sense("of a tank", "struck"),
        layers=(_layer(False), _layer(True)),
        links=_printed_map(setting).roads,
        link=tr("road: two hexes more along it (R5.3)"),
        scenery=SCENERY,
        branches=BRANCHES,
        signs=SIGNS,
        colours=COLOURS,
        tracks=tuple(tracks_beside_map(now)),
        names={key: str(kind_name(kind)) for kind, (_, key) in KINDS.items()},
        amount=amount_of_kind,
    )


def _mark_meanings() -> dict[str, str]:
    """The meaning of the marks."""
    return {
        POINT: tr("victory point: three win (R8.1)"),
        VILLAGE: tr("village"),
        AIRFIELD: tr("airfield"),
        FORT: tr("fortification: doubles in defence (R6.6)"),
        STRANDED: tr("out of supply: may not move (R5.4)"),
    }


def _layer(flies: bool) -> str:
    """The name of a unit's layer: above the ground, or on it."""
    return tr.sense("of a hex", "air") if flies else tr.sense("of a hex", "ground")


def _terrain(setting: Setting) -> dict[str, tuple[str, str]]:
    """The word and the explanation of each terrain."""
    if setting.options.mechanised_in_mines:
        mines = tr("mined, for infantry alone, mechanised too (R5.6)")
    else:
        mines = tr("mined, for infantry alone (R5.6)")
    return {
        "clear": ("", tr("open ground")),
        "sea": (tr.sense("on the map, at most 5 letters", "sea"), tr("sea, for aircraft alone")),
        "depression": (
            tr.sense("on the map, at most 5 letters", "depr"),
            tr("depression, for aircraft alone"),
        ),
        "mines": (tr.sense("on the map, at most 5 letters", "mines"), mines),
        "cleared": (tr.sense("on the map, at most 5 letters", "lane"), tr("cleared of mines (R5.7)")),
    }


def _cells(now: State) -> Iterator[Cell]:
    """Every hex of the map."""
    changed = {*now.ground, *now.sky, *now.forts, *now.cleared}
    supplied = {seat: movement.supply_reach(now, seat) for seat in SEATS}
    first_supply, second_supply = supplied.values()
    first_zone, second_zone = (movement.zone_of_control(now, seat) for seat in SEATS)
    printed_map = _printed_map(now.setting)
    for at in now.setting.grid.numbers:
        reach = at in first_supply, at in second_supply, at in first_zone, at in second_zone
        cell = printed_map.cell(at, reach)
        if at in changed:
            yield replace(
                cell,
                terrain="cleared" if at in now.cleared else cell.terrain,
                marks=cell.marks + (FORT if at in now.forts else ""),
                pieces=_pieces(now, _units(now, at), supplied),
                notes=tuple(_notes(now, at)),
            )
        else:
            yield cell


Reach: TypeAlias = tuple[bool, bool, bool, bool]
"""Whether a hex is in supply for each side, and whether it is in each side's zone of control."""

NO_REACH: Reach = (False, False, False, False)


class _PrintedMap:
    """The map of a setting, before anything is placed on it, in the current language."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._cells: dict[tuple[str, Reach], Cell] = {
            (cell.number, NO_REACH): cell for cell in _print_cells(setting)
        }
        self.roads = tuple(
            (one, two) for one in setting.grid.numbers for two in _roads(setting, one) if one < two
        )

    def cell(self, at: str, reach: Reach) -> Cell:
        """A hex with these reaches."""
        found = self._cells.get((at, reach))
        if found is None:
            found = replace(self._cells[at, NO_REACH], asides=tuple(_reach_notes(reach)))
            self._cells[at, reach] = found
        return found


_printed_maps: dict[str, _PrintedMap] = {}
"""The maps of the last setting, by language: a page draws one for each entry of a game."""


def _printed_map(setting: Setting) -> _PrintedMap:
    if any(printed.setting is not setting for printed in _printed_maps.values()):
        _printed_maps.clear()
    if spoken() not in _printed_maps:
        _printed_maps[spoken()] = _PrintedMap(setting)
    return _printed_maps[spoken()]


def _print_cells(setting: Setting) -> Iterator[Cell]:
    grid, coast = setting.grid, _coast(setting)
    for number in grid.numbers:
        yield Cell(
            number=number,
            column=grid.column(number) - grid.first_column,
            row=grid.row(number) - grid.first_row,
            terrain=_printed_terrain(setting, number, coast),
            label=next(iter(_places(setting, number)), ""),
            marks="".join(_printed_marks(setting, number)),
            pieces=(),
            notes=(
                *_notes_on_places(setting, number),
                *_notes_on_mines(setting, number),
                *_notes_on_roads(setting, number),
            ),
            zone=next((seat for seat in SEATS if number in setting.zones[seat]), ""),
        )


def _reach_notes(reach: Reach) -> Iterator[str]:
    """R5.4, R5.5: notes on the sides whose supply reaches a hex, and in whose zone of control it is."""
    supplied, zones = (list(compress(SEATS, each)) for each in (reach[:2], reach[2:]))
    if supplied:
        yield tr("supply: {sides}", sides=listed(map(side_name, supplied)))
    if zones:
        yield tr("zone: {sides}", sides=listed(map(side_name, zones)))


def _printed_terrain(setting: Setting, at: str, coast: dict[str, str]) -> str:
    """The terrain of a hex before any is cleared. North of the land is sea, south of it the depression."""
    if at in setting.mines:
        return "mines"
    if at in setting.land:
        return "clear"
    return "depression" if at > coast.get(at[:2], at) else "sea"


def _coast(setting: Setting) -> dict[str, str]:
    """The northernmost land hex of each column with land."""
    coast: dict[str, str] = {}
    for number in setting.grid.numbers:
        if number in setting.land:
            coast.setdefault(number[:2], number)
    return coast


def _printed_marks(setting: Setting, at: str) -> Iterator[str]:
    if at in setting.victory_points:
        yield POINT
    elif any(at in setting.villages[seat] for seat in SEATS):
        yield VILLAGE
    if any(at in setting.airfields[seat] for seat in SEATS):
        yield AIRFIELD


def _places(setting: Setting, at: str) -> dict[str, list[str]]:
    """The names in a hex, each with the kinds of places so called."""
    found: dict[str, list[str]] = {}

    def bears(name: str, what: str) -> None:
        found.setdefault(str(place_name(name)), []).append(what)

    if at in setting.victory_points:
        bears(setting.victory_points[at], tr("victory point"))
    for seat in SEATS:
        allied = seat == ALLIED
        if at in setting.villages[seat]:
            bears(setting.villages[seat][at], tr("Allied village") if allied else tr("Axis village"))
        if at in setting.airfields[seat]:
            bears(setting.airfields[seat][at], tr("Allied airfield") if allied else tr("Axis airfield"))
    return found


def _notes(now: State, at: str) -> Iterator[str]:
    """Notes on a hex, apart from its units."""
    yield from _notes_on_places(now.setting, at)
    if at in now.forts:
        yield tr("fortification")
    if at in now.cleared:
        yield tr("cleared of mines")
    else:
        yield from _notes_on_mines(now.setting, at)
    if at in now.ground and flak.forgoes_attack(now, now.ground[at]):
        yield tr("{unit} fired at aircraft this turn and may not attack (R7.2)", unit=now.ground[at])
    yield from _notes_on_roads(now.setting, at)


def _notes_on_places(setting: Setting, at: str) -> Iterator[str]:
    for name, whats in _places(setting, at).items():
        yield f"{name} ({listed(whats)})"


def _notes_on_mines(setting: Setting, at: str) -> Iterator[str]:
    if at in setting.mines:
        yield tr("mined")


def _notes_on_roads(setting: Setting, at: str) -> Iterator[str]:
    if roads := _roads(setting, at):
        yield tr("road to {hexes}", hexes=listed(roads))


def _roads(setting: Setting, at: str) -> list[str]:
    """The neighbours to which a road leads."""
    return [near for near in setting.grid.adjacent(at) if (at, near) in setting.roads]


def _units(now: State, at: str) -> Iterator[str]:
    """The units in a hex, on the ground and above it."""
    if at in now.ground:
        yield now.ground[at]
    yield from now.sky.get(at, ())


Supplied: TypeAlias = Mapping[str, frozenset[str]]
"""The hexes in reach of each side's supply."""


def _pieces(now: State, units: Iterable[str], supplied: Supplied) -> tuple[Piece, ...]:
    """The counters of these units, with the face that is up."""
    return tuple(_piece(now, name, supplied) for name in units)


def _piece(now: State, name: str, supplied: Supplied) -> Piece:
    counter = now.counter(name)
    tank = f" {counter.letter}{'*' * counter.stars}" if counter.stars else ""
    if counter.kind == "fort":
        factors, struck, stranded = "", False, False
    else:
        factors, struck = f"{now.combat(name)}-{now.movement(name)}{tank}", now.units[name].struck
        stranded = _is_stranded(now, name, supplied)
    return Piece(
        name,
        counter.side,
        KINDS[counter.kind][1],
        struck,
        factors,
        group=counter.nation,
        layer=_layer(counter.flies),
        marks=STRANDED if stranded else "",
        size=SIZES.get((counter.side, counter.kind), ""),
    )


SIZES = {
    **{(AXIS, kind): "III" for kind in ("infantry", "mechanised")},
    **{(ALLIED, kind): "X" for kind in ("infantry", "mechanised")},
}
"""The sizes of foot and motorised counters: regiments and brigades, from the notes in `data/alamein.yaml`."""


def _is_stranded(now: State, name: str, supplied: Supplied) -> bool:
    """R5.4: whether a land unit is out of supply; not during the set-up, since supply may still be placed."""
    on_ground = now.on_map(name) and not now.counter(name).flies
    return on_ground and now.step not in setup.RULE and now.at(name) not in supplied[now.side(name)]


def _margins(now: State) -> Iterator[Margin]:
    """The units off the map, by place."""
    for seat in (AXIS, ALLIED):
        units = [name for name in now.units if now.side(name) == seat]
        waiting = [name for name in units if now.at(name) == UNPLACED]
        forts = now.setting.forts if seat == AXIS and waiting else ()
        yield Margin(tr("{side} not yet placed", side=side_name(seat)), _pieces(now, [*waiting, *forts], {}))
        gone = [name for name in units if now.at(name) == ELIMINATED]
        yield Margin(tr("{side} eliminated", side=side_name(seat)), _pieces(now, gone, {}))
