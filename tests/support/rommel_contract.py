"""The facts about Rommel y Montgomery that the contract suite needs (see `playout.Contract`).

Games begin at the set-up or, by `scatter`, in mid-battle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from pbem.core.requests import Orders, Plain, Question, Tell, accepts
from pbem.core.run import Position
from pbem.games.rommel.rules import flights
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State, Unit
from pbem.games.rommel.terms.setting import ALLIED, AXIS, SEATS, Setting, Weather, other_side
from support.rommel_retelling import FOOT, GONE, SET_UP, retell


def scatter(begun: State, chooser: Random) -> State:
    """A turn in mid-battle: both sides close together, tanks struck, lanes through the mines."""
    options = begun.setting.options
    last = options.turns if options.after_last_turn == "draw" else options.last_turn
    mines = sorted(begun.setting.mines)
    step = chooser.choice((Phase.WEATHER, Phase.AIR, Phase.MOVE, Phase.FIRE))
    state = replace(
        begun,
        step=step,
        active=chooser.choice(SEATS) if step in (Phase.MOVE, Phase.FIRE) else ALLIED,
        turn=chooser.randint(1, last),
        weather=_weather(step, chooser),
        subturn=chooser.randint(1, options.air_subturns) if step == Phase.AIR else 0,
        cleared=tuple(sorted(chooser.sample(mines, chooser.randint(0, len(mines))))),
        forts=tuple(sorted(chooser.sample(for_forts(begun.setting), len(begun.setting.forts)))),
        flak={gun: chooser.choice(("all", "all", "bombers", "hold")) for gun in begun.flak},
    )
    return _with_aircraft(_with_armies(state, chooser), chooser)


def _weather(step: str, chooser: Random) -> Weather | None:
    """R3.1, R3.3: none before it is rolled; nobody flies in a storm."""
    if step == Phase.WEATHER:
        return None
    return chooser.choice(("clear", "dust") if step == Phase.AIR else ("clear", "dust", "storm"))


def for_forts(setting: Setting) -> list[str]:
    """R2.4, `forts_anywhere`."""
    if setting.options.forts_anywhere:
        return sorted(setting.zones[AXIS])
    taken = [*setting.victory_points, *setting.villages[AXIS], *setting.airfields[AXIS]]
    return sorted(at for at in setting.zones[AXIS] if at not in setting.mines and at not in taken)


def _with_armies(state: State, chooser: Random) -> State:
    """The land units of both sides around one column, where each can be."""
    setting = state.setting
    middle, width = chooser.choice((3, 12, 17, 19, 22, 28)), chooser.choice((2, 3, 4))
    near = sorted(at for at in setting.land if abs(setting.grid.column(at) - middle) <= width)
    left = {side: chooser.choice((0.15, 0.5, 0.9)) for side in SEATS}
    for side in chooser.sample(SEATS, 2):
        for number, name in enumerate(setting.armies[side]):
            free = [at for at in near if at not in state.ground and _may_stand(state, name, at)]
            stays = number == 0 or state.kind(name) == "supply" or chooser.random() < left[side]
            state = state.with_unit_at(name, chooser.choice(free) if free and stays else ELIMINATED)
            if state.on_map(name) and state.kind(name) == "tank" and chooser.random() < 0.4:
                state = state.hit(name)
    if chooser.random() < 0.3:
        state = _on_airfields(state)
    if not state.army(ALLIED):
        name = setting.armies[ALLIED][0]
        empty = (at for at in sorted(setting.land) if at not in state.ground)
        state = state.with_unit_at(name, next(at for at in empty if _may_stand(state, name, at)))
    return state


def _on_airfields(state: State) -> State:
    """R4.6: a land unit on each airfield of the other side, where it may stand."""
    for side in SEATS:
        free = [at for at in state.setting.airfields[other_side(side)] if at not in state.ground]
        for name, at in zip(state.army(side), free, strict=False):
            if _may_stand(state, name, at):
                state = state.with_unit_at(name, at)
    return state


def _may_stand(state: State, name: str, at: str) -> bool:
    """R2.4, R5.6, R6.6."""
    only_foot = state.setting.options.set_up_in_mines == "infantry"
    mined = state.is_mined(at) and only_foot and state.kind(name) not in FOOT
    return not mined and (at not in state.forts or state.may_stand_on_a_fort(name))


def _with_aircraft(state: State, chooser: Random) -> State:
    """R4.2, R4.6: the aircraft of both sides on airfields or, in the air phase, over land units; not all."""
    fields = [at for side in SEATS for at in state.setting.airfields[side]]
    over = [at for at in sorted(state.ground) if at not in fields] if state.step == Phase.AIR else []
    chooser.shuffle(over)
    for side in SEATS:
        aloft = [over.pop() for _ in range(min(3, len(over)))]
        places = [at for at in state.setting.airfields[side] for _ in range(4)] + aloft * 3
        chooser.shuffle(places)
        for name, at in zip(state.setting.air_forces[side], places, strict=False):
            state = state.with_unit_at(name, at if chooser.random() < 0.8 else ELIMINATED)
    return state


__all__ = ["AGAIN", "GAMES", "MET", "OPTIONS", "SELDOM", "check", "hit", "restore", "scatter", "varied"]

GAMES = (100, 1_000)
AGAIN = ("dice", "R6.3")
SELDOM = {"odds_are_exact": 12}

OPTIONS: Mapping[str, Sequence[Plain]] = {
    "after_last_turn": ("draw", "continue"),
    "turns": (1, 2, 3),
    "last_turn": (3, 4),
    "bomb_hits": ([3], [2, 3], [5, 4]),
    "dust_artillery_moves_less": (True, False),
    "tanks_fire_and_fight": (True, False),
    "fire_frees_from_combat": (True, False),
    "mechanised_in_mines": (False, True),
    "defend_again": (True, False),
    "air_subturns": (1, 2, 4),
    "aa_then_fight": (False, True),
    "forts_anywhere": (True, False),
    "set_up_in_mines": ("all", "infantry"),
}

MET = {
    *(("asked", rule) for rule in ("R2.1", "R2.2", "R2.3", "R4.1", "R5.1", "R6.1", "R7.1")),
    *(("placed", rule) for rule in ("R2.1", "R2.2", "R2.3")),
    *(("passes", rule) for rule in ("R4.1", "R5.1", "R6.1", "R7.1")),
    *(("declares", rule) for rule in ("R4.5", "R6.1")),
    *(("dice", rule) for rule in ("R6.2", "R6.3")),
    *(("victory", rule) for rule in ("R8.1", "R8.2", "R8.3")),
    ("sealed", "R2.2"),
    ("standing", "R4.4"),
    ("weather", "R3.1"),
    ("stands_down", "R4.1"),
    ("flies", "R4.2"),
    ("flak", "R4.4"),
    ("bombs", "R4.5"),
    ("no_bombs", "R4.5"),
    ("void", "R6.5"),
    ("fights", "R6.2"),
    ("struck", "R1.3"),
    ("eliminated", "R1.3"),
    ("lands", "R4.6"),
    ("no_airfield", "R4.6"),
    ("moves", "R5.2"),
    ("clears", "R5.6"),
    ("obliged", "R5.5"),
    ("aims", "R7.1"),
    ("shoots", "R7.1"),
    ("lost_shot", "R7.3"),
    ("turn_ends", "R8.1"),
}


def varied(ask: Question, orders: Orders, chooser: Random) -> Orders:
    """What the computer players never do: combats of more units, more bombs, more standing orders."""
    for number, order in enumerate(orders):
        if "on" in order and chooser.random() < 0.5:
            orders = _joined(ask, orders, number, chooser)
    bombed = [order["bomb"] for order in orders if "bomb" in order]
    if bombed and chooser.random() < 0.5:
        orders = _raid(ask, orders, chooser.choice(bombed))
    for _ in range(2):
        orders = _with_another(ask, orders, _anything(ask, chooser))
    if chooser.random() < 0.2:
        guns = [gun for gun in ask.state.flak if ask.state.side(gun) == ask.seat]
        named = {"units": chooser.sample(guns, min(2, len(guns)))} if chooser.random() < 0.5 else {}
        orders = _with_another(ask, orders, {"aa": chooser.choice(("hold", "bombers", "all")), **named})
    return orders


def _with_another(ask: Question, orders: Orders, *another: Plain) -> Orders:
    """The orders and additional ones, if that is legal."""
    more = [*orders, *another]
    return more if accepts(ask.read, more) else orders


def _raid(ask: Question, orders: Orders, first: str) -> Orders:
    """The orders, with every other bomber that can joining the first in its hex and bombing as well."""
    state = ask.state
    ends = {order["fly"]: order["path"][-1] for order in orders if "fly" in order}
    at = ends.get(first, state.at(first))
    for name in state.air_force(ask.seat):
        path = flights.reach(state, name).get(at, ()) if name not in ends else ()
        flight = [{"fly": name, "path": list(path)}] if path else []
        orders = _with_another(ask, orders, *flight, {"bomb": name})
    return orders


def _anything(ask: Question, chooser: Random) -> Plain:
    """A move, a flight, a shot or a combat that ignores the rules: if legal, its result must be right."""
    state = ask.state
    grid, of = state.setting.grid, state.air_force if ask.question == Phase.AIR else state.army
    own, enemies = of(ask.seat), of(other_side(ask.seat))
    if not own or not enemies:
        return {"pass": True}
    name, target = chooser.choice(own), chooser.choice(enemies)
    path: list[str] = []
    while not path or chooser.random() < 0.75:
        path.append(chooser.choice(grid.adjacent(path[-1] if path else state.at(name))))
    match ask.question, chooser.random() < 0.5:
        case "ground_move", _:
            return {"move": name, "path": path}
        case "ground_fire", _:
            return {"fire": name, "at": target}
        case "ground_combat", _:
            return {"attack": [name], "on": [target]}
        case _, True:
            return {"fly": name, "path": path}
        case _:
            return {"dogfight": [name], "on": [target]}


def _joined(ask: Question, orders: Orders, number: int, chooser: Random) -> Orders:
    """The orders, one of which is a combat, with one more attacker or defender in it if that is legal."""
    state = ask.state
    order = orders[number]
    key = "on" if chooser.random() < 0.5 else next(iter(order))
    like = order[key][0]
    of = state.air_force if state.counter(like).flies else state.army
    joint = {**order, key: [*order[key], chooser.choice(of(state.side(like)))]}
    more = [*orders[:number], joint, *orders[number + 1 :]]
    return more if accepts(ask.read, more) else orders


def restore(begun: State, position: Plain) -> Position:
    """R10: the game at a question that begins its step, from the public position only."""
    asks = position["asks"]
    return Position(
        replace(
            begun,
            step=Phase(asks["question"]),
            active=ALLIED if asks["question"] in SET_UP else asks["seat"],
            turn=position["turn"],
            weather=position["weather"],
            subturn=position["subturn"],
            units={name: Unit(unit["at"], unit["struck"]) for name, unit in position["units"].items()},
            forts=tuple(position["forts"]),
            cleared=tuple(position["cleared"]),
            seal=position["seal"],
            flak=position["aa"],
            stood_down=tuple(position["stood_down"]),
            landing=position["landing"],
            obliged={name: tuple(on) for name, on in position["obliged"].items()},
            fired=tuple(position["fired"]),
            fired_at_aircraft=tuple(position.get("fired_at_aircraft", ())),  # version 1 has none
        )
    )


def hit(told: Sequence[Tell]) -> bool | None:
    """Whether a shot, a bomb or the first combat hits; None if it is not settled yet.

    It does not if the only aircraft the odds order to attack is shot down on its way.
    """
    for tell in told:
        if tell.event in ("shoots", "bombs"):
            return bool(tell.facts["hit"])
        if tell.event == "flak" and tell.facts["hit"]:
            return False
        if tell.event == "dice" and tell.facts["attack"] != tell.facts["defence"]:
            return bool(tell.facts["attack"] > tell.facts["defence"])
    return None


def check(begun: State, before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """Check what holds in every position, and between one and the next."""
    setting = begun.setting
    retell(setting, before, told, now)
    check_land(setting, before, now)
    check_sky(setting, now)
    check_units(setting, before, now)
    check_set_up(setting, before, now)


def check_land(setting: Setting, before: Plain, now: Plain) -> None:
    """R2.4, R5.2, R5.6, R6.6: one unit to a hex of land, in mines only those set up there."""
    places = {name: at for name, at in _places(now).items() if not setting.counters[name].flies}
    assert [at for at, units in Counter(places.values()).items() if units > 1] == []
    for name, at in places.items():
        kind = setting.counters[name].kind
        assert at in setting.land, f"{name} is in {at}"
        if at in setting.mines and at not in now["cleared"]:
            assert kind in FOOT or setting.options.set_up_in_mines == "all", f"{name} is in mines"
            assert before["units"][name]["at"] in ("unplaced", at), f"{name} has not cleared {at}"
        assert at not in now["forts"] or kind not in ("tank", "mechanised", "supply"), f"{name} is in a fort"
    assert setting.options.forts_anywhere or {*now["forts"]} <= {*for_forts(setting)}
    assert [at for at in now["cleared"] if at not in setting.mines] == []
    assert before["cleared"] == [at for at in now["cleared"] if at in before["cleared"]]
    if before["forts"]:
        assert now["forts"] == before["forts"]


def check_sky(setting: Setting, now: Plain) -> None:
    """R4.2, R4.6: few aircraft to a hex, of one side; outside the air phase on its airfields."""
    held: dict[str, list[str]] = {}
    for name, at in _places(now).items():
        if setting.counters[name].flies:
            held.setdefault(at, []).append(setting.counters[name].side)
    flying = now["asks"] is None or now["asks"]["question"] == Phase.AIR
    for at, sides in held.items():
        parked = at in setting.airfields[sides[0]]
        assert len(set(sides)) == 1, f"both sides are over {at}"
        assert len(sides) <= (4 if parked else 3), f"{len(sides)} are over {at}"
        assert flying or parked, f"aircraft have not landed from {at}"


def check_units(setting: Setting, before: Plain, now: Plain) -> None:
    """R1.3: only tanks are struck, permanently; eliminated units stay so."""
    assert now["units"].keys() == before["units"].keys()
    for name, unit in now["units"].items():
        was = before["units"][name]
        assert was["at"] != ELIMINATED or unit["at"] == ELIMINATED, f"{name} has come back"
        assert unit["struck"] or not was["struck"], f"{name} has been repaired"
        assert not unit["struck"] or setting.counters[name].kind == "tank"


def check_set_up(setting: Setting, before: Plain, now: Plain) -> None:
    """R2: placed units are in their zone or on their airfields, and enough are left for later."""
    asked = now["asks"]["question"] if now["asks"] else ""
    unplaced = [name for name, unit in now["units"].items() if unit["at"] == "unplaced"]
    land, aircraft = ({side: len(of[side]) for side in SEATS} for of in (setting.armies, setting.air_forces))
    left = {
        AXIS: land[AXIS] - 16 if asked in SET_UP and asked != "allied_last_setup" else 0,
        ALLIED: {"axis_open": 16, "allied_last_setup": 16}.get(asked, land[ALLIED] + aircraft[ALLIED]),
    }
    for side in SEATS:
        waiting = [name for name in unplaced if setting.counters[name].side == side]
        assert len(waiting) == (left[side] if asked in SET_UP else 0)
    if before["asks"]["question"] in SET_UP:
        check_zones(setting, now, len(setting.forts) if not left[AXIS] else 0)


def check_zones(setting: Setting, now: Plain, forts: int) -> None:
    """R2, R2.4: where counters are set up, and how many fortifications there are."""
    for name, at in _places(now).items():
        counter = setting.counters[name]
        where = setting.airfields if counter.flies else setting.zones
        assert at in where[counter.side], f"{name} is in {at}"
    assert len(dict.fromkeys(now["forts"])) == len(now["forts"]) == forts
    assert [at for at in now["forts"] if at not in for_forts(setting)] == []


def _places(position: Plain) -> dict[str, str]:
    """The hexes of the units that are on one."""
    return {name: unit["at"] for name, unit in position["units"].items() if unit["at"] not in GONE}
