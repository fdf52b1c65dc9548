"""A position of Mortain as data for the renderer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.core.legend import Branch, Cell, Colour, Legend, Margin, Piece, Scenery, Sign, Track
from pbem.core.requests import Plain
from pbem.core.sentences import joined, listed
from pbem.core.versions import edition
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, UNPLACED, WAITING, State
from pbem.games.mortain.rules.support import SUPPRESSION
from pbem.games.mortain.terms.cards import DECK, JOKER
from pbem.games.mortain.terms.options import EDITIONS
from pbem.games.mortain.terms.setting import GERMAN, RANGE_FROM_A_HILL, SEATS, US, Setting
from pbem.games.mortain.view import names
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")

TEXTURES = {"woods": "^", "village": "#", "city": "#", "hill": '"'}
"""The character that fills the hexes of a terrain, to show it at a glance."""

SMALL = {"city": "%"}
"""The sign of a terrain in small hexes, which have no word to distinguish a city from a village."""

SCENERY: dict[str, Scenery] = {"clear": "field"}
BRANCHES: dict[str, Branch] = {"tank": "armour", "gun": "anti-tank"}
SUPPRESSED = "*"
SIGNS: dict[str, Sign] = {SUPPRESSED: "under fire"}
ARMY = "army"
"""The group of Tiger 102, whose counter is green; SS counters are black."""

COLOURS: dict[str, Colour] = {US: "light green", GERMAN: "black", ARMY: "dark green"}
"""The colours of the counters, by side or group."""


def legend(state: State, editions: Mapping[str, Mapping[str, Plain]] = EDITIONS) -> Legend:
    """Describe a position: the hexes and what is in them, the units off the map, and the tracks.

    `editions` are those of this version of the rules.
    """
    setting = state.setting
    grid = setting.grid
    return Legend(
        columns=grid.last_column - grid.first_column + 1,
        rows=grid.last_row - grid.first_row + 1,
        cells=tuple(_cells(state)),
        terrain=_terrain(setting),
        brief=names.brief_names(),
        marks={SUPPRESSED: _describe_suppression()},
        sides=names.side_names(),
        margins=tuple(margin for margin in _margins(state) if margin.pieces),
        figures=tuple(_figures(state, editions)),
        turn=tr("Turn"),
        textures=TEXTURES,
        small=SMALL,
        factors=tr("anti-tank - anti-infantry"),
        reduced=tr("reduced face"),
        briefly=tr("reduced"),
        kinds=names.kind_letters(),
        names=names.kind_names(),
        amount=names.amount_of_kind,
        roads=setting.roads,
        scenery=SCENERY,
        branches=BRANCHES,
        signs=SIGNS,
        colours=COLOURS,
        tracks=tuple(_tracks(state)),
        known=((tr("Cards left"), " ".join(state.deck)),),
    )


def _describe_suppression() -> str:
    """The meaning of the mark of suppressed hexes."""
    modifier = f"{SUPPRESSION:+}"
    return tr("suppressed: {modifier} on the cards of German fire from here (M6.4)", modifier=modifier)


def _cells(state: State) -> Iterable[Cell]:
    """Every hex of the map."""
    grid = state.setting.grid
    centre = state.suppressed
    marked = () if centre is None else (centre, *grid.adjacent(centre))
    for number in grid.numbers:
        yield Cell(
            number=number,
            column=grid.column(number) - grid.first_column,
            row=grid.row(number) - grid.first_row,
            terrain=state.setting.terrain[number],
            label=names.place_name(state.setting.labels.get(number, "")),
            marks=SUPPRESSED if number in marked else "",
            pieces=_pieces(state, state.stack(number)),
        )


SIZES = {
    **dict.fromkeys(("CCA", "CCB", "CCR"), "X"),
    **dict.fromkeys(("117Inf", "119Inf", "120Inf", "37SS", "38SS", "DF", "D"), "III"),
    **dict.fromkeys(("823TD", "SPTD", "17StuG", "Tiger102"), "II"),
}
"""The sizes of the formations, from the notes in `data/mortain.yaml`; battle groups have none."""


def _pieces(state: State, units: Iterable[str]) -> tuple[Piece, ...]:
    """The counters of these units, with the face that is up."""
    pieces = []
    for name in units:
        counter, factors = state.counter(name), state.factors(name)
        up = f"{factors.at}-{factors.ai}"
        group = ARMY if counter.tiger else ""
        reduced, size = state.units[name].reduced, SIZES.get(name, "")
        pieces.append(Piece(name, counter.side, counter.kind, reduced, up, group, size=size))
    return tuple(pieces)


def _margins(state: State) -> Iterable[Margin]:
    """The units off the map, by place."""
    places = (
        (US, UNPLACED, tr("US to be set up")),
        (US, WAITING, tr("US waiting off the west edge")),
        (GERMAN, WAITING, tr("German waiting off the east edge")),
        (GERMAN, EXITED, tr("German exited off the west edge")),
        (US, ELIMINATED, tr("US eliminated")),
        (GERMAN, ELIMINATED, tr("German eliminated")),
    )
    for side, at, title in places:
        yield Margin(title, _pieces(state, [name for name in state.army(side) if state.at(name) == at]))


def _figures(state: State, editions: Mapping[str, Mapping[str, Plain]]) -> Iterable[tuple[str, str]]:
    """The figures beside the map."""
    options = state.setting.options
    yield tr("Turn"), tr("{turn} of {turns}", turn=state.turn, turns=options.turns)
    yield tr("Card"), state.card or tr.sense("a card", "none")
    yield tr("Deck"), _describe_deck(state)
    yield tr("Support"), _describe_support(state)
    yield tr("Exits"), tr("{exits} of {needed}", exits=state.exits, needed=options.exits_to_win)
    activated = [names.side_name(seat) for seat in SEATS if seat in state.activated]
    yield tr("Activated"), str(joined(activated)) if activated else tr("nobody")
    yield tr("Edition"), edition(options, editions) or tr.sense("an edition", "own")


def _tracks(state: State) -> Iterable[Track]:
    """The figures that have a track of boxes on the map."""
    options = state.setting.options
    yield Track(tr("Turn"), tuple(map(str, range(1, options.turns + 1))), state.turn - 1)
    yield Track(tr("Exits"), tuple(map(str, range(options.exits_to_win + 1))), state.exits)


def _describe_deck(state: State) -> str:
    """How many cards are left, and where the joker is (M7.2)."""
    left, cards = len(state.deck), len(DECK)
    if JOKER in state.deck:
        return tr("{left} of {cards} left, joker in it", left=left, cards=cards)
    if state.aside:
        return tr("{left} of {cards} left, joker set aside", left=left, cards=cards)
    return tr("{left} of {cards} left, joker drawn", left=left, cards=cards)


def _describe_support(state: State) -> str:
    """M6: whether support is available, or which kind was used, and its effect while it lasts."""
    if state.suppressed is not None:
        return tr("used, air suppressing {hex}", hex=state.suppressed)
    if state.attack is not None and state.attack.way != "fire":
        targets = listed(state.attack.targets)
        if state.attack.way == "air":
            return tr("used, air attacking {targets}", targets=targets)
        return tr("used, artillery attacking {targets}", targets=targets)
    match state.support, state.supported:
        case "available", _:
            return tr.sense("support", "available")
        case _, "air":
            return tr("used, air")
        case _, "artillery":
            return tr("used, artillery")
    return tr.sense("support", "used")


def _terrain(setting: Setting) -> dict[str, tuple[str, str]]:
    """Each terrain's word on the map, with its name and effects."""
    called, on_the_map = names.terrain_names(), names.terrain_labels()
    return {
        name: (on_the_map[name], listed([called[name], *_effects(name, setting.modifiers[name])]))
        for name in called
    }


def _effects(terrain: str, modifier: int) -> list[str]:
    """The effects of a terrain: modifier, sight, range (M5.2 to M5.5)."""
    card = [f"{modifier:+}"] if modifier else []
    sight = [] if terrain == "clear" else [tr("blocks sight")]
    reach = [tr("fires {number} hexes far", number=RANGE_FROM_A_HILL)] if terrain == "hill" else []
    return [*card, *sight, *reach]
