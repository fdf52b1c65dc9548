"""The step of a plan that is carried out at a decision, with its orders; or the reason why none is.

A step's orders are given whole, or not at all: where the rules refuse them the plan stops. It never passes
unless it says `do pass`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Any

from msgspec import Struct

from pbem.base import limits
from pbem.core.hexes import Hex, distance
from pbem.core.requests import Orders, accepts, texts
from pbem.core.sealing import Seal
from pbem.errors import IllegalOrder, OrderError
from pbem.player.plans.conditions import NotNow, all_named, holds, was
from pbem.player.plans.context import Sight, marching
from pbem.player.plans.grammar import STOPS
from pbem.player.plans.plan import (
    Attacks,
    Best,
    March,
    Plan,
    Step,
    Typed,
)
from pbem.texts import Texts, speaking

tr = Texts("pbem")


class Choice(Struct, frozen=True):
    """A plan's choice: the orders of step `step` (from 1), as typed in `words`.

    `despite` are the events that do not stop that step. Without orders: `why`, and in `reasons` why each step
    does not apply now.
    """

    orders: Orders = []
    step: int = 0
    words: str = ""
    despite: tuple[str, ...] = ()
    why: str = ""
    reasons: tuple[str, ...] = ()


def choose(plan: Plan, sight: Sight) -> Choice:
    """The plan's choice at a decision."""
    stop = sight.stop(plan.despite)
    if stop and not any(step.despite for step in plan.steps):
        return Choice(why=stop)
    reasons: list[str] = []
    for number, step in enumerate(plan.steps, 1):
        limits.check()
        try:
            _may_be_done(step, number, sight)
            orders = _orders(step, sight)
        except NotNow as reason:
            reasons.append(tr("step {number}: {reason}", number=number, reason=reason))
        except OrderError as refused:
            why = tr("the orders of step {number} are refused: {reason}", number=number, reason=refused)
            return Choice(why=stop or why, reasons=tuple(reasons))
        else:
            if stop and (still := sight.stop((*plan.despite, *step.despite))):
                return Choice(why=still)
            words = "; ".join(sight.rules.view.write_words(orders))
            return Choice(orders, number, words, step.despite)
    why = tr("no step applies now") if plan.steps else tr("it has no steps")
    return Choice(why=stop or why, reasons=tuple(reasons))


def heeded(despite: tuple[str, ...]) -> tuple[str, ...]:
    """The stops that are noted by a decision despite the others."""
    return tuple(stop for stop in STOPS if stop not in despite)


def _may_be_done(step: Step, number: int, sight: Sight) -> None:
    """Raise `StepNotApplicable` unless the step applies now."""
    if step.most and sight.done.get(number, 0) >= step.most:
        raise NotNow(tr("done {number} times, the most", number=step.most))
    for condition in step.until:
        if was(condition, sight):
            raise NotNow(tr("over: {line}", line=f"until {condition.words}"))
    for condition in step.when:
        if holds(condition, sight) == condition.negated:
            raise NotNow(tr("not so: {condition}", condition=condition.words))


def _orders(step: Step, sight: Sight) -> Orders:
    """The orders of a step. Raises `OrderError` if the rules refuse them, `StepNotApplicable` for none."""
    match step.do:
        case Typed(lines=lines, language=language):
            with speaking(language):
                orders = sight.rules.view.read_words(sight.asked, lines)
            sight.asked.read(orders)
            return orders
        case Best() as best:
            return _best(best, sight)
        case Attacks() as attacks:
            return _attacks(attacks, sight)
        case March(goals=goals):
            return _march(goals, sight)
    raise TypeError(f"a deed of no kind that is known: {step.do}")


def _attacks(deed: Attacks, sight: Sight) -> Orders:
    """The attacks with a sufficient chance, as many as are legal together, the best first."""
    named = (attack for attack in sight.odds if not deed.targets or _names_one(attack.orders, deed.targets))
    attacks = sorted((attack for attack in named if attack.hit >= deed.least), key=lambda attack: -attack.hit)
    together = _together(sight, [attack.orders for attack in attacks])
    if not together:
        raise NotNow(tr("no attack of {chance} or more", chance=f"{float(deed.least):.0%}"))
    return together


def _names_one(orders: Orders, names: tuple[str, ...]) -> bool:
    """Whether orders name one of these."""
    return any(all_named(orders, (name,)) for name in names)


def _best(deed: Best, sight: Sight) -> Orders:
    """The legal one of several orders with the best chance, the first of equal ones."""
    read = sight.rules.view.read_words
    legal: list[Orders] = []
    for typed in deed.choices:
        limits.check()
        try:
            with speaking(deed.language):
                orders = read(sight.asked, [typed])
            sight.asked.read(orders)
        except OrderError:
            continue
        legal.append(orders)
    if not legal:
        raise NotNow(tr("none of the orders is legal"))
    return max(legal, key=lambda orders: chance(sight, orders))


def chance(sight: Sight, orders: Orders) -> Fraction:
    """The chance of the attack that legal orders make; 0 if they make none."""
    for attack in sight.odds:
        if attack.orders == orders:
            return attack.hit
    if isinstance(sight.asked, Seal):
        return Fraction(0)
    fork = sight.run.fork()
    fork.answer(orders)
    return sight.rules.view.chance(fork.state) or Fraction(0)


def _together(sight: Sight, wanted: list[Orders]) -> Orders:
    """Join lists of orders, in their order, skipping those that are not legal with the ones before."""
    orders: Orders = []
    for each in wanted:
        limits.check()
        longer = [*orders, *(order for order in each if order not in orders)]
        if accepts(sight.asked.read, longer):
            orders = longer
    return orders


def _march(goals: tuple[tuple[str, str], ...], sight: Sight) -> Orders:
    """A movement of each unit towards its hex, as many as are legal together, the first ones first."""
    rules, legend = sight.rules, sight.rules.view.legend(sight.state)
    places = {cell.number: legend.hex_of(cell) for cell in legend.cells}
    routes = cache(partial(_routes, sight))  # a unit's routes are the same for every goal
    wanted = (
        orders
        for word, goal in goals
        for unit, at in marching(rules, sight.state, sight.seat, word)
        if goal in places
        for orders in _nearer(routes(unit), places.get(at), places[goal], places)
    )
    movements = _together_of_each(sight, wanted)
    if not movements:
        raise NotNow(tr("nobody can come nearer to his hex"))
    return movements


def _together_of_each(sight: Sight, wanted: Iterable[Orders]) -> Orders:
    """Join movements, at most one for each unit: the first that is legal with the ones before."""
    orders: Orders = []
    moved: set[Any] = set()
    for each in wanted:
        limits.check()
        unit = next(texts(list(each[0].values())), "")
        if unit not in moved and accepts(sight.asked.read, [*orders, *each]):
            orders = [*orders, *each]
            moved.add(unit)
    return orders


def _routes(sight: Sight, unit: str) -> Mapping[str, Orders]:
    """The movements of a unit by the hexes to which they lead."""
    routes = sight.rules.view.routes
    try:
        return routes(sight.asked, unit) if routes else {}
    except IllegalOrder:
        return {}


def _nearer(
    routes: Mapping[str, Orders], at: Hex | None, goal: Hex, places: Mapping[str, Hex]
) -> Iterator[Orders]:
    """The movements that bring a unit nearer to a hex than it is, the nearest first."""
    limits.check()
    ways = sorted((distance(places[to], goal), to) for to in routes if to in places)
    yield from (routes[to] for far, to in ways if at is None or far < distance(at, goal))
