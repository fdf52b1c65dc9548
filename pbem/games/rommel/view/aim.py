"""What wins, how far each side is from it, and how long there is (R8)."""

from __future__ import annotations

from pbem.core.sentences import joined, listed
from pbem.games.rommel.rules import victory
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State
from pbem.games.rommel.terms.setting import ALLIED


def aim(state: State) -> list[str]:
    """A line for each side and one for the end; none when the game is over."""
    return [] if state.step == Phase.OVER else [_allied(state), _axis(state), _end(state)]


def _allied(state: State) -> str:
    """R8.1: points at the end of a turn, and the villages."""
    setting, held, lost = state.setting, victory.held(state), victory.lost_villages(state)
    points = f"{len(held)} of {len(setting.victory_points)} now" + (f" ({listed(held)})" if held else "")
    villages = joined(list(setting.villages[ALLIED]), "or")
    taken = f"; {listed(lost)} {'is' if len(lost) == 1 else 'are'} lost now" if lost else ""
    return (
        f"Allied wins at the end of a turn with {victory.POINTS_TO_WIN} victory points, {points}, "
        f"and no Axis land unit in {villages}{taken} (R8.1)"
    )


def _axis(state: State) -> str:
    """R8.2: no Allied on any point at the end; R8.3: at once if no Allied land unit is left."""
    options, held = state.setting.options, len(victory.held(state))
    when = f"turn {options.turns}"
    if options.final_turn > options.turns:
        when = f"{when} or a later one" if state.turn < options.turns else "a turn"
    army = [name for name in state.setting.armies[ALLIED] if state.at(name) != ELIMINATED]
    return (
        f"Axis wins at the end of {when} with no victory point Allied, {held} now (R8.2), "
        f"or at once with no Allied land unit left, {len(army)} now (R8.3)"
    )


def _end(state: State) -> str:
    """R8.3: what comes after the last turn."""
    return f"Turn {state.turn} of {state.setting.options.final_turn}; then it is a draw (R8.3)"
