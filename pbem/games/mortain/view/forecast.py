"""The chances of possible attacks (M5.5 to M5.8, M7.2), and the forecast of orders before signing.

A forecast says what a hit does (M1.2, M6.3); the reasons for advice come from playouts.
"""

from __future__ import annotations

from itertools import combinations

from pbem.core.requests import Orders
from pbem.core.rules import Advice, Forecast, Odds
from pbem.core.sentences import joined, listed
from pbem.games.mortain.rules.activation_builder import ActivationBuilder
from pbem.games.mortain.rules.allowance import card_allows
from pbem.games.mortain.rules.fire import attack_of, factor, hit_chance, modifiers, strength, targets_of
from pbem.games.mortain.rules.orders import Activation, Fire, Question, Support
from pbem.games.mortain.rules.state import EXITED, Attack, Questions, State
from pbem.games.mortain.terms.setting import GERMAN, US, enemy
from pbem.games.mortain.view import names, typed_orders
from pbem.texts import Texts, number, percent

tr = Texts("pbem.games.mortain")


def attack_odds(ask: Question) -> list[Odds]:
    """The attacks that may be ordered: on each enemy, and by support; or drawing again (M5.7)."""
    state = ask.state
    if ask.question == Questions.FACES and state.attack is not None:
        return [_make_odds(state, [{"faces": "redraw"}], state.attack)]
    if ask.question != Questions.ACTIVATE:
        return []
    found = [one for target in state.field(enemy(ask.seat)) for one in _fire_odds(ask, target)]
    for order in ActivationBuilder(state).attacks():
        [(way, targets)] = order.items()
        found.append(_make_odds(state, [order], attack_of(state, Support(way, tuple(targets)))))
    return found


def _fire_odds(ask: Question, target: str) -> list[Odds]:
    """Each unit alone on one enemy, and the best group, the smallest of equals, if it beats single units."""
    state = ask.state
    able = [name for name in state.field(ask.seat) if target in targets_of(state, name)]
    groups = [
        _make_odds(state, [{"fire": list(firers), "at": target}], attack_of(state, Fire(firers, target)))
        for number in range(1, len(able) + 1)
        for firers in combinations(able, number)
        if card_allows(state, firers, {}, support=False)
    ]
    alone = [one for one in groups if len(one.orders[0]["fire"]) == 1]
    best = max(groups, key=lambda attack: attack.hit, default=None)
    return alone if best is None or best in alone else [*alone, best]


def describe_sum(state: State, attack: Attack) -> str:
    """The calculation of an attack in short: `5 AT against a card, village +1`."""
    reasons = [f"{names.modifier_name(reason)} {number:+}" for reason, number in modifiers(state, attack)]
    return listed([_describe_strength(state, attack), *reasons])


def _describe_strength(state: State, attack: Attack) -> str:
    power = strength(state, attack)
    match attack.way:
        case "fire":
            used = factor(state, attack)
            return tr("{strength} {factor} against a card", strength=power, factor=used)
        case "air":
            return tr("air {strength} against a card", strength=power)
    return tr("artillery {strength} against a card", strength=power)


def _make_odds(state: State, orders: Orders, attack: Attack) -> Odds:
    return Odds(
        orders, "; ".join(typed_orders.write(orders)), hit_chance(state, attack), describe_sum(state, attack)
    )


def forecast_orders(ask: Question, orders: Orders) -> Forecast:
    """What a hit would do; a list has at most one attack (M3.8). Raises `IllegalOrder`."""
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
        [tr("the attack hits {chance} of the time", chance=percent(figures["hit"]))]
        if "hit" in figures
        else []
    )
    if f"{GERMAN} lost" in figures:
        told = tr(
            "expected hits over {cards} cards: {german} on the Germans and {us} on the Americans",
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
