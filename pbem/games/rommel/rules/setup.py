"""R2, the set-up, in four placements; ready-made set-ups, and placements for any scenario."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import NamedTuple

from msgspec.structs import replace

from pbem.base.validation import describe_value
from pbem.core.paths import ways
from pbem.core.requests import Orders
from pbem.core.rules import Chooser
from pbem.core.sentences import joined, listed
from pbem.core.shipped import data_of
from pbem.errors import IllegalOrder, Unfinished
from pbem.games.rommel.rules import flak
from pbem.games.rommel.rules.orders import Answer, Order, Place, Refusal, read_orders
from pbem.games.rommel.rules.state import UNPLACED, Phase, State, Unit
from pbem.games.rommel.terms.setting import (
    AIRCRAFT,
    ALLIED,
    AXIS,
    FIRST_COUNTERS,
    FLAK,
    FOOT,
    MOST_ON_AN_AIRFIELD,
    PACKAGE,
    Setting,
    order_words,
    other_side,
)
from pbem.messages import Messages, Said

tr = Messages("pbem.games.rommel")


RULE = {
    Phase.AXIS_FIRST_SETUP: "R2.1",
    Phase.AXIS_SCREEN_SETUP: "R2.2",
    Phase.ALLIED_SCREEN_SETUP: "R2.2",
    Phase.AXIS_OPEN: "R2.2",
    Phase.ALLIED_LAST_SETUP: "R2.3",
}
"""The rule of each placement, by its question."""


def first_state(setting: Setting) -> State:
    """The state before the set-up: no unit is placed, and every gun fires at all aircraft (R4.4)."""
    counters = setting.counters.values()
    return State(
        setting=setting,
        step=Phase.AXIS_FIRST_SETUP,
        active=ALLIED,
        turn=1,
        weather=None,
        subturn=0,
        units={counter.name: Unit(UNPLACED) for counter in counters if counter.kind != "fort"},
        forts=(),
        cleared=(),
        seal=None,
        flak={counter.name: "all" for counter in counters if counter.kind in FLAK},
        stood_down=(),
        landing={},
        obliged={},
        fired=(),
        fired_at_aircraft=(),
        outcome=None,
    )


def placing_side(state: State) -> str:
    """The side that places counters now."""
    return ALLIED if state.step in (Phase.ALLIED_SCREEN_SETUP, Phase.ALLIED_LAST_SETUP) else AXIS


def read(state: State, orders: Orders) -> Answer:
    """R2: parse the answer to the set-up question `state.step`. Raises `IllegalOrder`.

    Only the side's own counters matter, so what the Axis has sealed stays legal (R2.2).
    """
    answer = read_orders(state, orders)
    flak.check_standing_orders(state, placing_side(state), answer)
    hexes = _placed_hexes(answer)
    _check_counters(state, hexes)
    board = Board(state)
    for name, at in hexes.items():
        board.check_zone(name, at)
        board.put(name, at)
    _check_complete(state, hexes)
    return answer


def state_with_placement(state: State, orders: Iterable[Order]) -> State:
    """The state with the counters of a legal placement on their hexes."""
    hexes = _placed_hexes(orders)
    units = {name: Unit(hexes[name]) if name in hexes else unit for name, unit in state.units.items()}
    forts = sorted(at for name, at in hexes.items() if state.kind(name) == "fort")
    return replace(state, units=units, forts=(*state.forts, *forts))


def unplaced_counters(state: State) -> tuple[str, ...]:
    """The counters of the placing side that are not on the map yet, in the scenario's order."""
    return tuple(
        name
        for name, counter in state.setting.counters.items()
        if counter.side == placing_side(state) and not _is_placed(state, name)
    )


class PlacementNeeds(NamedTuple):
    """What a placement must consist of: the counters required, those to choose from, and how many of them."""

    must: tuple[str, ...]
    choice: tuple[str, ...]
    number: int

    @property
    def all(self) -> tuple[str, ...]:
        """Every counter that may be placed."""
        return self.must + self.choice


