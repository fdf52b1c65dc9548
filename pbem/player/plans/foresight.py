"""What a plan does after each card or throw that can come next, with the chance.

Every outcome is tried on a fork of the game and weighs the same (FORMAT 5); those with the same result are
described together. Nothing is written, and nobody learns more than the public position says.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import check
from pbem.core.requests import Ask, Chance, Plain, accepts
from pbem.core.run import Run
from pbem.core.sealing import Open, Seal
from pbem.errors import OrderError
from pbem.player.plans.context import Moment, PlanContext
from pbem.player.plans.plan import Plan
from pbem.player.plans.steps import Choice, choose, stops_noted
from pbem.texts import Texts

tr = Texts("pbem")

MOST_WAYS = 4000
"""The most continuations of the game that are followed; beyond them only the next draw is named."""


class Prospect(Struct, frozen=True):
    """A possible result: its chance, the outcomes of the next draw that lead to it, and what happens then."""

    chance: Fraction
    outcomes: tuple[str, ...]
    words: str


class Outlook(Struct, frozen=True):
    """What a plan does: `first`, before any draw, in lines; then the prospects, the likeliest first."""

    first: tuple[str, ...]
    prospects: tuple[Prospect, ...]


def outlook(plan: Plan, sight: PlanContext) -> Outlook:
    """The outlook of a plan from a position, whoever is asked there."""
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
        end = tr("the game is over") if now.run.pending is None else tr("the rest is not tried")
        return Outlook((*first, end), ())
    results: dict[str, tuple[Fraction, dict[str, None]]] = {}
    for outcome, words, weight in _try_next_draw(plan, now):
        chance, outcomes = results.get(words, (Fraction(0), {}))
        results[words] = chance + weight, {**outcomes, outcome: None}
    prospects = [Prospect(chance, tuple(outcomes), words) for words, (chance, outcomes) in results.items()]
    return Outlook(tuple(first), tuple(sorted(prospects, key=lambda one: -one.chance)))


def _foresee_answer(plan: Plan, sight: PlanContext, asked: Plain) -> tuple[PlanContext | None, str]:
    """The context after the answer to a question, if it can be foreseen; and a description of the answer."""
    side = sight.run.rules.side(asked.seat)
    if asked.seat != sight.seat:
        orders = _pass_orders(sight.run)
        if orders is None or isinstance(asked, Seal | Open):
            return None, tr(
                "{side} {side:decides|decide}: what {side:it does|they do} is not foreseen", side=side
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
    """A plan's choice, in a line."""
    if choice.orders:
        return tr("your plan orders {orders} (step {number})", orders=choice.words, number=choice.step)
    return tr("your plan stops and asks you: {why}", why=choice.why)


def _pass_orders(run: Run) -> Plain:
    """The orders for a pass; None where the game has none."""
    asked: Plain = run.pending
    try:
        orders = run.rules.view.read_words(asked, ["pass"])
    except OrderError:
        return None
    return orders if accepts(asked.read, orders) else None


def _context_after(sight: PlanContext, run: Run, orders: Plain, seen: tuple[str, ...] = ()) -> PlanContext:
    """The context after an answer; `seen` are the stops noted by it, if it is the plan's own."""
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
    """The results of a draw, through all draws after it up to the next decision, each with its chance."""
    check()
    budget[0] -= 1
    pending = run.pending
    if isinstance(pending, Chance):
        if budget[0] < len(pending.outcomes):
            yield tr("another card or throw comes first"), weight
            return
        for number in range(len(pending.outcomes)):
            fork = Run(run.rules, run.position)
            fork.told[:] = run.told
            fork.decide(number)
            yield from _follow_draws(plan, sight, fork, budget, weight / len(pending.outcomes))
        return
    yield _describe_end(plan, sight, run), weight


def _describe_end(plan: Plan, sight: PlanContext, run: Run) -> str:
    """What the plan does at a question; or that the game is over."""
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
