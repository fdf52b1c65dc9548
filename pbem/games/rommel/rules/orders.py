"""Orders: their plain form in the file (R10), their typed form in the rules, and R10.1 between the two.

One list answers one question. The plain orders, as they are signed:

    question                    orders                                                      typed
    …_setup, axis_open          {place: {125Inf: '1605', …}}                                Place
    air                         {fly: Ju88-1, path: ['1205', '1305', …]}                    Fly
                                {bomb: Ju88-1}                                              Bomb
                                {dogfight: [Bf109-1], on: [Spit-1]}                         Dogfight
                                {land: {Ju88-1: '1204', …}}                                 Land
                                {stand_down: true}                                          StandDown
    ground_move                 {move: 125Inf, path: ['1605', '1706'], clear: ['1804']}     Move
    ground_fire                 {fire: 88mm-1, at: Sherman-2}                               Shot
    ground_combat               {attack: [20-Aus, 24-Aus], on: [61-Tre]}                    Attack
    any                         {aa: bombers, units: [88mm-1]}                              StandingOrder
    all but set-up              {pass: true}                                                Pass

A path lists the hexes entered, the last being where the unit stops. `clear` and the `units` of `aa` may be
absent.

Sides may be shared by nationality (R9): this module has the limits, and whose units an order commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from pbem.base.validation import describe_value
from pbem.core.forms import Form, hexes, name, names, places, read, spoken, true, word
from pbem.core.hexes import Grid
from pbem.core.requests import Ask, Plain
from pbem.core.sealing import Seal
from pbem.errors import Gone, IllegalOrder, Unfinished
from pbem.games.rommel.rules.state import ELIMINATED, Hold, Phase, State
from pbem.games.rommel.terms.scenario import SIDE_OF_NATION
from pbem.games.rommel.terms.setting import ALLIED, SEATS, order_words
from pbem.messages import Messages, Said, row

tr = Messages("pbem.games.rommel")

FORM = "R10.1"
"""The rule cited for an order of the wrong form."""


class Place(Struct, frozen=True):
    """R2: the hex of every counter, in the order written."""

    hexes: Mapping[str, str]


class Fly(Struct, frozen=True):
    """R4.2: an aircraft flies along a path."""

    unit: str
    path: tuple[str, ...]


class Bomb(Struct, frozen=True):
    """R4.5: a bomber bombs the enemy land unit in its hex."""

    unit: str


class Dogfight(Struct, frozen=True):
    """R4.5: aircraft attack adjacent enemy aircraft."""

    units: tuple[str, ...]
    on: tuple[str, ...]


class Land(Struct, frozen=True):
    """R4.6: where aircraft land after the last sub-turn."""

    places: Mapping[str, str]


class StandDown(Struct, frozen=True):
    """R4.1: pass for the rest of the air phase."""

    true: bool = True


class StandingOrder(Struct, frozen=True):
    """R4.4: a standing order for some guns, or for all guns of the side (None)."""

    fire: Hold
    units: tuple[str, ...] | None = None


class Move(Struct, frozen=True):
    """R5.2: a unit moves along a path. R5.6: an Axis unit also clears these mined hexes beside the path."""

    unit: str
    path: tuple[str, ...]
    clear: tuple[str, ...] = ()


class Shot(Struct, frozen=True):
    """R7.1: a unit fires at a land unit."""

    unit: str
    at: str


class Attack(Struct, frozen=True):
    """R6.1: units attack adjacent units."""

    units: tuple[str, ...]
    on: tuple[str, ...]


class Pass(Struct, frozen=True):
    """R10: a pass."""

    true: bool = True


Order: TypeAlias = (
    Place | Fly | Bomb | Dogfight | Land | StandDown | StandingOrder | Move | Shot | Attack | Pass
)

Answer: TypeAlias = tuple[Order, ...]
"""The orders that answer one question, in the order written."""

Question: TypeAlias = Ask[State, Answer] | Seal[State]
"""A question of these rules."""

Refusal: TypeAlias = Callable[[], IllegalOrder]
"""A refusal worded only when called, since a search for paths meets thousands."""

SET_UP_VERBS = ("place", "aa")

VERBS: Mapping[Phase, tuple[str, ...]] = {
    Phase.AXIS_FIRST_SETUP: SET_UP_VERBS,
    Phase.AXIS_SCREEN_SETUP: SET_UP_VERBS,
    Phase.ALLIED_SCREEN_SETUP: SET_UP_VERBS,
    Phase.AXIS_OPEN: SET_UP_VERBS,
    Phase.ALLIED_LAST_SETUP: SET_UP_VERBS,
    Phase.AIR: ("fly", "bomb", "dogfight", "land", "stand_down", "aa", "pass"),
    Phase.MOVE: ("move", "aa", "pass"),
    Phase.FIRE: ("fire", "aa", "pass"),
    Phase.COMBAT: ("attack", "aa", "pass"),
}
"""The verbs that answer each question."""


@cache
def forms(grid: Grid) -> tuple[Form, ...]:
    """The form of every order of the game."""
    return (
        Form("place", Place, places(grid)),
        Form("fly", Fly, name, needed={"path": hexes(grid)}),
        Form("bomb", Bomb, name),
        Form("dogfight", Dogfight, names, needed={"on": names}),
        Form("land", Land, places(grid)),
        Form("stand_down", StandDown, true),
        Form("aa", StandingOrder, word("hold", "bombers", "all"), optional={"units": names}),
        Form("move", Move, name, needed={"path": hexes(grid)}, optional={"clear": hexes(grid)}),
        Form("fire", Shot, name, needed={"at": name}),
        Form("attack", Attack, names, needed={"on": names}),
        Form("pass", Pass, true),
    )


def read_orders(state: State, orders: Plain) -> Answer:
    """R10.1: parse the plain orders that answer the question `state.step`. Raises `IllegalOrder`.

    Place, land, stand_down and pass may occur only once. Standing orders alone are not an answer. A pass may
    be combined only with standing orders, stand_down only with landings and standing orders (R4.1).
    """
    found: Answer = read(orders, forms(state.setting.grid), VERBS[state.step], FORM, tr.own)
    acting = [type(order) for order in found if not isinstance(order, StandingOrder)]
    for once, verb in ((Place, "place"), (Land, "land"), (StandDown, "stand_down"), (Pass, "pass")):
        if acting.count(once) > 1:
            raise IllegalOrder(FORM, tr("{verb} may be ordered only once", verb=spoken(verb, tr.own)))
    if not acting:
        facts = tr(
            "standing orders are not enough: add {nothing} or another order",
            nothing=order_words("pass"),
        )
        raise Unfinished(FORM, facts, hint=row((order_words("aa all"), order_words("pass")), "; "))
    if len(acting) > 1 and Pass in acting:
        raise IllegalOrder(FORM, tr("a pass may be combined only with standing orders"))
    if StandDown in acting and not {StandDown, Land}.issuperset(acting):
        facts = tr(
            "{order} may be combined only with landings and standing orders", order=order_words("stand down")
        )
        raise IllegalOrder("R4.1", facts)
    return found


def check_units(state: State, seat: str, actors: Iterable[str], targets: Iterable[str] = ()) -> None:
    """R10.2: check that the units that act are the seat's own, and that their targets are in the game.

    Raises `IllegalOrder`.
    """
    for unit in actors:
        if unit not in state.units or state.side(unit) != seat:
            raise IllegalOrder("R10.2", _describe_foreign_unit(describe_value(unit), seat))
        _check_alive(state, unit)
    for unit in targets:
        if unit not in state.units:
            raise IllegalOrder("R10.2", tr("{unit} is not a unit in this game", unit=describe_value(unit)))
        _check_alive(state, unit)


def _describe_foreign_unit(unit: Said, seat: str) -> Said:
    """R10.2: say that a unit is not the seat's."""
    if seat == ALLIED:
        return tr("{unit} is not an Allied unit in this game", unit=unit)
    return tr("{unit} is not an Axis unit in this game", unit=unit)


