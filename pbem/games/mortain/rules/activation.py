"""Activation: the list that answers a card (M3.5 to M3.8, M9.2), and the order of refusals (M9.3)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal, TypeAlias

from pbem.core.forms import repeated
from pbem.core.requests import Orders
from pbem.core.sentences import numeral
from pbem.errors import Gone, IllegalOrder
from pbem.games.mortain.rules import allowance, fire, movement, support
from pbem.games.mortain.rules.orders import MOVEMENTS, Activation, Fire, Support, read_activation
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, State
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import US
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")

Kind: TypeAlias = Literal["orders", "movements", "fires", "supports"]
Check: TypeAlias = Callable[[State, Activation], None]


def read(state: State, orders: Orders) -> Activation:
    """Parse the answer to `activate`. Raises `IllegalOrder` with the rule that M9.3 names first."""
    activation = read_activation(state.setting.grid, orders)
    for check in checks(bool(activation.movements), bool(activation.fires), bool(activation.supports)):
        check(state, activation)
    return activation


def check_units(state: State, activation: Activation) -> None:
    """M9.2: check that acting units are the player's own, targets exist, and only the US uses support."""
    assert state.card is not None
    seat = cards.owner(state.card)
    for order in activation.orders:
        if isinstance(order, MOVEMENTS):
            check_known(state, seat, order.unit)
        elif isinstance(order, Fire):
            for name in order.firers:
                check_known(state, seat, name)
            check_alive(state, order.at)
        elif seat != US:
            raise IllegalOrder("M9.2", tr("only the US player has air and artillery"))
        elif isinstance(order, Support):
            for name in order.targets:
                check_alive(state, name)


def check_known(state: State, seat: str, name: str) -> None:
    """M9.2: check that an acting unit is the player's own, and neither eliminated nor exited."""
    check_alive(state, name)
    if state.setting.counters[name].side != seat:
        raise IllegalOrder("M9.2", tr("{unit} belongs to the other side", unit=name))


def check_alive(state: State, name: str) -> None:
    """M9.2: check that a unit named exists, and is neither eliminated nor exited."""
    unit = state.units.get(name)
    if unit is None:
        raise IllegalOrder("M9.2", tr("there is no unit called {name}", name=repr(name[:40])))
    if unit.at == ELIMINATED:
        raise Gone("M9.2", tr("{unit} has been eliminated", unit=name), unit=name, event="eliminated")
    if unit.at == EXITED:
        raise Gone("M9.2", tr("{unit} has exited", unit=name), unit=name, event="exits")


def check_once(state: State, activation: Activation) -> None:
    """M3.5: check that on one card a unit moves at most once and fires at most once."""
    if (twice := _unit_named_twice(activation.movers)) is not None:
        raise IllegalOrder("M3.5", tr("{unit} may move only once on a card", unit=twice))
    if (twice := _unit_named_twice(activation.firers)) is not None:
        raise IllegalOrder("M3.5", tr("{unit} may fire only once on a card", unit=twice))


def _unit_named_twice(names: tuple[str, ...]) -> str | None:
    """The first unit named twice, or None."""
    return repeated(names) if len(names) > 1 else None


def check_move_or_fire(state: State, activation: Activation) -> None:
    """M3.6: check that no unit both moves and fires."""
    for name in activation.movers:
        if name in activation.firers:
            raise IllegalOrder("M3.6", tr("{unit} may not both move and fire on one card", unit=name))


def check_order(state: State, activation: Activation) -> None:
    """M3.8: check that all movement comes first, then at most one attack."""
    if len(activation.attacks) > 1:
        attacks = numeral(len(activation.attacks))
        raise IllegalOrder("M3.8", tr("you ordered {number} attacks; a card allows only one", number=attacks))
    for attack in activation.attacks:
        for later in activation.orders[activation.orders.index(attack) :]:
            if isinstance(later, MOVEMENTS):
                facts = tr("{unit} may not move after the attack: all movement comes first", unit=later.unit)
                raise IllegalOrder("M3.8", facts)


CHECKS: tuple[tuple[Kind, Check], ...] = (
    ("orders", check_units),  # M9.2
    ("orders", check_once),  # M3.5
    ("orders", check_move_or_fire),  # M3.6
    ("orders", check_order),  # M3.8
    ("movements", movement.check_step),  # M4.1
    ("movements", movement.check_enemy),  # M4.3
    ("movements", movement.check_entry),  # M4.4
    ("movements", movement.check_exit),  # M4.5
    ("fires", fire.check_target),  # M5.1
    ("fires", fire.check_range),  # M5.2
    ("fires", fire.check_sight),  # M5.3
    ("supports", support.check_use),  # M6.1
    ("supports", support.check_way),  # M6.2
    ("supports", support.check_targets),  # M6.3
    ("supports", support.check_on_map),  # M6.5
    ("movements", movement.check_stacking),  # M4.2
    ("orders", allowance.check),  # M3.7, M3.3, M3.4
)
"""M9.3: the checks after M9.1, in the order in which their rules are cited, with the orders each concerns."""


@cache
def checks(movements: bool, fires: bool, supports: bool) -> tuple[Check, ...]:
    """The checks for a list with these kinds of orders; a pass has none."""
    kinds = {
        "orders": movements or fires or supports,
        "movements": movements,
        "fires": fires,
        "supports": supports,
    }
    return tuple(check for kind, check in CHECKS if kinds[kind])
