"""What orders come to beside the chance of an attack: what a hit does (M1.2, M6.3), what playouts show."""

from __future__ import annotations

from pbem.core.requests import Orders
from pbem.core.rules import Advice, Forecast
from pbem.core.sentences import joined
from pbem.games.mortain.rules.orders import Activation, Fire, Question
from pbem.games.mortain.rules.state import EXITED, Questions, State
from pbem.games.mortain.terms.setting import GERMAN, US

WHO = {GERMAN: "the Germans", US: "the US"}


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


def why(ask: Question, advice: Advice) -> list[str]:
    """What speaks for an answer: the chance of its attack, and the hits of the next cards."""
    figures = advice.figures
    lines = [f"the attack hits with {figures['hit']:.0%}"] if "hit" in figures else []
    if f"{GERMAN} lost" in figures:
        lost = " and ".join(f"{figures[f'{side} lost']:.1f} by {WHO[side]}" for side in (GERMAN, US))
        lines.append(f"hits taken up to {figures['cards']:.0f} cards later: {lost}")
    return lines


def _hit(state: State, targets: tuple[str, ...]) -> str:
    """M1.2: a full unit flips, a reduced one is eliminated; M6.3: a card hits all targets."""
    fates = []
    for reduced, fate in ((False, "reduces"), (True, "eliminates")):
        if names := [name for name in targets if state.units[name].reduced == reduced]:
            fates.append(f"{fate} {joined(names)}")
    return f"A hit {joined(fates)} (M1.2)"
