"""The computer players that do not look ahead: random, sensible, and easy.

The random player gives any legal orders: each is drawn from those that are legal beside the ones before, so
none is tried and refused. The sensible player goes by the odds, and by the worth of places and units. The
easy player, for a first game, is sensible but forgets most of its orders, and as Axis it sets up at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from pbem.core.requests import Orders, Plain, accepts
from pbem.core.rules import Chooser, Effort
from pbem.games.rommel.players import last_turn, tactics
from pbem.games.rommel.players.air_war import air_orders, combine_orders
from pbem.games.rommel.players.outlook import SENSIBLE, Manner, Outlook, is_axis_last_turn
from pbem.games.rommel.rules import air, combat, fire, flights, movement, setup
from pbem.games.rommel.rules.movement import Leg
from pbem.games.rommel.rules.orders import Move, Question
from pbem.games.rommel.rules.sequence import offers
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, MOST_ON_AN_AIRFIELD, other_side

PASS: Orders = [{"pass": True}]
OCCASIONAL_SHARE = 0.1
"""How often it passes without need, gives standing orders, or orders landings."""
STAND_DOWN_SHARE = 0.02
"""How often it stands down."""
HOLDS = ("hold", "bombers", "all")
MOST_UNITS = 10
"""The most units that get orders."""
ADVANCE_SHARE = 0.2
"""The share of moves that go as far as possible towards an enemy, instead of one random step."""

N = TypeVar("N")


def random_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any legal orders, for several units in random order, sometimes with standing orders."""
    state = ask.state
    if ask.question not in RANDOM_ORDERS:
        orders = setup.random_placement(state, chooser)
    elif chooser.random() < OCCASIONAL_SHARE and not (
        ask.question == Phase.COMBAT and combat.attacks_due(state)
    ):
        orders = PASS
    else:
        orders = RANDOM_ORDERS[ask.question](state, chooser) or PASS
    return [*orders, *_standing_orders(state, ask.seat, chooser)]


def _pick_units(names: Sequence[str], chooser: Chooser) -> list[str]:
    """A random sample of the units, in random order."""
    return chooser.sample(names, min(len(names), MOST_UNITS))


def _standing_orders(state: State, seat: str, chooser: Chooser) -> Orders:
    """Occasionally a standing order (R4.4), for some guns or for all."""
    guns = [name for name in state.flak if state.side(name) == seat and state.at(name) != ELIMINATED]
    if not guns or chooser.random() >= OCCASIONAL_SHARE:
        return []
    order: Plain = {"aa": chooser.choice(HOLDS)}
    if chooser.choice((True, False)):
        order["units"] = chooser.sample(guns, chooser.choice(range(1, len(guns) + 1)))
    return [order]


def _random_path(
    start: N, onward: Callable[[N, int], Iterable[N]], away: Callable[[N], int], chooser: Chooser
) -> list[N]:
    """One random step from a start, or sometimes all the steps that lead nearer to an aim.

    `onward` gives the legal steps from a node and its number of steps from the start, `away` the distance to
    the aim.
    """
    way: list[N] = []
    far = chooser.random() < ADVANCE_SHARE
    while far or not way:
        node = way[-1] if way else start
        ahead = [to for to in onward(node, len(way)) if not far or away(to) < away(node)]
        if not ahead:
            break
        way.append(chooser.choice(ahead))
    return way


def _aim_hex(state: State, chooser: Chooser) -> str:
    """The hex of a random enemy, or a random hex if there is none."""
    enemy = other_side(state.active)
    enemies = (*state.army(enemy), *state.air_force(enemy))
    return state.at(chooser.choice(enemies)) if enemies else chooser.choice(state.setting.grid.numbers)


def _sorties(state: State, chooser: Chooser) -> Orders:
    """Flights and attacks, or standing down; sometimes landings, when they may be ordered (R4.6)."""
    down = chooser.random() < STAND_DOWN_SHARE
    orders = [{"stand_down": True}] if down else _flights(state, chooser)
    if (down or air.is_last_subturn(state)) and chooser.random() < OCCASIONAL_SHARE:
        orders += _landings(state, chooser)
    return orders


