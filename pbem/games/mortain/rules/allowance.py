"""The allowance of a card: a number of units, or one hex; Tiger 102 can be free (M3.3, M3.4, M3.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.sentences import listed, numeral
from pbem.errors import IllegalOrder
from pbem.games.mortain.rules.orders import Activation
from pbem.games.mortain.rules.state import WAITING, State
from pbem.games.mortain.terms import cards
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")


def check(state: State, activation: Activation) -> None:
    """M3.3, M3.4, M3.7: refuse a list that activates more than the card allows."""
    acting, goals, support = activation.acting, activation.goals, bool(activation.supports)
    if card_allows(state, acting, goals, support):
        return
    assert state.card is not None
    card, tiger = cards.card_name(state.card), state.setting.tiger
    paying = _paying_units(state, acting, goals)
    if tiger in paying and can_pay(state, [name for name in paying if name != tiger], support):
        facts = tr("the {card} allows no more units, and {unit} is not free here", unit=tiger, card=card)
        raise IllegalOrder("M3.7", facts)
    number = len(paying)
    found = tr.plural(
        "one unit ({names})", "{spelt} units ({names})", number, spelt=numeral(number), names=listed(paying)
    )
    if support and _support_costs_a_unit(state):
        found = tr("{units} and support, which replaces one", units=found)
    if state.allowance is None:
        facts = tr(
            "the {card} activates only units in one hex, but you ordered {units}", card=card, units=found
        )
        raise IllegalOrder("M3.4", facts)
    facts = tr.plural(
        "the {card} activates one unit, but you ordered {units}",
        "the {card} activates up to {number} units, but you ordered {units}",
        state.allowance,
        card=card,
        units=found,
    )
    raise IllegalOrder("M3.3", facts)


def card_allows(state: State, acting: Sequence[str], goals: Mapping[str, str], support: bool) -> bool:
    """M3.3, M3.4, M3.7: whether the card allows these units, some of which move to goals, and support."""
    if can_pay(state, acting, support):
        return True
    paying = _paying_units(state, acting, goals)
    return len(paying) < len(acting) and can_pay(state, paying, support)


def can_pay(state: State, paying: Sequence[str], support: bool) -> bool:
    """M3.3, M3.4: whether the card allows these units, and support if that costs a unit (M6.1)."""
    allowed = state.allowance
    cost = 1 if support and _support_costs_a_unit(state) else 0
    if allowed is not None:
        return len(paying) + cost <= allowed
    if len({_hex_of(state, name) for name in paying}) > 1:
        return False
    return not (paying and cost) or len(paying) < _units_with(state, paying[0])


def activations_used(state: State, acting: Sequence[str], goals: Mapping[str, str], support: bool) -> int:
    """M3.3, M3.7, M6.1: how many activations these units, some of which move to goals, and support use."""
    cost = 1 if support and _support_costs_a_unit(state) else 0
    return len(_paying_units(state, acting, goals)) + cost


def _support_costs_a_unit(state: State) -> bool:
    """M6.1: whether support replaces one unit, under the option `one_unit`."""
    return state.setting.options.support_costs == "one_unit"


def _hex_of(state: State, name: str) -> str:
    """M3.4: the hex of a unit; one waiting off the map counts as alone in its own hex."""
    return name if state.at(name) == WAITING else state.at(name)


def _units_with(state: State, name: str) -> int:
    """The number of units in the hex of a unit, itself included."""
    return 1 if state.at(name) == WAITING else len(state.stack(state.at(name)))


def _paying_units(state: State, acting: Sequence[str], goals: Mapping[str, str]) -> Sequence[str]:
    """M3.7: the units that cost an activation: all of them, or all but Tiger 102."""
    tiger = state.setting.tiger
    if tiger not in acting or not _tiger_is_free(state, acting, goals):
        return acting
    return [name for name in acting if name != tiger]


def _tiger_is_free(state: State, acting: Sequence[str], goals: Mapping[str, str]) -> bool:
    """M3.7: whether Tiger 102, one of those acting, costs no activation."""
    match state.setting.options.tiger_free:
        case "always":
            return True
        case "with_another":
            return len(acting) > 1
        case "stacked":
            return _stands_with_another(state, goals, state.setting.tiger)


def _stands_with_another(state: State, goals: Mapping[str, str], tiger: str) -> bool:
    """M3.7, `stacked`: whether the Tiger is with another unit, or enters where one is or will be."""
    if state.on_map(tiger):
        return len(state.stack(state.at(tiger))) > 1
    return bool(state.stack(goals[tiger])) or list(goals.values()).count(goals[tiger]) > 1
