"""The air phase: the orders of one side's part of a sub-turn (R4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.core.forms import repeated
from pbem.core.requests import Orders, Plain, Tell
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import combat, standing
from pbem.games.rommel.rules.air import bombing, dogfights, flak, flights, landing
from pbem.games.rommel.rules.events import StandsDown
from pbem.games.rommel.rules.orders import (
    Answer,
    Bomb,
    Dogfight,
    Fly,
    Land,
    Order,
    StandDown,
    check_units,
    read_orders,
)
from pbem.games.rommel.rules.state import Phase, State
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


def read(state: State, orders: Plain) -> Answer:
    """R4, R10: parse the orders of the active side's part of a sub-turn. Raises `IllegalOrder`.

    Flights are judged in the order written, each on the board that the earlier ones leave; bombs and
    dogfights after all flights, as if nobody were shot down (R4.2).
    """
    answer = read_orders(state, orders)
    standing.check_standing_orders(state, state.active, answer)
    for order in answer:
        targets = order.on if isinstance(order, Dogfight) else ()
        check_units(state, state.active, _actors(order), targets)
    _check_once(answer)
    flown = [order for order in answer if isinstance(order, Fly)]
    after = state
    for flight in flown:
        flights.check(after, flight)
        after = after.with_unit_at(flight.unit, flight.path[-1])
    for order in answer:
        if isinstance(order, Bomb):
            bombing.check_bomb(after, order)
    fought = [order for order in answer if isinstance(order, Dogfight)]
    dogfights.check_dogfights(after, fought)
    landing.check_landings(state, answer)
    dogfights.check_zones(after, flown, fought)
    return answer


def _check_once(answer: Iterable[Order]) -> None:
    """R4.2, R4.5: an aircraft flies once in a sub-turn, and bombs or attacks once."""
    twice = repeated(order.unit for order in answer if isinstance(order, Fly))
    if twice is not None:
        raise IllegalOrder("R4.2", tr("{unit} may fly only once in a sub-turn", unit=twice))
    twice = repeated(name for order in answer for name in _attackers(order))
    if twice is not None:
        raise IllegalOrder("R4.5", tr("{unit} may bomb or dogfight only once in a sub-turn", unit=twice))


def _actors(order: Order) -> tuple[str, ...]:
    """The aircraft that an order is for."""
    match order:
        case Fly(unit):
            return (unit,)
        case Land(places):
            return tuple(places)
        case _:
            return _attackers(order)


def _attackers(order: Order) -> tuple[str, ...]:
    """R4.5: the aircraft that bomb or attack by an order."""
    match order:
        case Bomb(unit):
            return (unit,)
        case Dogfight(units):
            return units
        case _:
            return ()


async def carry_out(state: State, orders: Answer) -> State:
    """R4: carry out all flights under fire, then bombs and dogfights in the order written."""
    for order in orders:
        if isinstance(order, StandDown):
            state = state.with_changes(stood_down=(*state.stood_down, state.active))
            await Tell(state, "R4.1", StandsDown(state.active))
        elif isinstance(order, Land):
            state = state.with_changes(landing={**state.landing, **order.places})
    state = await _fly_all(state, orders)
    for order in orders:
        if isinstance(order, Dogfight):
            await combat.declare(state, order, "R4.5")
    for order in orders:
        if state.step == Phase.OVER:
            break
        if isinstance(order, Bomb):
            state = await bombing.drop_bomb(state, order)
        elif isinstance(order, Dogfight):
            state = await combat.fight(state, order)
    return state


async def _fly_all(state: State, orders: Answer) -> State:
    """R4.4: carry out the flights under fire, then the fire at aircraft that attack without having moved."""
    flown: list[str] = []
    spent: tuple[str, ...] = ()
    for order in orders:
        if isinstance(order, Fly):
            state, spent = await flights.fly(state, order, spent)
            flown.append(order.unit)
    for order in orders:
        for name in _attackers(order):
            if name not in flown:
                state, spent = await flak.fly_under_fire(state, name, (state.at(name),), spent)
    return state


def answers(state: State) -> Iterator[Orders]:
    """Simple answers: every bomb, dogfight, flight of one step, and landing of each aircraft."""
    for name in state.air_force(state.active):
        here = state.at(name)
        yield from attacks(state, name, here)
        for to in flights.steps(state, name, here, 0):
            yield from ([{"fly": name, "path": [to]}, *attack] for attack in arrival_attacks(state, name, to))
        if landing.is_last_subturn(state):
            yield from ([{"land": {name: at}}] for at in landing.open_airfields(state, state.active))


def attacks(state: State, name: str, at: str) -> Iterator[Orders]:
    """R4.5: the attacks of an aircraft in a hex: bomb the unit there, or attack one in whose zone it is."""
    if bombing.bomb_target(state, name, at) is not None:
        yield [{"bomb": name}]
    yield from _dogfights(state, name, at)


def arrival_attacks(state: State, name: str, to: str) -> Iterator[Orders]:
    """R4.3: what may follow a flight: a dogfight, if it enters an enemy's zone; else any attack, or none."""
    if flights.zone(state, state.active, to):
        yield from _dogfights(state, name, to)
    else:
        yield []
        yield from attacks(state, name, to)


def _dogfights(state: State, name: str, at: str) -> Iterator[Orders]:
    """R4.5: the dogfights of one aircraft with each one in whose zone it is."""
    for enemy in flights.zone(state, state.active, at):
        yield [{"dogfight": [name], "on": [enemy]}]