def _flights(state: State, chooser: Chooser) -> Orders:
    """Some aircraft fly, attack, or both; each enemy is attacked only once if the option says so (R6.1)."""
    orders: Orders = []
    spared: set[str] = set()
    for name in _pick_units(state.air_force(state.active), chooser):
        path = _flight(state, name, chooser)
        at, attacks = (path[-1], air.arrival_attacks) if path else (state.at(name), air.attacks)
        open_to_it = [attack for attack in attacks(state, name, at) if spared.isdisjoint(_targets(attack))]
        if not open_to_it:
            continue
        attack = chooser.choice(open_to_it)
        if path:
            orders.append({"fly": name, "path": path})
            state = state.with_unit_at(name, path[-1])
        orders += attack
        if not state.setting.options.defend_again:
            spared.update(_targets(attack))
    return orders


def _flight(state: State, name: str, chooser: Chooser) -> list[str]:
    """The path of a flight; sometimes empty, if the aircraft may attack from where it is."""
    here, distance, aim = state.at(name), state.setting.grid.distance, _aim_hex(state, chooser)
    if any(air.attacks(state, name, here)) and chooser.choice((True, False)):
        return []

    def onward(at: str, length: int) -> Iterator[str]:
        return flights.steps(state, name, at, length)

    return _random_path(here, onward, lambda at: distance(at, aim), chooser)


def _targets(orders: Orders) -> list[str]:
    return [name for order in orders for name in order.get("on", ())]


def _landings(state: State, chooser: Chooser) -> Orders:
    """Landing orders on random airfields for every aircraft that finds room (R4.6)."""
    room = dict.fromkeys(air.open_airfields(state, state.active), MOST_ON_AN_AIRFIELD)
    places: dict[str, str] = {}
    for name in state.air_force(state.active):
        free = [at for at, left in room.items() if left]
        if free:
            places[name] = chooser.choice(free)
            room[places[name]] -= 1
    return [{"land": places}] if places else []


def _marches(state: State, chooser: Chooser) -> Orders:
    """Some units move; those of the Axis that enter mines clear a hex beside their path (R5.6)."""
    orders: Orders = []
    for name in _pick_units(state.army(state.active), chooser):
        move = _march(state, name, chooser)
        if move is not None:
            orders.append({"move": name, "path": list(move.path)})
            if move.clear:
                orders[-1]["clear"] = list(move.clear)
            state = movement.state_after(state, move)
    return orders


def _march(state: State, name: str, chooser: Chooser) -> Move | None:
    """One move, to a hex where the unit may stop; None if it stays."""
    if not movement.in_supply(state, name):
        return None
    distance, aim = state.setting.grid.distance, _aim_hex(state, chooser)

    def onward(leg: Leg, length: int) -> Iterator[Leg]:
        return movement.steps(state, name, leg, length)

    legs = _random_path(movement.first_leg(state, name), onward, lambda leg: distance(leg.at, aim), chooser)
    while legs and movement.halt_refusal(state, name, legs[-1].at) is not None:
        legs.pop()
    path = tuple(leg.at for leg in legs)
    beside = [
        near
        for at in movement.mined_hexes_on(state, path)
        for near in state.setting.grid.adjacent(at)
        if state.is_mined(near) and near not in path
    ]
    clears = beside and state.side(name) == AXIS
    return Move(name, path, (chooser.choice(beside),) if clears else ()) if path else None


def _shots(state: State, chooser: Chooser) -> Orders:
    """Fire by some of the units that may fire, each at a random target."""
    targets = {name: found for name in state.army(state.active) if (found := fire.targets(state, name))}
    return [
        {"fire": name, "at": chooser.choice(targets[name])} for name in _pick_units(list(targets), chooser)
    ]