def placement_needs(state: State) -> PlacementNeeds:
    """R2.1 to R2.3: what must be placed now."""
    here = unplaced_counters(state)
    aircraft = tuple(name for name in here if state.counter(name).flies)
    if state.step == Phase.AXIS_FIRST_SETUP:
        choice = tuple(name for name in here if state.kind(name) not in ("supply", "fort", *AIRCRAFT))
        return PlacementNeeds(aircraft, choice, FIRST_COUNTERS)
    if state.step == Phase.ALLIED_SCREEN_SETUP:
        choice = tuple(name for name in here if name not in aircraft)
        return PlacementNeeds(aircraft, choice, len(choice) - FIRST_COUNTERS)
    return PlacementNeeds(here, (), 0)


class Board:
    """R2.4: where the placing side's counters are; it grows counter by counter."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.side = placing_side(state)
        self.on: defaultdict[str, list[str]] = defaultdict(list)
        for name in (*state.army(self.side), *state.air_force(self.side)):
            self.on[state.at(name)].append(name)

    def hexes(self, name: str) -> tuple[str, ...]:
        """R2.1 to R2.3: where a counter may be placed, apart from R2.4: airfields, or the zone, in order."""
        return self._airfields if self.state.counter(name).flies else self._zone

    @cached_property
    def _airfields(self) -> tuple[str, ...]:
        return tuple(self.state.setting.airfields[self.side])

    @cached_property
    def _zone(self) -> tuple[str, ...]:
        return tuple(sorted(self.state.setting.zones[self.side]))

    @cached_property
    def _fortless_hexes(self) -> tuple[str, ...]:
        """R2.4: the hexes where no fortification may be without `forts_anywhere`."""
        setting = self.state.setting
        places = (*setting.villages.values(), *setting.airfields.values())
        return (*setting.mines, *setting.victory_points, *(at for hexes in places for at in hexes))

    def check_zone(self, name: str, at: str) -> None:
        """R2.1 to R2.3: check that a counter is in its side's zone or airfields. Raises `IllegalOrder`."""
        flies = self.state.counter(name).flies
        if at not in (self.state.setting.airfields if flies else self.state.setting.zones)[self.side]:
            raise IllegalOrder(RULE[self.state.step], _describe_outside(self.side, name, at, flies))

    def put(self, name: str, at: str) -> None:
        """Place a counter. Raises `IllegalOrder`, citing R2.4."""
        fault = self.fault(name, at)
        if fault is not None:
            raise fault()
        self.on[at].append(name)

    def fault(self, name: str, at: str) -> Refusal | None:
        """R2.4: why a counter may not be placed in a hex of its zone, or on an airfield; None if it may.

        `forts_anywhere` says where fortifications may be, `set_up_in_mines` whether units may be in mines.
        """
        kind, setting = self.state.kind(name), self.state.setting
        flying = [other for other in self.on[at] if setting.counters[other].flies]
        if kind in AIRCRAFT:
            return partial(_refuse_full_airfield, name, at) if len(flying) >= MOST_ON_AN_AIRFIELD else None
        if kind == "fort":
            if at in self._fortless_hexes and not setting.options.forts_anywhere:
                return partial(_refuse_fortless_hex, name, at)
        elif at in setting.mines and kind not in FOOT and setting.options.set_up_in_mines == "infantry":
            return partial(_refuse_mined_hex, name, at)
        for other in self.on[at]:
            if other not in flying and not self._may_share(name, other):
                return partial(_refuse_shared_hex, name, at, other)
        return None

    def _may_share(self, name: str, other: str) -> bool:
        """Whether one is a fortification and the other may be on it (R6.6)."""
        pair = (name, other)
        fort = any(self.state.kind(counter) == "fort" for counter in pair)
        return fort and any(self.state.may_stand_on_a_fort(unit) for unit in pair)


def _refuse_full_airfield(name: str, at: str) -> IllegalOrder:
    facts = tr("there is no room for {unit} on {hex}: an airfield holds four aircraft", unit=name, hex=at)
    return IllegalOrder("R2.4", facts)


