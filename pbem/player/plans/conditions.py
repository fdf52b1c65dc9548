"""Whether a plan's conditions hold, now or at any moment since the plan was armed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.base.limits import check
from pbem.core.hexes import distance
from pbem.core.legend import Piece
from pbem.core.requests import Orders, Plain, texts
from pbem.player.plans.context import Moment, PlanContext, facts, pieces, threats_in_range, units_shot_at
from pbem.player.plans.plan import (
    ENEMY,
    OWN,
    AttackPossible,
    Condition,
    EventHappened,
    FactAtLeast,
    FactAtMost,
    FactIs,
    HexEmpty,
    HexHeld,
    NothingInRange,
    QuestionAsked,
    UnitAlive,
    UnitAt,
    UnitAttacked,
    UnitCondition,
    UnitNear,
    UnitReduced,
)
from pbem.texts import Texts

tr = Texts("pbem")


class StepNotApplicable(Exception):
    """A step does not apply now, with the reason."""


def has_held(condition: Condition, sight: PlanContext) -> bool:
    """Whether the condition of an `until` has held at any moment since the plan was armed."""
    moments = sight.moments
    if isinstance(condition, EventHappened | UnitAttacked):  # these look back over all moments
        return _holds_at(condition, sight, moments, None) != condition.negated
    return any(_holds_at(condition, sight, (moment,), None) != condition.negated for moment in moments)


def holds_now(condition: Condition, sight: PlanContext) -> bool:
    """Whether a condition, negated or not, holds now."""
    match condition:
        case QuestionAsked(questions=questions):
            return str(sight.question.question).lower() in questions
        case AttackPossible(least=least, names=names):
            return any(attack.hit >= least for attack in sight.odds if names_all(attack.orders, names))
        case NothingInRange():
            if sight.rules.view.threats is None:
                raise StepNotApplicable(tr("the game does not tell what is in range"))
            near = next(threats_in_range(sight.rules, sight.state, sight.seat), None)
            return near is None and not sight.odds
    return _holds_at(condition, sight, sight.moments, sight.facts)


def _holds_at(
    condition: Condition, sight: PlanContext, moments: tuple[Moment, ...], known: dict[str, Plain] | None
) -> bool:
    """Whether a condition that needs no question holds, at the last of these moments."""
    check()
    rules, state = sight.rules, moments[-1].state
    match condition:
        case UnitAttacked():
            return _is_shot_at(condition, sight, moments)
        case UnitCondition():
            return any(
                _unit_condition_holds(condition, sight, state, piece, at)
                for piece, at in _counters_named(sight, state, condition)
            )
        case HexEmpty(at=number):
            return all(at != number for _, at in pieces(rules, state))
        case HexHeld(at=number, side=side):
            sides = {piece.side for piece, at in pieces(rules, state) if at == number}
            return bool({_side_named(sight, side)} & sides)
        case EventHappened(event=event, names=names):
            told = (tell for moment in moments[1:] for tell in moment.events)
            return any(tell.event == event and names_all([dict(tell.facts)], names) for tell in told)
    return _fact_holds(condition, facts(rules, state, None) if known is None else known)


def _fact_holds(condition: Condition, known: dict[str, Plain]) -> bool:
    """Whether a condition on a fact holds."""
    match condition:
        case FactAtLeast(name=name, number=number):
            value = known.get(name)
            return isinstance(value, int) and value >= number
        case FactAtMost(name=name, number=number):
            value = known.get(name)
            return isinstance(value, int) and value <= number
        case FactIs(name=name, values=values):
            return fact_text(known.get(name)).lower() in values
    raise TypeError(f"a condition of no kind that is known: {condition}")


def _is_shot_at(condition: UnitCondition, sight: PlanContext, moments: tuple[Moment, ...]) -> bool:
    """Whether one of the units, or of the side, has been shot at in these moments."""
    if sight.rules.view.traces is None:
        raise StepNotApplicable(tr("the game does not tell who is attacked"))
    side = _side_named(sight, "enemy") if condition.names == (ENEMY,) else sight.seat
    every = condition.names in ((OWN,), (ENEMY,))
    return any(
        every or _is_among(unit, condition.names) for unit in units_shot_at(sight.rules, moments, side)
    )


def _counters_named(sight: PlanContext, state: Any, condition: UnitCondition) -> Iterator[tuple[Piece, str]]:
    """The counters that a condition names, each with its hex: for `any` all of a side's."""
    sides = {OWN: sight.seat, ENEMY: _side_named(sight, "enemy")}
    side = sides.get(condition.names[0])
    for piece, at in pieces(sight.rules, state):
        if piece.side == side if side else _is_among(piece.name, condition.names):
            yield piece, at


def _unit_condition_holds(
    condition: UnitCondition, sight: PlanContext, state: Any, piece: Piece, at: str
) -> bool:
    """Whether a condition on a unit holds for a counter."""
    match condition:
        case UnitAt(at=place):
            return at == place
        case UnitNear(far=far, goal=goal):
            return _is_near(sight, state, at, far, goal)
        case UnitReduced():
            return piece.reduced and bool(at)
        case UnitAlive():
            return bool(at)
    raise TypeError(f"a condition of no kind that is known: {condition}")


def _is_near(sight: PlanContext, state: Any, at: str, far: int, goal: str) -> bool:
    """Whether a hex is within that distance of another hex, or of a unit."""
    legend = sight.rules.view.legend(state)
    places = {cell.number: legend.hex_of(cell) for cell in legend.cells}
    goals = [there for piece, there in pieces(sight.rules, state) if _is_among(goal, [piece.name])]
    wanted = (places[one] for one in [goal, *goals] if one in places)
    return at in places and any(distance(places[at], one) <= far for one in wanted)


def fact_text(found: Plain) -> str:
    """A fact as it is written in a condition."""
    if isinstance(found, bool):
        return "yes" if found else "no"
    return "none" if found is None else str(found)


def _side_named(sight: PlanContext, word: str) -> str:
    """The side that a word means: `own`, `enemy`, or its name."""
    first, second = sight.rules.seats
    own = {"own": sight.seat, "enemy": second if sight.seat == first else first}
    return own.get(word, word)


def _is_among(name: str, names: Any) -> bool:
    return name.lower() in (each.lower() for each in names)


def names_all(orders: Orders, names: tuple[str, ...]) -> bool:
    """Whether orders, or the facts of an event, name all of these."""
    named = {text.lower() for text in texts(orders)}
    return all(name.lower() in named for name in names)
