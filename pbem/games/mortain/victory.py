"""M8: who has won, and when it can no longer change."""

from __future__ import annotations

from pbem.core.rules import Outcome
from pbem.games.mortain.facts import counted
from pbem.games.mortain.setting import GERMAN, US
from pbem.games.mortain.state import GONE, State


def decided(state: State) -> Outcome | None:
    """M8.3: the outcome, where nothing can change it any more."""
    if enough_exits(state):
        return Outcome(GERMAN, _exited(state), "M8.3")
    if GONE.issuperset(state.places(US)):
        return Outcome(GERMAN, "no US unit is left", "M8.3")
    if GONE.issuperset(state.places(GERMAN)) and state.field(US):
        return Outcome(US, f"no German unit is left, and {_exited(state)}", "M8.3")
    return None


def final(state: State) -> Outcome:
    """M8.1, M8.2: the outcome at the end of the last turn."""
    if enough_exits(state):
        return Outcome(GERMAN, _exited(state), "M8.1")
    if not state.field(US):
        return Outcome(GERMAN, "no US unit is on the map", "M8.1")
    needed = state.setting.options.exits_to_win
    return Outcome(US, f"{_exited(state)}, of {needed} needed", "M8.2")


def enough_exits(state: State) -> bool:
    """M8.1: whether as many German units have exited as are needed."""
    return state.exits >= state.setting.options.exits_to_win


def _exited(state: State) -> str:
    return f"{counted(state.exits, 'German unit')} {'has' if state.exits == 1 else 'have'} exited"
