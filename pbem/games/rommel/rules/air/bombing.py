"""Bombing: a bomber on the enemy land unit in its hex (R4.5)."""

from __future__ import annotations

from pbem.core.requests import Tell, Throw
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import casualties, fire
from pbem.games.rommel.rules.events import Bombs, NoBombs
from pbem.games.rommel.rules.orders import Bomb
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import FACES
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


def bomb_target(state: State, name: str, at: str) -> str | None:
    """R4.5: the enemy land unit that an aircraft could bomb in a hex; None unless it is a bomber."""
    found = state.ground.get(at) if state.kind(name) == "bomber" else None
    return None if found is None or state.side(found) == state.side(name) else found


def bombing_faces(state: State, target: str) -> tuple[int, ...]:
    """R4.5: the faces at which a bomb hits a land unit: the scenario's for its type, or `bomb_hits`."""
    setting = state.setting
    return setting.bombing.get(fire.row(state, target), setting.options.bomb_hits)


def check_bomb(state: State, order: Bomb) -> None:
    """R4.5: only bombers bomb, and only an enemy land unit in their hex. Raises `IllegalOrder`."""
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
    return await casualties.suffer_hit(state, on) if hit else state
