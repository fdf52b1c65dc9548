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
from pbem.player.plans.conditions import StepNotApplicable, has_held, holds_now, names_all
from pbem.player.plans.context import PlanContext, marching_units
from pbem.player.plans.grammar import STOPS
from pbem.player.plans.plan import (
    AllAttacks,
    BestOrders,
    March,
    Plan,
    PlanStep,
    TypedOrders,
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


def choose(plan: Plan, sight: PlanContext) -> Choice:
    """The plan's choice at a decision."""
    stop = sight.stop_reason(plan.despite)
    if stop and not any(step.despite for step in plan.steps):
        return Choice(why=stop)
    reasons: list[str] = []
    for number, step in enumerate(plan.steps, 1):
        limits.check()
        try:
            _check_applicable(step, number, sight)
            orders = _step_orders(step, sight)
        except StepNotApplicable as reason:
            reasons.append(tr("step {number}: {reason}", number=number, reason=reason))
        except OrderError as refused:
            why = tr("the orders of step {number} are refused: {reason}", number=number, reason=refused)
            return Choice(why=stop or why, reasons=tuple(reasons))
        else:
            if stop and (still := sight.stop_reason((*plan.despite, *step.despite))):
                return Choice(why=still)
            words = "; ".join(sight.rules.view.write_words(orders))
            return Choice(orders, number, words, step.despite)
    why = tr("no step applies now") if plan.steps else tr("it has no steps")
    return Choice(why=stop or why, reasons=tuple(reasons))


def stops_noted(despite: tuple[str, ...]) -> tuple[str, ...]:
    """The stops that are noted by a decision despite the others."""
    return tuple(stop for stop in STOPS if stop not in despite)


def _check_applicable(step: PlanStep, number: int, sight: PlanContext) -> None:
    """Raise `StepNotApplicable` unless the step applies now."""
    if step.most and sight.done.get(number, 0) >= step.most:
        raise StepNotApplicable(tr("done {number} times, the most", number=step.most))
    for condition in step.until:
        if has_held(condition, sight):
            raise StepNotApplicable(tr("over: {line}", line=f"until {condition.words}"))
    for condition in step.when:
        if holds_now(condition, sight) == condition.negated:
            raise StepNotApplicable(tr("not so: {condition}", condition=condition.words))


def _step_orders(step: PlanStep, sight: PlanContext) -> Orders:
    """The orders of a step. Raises `OrderError` if the rules refuse them, `StepNotApplicable` for none."""
    match step.do:
        case TypedOrders(lines=lines, language=language):
            with speaking(language):
                orders = sight.rules.view.read_words(sight.question, lines)
            sight.question.read(orders)
            return orders
        case BestOrders() as best:
            return _best_orders(best, sight)
        case AllAttacks() as attacks:
            return _attack_orders(attacks, sight)
        case March(goals=goals):
            return _march_orders(goals, sight)
    raise TypeError(f"a deed of no kind that is known: {step.do}")


def _attack_orders(deed: AllAttacks, sight: PlanContext) -> Orders:
    """The attacks with a sufficient chance, as many as are legal together, the best first."""
    named = (attack for attack in sight.odds if not deed.targets or _names_any(attack.orders, deed.targets))
    attacks = sorted((attack for attack in named if attack.hit >= deed.least), key=lambda attack: -attack.hit)
    together = _join_legal(sight, [attack.orders for attack in attacks])
    if not together:
        raise StepNotApplicable(tr("no attack of {chance} or more", chance=f"{float(deed.least):.0%}"))
    return together


def _names_any(orders: Orders, names: tuple[str, ...]) -> bool:
    """Whether orders name one of these."""
    return any(names_all(orders, (name,)) for name in names)


def _best_orders(deed: BestOrders, sight: PlanContext) -> Orders:
    """The legal one of several orders with the best chance, the first of equal ones."""
    read = sight.rules.view.read_words
    legal: list[Orders] = []
    for typed in deed.choices:
        limits.check()
        try:
            with speaking(deed.language):
                orders = read(sight.question, [typed])
            sight.question.read(orders)
        except OrderError:
            continue
        legal.append(orders)
    if not legal:
        raise StepNotApplicable(tr("none of the orders is legal"))
    return max(legal, key=lambda orders: attack_chance(sight, orders))


def attack_chance(sight: PlanContext, orders: Orders) -> Fraction:
    """The chance of the attack that legal orders make; 0 if they make none."""
    for attack in sight.odds:
        if attack.orders == orders:
            return attack.hit
    if isinstance(sight.question, Seal):
        return Fraction(0)
    fork = sight.run.fork()
    fork.answer(orders)
    return sight.rules.view.chance(fork.state) or Fraction(0)


def _join_legal(sight: PlanContext, wanted: list[Orders]) -> Orders:
    """Join lists of orders, in their order, skipping those that are not legal with the ones before."""
    orders: Orders = []
    for each in wanted:
        limits.check()
        longer = [*orders, *(order for order in each if order not in orders)]
        if accepts(sight.question.read, longer):
            orders = longer
    return orders


def _march_orders(goals: tuple[tuple[str, str], ...], sight: PlanContext) -> Orders:
    """A movement of each unit towards its hex, as many as are legal together, the first ones first."""
    rules, legend = sight.rules, sight.rules.view.legend(sight.state)
    places = {cell.number: legend.hex_of(cell) for cell in legend.cells}
    routes = cache(partial(_routes, sight))  # a unit's routes are the same for every goal
    wanted = (
        orders
        for word, goal in goals
        for unit, at in marching_units(rules, sight.state, sight.seat, word)
        if goal in places
        for orders in _movements_nearer(routes(unit), places.get(at), places[goal], places)
    )
    movements = _join_one_per_unit(sight, wanted)
    if not movements:
        raise StepNotApplicable(tr("nobody can come nearer to his hex"))
    return movements


def _join_one_per_unit(sight: PlanContext, wanted: Iterable[Orders]) -> Orders:
    """Join movements, at most one for each unit: the first that is legal with the ones before."""
    orders: Orders = []
    moved: set[Any] = set()
    for each in wanted:
        limits.check()
        unit = next(texts(list(each[0].values())), "")
        if unit not in moved and accepts(sight.question.read, [*orders, *each]):
            orders = [*orders, *each]
            moved.add(unit)
    return orders


def _routes(sight: PlanContext, unit: str) -> Mapping[str, Orders]:
    """The movements of a unit by the hexes to which they lead."""
    routes = sight.rules.view.routes
    try:
        return routes(sight.question, unit) if routes else {}
    except IllegalOrder:
        return {}


def _movements_nearer(
    routes: Mapping[str, Orders], at: Hex | None, goal: Hex, places: Mapping[str, Hex]
) -> Iterator[Orders]:
    """The movements that bring a unit nearer to a hex than it is, the nearest first."""
    limits.check()
    ways = sorted((distance(places[to], goal), to) for to in routes if to in places)
    yield from (routes[to] for far, to in ways if at is None or far < distance(at, goal))
