"""The sensible player in the air: dogfights and bombs that are worth the guns on the way (R4)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.requests import Orders
from pbem.games.rommel.players.air_blows import WORTH_FLYING, AirAttack, AirOptions
from pbem.games.rommel.players.tactics import combat_chance, loss, prize
from pbem.games.rommel.rules.air import bombing, flights, landing
from pbem.games.rommel.rules.chances import hit_chance, survival_chance
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import MOST_ON_AN_AIRFIELD


def sortie_orders(state: State, seat: str) -> list[Orders]:
    """The flights with their bombs and dogfights that are worth flying, the best first."""
    blows = AirOptions(state, seat)
    found = [(_rate_attack(state, blow), blow) for blow in blows.all(dread=lambda way: len(way.guns))]
    chosen: list[AirAttack] = []
    for worth, blow in sorted(found, key=lambda one: -one[0]):
        if worth >= WORTH_FLYING and all(blow.goes_with(other) for other in chosen):
            chosen.append(blow)
    busy = {name for blow in chosen for name in blow.units}
    return [*(blow.orders for blow in chosen), *_advances(blows, busy)]


def _rate_attack(state: State, blow: AirAttack) -> float:
    """The expected value of an attack: the prize times its chance, less the expected loss."""
    through = min(float(survival_chance(len(way.guns))) for way in blow.ways)
    if blow.bomb:
        hit = float(hit_chance(bombing.bombing_faces(state, blow.target)))
        lost = (1 - through) * loss(state, blow.units[0])
        return through * hit * prize(state, blow.target) - lost
    won = combat_chance(sum(map(state.combat, blow.units)), state.combat(blow.target)) * through
    return won * prize(state, blow.target) - sum((1 - won) * loss(state, name) for name in blow.units)


def _advances(blows: AirOptions, busy: set[str]) -> Iterator[Orders]:
    """Flights of idle bombers, out of reach of guns, towards targets of a later sub-turn (R4.1)."""
    state = blows.state

    def quiet(at: str) -> bool:
        return not flights.zone(state, blows.seat, at)

    for name in state.air_force(blows.seat):
        if blows.left and state.kind(name) == "bomber" and name not in busy:
            to = blows.advance(name, blows.bombing_hexes(name, quiet), quiet)
            if to is not None:
                yield [{"fly": name, "path": list(blows.reach(name)[to])}]


def landing_orders(state: State, seat: str, orders: Orders) -> Orders:
    """The landings of aircraft that are not on an open airfield of their side, on the nearest with room."""
    places = {order["fly"]: order["path"][-1] for order in orders if "fly" in order}
    at = {name: places.get(name, state.at(name)) for name in state.air_force(seat)}
    fields = landing.open_airfields(state, seat)
    room = {field: MOST_ON_AN_AIRFIELD - list(at.values()).count(field) for field in fields}
    land: dict[str, str] = {}
    for name in [name for name in at if at[name] not in fields]:
        free = [field for field in fields if room[field] > 0]
        if free:
            land[name] = min(free, key=lambda field: state.setting.grid.distance(at[name], field))
            room[land[name]] -= 1
    return [{"land": land}] if land else []
