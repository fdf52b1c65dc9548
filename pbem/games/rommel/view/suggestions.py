"""Suggested orders, as typed: additions to an answer, and what pointing at units and hexes can mean.

The rules accept every addition; they can refuse the meanings of pointing. This game's ready-made plans are at
the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations

from pbem.core.requests import Orders, may_come
from pbem.core.rules import ReadyPlan
from pbem.games.rommel.rules import air, combat, fire, flights, movement, setup
from pbem.games.rommel.rules.orders import Move, Place, Question
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import AIMS, AT, BOMB, DOGFIGHT, ON, TO
from pbem.games.rommel.view import typed_orders
from pbem.games.rommel.view.names import order_text
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


FINAL_ORDERS = ("pass", "stand_down")
"""The orders to which hardly anything can be added (R4.1, R10.1)."""


def additional_orders(ask: Question, orders: Orders) -> Iterator[str]:
    """The orders that can be added; none if only standing orders are possible."""
    if any(verb in order for order in orders for verb in FINAL_ORDERS):
        return
    found = ADDITIONS.get(ask.question, _placements)(ask, orders)
    first = next(found, None)
    if first is None:
        return
    yield first
    yield from found
    yield from (order_text(f"aa {aim}") for aim in AIMS)
    if ask.question in ADDITIONS and not orders:
        yield order_text("pass")


def state_after(ask: Question, orders: Orders) -> State:
    """The state with the counters placed, moved or flown so far, without any throw."""
    state = ask.state
    for order in orders:
        match order:
            case {"place": places}:
                state = setup.state_with_placement(state, [Place(places)])
            case {"move": name, "path": path}:
                state = movement.state_after(state, Move(name, tuple(path), tuple(order.get("clear", ()))))
            case {"fly": name, "path": [*_, at]}:
                state = state.with_unit_at(name, at)
    return state


def _placements(ask: Question, orders: Orders) -> Iterator[str]:
    """R2: ready-made set-ups, then each unplaced counter in each hex with room for it."""
    state = ask.state
    board = setup.Board(state)
    placed = {name: at for order in orders for name, at in order.get("place", {}).items()}
    for name, at in placed.items():
        board.put(name, at)
    if not placed:
        yield from (order_text(f"setup {name}") for name in setup.ready_names(state))
    want, place = setup.placement_needs(state), order_text("place")
    full = sum(name in placed for name in want.choice) == want.number
    for name in want.must if full else want.all:
        if name not in placed:
            yield from (f"{place} {name} {at}" for at in board.hexes(name) if board.fault(name, at) is None)


def _moves(ask: Question, orders: Orders) -> Iterator[str]:
    """R5: the moves of each unit that has none yet, to each hex in reach after the orders so far."""
    state = state_after(ask, orders)
    moved = [order["move"] for order in orders if "move" in order]
    move, to = order_text("move"), order_text(TO)
    for name in state.army(ask.seat):
        if name not in moved:
            yield from (f"{move} {name} {to} {at}" for at in movement.reach(state, name))


def _sorties(ask: Question, orders: Orders) -> Iterator[str]:
    """R4: the flights of each aircraft without one yet, to each hex in reach, with attacks; landings."""
    state = state_after(ask, orders)
    flown = [order["fly"] for order in orders if "fly" in order]
    acting = [name for order in orders for name in (order.get("bomb"), *order.get("dogfight", ()))]
    idle = [name for name in state.air_force(ask.seat) if name not in acting]
    here = (line for name in idle for line in _orders_in_place(state, name))
    yield from (line for line in here if _may_be_added(ask, orders, line))
    again = state.setting.options.defend_again
    fought = [] if again else [name for order in orders if "dogfight" in order for name in order["on"]]
    yield from (line for name in idle if name not in flown for line in _flights(state, name, fought))
    if not orders:
        yield order_text("stand down")


def _orders_in_place(state: State, name: str) -> Iterator[str]:
    """R4.5, R4.6: what one aircraft may do without a flight."""
    for verb, enemy in _attacks(state, name, state.at(name)):
        yield order_text(f"{verb} {name} {ON} {enemy}" if enemy else f"{verb} {name}")
    if air.is_last_subturn(state):
        yield from (order_text(f"land {name} {at}") for at in air.open_airfields(state, state.active))


def _flights(state: State, name: str, fought: Collection[str]) -> Iterator[str]:
    """R4.2, R4.3: the flights of one aircraft, with its attacks; in a zone, one is compulsory, now or later.

    R6.1: enemies already `fought` may not be attacked again.
    """
    flight = order_text(f"fly {name} {TO}")
    for at in flights.reach(state, name):
        yield f"{flight} {at}"
        attacks = [(verb, enemy) for verb, enemy in _attacks(state, name, at) if enemy not in fought]
        yield from (f"{flight} {at} {order_text(f'{verb} {enemy}')}" for verb, enemy in attacks)


def _attacks(state: State, name: str, at: str) -> Iterator[tuple[str, str]]:
    """R4.5: a bomb, or a dogfight with each enemy in whose zone the aircraft is."""
    enemies = flights.zone(state, state.active, at)
    if not enemies and air.bomb_target(state, name, at) is not None:
        yield BOMB, ""
    yield from ((DOGFIGHT, enemy) for enemy in enemies)


def _shots(ask: Question, orders: Orders) -> Iterator[str]:
    """R7.1: the fire of each unit without a shot yet, at each target."""
    firing = [order["fire"] for order in orders if "fire" in order]
    for name in ask.state.army(ask.seat):
        if name not in firing:
            yield from (order_text(f"fire {name} {AT} {target}") for target in fire.targets(ask.state, name))


def _combats(ask: Question, orders: Orders) -> Iterator[str]:
    """R6.1: the attacks of each group of units on an enemy adjacent to all of them."""
    near: dict[str, list[str]] = {}
    for name in ask.state.army(ask.seat):
        for enemy in combat.enemies_within_reach(ask.state, name):
            near.setdefault(enemy, []).append(name)
    for enemy, units in near.items():
        groups = (group for size in range(1, len(units) + 1) for group in combinations(units, size))
        lines = (order_text(f"attack {' '.join(group)} {ON} {enemy}") for group in groups)
        yield from (line for line in lines if _may_be_added(ask, orders, line))


def _may_be_added(ask: Question, orders: Orders, line: str) -> bool:
    """Whether one more order is legal, or will be after a further one."""
    return may_come(lambda typed: ask.read([*orders, *typed_orders.read(ask, typed)]), [line])


ADDITIONS: Mapping[str, Callable[[Question, Orders], Iterator[str]]] = {
    Phase.AIR: _sorties,
    Phase.MOVE: _moves,
    Phase.FIRE: _shots,
    Phase.COMBAT: _combats,
}
"""The additions, by question; all other questions are those of the set-up."""


def likely_orders(ask: Question, units: Sequence[str], at: str) -> Iterator[str]:
    """The orders that pointing at units and a hex can mean, likeliest first; without a hex, nearby ones."""
    state = ask.state
    hexes = [at] if at else [near for name in units for near in _hexes_near(state, name)]
    match ask.question:
        case Phase.AIR:
            if at and units:
                yield from (
                    order_text(f"dogfight {' '.join(units)} {ON} {on}") for on in _enemies(ask, at, units)
                )
            yield from (order_text(f"fly {name} {TO} {to}") for to in hexes for name in units)
        case Phase.MOVE:
            yield from (order_text(f"move {name} {TO} {to}") for to in hexes for name in units)
        case Phase.FIRE:
            yield from (
                order_text(f"fire {name} {AT} {on}") for on in _enemies(ask, at, units) for name in units
            )
        case Phase.COMBAT:
            yield from (
                order_text(f"attack {' '.join(units)} {ON} {on}") for on in _enemies(ask, at, units) if units
            )
        case _:
            yield from (order_text(f"place {name} {to}") for to in hexes for name in units)


def _hexes_near(state: State, name: str) -> Sequence[str]:
    """The hexes next to a unit; for one off the map any hex, since none is near."""
    grid = state.setting.grid
    lies = name in state.units and state.on_map(name)  # fortifications are not in `units`
    return grid.adjacent(state.at(name)) if lies else grid.numbers[:1]


def _enemies(ask: Question, at: str, units: Sequence[str]) -> Iterator[str]:
    """The enemies in a hex; without one, all enemies on the map, the nearest first."""
    state = ask.state
    here = next((state.at(name) for name in units if name in state.units and state.on_map(name)), "")
    if at:
        found = [*([state.ground[at]] if at in state.ground else []), *state.sky.get(at, ())]
    else:
        found = [name for name in state.units if state.on_map(name)]
        if here:  # near enemies are more likely
            found.sort(key=lambda name: state.setting.grid.distance(state.at(name), here))
    return (name for name in found if state.side(name) != ask.seat)


GROUNDED = ("when asked air", "do stand down", "despite hits, range")
"""The steps of a plan that leaves aircraft where they are.

Each side decides about its aircraft four times a turn (R4). With this plan a player need not stop each time
for hits on the ground: they are reported together at the next movement.
"""


def ready_plans() -> Mapping[str, ReadyPlan]:
    """The plans by name."""
    says = tr("leave the aircraft on the ground; you see what was hit before you move")
    return {"grounded": ReadyPlan(says, GROUNDED)}
