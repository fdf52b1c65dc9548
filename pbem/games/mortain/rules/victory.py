"""M8, victory: who has won, and when the outcome can no longer change."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.requests import Tell
from pbem.core.rules import Outcome
from pbem.core.sentences import numeral
from pbem.games.mortain.rules import events
from pbem.games.mortain.rules.state import GONE, State, Step
from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.messages import Messages, Said

tr = Messages("pbem.games.mortain")


def decisive_outcome(state: State) -> Outcome | None:
    """M8.3: the outcome if nothing can change it any more, or None."""
    if has_enough_exits(state):
        return Outcome(GERMAN, _exits_clause(state), "M8.3")
    if GONE.issuperset(state.places(US)):
        return Outcome(GERMAN, tr("no US unit is left"), "M8.3")
    if GONE.issuperset(state.places(GERMAN)) and state.field(US):
        return Outcome(US, tr("no German unit is left, and {exited}", exited=_exits_clause(state)), "M8.3")
    return None


def final_outcome(state: State) -> Outcome:
    """M8.1, M8.2: the outcome at the end of the last turn; enough exits end the game earlier (M8.3)."""
    if not state.field(US):
        return Outcome(GERMAN, tr("no US unit is on the map"), "M8.1")
    needed = state.setting.options.exits_to_win
    return Outcome(US, tr("{exited}, of {needed} needed", exited=_exits_clause(state), needed=needed), "M8.2")


def has_enough_exits(state: State) -> bool:
    """M8.1: whether as many German units have exited as are needed."""
    return state.exits >= state.setting.options.exits_to_win


async def end_if_decided(state: State) -> State:
    """M8.3: end the game if nothing can change the outcome any more."""
    outcome = decisive_outcome(state)
    return state if outcome is None else await end_game(state, outcome)


async def end_game(state: State, outcome: Outcome) -> State:
    """End the game with this outcome."""
    state = replace(state, step=Step.OVER, card=None, outcome=outcome)
    await Tell(state, outcome.rule, events.Victory(outcome.winner, outcome.reason))
    return state


def _exits_clause(state: State) -> Said:
    """M4.5: a clause about how many German units have left the map."""
    if not state.exits:
        return tr("no German units have exited")
    return tr.plural(
        "one German unit has exited",
        "{spelt} German units have exited",
        state.exits,
        spelt=numeral(state.exits),
    )
