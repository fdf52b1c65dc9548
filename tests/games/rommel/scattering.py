"""States in the thick of the battle, for games that begin there."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from games.rommel.board import FOOT
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, SEATS, Setting, Weather, other_side


def scatter(begun: State, chooser: Random) -> State:
    """A turn in the thick of the battle: both sides close together, tanks struck, lanes through the mines."""
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
    """R3.1, R3.3: none before it is thrown; nobody flies in a storm."""
    if step == Phase.WEATHER:
        return None
    return chooser.choice(("clear", "dust") if step == Phase.AIR else ("clear", "dust", "storm"))


def for_forts(setting: Setting) -> list[str]:
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
    """R4.6: a land unit on each airfield of the other side."""
    for side in SEATS:
        free = [at for at in state.setting.airfields[other_side(side)] if at not in state.ground]
        for name, at in zip(state.army(side), free, strict=False):
            state = state.with_unit_at(name, at)
    return state


def _may_stand(state: State, name: str, at: str) -> bool:
    """R5.6, R6.6."""
    mined = state.is_mined(at) and state.kind(name) not in FOOT
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
