"""What an attack comes to beside its chance: what a hit does (M1.2, M6.3)."""

from __future__ import annotations

from pbem.core.requests import Orders
from pbem.core.rules import Forecast
from pbem.core.sentences import joined
from pbem.games.mortain.rules.orders import Activation, Fire, Question
from pbem.games.mortain.rules.state import EXITED, Questions, State


def forecast(ask: Question, orders: Orders) -> Forecast:
    """A list has one attack at most (M3.8), and one card settles it. Raises `IllegalOrder`."""
    answer, state = ask.read(orders), ask.state
    targets: tuple[str, ...] = ()
    if isinstance(answer, Activation):
        exits = state.exits + list(answer.goals.values()).count(EXITED)
        if answer.attacks and exits < state.setting.options.exits_to_win:  # else the game is over (M8.3)
            [attack] = answer.attacks
            targets = (attack.at,) if isinstance(attack, Fire) else attack.targets
    elif ask.question == Questions.FACES and state.attack is not None and answer == "redraw":
        targets = state.attack.targets
    return Forecast((_hit(state, targets),)) if targets else Forecast()


def _hit(state: State, targets: tuple[str, ...]) -> str:
    """M1.2: a full unit flips, a reduced one is eliminated; M6.3: a card hits all targets."""
    fates = []
    for reduced, fate in ((False, "reduces"), (True, "eliminates")):
        if names := [name for name in targets if state.units[name].reduced == reduced]:
            fates.append(f"{fate} {joined(names)}")
    return f"A hit {joined(fates)} (M1.2)"
