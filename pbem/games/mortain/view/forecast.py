"""The forecast of orders beside an attack's chance: a hit's effect (M1.2, M6.3), the playouts' result."""

from __future__ import annotations

from pbem.core.requests import Orders
from pbem.core.rules import Advice, Forecast
from pbem.core.sentences import joined
from pbem.games.mortain.rules.orders import Activation, Fire, Question
from pbem.games.mortain.rules.state import EXITED, Questions, State
from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.texts import Texts, number

tr = Texts("pbem.games.mortain")


def forecast_orders(ask: Question, orders: Orders) -> Forecast:
    """What a hit would do; a list has one attack at most (M3.8). Raises `IllegalOrder`."""
    answer, state = ask.read(orders), ask.state
    targets: tuple[str, ...] = ()
    if isinstance(answer, Activation):
        exits = state.exits + list(answer.goals.values()).count(EXITED)
        if answer.attacks and exits < state.setting.options.exits_to_win:  # else the game ends first (M8.3)
            [attack] = answer.attacks
            targets = (attack.at,) if isinstance(attack, Fire) else attack.targets
    elif ask.question == Questions.FACES and state.attack is not None and answer == "redraw":
        targets = state.attack.targets
    return Forecast((_describe_hit(state, targets),)) if targets else Forecast()


def explain_advice(ask: Question, advice: Advice) -> list[str]:
    """The reasons for an answer: the chance of its attack, and the hits taken within the next cards."""
    figures = advice.figures
    lines = (
        [tr("the attack hits in {chance} of cases", chance=f"{figures['hit']:.0%}")]
        if "hit" in figures
        else []
    )
    if f"{GERMAN} lost" in figures:
        told = tr(
            "hits taken within {cards} cards: {german} by the Germans and {us} by the Americans",
            cards=number(figures["cards"], ".0f"),
            german=number(figures[f"{GERMAN} lost"], ".1f"),
            us=number(figures[f"{US} lost"], ".1f"),
        )
        lines.append(told)
    return lines


def _describe_hit(state: State, targets: tuple[str, ...]) -> str:
    """M1.2: a full unit flips, a reduced one is eliminated; M6.3: a card hits all targets."""
    full = [name for name in targets if not state.units[name].reduced]
    reduced = [name for name in targets if state.units[name].reduced]
    if not reduced:
        return tr("A hit reduces {units} (M1.2)", units=joined(full))
    if not full:
        return tr("A hit eliminates {units} (M1.2)", units=joined(reduced))
    return tr(
        "A hit reduces {units} and eliminates {others} (M1.2)", units=joined(full), others=joined(reduced)
    )
