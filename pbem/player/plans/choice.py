"""What a plan chooses at a decision: the orders of one step, or why it gives none; and after each possible
draw.

The orders of a step are given complete or not at all: if the rules refuse them, the plan stops. A plan passes
only if it says `do pass`.

The outlook tries every outcome of the next card or roll on a fork of the game. All outcomes weigh the same
(FORMAT 5), and those with the same result are described together. Nothing is written, and nobody learns more
than the public position shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.base import limits
from pbem.base.limits import check
from pbem.core.hexes import Hex, distance
from pbem.core.requests import Ask, Chance, Orders, Plain, accepts, texts
from pbem.core.run import Run
from pbem.core.sealing import Open, Seal
from pbem.errors import IllegalOrder, OrderError
from pbem.player.plans.conditions import (
    Moment,
    PlanContext,
    StepNotApplicable,
    has_held,
    holds_now,
    marching_units,
    names_all,
)
from pbem.player.plans.grammar import STOPS, AllAttacks, BestOrders, March, Plan, PlanStep, TypedOrders
from pbem.texts import Texts, percent, speaking

tr = Texts("pbem")


class Choice(Struct, frozen=True):
    """What a plan chooses: the orders of step `step` (from 1), as typed in `words`.

    `despite` are the events that do not stop that step. If there are no orders, `why` says so, and `reasons`
    why each step does not apply now.
    """

    orders: Orders = []
    step: int = 0
    words: str = ""
    despite: tuple[str, ...] = ()
    why: str = ""
    reasons: tuple[str, ...] = ()


def choose(plan: Plan, sight: PlanContext) -> Choice:
    """What the plan chooses at a decision."""
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
    why = tr("no step applies at the moment") if plan.steps else tr("it has no steps")
    return Choice(why=stop or why, reasons=tuple(reasons))


def stops_noted(despite: tuple[str, ...]) -> tuple[str, ...]:
    """The stops that a decision notes: all except those it was made `despite`."""
    return tuple(stop for stop in STOPS if stop not in despite)


def _check_applicable(step: PlanStep, number: int, sight: PlanContext) -> None:
    """Raise `StepNotApplicable` unless a step applies now."""
    if step.most and sight.done.get(number, 0) >= step.most:
        raise StepNotApplicable(tr("done {number} times, the limit", number=step.most))
    for condition in step.until:
        if has_held(condition, sight):
            raise StepNotApplicable(tr("over: {line}", line=f"until {condition.words}"))
    for condition in step.when:
        if holds_now(condition, sight) == condition.negated:
            raise StepNotApplicable(tr("not true: {condition}", condition=condition.words))


def _step_orders(step: PlanStep, sight: PlanContext) -> Orders:
    """The orders of a step. Raises `OrderError` for illegal ones, `StepNotApplicable` for none."""
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
    """The attacks with a sufficient chance, as many as are legal together, best first."""
    named = (attack for attack in sight.odds if not deed.targets or _names_any(attack.orders, deed.targets))
    attacks = sorted((attack for attack in named if attack.hit >= deed.least), key=lambda attack: -attack.hit)
    together = _join_legal(sight, [attack.orders for attack in attacks])
    if not together:
        raise StepNotApplicable(tr("no attack of {chance} or more", chance=percent(float(deed.least))))
    return together


def _names_any(orders: Orders, names: tuple[str, ...]) -> bool:
    """Whether orders name any of these."""
    return any(names_all(orders, (name,)) for name in names)


def _best_orders(deed: BestOrders, sight: PlanContext) -> Orders:
    """The legal orders with the best chance; if several are equal, the first."""
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
    """The chance of the attack in legal orders; 0 if they contain none."""
    for attack in sight.odds:
        if attack.orders == orders:
            return attack.hit
    if isinstance(sight.question, Seal):
        return Fraction(0)
    fork = sight.run.fork()
    fork.answer(orders)
    return sight.rules.view.chance(fork.state) or Fraction(0)


def _join_legal(sight: PlanContext, wanted: list[Orders]) -> Orders:
    """Join lists of orders in sequence, skipping those not legal after the ones before."""
    orders: Orders = []
    for each in wanted:
        limits.check()
        longer = [*orders, *(order for order in each if order not in orders)]
        if accepts(sight.question.read, longer):
            orders = longer
    return orders


def _march_orders(goals: tuple[tuple[str, str], ...], sight: PlanContext) -> Orders:
    """One movement of each unit towards its hex, as many as are legal together, in order."""
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
        raise StepNotApplicable(tr("no unit can get nearer to its hex"))
    return movements


def _join_one_per_unit(sight: PlanContext, wanted: Iterable[Orders]) -> Orders:
    """Join movements, at most one per unit: the first that is legal after the ones before."""
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
    """The movements of a unit, by the hexes they lead to."""
    routes = sight.rules.view.routes
    try:
        return routes(sight.question, unit) if routes else {}
    except IllegalOrder:
        return {}


def _movements_nearer(
    routes: Mapping[str, Orders], at: Hex | None, goal: Hex, places: Mapping[str, Hex]
) -> Iterator[Orders]:
    """The movements that bring a unit nearer to a hex, the nearest first."""
    limits.check()
    ways = sorted((distance(places[to], goal), to) for to in routes if to in places)
    yield from (routes[to] for far, to in ways if at is None or far < distance(at, goal))


MOST_WAYS = 4000
"""The most continuations of the game tried; beyond them only the next draw is described."""


class Prospect(Struct, frozen=True):
    """A possible result: its chance, the outcomes of the next draw that lead to it, and what happens then."""

    chance: Fraction
    outcomes: tuple[str, ...]
    words: str


class Outlook(Struct, frozen=True):
    """What a plan will do: `first`, before any draw, in lines; then the prospects, the most likely first."""

    first: tuple[str, ...]
    prospects: tuple[Prospect, ...]


def outlook(plan: Plan, sight: PlanContext) -> Outlook:
    """The outlook of a plan from a position, whichever seat decides there."""
    first: list[str] = []
    now = sight
    for _ in range(10):
        pending = now.run.pending
        if not isinstance(pending, Ask):
            break
        after, words = _foresee_answer(plan, now, pending)
        first.append(words)
        if after is None:
            return Outlook(tuple(first), ())
        now = after
    if not isinstance(now.run.pending, Chance):
        end = tr("the game is over") if now.run.pending is None else tr("the rest will not be tried")
        return Outlook((*first, end), ())
    results: dict[str, tuple[Fraction, dict[str, None]]] = {}
    for outcome, words, weight in _try_next_draw(plan, now):
        chance, outcomes = results.get(words, (Fraction(0), {}))
        results[words] = chance + weight, {**outcomes, outcome: None}
    prospects = [Prospect(chance, tuple(outcomes), words) for words, (chance, outcomes) in results.items()]
    return Outlook(tuple(first), tuple(sorted(prospects, key=lambda one: -one.chance)))


def _foresee_answer(plan: Plan, sight: PlanContext, asked: Plain) -> tuple[PlanContext | None, str]:
    """The context after the answer to a question, if it can be foreseen; and a description of that answer."""
    side = sight.run.rules.side(asked.seat)
    if asked.seat != sight.seat:
        orders = _pass_orders(sight.run)
        if orders is None or isinstance(asked, Seal | Open):
            return None, tr(
                "{side} {side:decides|decide}: what {side:it does|they do} cannot be foreseen", side=side
            )
        return _context_after(sight, sight.run, orders), tr("if {side} {side:passes|pass}:", side=side)
    if isinstance(asked, Open):
        return None, tr("{side} {side:opens its|open their} sealed orders", side=side)
    choice = choose(plan, sight)
    does = tr("now: {what}", what=describe_choice(choice))
    if not choice.orders:
        return None, does
    if isinstance(asked, Seal):
        return None, does
    after = _context_after(sight, sight.run, choice.orders, stops_noted(choice.despite))
    return replace(after, done={**sight.done, choice.step: sight.done.get(choice.step, 0) + 1}), does


def describe_choice(choice: Choice) -> str:
    """What a plan chooses, in one line."""
    if choice.orders:
        return tr("your plan orders {orders} (step {number})", orders=choice.words, number=choice.step)
    return tr("your plan stops and asks you: {why}", why=choice.why)


def _pass_orders(run: Run) -> Plain:
    """The orders for a pass; None if the game has none."""
    asked: Plain = run.pending
    try:
        orders = run.rules.view.read_words(asked, ["pass"])
    except OrderError:
        return None
    return orders if accepts(asked.read, orders) else None


def _context_after(sight: PlanContext, run: Run, orders: Plain, seen: tuple[str, ...] = ()) -> PlanContext:
    """The context after an answer; `seen` are the stops it notes, if it is the plan's own."""
    fork = run.fork()
    fork.answer(orders)
    return replace(
        sight, run=fork, moments=(*sight.moments, Moment(fork.state, tuple(fork.told), noted_stops=seen))
    )


