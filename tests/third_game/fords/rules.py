"""Three Fords, the smallest game with all that pbem offers: what `RULES.md` says, F1 to F5."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.core.forms import Form, read, read_one, word
from pbem.core.requests import Ask, Event, Plain, Tell, Throw
from pbem.core.rules import OVER, Outcome, Step
from pbem.core.sealing import Open, Seal
from pbem.errors import IllegalOrder
from pbem.messages import Messages, Said

tr = Messages("fords")

NORTH, SOUTH = "north", "south"
VERBS = {NORTH: "guard", SOUTH: "cross"}
"""What each side orders."""

FACES = (1, 2, 3, 4, 5, 6)


class State(msgspec.Struct, frozen=True):
    """All that the rules depend on; `step` names the step that comes next."""

    step: str
    fords: Mapping[str, str]
    repelled_by: tuple[int, ...]
    turns: int
    turn: int
    rafts: int
    seal: str | None = None
    guard: str | None = None
    dug: int | None = None
    """F5: the turn in which the guard dug in."""
    outcome: Outcome | None = None


class Guards(Event, frozen=True):
    """The guard is posted at a ford."""

    at: str


class DigsIn(Event, frozen=True):
    """The guard digs in at a ford."""

    at: str


class Rows(Event, frozen=True):
    """A raft rows to a ford."""

    at: str


class Meets(Event, frozen=True):
    """The guard meets the raft: the face thrown, and whether the raft is lost."""

    at: str
    face: int
    lost: bool


class Victory(Event, frozen=True):
    """The game is over."""

    winner: str | None
    reason: Said


def forms(state: State, *verbs: str) -> list[Form]:
    """F4: the forms of these orders, each read as its verb and its ford."""
    return [Form(verb, partial(_order, verb), word(*state.fords)) for verb in verbs]


def _order(verb: str, ford: str) -> tuple[str, str]:
    return verb, ford


def read_order(state: State, verb: str, orders: Plain) -> str:
    """F4: the ford of the one order of an answer. Raises `IllegalOrder`."""
    return str(read_one(orders, forms(state, "cross", "guard"), verb, "F4")[1])


def read_post(state: State, orders: Plain) -> tuple[str, str]:
    """F4, F5: how the guard is posted, and at which ford. Raises `IllegalOrder`."""
    [(verb, ford), *more] = read(orders, forms(state, "cross", "guard", "dig"), ("guard", "dig"), "F4")
    if more:
        raise IllegalOrder("F4", tr("you gave {number} orders: give only one", number=1 + len(more)))
    if verb == "dig" and state.dug:
        raise IllegalOrder("F5", tr("the guard dug in in turn {turn}; it may once", turn=state.dug))
    return verb, ford


def losing(state: State) -> tuple[int, ...]:
    """F3, F5: the faces on which a raft that meets the guard is lost."""
    more = [face for face in FACES if face not in state.repelled_by][: state.dug == state.turn]
    return (*state.repelled_by, *more)


async def choose(state: State) -> State:
    """F2: South chooses a ford, sealed."""
    seal = await Seal(state, "F2", SOUTH, "cross", partial(read_order, state, "cross"), "F4")
    return replace(state, step="post", seal=seal)


async def post(state: State) -> State:
    """F2, F5: North posts the guard, which may dig in."""
    answer: tuple[str, str] = await Ask(state, "F2", NORTH, "guard", partial(read_post, state))
    verb, guard = answer
    if verb == "dig":
        state = replace(state, guard=guard, dug=state.turn)
        await Tell(state, "F5", DigsIn(guard))
    else:
        state = replace(state, guard=guard)
        await Tell(state, "F2", Guards(guard))
    return replace(state, step="cross")


async def cross(state: State) -> State:
    """F2, F3: South's order is opened, and the raft crosses, turns back, or is lost."""
    assert state.seal is not None
    ford = await Open(state, "F2", SOUTH, "open", partial(read_order, state, "cross"), state.seal, "F4")
    state = replace(state, seal=None)
    await Tell(state, "F2", Rows(ford))
    if ford != state.guard:
        reason = tr("a raft has crossed at {ford}", ford=state.fords[ford])
        return await end(state, Outcome(SOUTH, reason, "F1"))
    face = await Throw(state, "F3", FACES)
    lost = face in losing(state)
    state = replace(state, rafts=state.rafts - lost, guard=None)
    await Tell(state, "F3", Meets(ford, face, lost))
    if not state.rafts:
        return await end(state, Outcome(NORTH, tr("no raft is left"), "F1"))
    if state.turn == state.turns:
        reason = tr("turn {turn} was the last", turn=state.turn)
        return await end(state, Outcome(NORTH, reason, "F1"))
    return replace(state, step="choose", turn=state.turn + 1)


async def end(state: State, outcome: Outcome) -> State:
    """F1: the game is over."""
    state = replace(state, step=OVER, outcome=outcome)
    await Tell(state, outcome.rule, Victory(outcome.winner, outcome.reason))
    return state


SEQUENCE: Mapping[str, Step] = {"choose": choose, "post": post, "cross": cross}


def public(state: State) -> dict[str, Any]:
    """The public position."""
    return {
        "turn": state.turn,
        "rafts": state.rafts,
        "seal": state.seal,
        "guard": state.guard,
        "dug": state.dug,
    }
