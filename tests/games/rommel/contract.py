"""What the contract suite has to know of Rommel y Montgomery (see `playout.Contract`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from games.rommel.board import FOOT, GONE
from games.rommel.retelling import SET_UP, retell
from pbem.core.requests import Ask, Orders, Plain, Tell
from pbem.core.run import Position
from pbem.games.rommel.offers import accepts
from pbem.games.rommel.setting import ALLIED, AXIS, SEATS, Setting, Weather, other
from pbem.games.rommel.state import AIR, ELIMINATED, FIRE, MOVE, WEATHER, State, Unit

GAMES = (100, 5_000)
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


def scatter(begun: State, chooser: Random) -> State:
    """A turn in the thick of the battle: both sides close together, tanks struck, lanes through the mines."""
    options = begun.setting.options
    last = options.turns if options.after_last_turn == "draw" else options.last_turn
    mines = sorted(begun.setting.mines)
    step = chooser.choice((WEATHER, AIR, MOVE, FIRE))
    state = replace(
        begun,
        step=step,
        active=chooser.choice(SEATS) if step in (MOVE, FIRE) else ALLIED,
        turn=chooser.randint(1, last),
        weather=_weather(step, chooser),
        subturn=chooser.randint(1, options.air_subturns) if step == AIR else 0,
        cleared=tuple(sorted(chooser.sample(mines, chooser.randint(0, len(mines))))),
        forts=tuple(sorted(chooser.sample(_for_forts(begun.setting), len(begun.setting.forts)))),
        flak={gun: chooser.choice(("all", "all", "bombers", "hold")) for gun in begun.flak},
    )
    return _with_aircraft(_with_armies(state, chooser), chooser)


def _weather(step: str, chooser: Random) -> Weather | None:
    """R3.1, R3.3: none before it is thrown; nobody flies in a storm."""
    if step == WEATHER:
        return None
    return chooser.choice(("clear", "dust") if step == AIR else ("clear", "dust", "storm"))


def _for_forts(setting: Setting) -> list[str]:
    """R2.4."""
    taken = [*setting.victory_points, *setting.villages[AXIS], *setting.airfields[AXIS]]
    return sorted(at for at in setting.zones[AXIS] if at not in setting.mines and at not in taken)


def _with_armies(state: State, chooser: Random) -> State:
    """The land units of both sides about one column, where each may stand."""
    setting = state.setting
    middle, width = chooser.choice((3, 12, 17, 19, 22, 28)), chooser.choice((2, 3, 4))
    near = sorted(at for at in setting.land if abs(setting.grid.column(at) - middle) <= width)
    left = {side: chooser.choice((0.15, 0.5, 0.9)) for side in SEATS}
    for side in chooser.sample(SEATS, 2):
        for number, name in enumerate(setting.armies[side]):
            free = [at for at in near if at not in state.ground and _may_stand(state, name, at)]
            stays = number == 0 or state.kind(name) == "supply" or chooser.random() < left[side]
            state = state.moved(name, chooser.choice(free) if free and stays else ELIMINATED)
            if state.on_map(name) and state.kind(name) == "tank" and chooser.random() < 0.4:
                state = state.hit(name)
    if chooser.random() < 0.3:
        state = _on_airfields(state)
    return state if state.army(ALLIED) else state.moved(setting.armies[ALLIED][0], near[0])


def _on_airfields(state: State) -> State:
    """R4.6: a land unit on each airfield of the other side."""
    for side in SEATS:
        free = [at for at in state.setting.airfields[other(side)] if at not in state.ground]
        for name, at in zip(state.army(side), free, strict=False):
            state = state.moved(name, at)
    return state


def _may_stand(state: State, name: str, at: str) -> bool:
    """R5.6, R6.6."""
    mined = state.mined(at) and state.kind(name) not in FOOT
    return not mined and (at not in state.forts or state.may_stand_on_a_fort(name))


def _with_aircraft(state: State, chooser: Random) -> State:
    """R4.2, R4.6: the aircraft of both sides on airfields or, in the air phase, over land units; not all."""
    over = sorted(state.ground) if state.step == AIR else []
    chooser.shuffle(over)
    for side in SEATS:
        aloft = [over.pop() for _ in range(min(3, len(over)))]
        places = [at for at in state.setting.airfields[side] for _ in range(4)] + aloft * 3
        chooser.shuffle(places)
        for name, at in zip(state.setting.air_forces[side], places, strict=False):
            state = state.moved(name, at if chooser.random() < 0.8 else ELIMINATED)
    return state


def varied(ask: Ask[Any], orders: Orders, chooser: Random) -> Orders:
    """What the practice players leave out: combats of more units, more bombs, more standing orders."""
    orders = [_joined(ask, orders, number, chooser) for number in range(len(orders))]
    if any("bomb" in order for order in orders):
        for name in ask.state.air_force(ask.seat):
            if accepts(ask.read, [*orders, {"bomb": name}]):
                orders = [*orders, {"bomb": name}]
    if chooser.random() < 0.2:
        guns = [gun for gun in ask.state.flak if ask.state.side(gun) == ask.seat]
        named = {"units": chooser.sample(guns, min(2, len(guns)))} if chooser.random() < 0.5 else {}
        standing = [*orders, {"aa": chooser.choice(("hold", "bombers", "all")), **named}]
        if accepts(ask.read, standing):
            orders = standing
    return orders


def _joined(ask: Ask[Any], orders: Orders, number: int, chooser: Random) -> Plain:
    """One of the orders, with one more attacker or defender if it is a combat and that is legal."""
    order = orders[number]
    if "on" not in order or chooser.random() < 0.5:
        return order
    state: State = ask.state
    key = "on" if chooser.random() < 0.5 else next(iter(order))
    like = order[key][0] if order[key] else ""
    of = state.air_force if state.counter(like).flies else state.army
    more = {**order, key: [*order[key], chooser.choice(of(state.side(like)))]}
    return more if accepts(ask.read, [*orders[:number], more, *orders[number + 1 :]]) else order


def restore(begun: State, position: Plain) -> Position:
    """R10: the game at a question, with which its step begins, from the public position alone."""
    asks = position["asks"]
    return Position(
        replace(
            begun,
            step=asks["question"],
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
        )
    )


def hit(told: Sequence[Tell]) -> bool | None:
    """Whether a shot, a bomb or the first combat hits; None while it is not settled.

    It does not where the aircraft, the only one that the odds order to attack, is shot down on its way.
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
    """What holds in every position, and between one and the next."""
    setting = begun.setting
    retell(setting, before, told, now)
    check_land(setting, before, now)
    check_sky(setting, now)
    check_units(setting, before, now)
    check_set_up(setting, before, now)