def _refuse_mined_hex(name: str, at: str) -> IllegalOrder:
    facts = tr(
        "{unit} may not be set up in the mines of {hex}; only infantry and parachute may", unit=name, hex=at
    )
    return IllegalOrder("R2.4", facts)


def _refuse_fortless_hex(name: str, at: str) -> IllegalOrder:
    facts = tr(
        "{unit} may not be placed on {hex}, which is mined, a victory point, village or airfield",
        unit=name,
        hex=at,
    )
    return IllegalOrder("R2.4", facts)


def _refuse_shared_hex(name: str, at: str, other: str) -> IllegalOrder:
    facts = tr(
        "{unit} may not share {hex} with {other}; only foot and artillery, on a fortification",
        unit=name,
        hex=at,
        other=other,
    )
    return IllegalOrder("R2.4", facts)


def _describe_outside(seat: str, name: str, at: str, flies: bool) -> Said:
    """R2.1 to R2.3: say that a counter is outside its zone or airfields."""
    match seat, flies:
        case "allied", True:
            return tr("{unit} must be on an Allied airfield, and {hex} is not one", unit=name, hex=at)
        case "allied", False:
            return tr("{unit} must be in the Allied zone, and {hex} is not", unit=name, hex=at)
        case _, True:
            return tr("{unit} must be on an Axis airfield, and {hex} is not one", unit=name, hex=at)
        case _:
            return tr("{unit} must be in the Axis zone, and {hex} is not", unit=name, hex=at)


def _placed_hexes(orders: Iterable[Order]) -> Mapping[str, str]:
    """The hexes of the one placement among the orders (R10.1)."""
    return next(order.hexes for order in orders if isinstance(order, Place))


def _check_counters(state: State, hexes: Mapping[str, str]) -> None:
    """R10.2: check that counters are the side's own. R2.1 to R2.3: due now, and not too many."""
    rule, want = RULE[state.step], placement_needs(state)
    for name in hexes:
        if name not in state.setting.counters or state.side(name) != placing_side(state):
            raise IllegalOrder("R10.2", _describe_foreign_counter(describe_value(name), placing_side(state)))
    for name in hexes:
        if _is_placed(state, name):
            raise IllegalOrder(rule, tr("{unit} has already been placed", unit=name))
        if name not in want.must and name not in want.choice:
            raise IllegalOrder(rule, _describe_later_counter(name, state.kind(name)))
    chosen = sum(name in hexes for name in want.choice)
    if chosen > want.number:
        raise IllegalOrder(rule, _describe_wrong_number(chosen, want.number))


def _describe_foreign_counter(name: Said, seat: str) -> Said:
    """R10.2: say that a counter is not the seat's."""
    if seat == ALLIED:
        return tr("{unit} is not an Allied counter", unit=name)
    return tr("{unit} is not an Axis counter", unit=name)


def _describe_later_counter(name: str, kind: str) -> Said:
    """R2.1: say that the Axis places this counter later, unseen."""
    if kind == "fort":
        return tr("{unit}, a fortification counter, is placed later", unit=name)
    return tr("{unit}, a supply counter, is placed later", unit=name)


def _describe_wrong_number(found: int, expected: int) -> Said:
    """R2.1 to R2.3: say that the number of counters is wrong."""
    return tr("{expected} land counters must be placed, not {found}", found=found, expected=expected)


def _check_complete(state: State, hexes: Mapping[str, str]) -> None:
    """R2.1 to R2.3: check that all counters required now are placed. Raises `Unfinished`."""
    rule, want = RULE[state.step], placement_needs(state)
    missing = [name for name in want.must if name not in hexes]
    if missing:
        raise Unfinished(rule, tr("still to place: {units}", units=listed(missing)))
    chosen = sum(name in hexes for name in want.choice)
    if chosen < want.number:
        raise Unfinished(rule, _describe_wrong_number(chosen, want.number))


def _is_placed(state: State, name: str) -> bool:
    return bool(state.forts) if state.kind(name) == "fort" else state.on_map(name)


