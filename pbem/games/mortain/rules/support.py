"""M6, US support: when it may be used, on what, and suppression."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from pbem.core.requests import Plain, Tell
from pbem.core.sentences import listed, numeral
from pbem.errors import IllegalOrder
from pbem.games.mortain.rules import events
from pbem.games.mortain.rules.orders import Activation, Support, Suppress
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")


def check_use(state: State, activation: Activation) -> None:
    """M6.1: check that support is used once a turn, instead of all activations or of one unit."""
    options = state.setting.options
    if len(activation.supports) > 1:
        uses = numeral(len(activation.supports))
        raise IllegalOrder(
            "M6.1", tr("you ordered support {number} times; it may be used only once a turn", number=uses)
        )
    if state.support == "used":
        raise IllegalOrder("M6.1", tr("support has already been used this turn"))
    if activation.acting and replaces_all(state):
        units = listed(activation.acting)
        raise IllegalOrder(
            "M6.1", tr("support replaces the whole activation, including that of {units}", units=units)
        )
    if options.support_costs == "one_unit" and state.allowance == 0:
        assert state.card is not None
        card = cards.card_name(state.card)
        facts = tr("the {card} activates no unit, so support cannot replace one", card=card)
        raise IllegalOrder("M6.1", facts)


def replaces_all(state: State) -> bool:
    """M6.1: whether support replaces all the units the card would activate."""
    return state.setting.options.support_costs == "activation"


def check_way(state: State, activation: Activation) -> None:
    """M6.2: check the kind: air on a red odd card or jack, artillery on the other red cards."""
    assert state.card is not None
    way, card = support_of(state.card), cards.card_name(state.card)
    for order in activation.supports:
        if order.way != way:
            if way == "air":
                raise IllegalOrder("M6.2", tr("the {card} provides air, not artillery", card=card))
            raise IllegalOrder("M6.2", tr("the {card} provides artillery, not air", card=card))


def support_of(card: str) -> str:
    """M6.2: the support that a red card allows: `air` or `artillery`."""
    number = cards.value(card)
    odd = card.startswith("J") if number is None else number % 2 == 1
    return "air" if odd else "artillery"


def check_targets(state: State, activation: Activation) -> None:
    """M6.3: check the targets: one German unit, all in one hex, or any in one hex, by `support_target`."""
    scope = state.setting.options.support_target
    for order in activation.supports:
        if not isinstance(order, Support):
            continue
        targets = order.targets
        for name in targets:
            if state.side(name) != GERMAN:
                raise IllegalOrder("M6.3", tr("{unit} is not a German unit", unit=name))
        if scope == "unit" and len(targets) > 1:
            facts = tr(
                "you named {number} targets ({names}); support attacks only one German unit",
                number=numeral(len(targets)),
                names=listed(targets),
            )
            raise IllegalOrder("M6.3", facts)
        at = state.at(targets[0])
        for name in targets[1:]:
            if state.at(name) != at:
                facts = tr("{unit} and {other} are not in the same hex", unit=targets[0], other=name)
                raise IllegalOrder("M6.3", facts)
        missing = [name for name in state.stack(at) if name not in targets]
        if scope == "hex" and state.on_map(targets[0]) and missing:
            facts = tr.plural(
                "every unit in {hex} must be attacked; {names} is missing",
                "every unit in {hex} must be attacked; {names} are missing",
                len(missing),
                hex=at,
                names=listed(missing),
            )
            raise IllegalOrder(
                "M6.3", facts, hint=tr("{order} names them all", order=tr.own(f"{order.way} {at}"))
            )


def check_on_map(state: State, activation: Activation) -> None:
    """M6.5: check that an attack has a German unit in the hex."""
    for order in activation.supports:
        if isinstance(order, Support):
            for name in order.targets:
                if not state.on_map(name):
                    raise IllegalOrder("M6.5", tr("{unit} is off the map, not in a hex", unit=name))


def target_groups(state: State) -> Iterator[list[str]]:
    """Every group of German units in one hex."""
    germans = state.field(GERMAN)
    for at in dict.fromkeys(state.at(name) for name in germans):
        stack = [name for name in germans if state.at(name) == at]
        for number in range(1, len(stack) + 1):
            yield from map(list, combinations(stack, number))


def attacks(state: State) -> list[Plain]:
    """M6.2, M6.3, M6.5: every attack the card would allow if support were available."""
    assert state.card is not None
    way, scope = support_of(state.card), state.setting.options.support_target
    found = []
    for targets in target_groups(state):
        whole = len(targets) == len(state.stack(state.at(targets[0])))
        if scope == "chosen" or (whole if scope == "hex" else len(targets) == 1):
            found.append({way: targets})
    return found


def suppressions(state: State) -> list[Plain]:
    """M6.2, M6.4: every suppression the card would allow if support were available."""
    assert state.card is not None
    return [{"suppress": at} for at in state.setting.grid.numbers] if support_of(state.card) == "air" else []


SUPPRESSION = 1
"""M5.5, M6.4: the modifier of suppressed fire."""


def is_suppressed(state: State, name: str) -> bool:
    """M6.4: whether a unit is German and in one of the seven suppressed hexes."""
    return (
        state.suppressed is not None
        and state.side(name) == GERMAN
        and state.on_map(name)
        and state.setting.grid.distance(state.suppressed, state.at(name)) <= 1
    )


async def suppress(state: State, order: Suppress) -> State:
    """M6.4: suppress the Germans in and around a hex until the end of the turn."""
    state = replace(state, suppressed=order.at)
    await Tell(state, "M6.4", events.Suppresses(US, order.at))
    return state