def _check_alive(state: State, unit: str) -> None:
    """R10.2: check that a unit named has not been eliminated."""
    if state.at(unit) == ELIMINATED:
        raise Gone("R10.2", tr("{unit} has been eliminated", unit=unit), unit=unit, event="eliminated")


NATIONS_OF_SEAT: Mapping[str, tuple[str, ...]] = {
    seat: tuple(nation for nation, side in SIDE_OF_NATION.items() if side == seat) for seat in SEATS
}
"""R9.1: the nationalities of each side; each may have its own commander."""

MOST_COMMANDERS = 2
"""R9.2: how many commanders there may be besides the two leads, on both sides together."""

_UNIT_KEYS = ("place", "land", "move", "fly", "bomb", "fire", "attack", "dogfight", "units")
"""The keys of orders (R10) whose values name the units that carry them out."""


def nations_ordered(state: State, order: Plain) -> frozenset[str]:
    """R9.1: the nationalities whose units an order commands; none for one without units, such as a pass."""
    named = [name for key in _UNIT_KEYS if key in order for name in _units_in(order[key])]
    counters = state.setting.counters
    return frozenset(counters[name].nation for name in named if name in counters)


def _units_in(value: Plain) -> Iterable[str]:
    """The units in a name, a list of names, or a mapping from names to hexes."""
    if isinstance(value, str):
        return [value]
    return [name for name in value if isinstance(name, str)] if isinstance(value, (list, dict)) else []
