"""Landing: where the aircraft go after the last sub-turn (R4.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbem.core.requests import Tell
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import casualties
from pbem.games.rommel.rules.events import Lands, NoAirfield
from pbem.games.rommel.rules.orders import Land, Order, StandDown
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import MOST_ON_AN_AIRFIELD, other_side
from pbem.games.rommel.terms.typed import order_words
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


def open_airfields(state: State, side: str) -> tuple[str, ...]:
    """R4.6: the airfields of a side on which no enemy land unit is, by hex number."""
    taken = state.held_hexes[other_side(side)]
    return tuple(at for at in sorted(state.setting.airfields[side]) if at not in taken)


def is_last_subturn(state: State) -> bool:
    """R4.6: whether this is the last sub-turn, in which landings are ordered."""
    return state.subturn == state.setting.options.air_subturns


def check_landings(state: State, answer: Sequence[Order]) -> None:
    """R4.6: landings come with the last orders of the air phase. Raises `IllegalOrder`."""
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
    """R4.6: aircraft land on open airfields of their side, at most four on each."""
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

    One without orders stays if it can, or takes the first open airfield with room; None if there is none.
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
            state = await casualties.suffer_hit(state, name)
        elif at != start:
            state = state.with_unit_at(name, at)
            await Tell(state, "R4.6", Lands(name, start, at))
    return state
