"""Whether a plan's conditions hold, now or at any moment since the plan was armed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.base.limits import check
from pbem.core.hexes import distance
from pbem.core.legend import Piece
from pbem.core.requests import Orders, Plain, texts
from pbem.player.plans.context import Moment, Sight, facts, in_range, pieces, shots_at
from pbem.player.plans.plan import (
    ENEMY,
    OWN,
    Alive,
    Asked,
    At,
    AtLeast,
    AtMost,
    Attack,
    Attacked,
    Condition,
    Empty,
    Fact,
    Happened,
    Held,
    Near,
    Nothing,
    Reduced,
    Units,
)
from pbem.texts import Texts

tr = Texts("pbem")


class NotNow(Exception):
    """A step does not apply now, with the reason."""


def was(condition: Condition, sight: Sight) -> bool:
    """Whether the condition of an `until` has held at any moment since the plan was armed."""
    moments = sight.moments
    if isinstance(condition, Happened | Attacked):  # these look back over all moments
        return _fits(condition, sight, moments, None) != condition.negated
    return any(_fits(condition, sight, (moment,), None) != condition.negated for moment in moments)


def holds(condition: Condition, sight: Sight) -> bool:
    """Whether a condition, negated or not, holds now."""
    match condition:
        case Asked(questions=questions):
            return str(sight.asked.question).lower() in questions
        case Attack(least=least, names=names):
            return any(attack.hit >= least for attack in sight.odds if all_named(attack.orders, names))
        case Nothing():
            if sight.rules.view.threats is None:
                raise NotNow(tr("the game does not tell what is in range"))
            near = next(in_range(sight.rules, sight.state, sight.seat), None)
            return near is None and not sight.odds
    return _fits(condition, sight, sight.moments, sight.facts)


def _fits(
    condition: Condition, sight: Sight, moments: tuple[Moment, ...], known: dict[str, Plain] | None
) -> bool:
    """Whether a condition that needs no question holds, at the last of these moments."""
    check()
    rules, state = sight.rules, moments[-1].state
    match condition:
        case Attacked():
            return _is_shot_at(condition, sight, moments)
        case Units():
            return any(
                _is(condition, sight, state, piece, at) for piece, at in _meant(sight, state, condition)
            )
        case Empty(at=number):
            return all(at != number for _, at in pieces(rules, state))
        case Held(at=number, side=side):
            sides = {piece.side for piece, at in pieces(rules, state) if at == number}
            return bool({_side(sight, side)} & sides)
        case Happened(event=event, names=names):
            told = (tell for moment in moments[1:] for tell in moment.told)
            return any(tell.event == event and all_named([dict(tell.facts)], names) for tell in told)
    return _is_so(condition, facts(rules, state, None) if known is None else known)


def _is_so(condition: Condition, known: dict[str, Plain]) -> bool:
    """Whether a condition on a fact holds."""
    match condition:
        case AtLeast(name=name, number=number):
            value = known.get(name)
            return isinstance(value, int) and value >= number
        case AtMost(name=name, number=number):
            value = known.get(name)
            return isinstance(value, int) and value <= number
        case Fact(name=name, values=values):
            return value_of(known.get(name)).lower() in values
    raise TypeError(f"a condition of no kind that is known: {condition}")


def _is_shot_at(condition: Units, sight: Sight, moments: tuple[Moment, ...]) -> bool:
    """Whether one of the units, or of the side, has been shot at in these moments."""
    if sight.rules.view.traces is None:
        raise NotNow(tr("the game does not tell who is attacked"))
    side = _side(sight, "enemy") if condition.names == (ENEMY,) else sight.seat
    every = condition.names in ((OWN,), (ENEMY,))
    return any(every or _same(unit, condition.names) for unit in shots_at(sight.rules, moments, side))


def _meant(sight: Sight, state: Any, condition: Units) -> Iterator[tuple[Piece, str]]:
    """The counters that a condition names, each with its hex: for `any` all of a side's."""
    sides = {OWN: sight.seat, ENEMY: _side(sight, "enemy")}
    side = sides.get(condition.names[0])
    for piece, at in pieces(sight.rules, state):
        if piece.side == side if side else _same(piece.name, condition.names):
            yield piece, at


def _is(condition: Units, sight: Sight, state: Any, piece: Piece, at: str) -> bool:
    """Whether a condition on a unit holds for a counter."""
    match condition:
        case At(at=place):
            return at == place
        case Near(far=far, goal=goal):
            return _is_near(sight, state, at, far, goal)
        case Reduced():
            return piece.reduced and bool(at)
        case Alive():
            return bool(at)
    raise TypeError(f"a condition of no kind that is known: {condition}")


def _is_near(sight: Sight, state: Any, at: str, far: int, goal: str) -> bool:
    """Whether a hex is within that distance of another hex, or of a unit."""
    legend = sight.rules.view.legend(state)
    places = {cell.number: legend.hex_of(cell) for cell in legend.cells}
    goals = [there for piece, there in pieces(sight.rules, state) if _same(goal, [piece.name])]
    wanted = (places[one] for one in [goal, *goals] if one in places)
    return at in places and any(distance(places[at], one) <= far for one in wanted)


def value_of(found: Plain) -> str:
    """A fact as it is written in a condition."""
    if isinstance(found, bool):
        return "yes" if found else "no"
    return "none" if found is None else str(found)


def _side(sight: Sight, word: str) -> str:
    """The side that a word means: `own`, `enemy`, or its name."""
    first, second = sight.rules.seats
    own = {"own": sight.seat, "enemy": second if sight.seat == first else first}
    return own.get(word, word)


def _same(name: str, names: Any) -> bool:
    return name.lower() in (each.lower() for each in names)


def all_named(orders: Orders, names: tuple[str, ...]) -> bool:
    """Whether orders, or the facts of an event, name all of these."""
    named = {text.lower() for text in texts(orders)}
    return all(name.lower() in named for name in names)