def check_land(setting: Setting, before: Plain, now: Plain) -> None:
    """R2.4, R5.2, R5.6, R6.6: one unit to a hex of land, in mines none but foot that has never moved."""
    places = {name: at for name, at in _places(now).items() if not setting.counters[name].flies}
    assert [at for at, units in Counter(places.values()).items() if units > 1] == []
    for name, at in places.items():
        kind = setting.counters[name].kind
        assert at in setting.land, f"{name} is in {at}"
        if at in setting.mines and at not in now["cleared"]:
            assert kind in FOOT, f"{name} is in mines"
            assert before["units"][name]["at"] in ("unplaced", at), f"{name} has not cleared {at}"
        assert at not in now["forts"] or kind not in ("tank", "mechanised", "supply"), f"{name} is in a fort"
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
    flying = now["asks"] is None or now["asks"]["question"] == AIR
    for at, sides in held.items():
        parked = at in setting.airfields[sides[0]]
        assert len(set(sides)) == 1, f"both sides are over {at}"
        assert len(sides) <= (4 if parked else 3), f"{len(sides)} are over {at}"
        assert flying or parked, f"aircraft have not landed from {at}"


def check_units(setting: Setting, before: Plain, now: Plain) -> None:
    """R1.3: tanks alone are struck, for good; what is eliminated stays so."""
    assert now["units"].keys() == before["units"].keys()
    for name, unit in now["units"].items():
        was = before["units"][name]
        assert was["at"] != ELIMINATED or unit["at"] == ELIMINATED, f"{name} has come back"
        assert unit["struck"] or not was["struck"], f"{name} has been repaired"
        assert not unit["struck"] or setting.counters[name].kind == "tank"


def check_set_up(setting: Setting, before: Plain, now: Plain) -> None:
    """R2: what is placed lies in its zone or on its airfields, and as many are left as are placed later."""
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
    assert [at for at in now["forts"] if at not in _for_forts(setting)] == []


def _places(position: Plain) -> dict[str, str]:
    """Where the units are that are on a hex."""
    return {name: unit["at"] for name, unit in position["units"].items() if unit["at"] not in GONE}
