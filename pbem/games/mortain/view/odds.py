"""The attacks that may be ordered, with their chances and the sums behind them (M5.5 to M5.8, M7.2)."""

from __future__ import annotations

from itertools import combinations

from pbem.core.requests import Orders
from pbem.core.rules import Odds
from pbem.core.sentences import listed
from pbem.games.mortain.rules.allowance import card_allows
from pbem.games.mortain.rules.chances import hit_chance
from pbem.games.mortain.rules.combat import attack_of, factor, modifiers, strength
from pbem.games.mortain.rules.fire import targets_of
from pbem.games.mortain.rules.orders import Fire, Question, Support
from pbem.games.mortain.rules.partial import ActivationBuilder
from pbem.games.mortain.rules.state import Attack, Questions, State
from pbem.games.mortain.terms.setting import enemy
from pbem.games.mortain.view import names, words
from pbem.texts import Texts

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
    """Each unit alone on one enemy, and the best group, the smallest of equals, if it beats each alone."""
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
    """The sum of an attack in short: `5 AT against a card, village +1`."""
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
        orders, "; ".join(words.write(orders)), hit_chance(state, attack), describe_sum(state, attack)
    )