def _try_next_draw(plan: Plan, sight: PlanContext) -> Iterator[tuple[str, str, Fraction]]:
    """Each outcome of the next draw, with its possible results and their chances."""
    pending = sight.run.pending
    assert isinstance(pending, Chance)
    weight = Fraction(1, len(pending.outcomes))
    budget = [MOST_WAYS]
    for number, outcome in enumerate(pending.outcomes):
        fork = sight.run.fork()
        fork.decide(number)
        for words, share in _follow_draws(plan, sight, fork, budget, weight):
            yield str(outcome), words, share


def _follow_draws(
    plan: Plan, sight: PlanContext, run: Run, budget: list[int], weight: Fraction
) -> Iterator[tuple[str, Fraction]]:
    """The results of a draw and all draws after it, up to the next decision, each with its chance."""
    check()
    budget[0] -= 1
    pending = run.pending
    if isinstance(pending, Chance):
        if budget[0] < len(pending.outcomes):
            yield tr("another card or roll comes first"), weight
            return
        for number in range(len(pending.outcomes)):
            fork = Run(run.rules, run.position)
            fork.told[:] = run.told
            fork.decide(number)
            yield from _follow_draws(plan, sight, fork, budget, weight / len(pending.outcomes))
        return
    yield _describe_end(plan, sight, run), weight


def _describe_end(plan: Plan, sight: PlanContext, run: Run) -> str:
    """What the plan does at the next question, or the statement that the game is over."""
    if run.pending is None:
        return tr("the game is over")
    assert isinstance(run.pending, Ask)
    side = run.rules.side(run.pending.seat)
    if run.pending.seat != sight.seat:
        return tr("{side} {side:decides|decide}", side=side)
    if isinstance(run.pending, Open):
        return tr("{side} {side:opens its|open their} sealed orders", side=side)
    moments = (*sight.moments, Moment(run.state, tuple(run.told)))
    return describe_choice(choose(plan, replace(sight, run=run, moments=moments)))
