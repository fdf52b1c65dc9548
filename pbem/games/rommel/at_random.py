"""The practice player that gives any legal orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.core.requests import Orders, Plain
from pbem.core.rules import Chooser
from pbem.games.rommel import flights, landing, mines, movement, ready
from pbem.games.rommel.offers import CANDIDATES, accepts, offers
from pbem.games.rommel.setting import AXIS, other
from pbem.games.rommel.state import AIR, COMBAT, ELIMINATED, MOVE, Question, State

PASS: Orders = [{"pass": True}]
NOW_AND_THEN = 0.1
"""How often it passes without need, stands down, gives standing orders, orders landings."""
HOLDS = ("hold", "bombers", "all")
TRIES = 8
"""How many simple answers it tries to put into one."""
FAR = 2
"""For how many units it looks further than one step."""


def random_player(ask: Question, chooser: Chooser) -> Orders:
    """Any legal orders: of several units, in no particular order, sometimes with standing orders."""
    state = ask.state
    if ask.question not in CANDIDATES:
        return [*ready.scattered(state, chooser), *_standing(state, ask.seat, chooser)]
    orders = PASS if _now_and_then(chooser) else together(ask, _wanted(ask, chooser))
    if not accepts(ask.read, orders):  # units must attack (R5.5), and what was put together does not
        orders = next(each for each in offers(ask) if each != PASS)
    return [*orders, *_standing(state, ask.seat, chooser)]


def _now_and_then(chooser: Chooser) -> bool:
    return chooser.random() < NOW_AND_THEN


def _standing(state: State, seat: str, chooser: Chooser) -> Orders:
    """Now and then a standing order (R4.4), for some guns or for all."""
    guns = [name for name in state.flak if state.side(name) == seat and state.at(name) != ELIMINATED]
    if not guns or not _now_and_then(chooser):
        return []
    order: Plain = {"aa": chooser.choice(HOLDS)}
    if chooser.choice((True, False)):
        order["units"] = chooser.sample(guns, chooser.choice(range(1, len(guns) + 1)))
    return [order]


def together(ask: Question, wanted: list[Orders]) -> Orders:
    """As many of the answers as make a legal one together, the first ones first; a pass if none does."""
    orders: Orders = []
    for each in wanted:
        if accepts(ask.read, [*orders, *each]):
            orders = [*orders, *each]
    return orders or PASS


def _wanted(ask: Question, chooser: Chooser) -> list[Orders]:
    """Some of the simple answers, and some that are not simple, in random order."""
    state = ask.state
    simple = list(CANDIDATES[ask.question](state))
    wanted = chooser.sample(simple, min(len(simple), TRIES))
    if ask.question in FURTHER:
        wanted += FURTHER[ask.question](state, chooser)
    return chooser.sample(wanted, len(wanted))


def _flights(state: State, chooser: Chooser) -> list[Orders]:
    """Flights to anywhere, with whatever may be attacked there; now and then landings, or standing down."""
    aircraft = state.air_force(state.active)
    found: list[Orders] = []
    for name in chooser.sample(aircraft, min(len(aircraft), FAR)):
        reach = flights.reach(state, name)
        if reach:
            to = chooser.choice(list(reach))
            flight = {"fly": name, "path": list(reach[to])}
            enemies = flights.zone(state, state.active, to)
            attack = {"dogfight": [name], "on": [chooser.choice(enemies)]} if enemies else {"bomb": name}
            found += [[flight], [flight, attack]]
    fields = landing.open_airfields(state, state.active)
    if fields and aircraft and _now_and_then(chooser):
        found.append([{"land": {name: chooser.choice(fields) for name in aircraft}}])
    if _now_and_then(chooser):
        found.append([{"stand_down": True}])
    return found


def _marches(state: State, chooser: Chooser) -> list[Orders]:
    """Moves to anywhere; those of the Axis through mines clear what lies beside the path (R5.6)."""
    army = state.army(state.active)
    found: list[Orders] = []
    for name in chooser.sample(army, min(len(army), FAR)):
        reach = movement.reach(state, name)
        if reach:
            path = reach[chooser.choice(list(reach))]
            move: Plain = {"move": name, "path": list(path)}
            beside = [
                near
                for at in mines.entered(state, path)
                for near in state.setting.grid.adjacent(at)
                if state.mined(near) and near not in path
            ]
            if beside and state.active == AXIS:
                move["clear"] = [chooser.choice(beside)]
            found.append([move])
    return found


def _assaults(state: State, chooser: Chooser) -> list[Orders]:
    """Attacks by some of the units beside an enemy."""
    found: list[Orders] = []
    for enemy in state.army(other(state.active)):
        able = [
            name
            for at in state.setting.grid.adjacent(state.at(enemy))
            if (name := state.ground.get(at)) is not None and state.side(name) == state.active
        ]
        if len(able) > 1:
            units = chooser.sample(able, chooser.choice(range(2, len(able) + 1)))
            found.append([{"attack": units, "on": [enemy]}])
    return found


FURTHER: Mapping[str, Callable[[State, Chooser], list[Orders]]] = {
    AIR: _flights,
    MOVE: _marches,
    COMBAT: _assaults,
}
"""By question: answers that are not among the simple ones."""