SPREAD = "spread"
"""The set-up that fits every scenario: counters as near to the enemy's zone as possible."""


@cache
def _shipped_set_ups() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The set-ups of `data/setups.yaml`: by name and question, the hex of each counter."""
    setups: Mapping[str, Mapping[str, Mapping[str, str]]] = data_of(PACKAGE, "setups")
    return setups


def ready_names(state: State) -> tuple[str, ...]:
    """The names of the set-ups that answer the set-up question `state.step`."""
    wanted = placement_needs(state).all
    fitting = (
        name
        for name, hexes in _shipped_set_ups().items()
        if any(counter in wanted for counter in hexes.get(state.step, ()))
    )
    return (*fitting, SPREAD)


def complete_names(state: State) -> tuple[str, ...]:
    """The names of set-ups with a hex for exactly the counters required; later on, the one begun with."""
    wanted = placement_needs(state)
    return tuple(
        name
        for name in ready_names(state)
        if name != SPREAD and {*wanted.must} <= _shipped_set_ups()[name][state.step].keys() <= {*wanted.all}
    )


def ready_placement(state: State, name: str) -> Orders:
    """The whole answer given by a set-up. Raises `IllegalOrder` for one not among `ready_names`.

    If its hex is taken or not allowed, a counter goes to the nearest allowed one; a counter missing from the
    set-up goes to the front.
    """
    if name not in ready_names(state):
        expected = joined([order_words(known) for known in ready_names(state)], "or")
        facts = tr("there is no set-up '{name}' here: choose {expected}", name=name, expected=expected)
        raise IllegalOrder(RULE[state.step], facts)
    written = _shipped_set_ups()[name][state.step] if name != SPREAD else {}
    must, choice, number = placement_needs(state)
    known = [counter for counter in written if counter in choice]
    chosen = [*known, *_slowest_first(state, [one for one in choice if one not in written])][:number]
    order = [*written, *_slowest_first(state, [one for one in (*must, *chosen) if one not in written])]
    front, grid = _distances_to_front(state), state.setting.grid

    def nearest(counter: str, hexes: Sequence[str]) -> list[str]:
        """The set-up's hex for the counter, then the nearest to it; without one, the nearest to the enemy."""
        there = written.get(counter)
        if there is None or there not in grid:
            return sorted(hexes, key=lambda at: (front[at], at))
        return sorted(hexes, key=lambda at: (grid.distance(at, there), at))

    return _place_each(state, [one for one in order if one in (*must, *chosen)], nearest)


def random_placement(state: State, chooser: Chooser) -> Orders:
    """A random legal placement, in any scenario."""
    must, choice, number = placement_needs(state)
    named = (*must, *chooser.sample(choice, number))

    def anywhere(counter: str, hexes: Sequence[str]) -> Sequence[str]:
        """The hexes, rotated by a random number."""
        first = chooser.choice(range(len(hexes)))
        return (*hexes[first:], *hexes[:first])

    return _place_each(state, named, anywhere)


def _slowest_first(state: State, counters: Sequence[str]) -> list[str]:
    """The counters, lowest movement factor first."""
    return sorted(counters, key=lambda counter: state.counter(counter).movement)


def _distances_to_front(state: State) -> dict[str, int]:
    """The distance of every hex from the enemy's zone."""
    enemy = state.setting.zones[other_side(placing_side(state))]
    return ways(dict.fromkeys(enemy, 0), state.setting.grid.adjacent, lambda at: 1)


def _place_each(
    state: State, named: Sequence[str], preferred: Callable[[str, Sequence[str]], Sequence[str]]
) -> Orders:
    """Place each counter in turn in the first of its preferred hexes that is allowed.

    A scenario has room for all (R2.4).
    """
    board = Board(state)
    hexes = {}
    for name in named:
        ahead = preferred(name, board.hexes(name))
        hexes[name] = next(at for at in ahead if board.fault(name, at) is None)
        board.put(name, hexes[name])
    return [{"place": hexes}]
