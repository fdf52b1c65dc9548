"""R8, victory, at the end of a turn or at once; R1.3, losses, which can end the game."""

from __future__ import annotations

from pbem.core.requests import Tell
from pbem.core.rules import Outcome
from pbem.games.rommel.rules.events import Eliminated, Struck, Victory
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

POINTS_TO_WIN = 3
"""R8.1: how many victory points the Allies must hold."""


def no_army_outcome() -> Outcome:
    """R8.3: the outcome when the last Allied land unit is eliminated."""
    return Outcome(AXIS, tr("no Allied land unit is left"), "R8.3")


def held_points(state: State) -> tuple[str, ...]:
    """R8.1: the victory points with an Allied land unit, in the scenario's order."""
    return tuple(at for at in state.setting.victory_points if at in state.held_hexes[ALLIED])


def lost_villages(state: State) -> tuple[str, ...]:
    """R8.1: the Allied villages with an Axis land unit, in the scenario's order."""
    return tuple(at for at in state.setting.villages[ALLIED] if at in state.held_hexes[AXIS])


def outcome_at_end_of_turn(state: State) -> Outcome | None:
    """R8.1 to R8.3: the outcome at the end of a turn; None if the game continues."""
    options = state.setting.options
    points, lost = len(held_points(state)), lost_villages(state)
    if points >= POINTS_TO_WIN and not lost:
        reason = tr("{number} victory points are Allied, and both Allied villages are safe", number=points)
        return Outcome(ALLIED, reason, "R8.1")
    if state.turn < options.turns:
        return None
    if not points:
        return Outcome(AXIS, tr("no victory point has an Allied land unit"), "R8.2")
    if state.turn >= options.final_turn:
        reason = tr("turn {turn} was the last, and neither side has won", turn=state.turn)
        return Outcome(None, reason, "R8.3")
    return None


async def end_game(state: State, outcome: Outcome) -> State:
    """End the game with this outcome."""
    state = state.with_changes(step=Phase.OVER, outcome=outcome)
    await Tell(state, outcome.rule, Victory(outcome.winner, outcome.reason))
    return state


async def suffer_hit(state: State, name: str) -> State:
    """R1.3: an unstruck tank is struck, everything else eliminated. R8.3: this can end the game."""
    at = state.at(name)
    state = state.hit(name)
    await Tell(state, "R1.3", Struck(name, at) if state.on_map(name) else Eliminated(name, at))
    return state if state.army(ALLIED) else await end_game(state, no_army_outcome())
