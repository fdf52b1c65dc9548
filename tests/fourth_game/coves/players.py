"""Whoever plays Smugglers."""

from __future__ import annotations

from collections.abc import Mapping

from coves.rules import State
from pbem.core.requests import Orders, Question
from pbem.core.rules import Chooser, Effort, Player


def guess(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any legal order."""
    state: State = ask.state
    cove = chooser.choice(list(state.coves))
    if ask.question == "watch":
        return [{"watch": cove}]
    return [{"land": chooser.choice(list(state.hand)), "at": cove}]


def sensible(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The best cargo first, since there may be more of them than turns; the cove is a guess."""
    [order] = guess(ask, chooser)
    if "land" in order:
        order["land"] = max(ask.state.hand, key=lambda cargo: ask.state.worth[cargo])
    return [order]


PLAYERS: Mapping[str, Player] = {"random": guess, "sensible": sensible}
