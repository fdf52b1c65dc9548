"""Three Fords as it was in version 1: the guard could not dig in. What is not here is as in `fords.rules`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from fords import rules
from fords.rules import NORTH, VERBS, Guards, State, read_order
from pbem.core.requests import Ask, Orders, Question, Tell
from pbem.core.rules import Rules


async def post(state: State) -> State:
    """F2: North posts the guard."""
    guard = await Ask(state, "F2", NORTH, "guard", partial(read_order, state, "guard"))
    state = replace(state, guard=guard)
    await Tell(state, "F2", Guards(guard))
    return replace(state, step="cross")


def public(state: State) -> dict[str, Any]:
    """The public position."""
    return {key: value for key, value in rules.public(state).items() if key != "dug"}


def offers(ask: Question) -> Iterator[Orders]:
    """Every legal answer."""
    return ([{VERBS[ask.seat]: ford}] for ford in ask.state.fords)


def version(later: Rules) -> Rules:
    """Version 1, made of version 2."""
    return replace(later, sequence={**later.sequence, "post": post}, public=public, offers=offers)
