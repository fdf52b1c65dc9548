"""R4, in the air: sub-turns and standing down (R4.1), bombs and dogfights (R4.5), landing (R4.6).

`read` and `carry_out` are for one side's part of a sub-turn. Flights and zones of control (R4.2, R4.3) are in
`flights`, fire at aircraft and standing orders (R4.4) in `flak`; `combat` resolves dogfights (R6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pbem.core.forms import repeated
from pbem.core.requests import Orders, Plain, Tell, Throw
from pbem.core.sentences import joined
from pbem.errors import IllegalOrder, Unfinished
from pbem.games.rommel.rules import combat, fire, flak, flights, victory
from pbem.games.rommel.rules.events import Bombs, Lands, NoAirfield, NoBombs, StandsDown
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
from pbem.games.rommel.terms.setting import FACES, MOST_ON_AN_AIRFIELD, order_words, other_side
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


def bomb_target(state: State, name: str, at: str) -> str | None:
    """R4.5: the enemy land unit that an aircraft could bomb in a hex; None unless it is a bomber."""
    found = state.ground.get(at) if state.kind(name) == "bomber" else None
    return None if found is None or state.side(found) == state.side(name) else found


def bombing_faces(state: State, target: str) -> tuple[int, ...]:
    """R4.5: the faces with which a bomb hits a land unit: the scenario's for its type, or `bomb_hits`."""
    setting = state.setting
    return setting.bombing.get(fire.row(state, target), setting.options.bomb_hits)


def check_bomb(state: State, order: Bomb) -> None:
    """R4.5: check that a bomber bombs an enemy land unit in its hex. Raises `IllegalOrder`."""
    name, at = order.unit, state.at(order.unit)
    if state.kind(name) != "bomber":
        raise IllegalOrder("R4.5", tr("{unit} is not a bomber", unit=name))
    if bomb_target(state, name, at) is None:
        facts = tr("{unit} has no enemy land unit to bomb in {hex}", hex=at, unit=name)
        raise IllegalOrder("R4.5", facts)


async def drop_bomb(state: State, order: Bomb) -> State:
    """R4.5: throw for a bomb, unless the bomber has been shot down or the unit in its hex is gone."""
    name, at = order.unit, state.at(order.unit)
    if not state.on_map(name):
        return state
    on = bomb_target(state, name, at)
    if on is None:
        await Tell(state, "R4.5", NoBombs(name, at))
        return state
    face = await Throw(state, "R4.5", FACES)
    hit = face in bombing_faces(state, on)
    await Tell(state, "R4.5", Bombs(name, on, at, face, hit))
    return await victory.suffer_hit(state, on) if hit else state


def check_dogfights(state: State, dogfights: Sequence[Dogfight]) -> None:
    """R4.5, R6.1: check that the side's aircraft attack adjacent enemy aircraft. Raises `IllegalOrder`."""
    for order in dogfights:
        for name in (*order.units, *order.on):
            if not state.counter(name).flies:
                facts = tr("{unit} is not an aircraft; only aircraft dogfight", unit=name)
                raise IllegalOrder("R4.5", facts)
        for name in order.on:
            if state.side(name) == state.active:
                raise IllegalOrder("R4.5", tr("{unit} is an aircraft of the same side", unit=name))
        combat.check_adjacent(state, order.units, order.on)
    combat.check_once(state, dogfights)


def check_zones(state: State, flown: Sequence[Fly], dogfights: Sequence[Dogfight]) -> None:
    """R4.3: check that an aircraft that has entered a zone of control attacks an aircraft whose zone it is.

    One in a dogfight that has passed `check_dogfights` does so. Raises `IllegalOrder`.
    """
    fighting = [name for order in dogfights for name in order.units]
    for order in flown:
        enemies = flights.zone(state, state.active, order.path[-1])
        if enemies and order.unit not in fighting:
            facts = tr(
                "{unit} must attack {targets}, whose zone it enters in {hex}",
                unit=order.unit,
                targets=joined(enemies, "or"),
                hex=order.path[-1],
            )
            raise Unfinished("R4.3", facts)


def open_airfields(state: State, side: str) -> tuple[str, ...]:
    """R4.6: the airfields of a side without an enemy land unit, by hex number."""
    taken = state.held_hexes[other_side(side)]
    return tuple(at for at in sorted(state.setting.airfields[side]) if at not in taken)


def is_last_subturn(state: State) -> bool:
    """R4.6: whether this is the last sub-turn, in which landings are ordered."""
    return state.subturn == state.setting.options.air_subturns


