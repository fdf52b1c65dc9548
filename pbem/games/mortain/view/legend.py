"""A position of Mortain as data for the renderer."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.legend import Branch, Cell, Colour, Legend, Margin, Piece, Scenery, Sign, Track
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, UNPLACED, WAITING, State
from pbem.games.mortain.terms.cards import DECK, JOKER
from pbem.games.mortain.terms.options import EDITIONS, read
from pbem.games.mortain.terms.setting import GERMAN, SEATS, US
from pbem.games.mortain.view.words import SIDES

WORDS = {"clear": "", "woods": "woods", "village": "vill", "city": "city", "hill": "hill"}
"""A terrain's word on the map."""

TEXTURES = {"woods": "^", "village": "#", "city": "#", "hill": '"'}
"""What fills the hexes of a terrain, so that it is seen at a glance."""

SCENERY: dict[str, Scenery] = {"clear": "field"}
BRANCHES: dict[str, Branch] = {"tank": "armour", "gun": "anti-tank"}
SUPPRESSED = "*"
SIGNS: dict[str, Sign] = {SUPPRESSED: "under fire"}
ARMY = "army"
"""The group of Tiger 102, whose counter is green; those of the SS are black."""

COLOURS: dict[str, Colour] = {US: "light green", GERMAN: "black", ARMY: "dark green"}
"""What is drawn as more than its own word says, and the cardboard of the counters."""


def legend(state: State) -> Legend:
    """Describe a position: the hexes with what stands in them, who is off the map, and the tracks."""
    setting = state.setting
    grid = setting.grid
    return Legend(
        columns=grid.last_column - grid.first_column + 1,
        rows=grid.last_row - grid.first_row + 1,
        cells=tuple(_cells(state)),
        terrain={name: (word, _explained(name, setting.modifiers[name])) for name, word in WORDS.items()},
        marks={SUPPRESSED: "suppressed: +1 on the cards of German fire from here (M6.4)"},
        sides={side: SIDES[side] for side in (US, GERMAN)},  # west on the left
        margins=tuple(margin for margin in _margins(state) if margin.pieces),
        figures=tuple(_figures(state)),
        textures=TEXTURES,
        factors="anti-tank - anti-infantry",
        roads=setting.roads,
        scenery=SCENERY,
        branches=BRANCHES,
        signs=SIGNS,
        colours=COLOURS,
        tracks=tuple(_tracks(state)),
        known=(("Cards left", " ".join(state.deck)),),
    )


def _cells(state: State) -> Iterable[Cell]:
    """Every hex of the map."""
    grid = state.setting.grid
    centre = state.suppressed
    marked = () if centre is None else (centre, *grid.adjacent(centre))
    for number in grid.numbers:
        yield Cell(
            number=number,
            column=int(number[:2]) - grid.first_column,
            row=int(number[2:]) - grid.first_row,
            terrain=state.setting.terrain[number],
            label=state.setting.labels.get(number, ""),
            marks=SUPPRESSED if number in marked else "",
            pieces=_pieces(state, state.stack(number)),
        )


def _pieces(state: State, names: Iterable[str]) -> tuple[Piece, ...]:
    """The counters of these units, with the face that is up."""
    pieces = []
    for name in names:
        counter, factors = state.counter(name), state.factors(name)
        up = f"{factors.at}-{factors.ai}"
        group = ARMY if counter.tiger else ""
        pieces.append(Piece(name, counter.side, counter.kind, state.units[name].reduced, up, group))
    return tuple(pieces)


def _margins(state: State) -> Iterable[Margin]:
    """Who is off the map, and where."""
    places = (
        (US, UNPLACED, "to be set up"),
        (US, WAITING, "waiting off the west edge"),
        (GERMAN, WAITING, "waiting off the east edge"),
        (GERMAN, EXITED, "exited off the west edge"),
        (US, ELIMINATED, "eliminated"),
        (GERMAN, ELIMINATED, "eliminated"),
    )
    for side, at, title in places:
        names = [name for name in state.army(side) if state.at(name) == at]
        yield Margin(f"{SIDES[side]} {title}", _pieces(state, names))


def _figures(state: State) -> Iterable[tuple[str, str]]:
    """The tracks beside the map."""
    options = state.setting.options
    yield "Turn", f"{state.turn} of {options.turns}"
    yield "Card", state.card or "none"
    joker = "in it" if JOKER in state.deck else "set aside" if state.aside else "drawn"
    yield "Deck", f"{len(state.deck)} of {len(DECK)} left, joker {joker}"
    yield "Support", _support(state)
    yield "Exits", f"{state.exits} of {options.exits_to_win}"
    activated = [SIDES[seat] for seat in SEATS if seat in state.activated]
    yield "Activated", " and ".join(activated) or "nobody"
    yield "Edition", next((name for name, preset in EDITIONS.items() if read(preset) == options), "own")


def _tracks(state: State) -> Iterable[Track]:
    """The figures that have a row of boxes on the table."""
    options = state.setting.options
    yield Track("Turn", tuple(map(str, range(1, options.turns + 1))), state.turn - 1)
    yield Track("Exits", tuple(map(str, range(options.exits_to_win + 1))), state.exits)


def _support(state: State) -> str:
    """M6: whether support may be had, or which was used, and what it is doing as long as it does."""
    if state.suppressed is not None:
        return f"used, air suppressing {state.suppressed}"
    if state.attack is not None and state.attack.way != "fire":
        return f"used, {state.attack.way} attacking {', '.join(state.attack.targets)}"
    return f"{state.support}, {state.supported}" if state.supported else state.support


def _explained(terrain: str, modifier: int) -> str:
    """What a terrain is and does: modifier, sight, range (M5.2 to M5.5)."""
    card = [f"{modifier:+}"] if modifier else []
    sight = [] if terrain == "clear" else ["blocks sight"]
    reach = ["fires 3 hexes far"] if terrain == "hill" else []
    return ", ".join([terrain, *card, *sight, *reach])
