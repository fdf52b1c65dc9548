"""The victory conditions, each side's progress, and the time left (R8)."""

from __future__ import annotations

from pbem.core.sentences import joined, listed
from pbem.games.rommel.rules import victory
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State
from pbem.games.rommel.terms.setting import ALLIED
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def describe_victory_conditions(state: State) -> list[str]:
    """One line for each side and one about the end; none when the game is over."""
    return (
        []
        if state.step == Phase.OVER
        else [_allied_conditions(state), _axis_conditions(state), _game_end(state)]
    )


def _allied_conditions(state: State) -> str:
    """R8.1: the Allies win on points at the end of a turn, if their villages are safe."""
    wanted, points, lost = victory.POINTS_TO_WIN, _describe_points(state), victory.lost_villages(state)
    villages = str(joined(list(state.setting.villages[ALLIED]), "or"))
    if not lost:
        return tr(
            "The Allies win at the end of a turn with {wanted} victory points, {points}, and no "
            "Axis land unit in {villages} (R8.1)",
            wanted=wanted,
            points=points,
            villages=villages,
        )
    return tr.plural(
        "The Allies win at the end of a turn with {wanted} victory points, {points}, and no "
        "Axis land unit in {villages}, of which {lost} is lost now (R8.1)",
        "The Allies win at the end of a turn with {wanted} victory points, {points}, and no "
        "Axis land unit in {villages}, of which {lost} are lost now (R8.1)",
        len(lost),
        wanted=wanted,
        points=points,
        villages=villages,
        lost=listed(lost),
    )


def _describe_points(state: State) -> str:
    """R8.1: the points that the Allies hold now."""
    held, most = victory.held_points(state), len(state.setting.victory_points)
    if not held:
        return tr("{number} of {most} now", number=0, most=most)
    return tr("{number} of {most} now ({hexes})", number=len(held), most=most, hexes=listed(held))


def _axis_conditions(state: State) -> str:
    """R8.2: the Axis wins if no point is Allied at the end; R8.3: at once if no Allied land unit is left."""
    options, points = state.setting.options, len(victory.held_points(state))
    army = [name for name in state.setting.armies[ALLIED] if state.at(name) != ELIMINATED]
    if options.final_turn == options.turns:
        return tr(
            "The Axis wins at the end of turn {turn} if no victory point is Allied, {points} now "
            "(R8.2), or at once if no Allied land unit is left, {units} now (R8.3)",
            turn=options.turns,
            points=points,
            units=len(army),
        )
    if state.turn < options.turns:
        return tr(
            "The Axis wins at the end of turn {turn} or a later one if no victory point is "
            "Allied, {points} now (R8.2), or at once if no Allied land unit is left, {units} now "
            "(R8.3)",
            turn=options.turns,
            points=points,
            units=len(army),
        )
    return tr(
        "The Axis wins at the end of a turn if no victory point is Allied, {points} now "
        "(R8.2), or at once if no Allied land unit is left, {units} now (R8.3)",
        points=points,
        units=len(army),
    )


def _game_end(state: State) -> str:
    """R8.3: what happens after the last turn."""
    return tr(
        "Turn {turn} of {turns}; then the game is a draw (R8.3)",
        turn=state.turn,
        turns=state.setting.options.final_turn,
    )