def check_landings(state: State, answer: Sequence[Order]) -> None:
    """R4.6: check that landings are among the last orders of the air phase. Raises `IllegalOrder`."""
    last = is_last_subturn(state) or any(isinstance(order, StandDown) for order in answer)
    for order in answer:
        if isinstance(order, Land):
            if not last:
                facts = tr(
                    "landings are ordered in the last sub-turn, or together with {order}",
                    order=order_words("stand down"),
                )
                raise IllegalOrder("R4.6", facts)
            _check_landing_places(state, order)


def _check_landing_places(state: State, order: Land) -> None:
    """R4.6: check that aircraft land on open airfields of their side, at most four on each."""
    airfields, fields = state.setting.airfields[state.active], open_airfields(state, state.active)
    for name, at in order.places.items():
        if not state.counter(name).flies:
            raise IllegalOrder("R4.6", tr("{unit} is not an aircraft", unit=name))
        if at not in airfields:
            facts = tr(
                "{unit} may not land on {hex}, which is not one of its side's airfields", unit=name, hex=at
            )
            raise IllegalOrder("R4.6", facts)
        if at not in fields:
            enemy = state.ground[at]
            facts = tr("{unit} may not land on {hex}, which {enemy} occupies", unit=name, hex=at, enemy=enemy)
            raise IllegalOrder("R4.6", facts)
    for at, number in Counter(order.places.values()).items():
        if number > MOST_ON_AN_AIRFIELD:
            most = MOST_ON_AN_AIRFIELD
            facts = tr(
                "{hex} has room for {most} aircraft; {number} land there", number=number, hex=at, most=most
            )
            raise IllegalOrder("R4.6", facts)


def landing_places(state: State, side: str) -> dict[str, str | None]:
    """R4.6: where the aircraft of a side land: those with orders first, then the others, each group by name.

    An aircraft without orders stays if it can, or takes the first open airfield with room; None if there is
    none.
    """
    fields = open_airfields(state, side)
    room = dict.fromkeys(fields, MOST_ON_AN_AIRFIELD)
    found: dict[str, str | None] = {}
    for name in sorted(state.air_force(side), key=lambda name: (name not in state.landing, name)):
        wanted = (state.landing.get(name, state.at(name)), *fields)
        at = found[name] = next((at for at in wanted if room.get(at)), None)
        if at is not None:
            room[at] -= 1
    return found


async def land_aircraft(state: State, side: str) -> State:
    """R4.6: land the aircraft of a side; one that finds no airfield is eliminated."""
    for name, at in landing_places(state, side).items():
        start = state.at(name)
        if at is None:
            await Tell(state, "R4.6", NoAirfield(name, start))
            state = await victory.suffer_hit(state, name)
        elif at != start:
            state = state.with_unit_at(name, at)
            await Tell(state, "R4.6", Lands(name, start, at))
    return state


def read(state: State, orders: Plain) -> Answer:
    """R4, R10: parse the orders of the active side's part of a sub-turn. Raises `IllegalOrder`.

    Flights are judged in the order written, each on the board after the earlier ones; bombs and dogfights
    after all flights, as if nobody were shot down (R4.2).
    """
    answer = read_orders(state, orders)
    flak.check_standing_orders(state, state.active, answer)
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
            check_bomb(after, order)
    fought = [order for order in answer if isinstance(order, Dogfight)]
    check_dogfights(after, fought)
    check_landings(state, answer)
    check_zones(after, flown, fought)
    return answer


def _check_once(answer: Iterable[Order]) -> None:
    """R4.2, R4.5: check that an aircraft flies once in a sub-turn, and bombs or attacks once."""
    twice = repeated(order.unit for order in answer if isinstance(order, Fly))
    if twice is not None:
        raise IllegalOrder("R4.2", tr("{unit} may fly only once in a sub-turn", unit=twice))
    twice = repeated(name for order in answer for name in _attackers(order))
    if twice is not None:
        raise IllegalOrder("R4.5", tr("{unit} may bomb or dogfight only once in a sub-turn", unit=twice))


def _actors(order: Order) -> tuple[str, ...]:
    """The aircraft an order is for."""
    match order:
        case Fly(unit):
            return (unit,)
        case Land(places):
            return tuple(places)
        case _:
            return _attackers(order)


def _attackers(order: Order) -> tuple[str, ...]:
    """R4.5: the aircraft that bomb or attack under an order."""
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
            state = await drop_bomb(state, order)
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
        if is_last_subturn(state):
            yield from ([{"land": {name: at}}] for at in open_airfields(state, state.active))


def attacks(state: State, name: str, at: str) -> Iterator[Orders]:
    """R4.5: the attacks of an aircraft in a hex: on the unit below, or on an aircraft in whose zone it is."""
    if bomb_target(state, name, at) is not None:
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
    """R4.5: the dogfights of an aircraft with each one in whose zone it is."""
    for enemy in flights.zone(state, state.active, at):
        yield [{"dogfight": [name], "on": [enemy]}]
