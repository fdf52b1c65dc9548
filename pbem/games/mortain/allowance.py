"""What a card allows: so many units, or those of one hex; Tiger 102 may be free (M3.3, M3.4, M3.7)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import IllegalOrder
from pbem.games.mortain import cards
from pbem.games.mortain.facts import counted, listed
from pbem.games.mortain.movement import after_movement
from pbem.games.mortain.orders import Activation
from pbem.games.mortain.state import WAITING, State


def check(state: State, activation: Activation) -> None:
    """M3.3, M3.4, M3.7: refuse a list that activates more than the card allows."""
    paying = [name for name in activation.acting if not _is_free(state, activation, name)]
    if _fits(state, activation, paying):
        return
    card = state.card
    assert card is not None
    for tiger in paying:
        others = [name for name in paying if name != tiger]
        if state.counter(tiger).tiger and _fits(state, activation, others):
            raise IllegalOrder("M3.7", f"{tiger} is one unit too many for {card}, and not free here")
    found = f"{counted(len(paying), 'unit')} ({listed(paying)})"
    if _support_cost(state, activation):
        found += " beside support, which takes the place of one"
    if cards.is_face(card):
        raise IllegalOrder("M3.4", f"{found}; {card} allows the units of one hex")
    allowed = cards.allowance(card, state.setting.options.activation_rounding)
    raise IllegalOrder("M3.3", f"{found}; {card} allows {allowed}")


def _fits(state: State, activation: Activation, paying: Sequence[str]) -> bool:
    """Whether the card allows these units, and the list's support where that costs a unit (M6.1)."""
    assert state.card is not None
    allowed = cards.allowance(state.card, state.setting.options.activation_rounding)
    spent = len(paying) + _support_cost(state, activation)
    if allowed is not None:
        return spent <= allowed
    hexes = {_hex_of(state, name) for name in paying}
    return len(hexes) <= 1 and (not paying or spent <= _units_with(state, paying[0]))


def _support_cost(state: State, activation: Activation) -> int:
    """M6.1: under `one_unit` support comes in place of a unit."""
    return int(state.setting.options.support_costs == "one_unit" and bool(activation.supports))


def _hex_of(state: State, name: str) -> str:
    """M3.4: a unit waiting off the map is alone in a hex of its own."""
    return name if state.at(name) == WAITING else state.at(name)


def _units_with(state: State, name: str) -> int:
    """How many units the hex of a unit holds, itself among them."""
    return 1 if state.at(name) == WAITING else len(state.stack(state.at(name)))


def _is_free(state: State, activation: Activation, name: str) -> bool:
    """M3.7: whether a unit is Tiger 102 and costs no activation."""
    if not state.counter(name).tiger:
        return False
    match state.setting.options.tiger_free:
        case "always":
            return True
        case "with_another":
            return len(activation.acting) > 1
        case "stacked":
            return _stands_with_another(state, activation, name)


def _stands_with_another(state: State, activation: Activation, tiger: str) -> bool:
    """M3.7, `stacked`: whether the Tiger is with another unit, or enters where one is, now or in the end."""
    if state.on_map(tiger):
        return len(state.stack(state.at(tiger))) > 1
    after = after_movement(state, activation)
    return bool(state.stack(after[tiger])) or list(after.values()).count(after[tiger]) > 1
