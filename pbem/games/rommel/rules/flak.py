"""R4.4, fire at aircraft: the guns' standing orders, which guns fire where, and the throws."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.requests import Tell, Throw
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import victory, weather
from pbem.games.rommel.rules.events import Flak, Standing
from pbem.games.rommel.rules.orders import Order, StandingOrder, check_units
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import FACES, FLAK, FLAK_HITS, other_side
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


def check_standing_orders(state: State, seat: str, orders: Iterable[Order]) -> None:
    """R10.2, R4.4: check that the units are the seat's anti-aircraft guns. Raises `IllegalOrder`."""
    for order in orders:
        if isinstance(order, StandingOrder):
            for name in order.units or ():
                check_units(state, seat, (name,))
                if state.kind(name) not in FLAK:
                    raise IllegalOrder("R4.4", tr("{unit} does not fire at aircraft", unit=name))


async def take_standing_orders(state: State, seat: str, orders: Iterable[Order]) -> State:
    """R4.4: adopt the standing orders of an answer; each is valid until changed."""
    for order in orders:
        if isinstance(order, StandingOrder):
            guns = [name for name in state.flak if state.side(name) == seat]
            named = guns if order.units is None else list(order.units)
            state = state.with_changes(flak={**state.flak, **dict.fromkeys(named, order.fire)})
            await Tell(state, "R4.4", Standing(seat, order.fire, named))
    return state


def flak_reach(state: State) -> int:
    """R4.4, R3.2: how far guns fire at aircraft in today's weather, in hexes."""
    return weather.gun_range(state.setting.flak_range, state.weather)


def guns_against(state: State, name: str) -> tuple[str, ...]:
    """R4.4: the enemy guns that may fire at an aircraft under their standing orders, sorted by name."""
    enemy = other_side(state.side(name))
    firing = ("all", "bombers") if state.kind(name) == "bomber" else ("all",)
    return tuple(
        [gun for gun in state.setting.guns[enemy] if state.on_map(gun) and state.flak[gun] in firing]
    )


def guns_in_range(state: State, guns: Iterable[str], at: str) -> tuple[str, ...]:
    """The guns that have a hex in range, in the order given."""
    near = state.setting.grid.within(at, flak_reach(state))
    return tuple([gun for gun in guns if state.at(gun) in near])


def exposed_hexes(state: State, name: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """R4.4: the hexes of a path where an aircraft may be fired at: not its own airfield at the end."""
    return path[:-1] if path[-1] in state.setting.airfields[state.side(name)] else path


async def fly_under_fire(
    state: State, name: str, path: tuple[str, ...], spent: tuple[str, ...]
) -> tuple[State, tuple[str, ...]]:
    """R4.4: move an aircraft along a path under fire, hex by hex; `spent` are the guns that fired before.

    Returns the state, with the aircraft at the end of the path or eliminated, and the guns spent by then.
    """
    aiming = guns_against(state, name)
    for at in exposed_hexes(state, name, path):
        for gun in guns_in_range(state, aiming, at):
            if gun in spent:
                continue
            state, spent = _record_fire(state.with_unit_at(name, at), gun), (*spent, gun)
            face = await Throw(state, "R4.4", FACES)
            hit = face == FLAK_HITS
            await Tell(state, "R4.4", Flak(gun, name, at, face, hit))
            if hit:
                return await victory.suffer_hit(state, name), spent
    return state.with_unit_at(name, path[-1]), spent


def _record_fire(state: State, gun: str) -> State:
    """R7.2: the state in which a gun has fired at aircraft in this turn."""
    if gun in state.fired_at_aircraft:
        return state
    return state.with_changes(fired_at_aircraft=(*state.fired_at_aircraft, gun))


def forgoes_attack(state: State, name: str) -> bool:
    """R7.2, `aa_then_fight`: whether a unit that is not mixed has fired at aircraft instead of attacking."""
    return (
        name in state.fired_at_aircraft
        and state.kind(name) == "anti_aircraft"
        and not state.setting.options.aa_then_fight
    )