def _assaults(state: State, chooser: Chooser) -> Orders:
    """The attacks of units that must attack (R5.5), and of some others; sometimes together on one enemy."""
    targets: dict[str, Sequence[str]] = dict(combat.attacks_due(state))
    able = [name for name in state.army(state.active) if combat.enemies_within_reach(state, name)]
    for name in _pick_units([name for name in able if name not in targets], chooser):
        targets[name] = combat.enemies_within_reach(state, name)
    assaults: list[tuple[list[str], str]] = []
    for name in chooser.sample(list(targets), len(targets)):
        target = chooser.choice(targets[name])
        together = [units for units, on in assaults if on == target]
        if together and (not state.setting.options.defend_again or chooser.choice((True, False))):
            together[0].append(name)
        else:
            assaults.append(([name], target))
    return [{"attack": units, "on": [target]} for units, target in assaults]


RANDOM_ORDERS: Mapping[str, Callable[[State, Chooser], Orders]] = {
    Phase.AIR: _sorties,
    Phase.MOVE: _marches,
    Phase.FIRE: _shots,
    Phase.COMBAT: _assaults,
}
"""By question: random legal orders, or none if the sampled units can do nothing."""


def sensible_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The orders that seem best: strikes at good odds, otherwise moves nearer to the points, or safer."""
    if ask.question not in PLANNERS:
        name = chooser.choice(setup.complete_names(ask.state) or setup.ready_names(ask.state)[-1:])
        return setup.ready_placement(ask.state, name)
    return orders_in_manner(ask, SENSIBLE[ask.seat])


def orders_in_manner(ask: Question, manner: Manner) -> Orders:
    """The orders that seem best in a manner of fighting; not for the set-up."""
    return _legal_orders(ask, _planned_orders(ask, manner))


def _planned_orders(ask: Question, manner: Manner) -> Orders:
    plans = LAST_TURN_PLANNERS if is_axis_last_turn(ask.state) else PLANNERS
    return plans[ask.question](ask, manner) or PASS


def _legal_orders(ask: Question, planned: Orders) -> Orders:
    """The planned orders, or any others if the plan is not legal."""
    return planned if accepts(ask.read, planned) else next(offers(ask))


PLANNERS: Mapping[str, Callable[[Question, Manner], Orders]] = {
    Phase.AIR: lambda ask, manner: air_orders(ask, manner.fear),
    Phase.MOVE: lambda ask, manner: tactics.movement_orders(ask.state, ask.seat, manner),
    Phase.FIRE: lambda ask, manner: tactics.fire_orders(ask.state, ask.seat, manner),
    Phase.COMBAT: lambda ask, manner: tactics.attack_orders(ask.state, ask.seat, manner),
}
"""By question: the sensible player's orders; empty for a pass."""

LAST_TURN_PLANNERS: Mapping[str, Callable[[Question, Manner], Orders]] = {
    **PLANNERS,
    Phase.MOVE: lambda ask, manner: last_turn.moves(Outlook(ask.state, ask.seat, manner)),
    Phase.FIRE: lambda ask, _: last_turn.shots(ask.state),
    Phase.COMBAT: lambda ask, _: last_turn.attacks(ask.state),
}
"""By question: the sensible player's orders in the Axis's last turn."""


FORGOTTEN_SHARES = {ALLIED: 0.5, AXIS: 0.95}
"""The share of orders it forgets, by side: between two bad players the Axis nearly always wins."""


def easy_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Some of the sensible player's orders; compulsory attacks (R5.5) are never forgotten.

    As Axis it sets up at random: behind a good line an Axis that forgets every order still wins.
    """
    if ask.question not in PLANNERS:
        if ask.seat == AXIS:
            return setup.random_placement(ask.state, chooser)
        return sensible_player(ask, chooser)
    planned = _planned_orders(ask, SENSIBLE[ask.seat])
    kept = [order for order in planned if chooser.random() >= FORGOTTEN_SHARES[ask.seat]]
    if kept and accepts(ask.read, kept):
        return kept
    some = combine_orders(ask, [[order] for order in kept])
    return some if accepts(ask.read, some) else _legal_orders(ask, planned)
