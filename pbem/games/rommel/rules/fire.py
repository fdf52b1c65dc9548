"""R7, fire at land units: who may fire, how far, which faces hit, and carrying it out."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.requests import Orders, Plain, Tell, Throw
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import flak, victory
from pbem.games.rommel.rules.events import Aims, LostShot, Shoots
from pbem.games.rommel.rules.orders import Answer, Shot, check_units, read_orders
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State
from pbem.games.rommel.rules.weather import gun_range
from pbem.games.rommel.terms import setting
from pbem.games.rommel.terms.setting import ARTILLERY, FACES, MAY_FIRE, Target, Weather, other_side
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

TANKS: tuple[Target, ...] = ("one", "two", "three")
"""The columns of the fire table for tanks, by their asterisks."""


def read(state: State, orders: Plain) -> Answer:
    """R7.3: parse the orders of `ground_fire`, declared before any is resolved. Raises `IllegalOrder`."""
    answer = read_orders(state, orders)
    flak.check_standing_orders(state, state.active, answer)
    firers: set[str] = set()
    for order in answer:
        if isinstance(order, Shot):
            _check_units(state, order)
            if order.unit in firers:
                raise IllegalOrder("R7.1", tr("{unit} may fire only once a turn", unit=order.unit))
            _check_firer(state, order.unit)
            _check_range(state, order)
            firers.add(order.unit)
    return answer


def _check_units(state: State, order: Shot) -> None:
    """R10.2, R7.1: check that a unit of a firing type fires at an enemy land unit."""
    check_units(state, state.active, (order.unit,), (order.at,))
    if state.kind(order.unit) not in MAY_FIRE:
        kind = setting.kind_name(state.kind(order.unit))
        raise IllegalOrder("R7.1", tr("{unit} cannot fire: its type is {type}", unit=order.unit, type=kind))
    if state.side(order.at) == state.active or state.counter(order.at).flies:
        raise IllegalOrder("R7.1", tr("{unit} is not an enemy land unit", unit=order.at))


def _check_firer(state: State, name: str) -> None:
    """R3.3, R7.1, R5.5: check that the unit may fire now."""
    if state.weather == "storm":
        raise IllegalOrder("R3.3", tr("no unit may fire in a storm"))
    if _must_attack(state, name):
        facts = tr("{unit} has entered a zone of control; it must attack and may not fire", unit=name)
        raise IllegalOrder("R5.5", facts)


def _check_range(state: State, order: Shot) -> None:
    """R7.1, R3.2: check that the target is in range, and that the table has an entry for it."""
    name, target = order.unit, order.at
    away, most = _distance(state, name, target), reach(state, name)
    if away > most:
        rule = "R3.2" if away <= _range(state, name, "clear") else "R7.1"
        facts = tr.plural(
            "{target} is {number} hex from {unit}, whose range is {range}",
            "{target} is {number} hexes from {unit}, whose range is {range}",
            away,
            target=target,
            unit=name,
            range=most,
        )
        raise IllegalOrder(rule, facts)
    if not hitting_faces(state, name, target):
        facts = tr(
            "{unit} cannot fire at {target}: the fire table does not allow it", unit=name, target=target
        )
        raise IllegalOrder("R7.1", facts)


def reach(state: State, name: str) -> int:
    """R7.1, R3.2, R3.3: how far a unit may fire now, in hexes; 0 if it may not."""
    if state.kind(name) not in MAY_FIRE or name in state.fired or _must_attack(state, name):
        return 0
    return _range(state, name, state.weather)


def hitting_faces(state: State, name: str, target: str) -> tuple[int, ...]:
    """R7.1: the faces with which a unit hits an enemy land unit; none if it may not fire at it now."""
    return _entry(state, name, target) if _distance(state, name, target) <= reach(state, name) else ()


def targets(state: State, name: str) -> tuple[str, ...]:
    """R7.1: the enemy land units that a unit may fire at now, in the scenario's order."""
    side, most = state.side(name), reach(state, name)
    near = state.setting.grid.within(state.at(name), most) if most > 0 else frozenset()
    if near.isdisjoint(state.held_hexes[other_side(side)]):
        return ()
    return tuple(target for target in state.foes(side, near) if _entry(state, name, target))


def _entry(state: State, name: str, target: str) -> tuple[int, ...]:
    """R7.1: the entry of the fire table for a firer and a target, at any distance."""
    return state.setting.fire[row(state, name)].hits.get(column(state, target), ())


def row(state: State, name: str) -> str:
    """The row of the fire table for a firer: its type, for a tank with its asterisks."""
    kind = state.kind(name)
    return f"tank{state.counter(name).stars}" if kind == "tank" else kind


def column(state: State, target: str) -> Target:
    """The column of the fire table for a target."""
    if state.kind(target) == "tank":
        return TANKS[state.counter(target).stars - 1]
    return "fort" if state.in_fort(target) else "soft"


def _range(state: State, name: str, weather: Weather | None) -> int:
    """R7.1, R3.2, R3.3: how far a unit may fire in that weather by the fire table, in hexes."""
    return gun_range(state.setting.fire[row(state, name)].reach, weather)


def _distance(state: State, name: str, target: str) -> int:
    return state.setting.grid.distance(state.at(name), state.at(target))


def fires_or_fights(state: State, name: str) -> bool:
    """R7.2: whether a unit that fires may not attack in the same turn."""
    tank = state.kind(name) == "tank" and not state.setting.options.tanks_fire_and_fight
    return tank or state.kind(name) in ARTILLERY


def _must_attack(state: State, name: str) -> bool:
    """R5.5, `fire_frees_from_combat`: whether a unit may not fire because it has to attack."""
    frees = state.setting.options.fire_frees_from_combat
    return not frees and name in state.obliged and fires_or_fights(state, name)


async def carry_out(state: State, orders: Answer) -> State:
    """R7.3: declare all fire, then resolve it in the order written; a target may be gone by then."""
    shots = [order for order in orders if isinstance(order, Shot)]
    faces = [hitting_faces(state, shot.unit, shot.at) for shot in shots]
    for shot, hitting in zip(shots, faces, strict=True):
        away = _distance(state, shot.unit, shot.at)
        await Tell(state, "R7.1", Aims(shot.unit, shot.at, away, list(hitting)))
    state = state.with_changes(fired=(*state.fired, *(shot.unit for shot in shots)))
    for shot, hitting in zip(shots, faces, strict=True):
        state = await _shoot(state, shot, hitting)
        if state.step == Phase.OVER:
            break
    return state


async def _shoot(state: State, shot: Shot, hitting: tuple[int, ...]) -> State:
    """R7.1, R7.3: resolve one shot."""
    if state.at(shot.at) == ELIMINATED:
        await Tell(state, "R7.3", LostShot(shot.unit, shot.at))
        return state
    face = await Throw(state, "R7.1", FACES)
    hit = face in hitting
    await Tell(state, "R7.1", Shoots(shot.unit, shot.at, face, hit))
    return await victory.suffer_hit(state, shot.at) if hit else state


def answers(state: State) -> Iterator[Orders]:
    """Every possible shot, each as an answer."""
    for name in state.army(state.active):
        yield from ([{"fire": name, "at": target}] for target in targets(state, name))
