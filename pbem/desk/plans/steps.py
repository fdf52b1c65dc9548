"""Which step of a plan is carried out at a decision, and with what orders; or why none is.

A step's orders are given whole, or not at all: where the rules refuse them the plan stops. It never passes
unless it says `do pass`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from pbem.core.hexes import Hex, distance
from pbem.core.legend import Piece
from pbem.core.requests import Orders, Plain, accepts, texts
from pbem.core.sealing import Seal
from pbem.desk.plans.grammar import ANY, ANY_ENEMY, STOPS, Condition, Deed, Plan, Step
from pbem.desk.plans.seen import Moment, Sight, facts, in_range, marching, pieces, shots_at
from pbem.errors import IllegalOrder, OrderError
from pbem.texts import Texts, speaking

tr = Texts("pbem")


class Choice(Struct, frozen=True):
    """What a plan does: the orders of step `step` (from 1), as typed in `words`.

    `despite` is what does not stop that step. If there are no orders: `why`, and of each step in `reasons`
    why it is not for now.
    """

    orders: Orders = []
    step: int = 0
    words: str = ""
    despite: tuple[str, ...] = ()
    why: str = ""
    reasons: tuple[str, ...] = ()


class _NotNow(Exception):
    """A step has nothing to do now: why."""


def choose(plan: Plan, sight: Sight) -> Choice:
    """What the plan does at a decision."""
    stop = sight.stop(plan.despite)
    if stop and not any(step.despite for step in plan.steps):
        return Choice(why=stop)
    reasons: list[str] = []
    for number, step in enumerate(plan.steps, 1):
        try:
            _may_be_done(step, number, sight)
            orders = _orders(step, sight)
        except _NotNow as reason:
            reasons.append(tr("step {number}: {reason}", number=number, reason=reason))
        except OrderError as refused:
            why = tr("the orders of step {number} are refused: {reason}", number=number, reason=refused)
            return Choice(why=stop or why, reasons=tuple(reasons))
        else:
            if stop and (still := sight.stop((*plan.despite, *step.despite))):
                return Choice(why=still)
            words = "; ".join(sight.rules.view.write_words(orders))
            return Choice(orders, number, words, step.despite)
    why = tr("no step is for now") if plan.steps else tr("it has no steps")
    return Choice(why=stop or why, reasons=tuple(reasons))


def heeded(despite: tuple[str, ...]) -> tuple[str, ...]:
    """The stops that are taken note of by whoever decides despite the others."""
    return tuple(stop for stop in STOPS if stop not in despite)


def _may_be_done(step: Step, number: int, sight: Sight) -> None:
    """Raise `_NotNow` unless the step is for now."""
    if step.most and sight.done.get(number, 0) >= step.most:
        raise _NotNow(tr("done {number} times, the most", number=step.most))
    for condition in step.until:
        if _was(condition, sight):
            raise _NotNow(tr("over: {line}", line=f"until {condition.words}"))
    for condition in step.when:
        if _holds(condition, sight) == condition.negated:
            raise _NotNow(tr("not so: {condition}", condition=condition.words))


def _was(condition: Condition, sight: Sight) -> bool:
    """Whether the condition of an `until` has held at any moment since the plan was armed."""
    moments = sight.moments
    if condition.kind == "event" or "attacked" in condition.of:  # these look back by themselves
        return _fits(condition, sight, moments, None) != condition.negated
    return any(_fits(condition, sight, (one,), None) != condition.negated for one in moments)


def _holds(condition: Condition, sight: Sight) -> bool:
    """Whether what a condition says is so now, negated or not."""
    match condition.kind, condition.of:
        case "asked", questions:
            return str(sight.asked.question).lower() in questions
        case "attack", names:
            attacks = sight.odds
            named = (one for one in attacks if _name(one.orders, names))
            return any(one.hit >= condition.least for one in named)
        case "nothing", _:
            if sight.rules.view.threats is None:
                raise _NotNow(tr("the game does not tell what is in range"))
            near = next(in_range(sight.rules, sight.state, sight.seat), None)
            return near is None and not sight.odds
    return _fits(condition, sight, sight.moments, sight.facts)


def _fits(
    condition: Condition, sight: Sight, moments: tuple[Moment, ...], known: dict[str, Plain] | None
) -> bool:
    """Whether a condition that needs no question holds, at the last of some moments."""
    rules, state = sight.rules, moments[-1].state
    match condition.kind, condition.of:
        case "unit", (names, "attacked"):
            if rules.view.traces is None:
                raise _NotNow(tr("the game does not tell who is attacked"))
            side = _side(sight, "enemy") if names == ANY_ENEMY else sight.seat
            every = names in (ANY, ANY_ENEMY)
            return any(every or _same(unit, names.split(",")) for unit in shots_at(rules, moments, side))
        case "unit", (names, "within", far, goal):
            return any(_is_near(sight, state, at, int(far), goal) for _, at in _meant(sight, state, names))
        case "unit", (names, *what):
            return any(_is(what, piece.reduced, at) for piece, at in _meant(sight, state, names))
        case "hex", (number, "empty"):
            return all(at != number for _, at in pieces(rules, state))
        case "hex", (number, "held", side):
            sides = {piece.side for piece, at in pieces(rules, state) if at == number}
            return bool({_side(sight, side)} & sides)
        case "event", (kind, *names):
            told = (tell for moment in moments[1:] for tell in moment.told)
            return any(tell.event == kind and _name([dict(tell.facts)], tuple(names)) for tell in told)
    name, *values = condition.of
    found = (facts(rules, state, None) if known is None else known).get(name)
    return _is_value(found, values)


def _meant(sight: Sight, state: Any, names: str) -> Iterator[tuple[Piece, str]]:
    """The counters that a condition names, each with its hex: for `any` all of a side's."""
    sides = {ANY: sight.seat, ANY_ENEMY: _side(sight, "enemy")}
    for piece, at in pieces(sight.rules, state):
        if piece.side == sides[names] if names in sides else _same(piece.name, names.split(",")):
            yield piece, at


def _is_near(sight: Sight, state: Any, at: str, far: int, goal: str) -> bool:
    """Whether a hex is so near to another, or to that of a unit."""
    legend = sight.rules.view.legend(state)
    places = {cell.number: legend.hex_of(cell) for cell in legend.cells}
    goals = [there for piece, there in pieces(sight.rules, state) if _same(goal, [piece.name])]
    wanted = (places[one] for one in [goal, *goals] if one in places)
    return at in places and any(distance(places[at], one) <= far for one in wanted)


def _is(what: list[str], reduced: bool, at: str) -> bool:
    """Whether a counter is where or how a condition says."""
    match what:
        case ["at", place]:
            return at == place
        case ["reduced"]:
            return reduced and bool(at)
    return bool(at)


def _is_value(found: Plain, values: list[str]) -> bool:
    """Whether a fact has a value: `3`, `3 or more`, `3 or less`, `red or black`."""
    match values:
        case [least, "or", "more"] if least.isdecimal():
            return isinstance(found, int) and found >= int(least)
        case [most, "or", "less"] if most.isdecimal():
            return isinstance(found, int) and found <= int(most)
    return value_of(found).lower() in (value for value in values if value not in ("or", "is"))


def value_of(found: Plain) -> str:
    """A fact as a condition says it."""
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


def _name(orders: Orders, names: tuple[str, ...]) -> bool:
    """Whether orders, or facts, name all of these."""
    found = {text.lower() for text in texts(orders)}
    return all(name.lower() in found for name in names)


def _orders(step: Step, sight: Sight) -> Orders:
    """The orders of a step. Raises `OrderError` if the rules refuse them, `_NotNow` if there are none."""
    deed, view, asked = step.do, sight.rules.view, sight.asked
    match deed.kind:
        case "orders":
            with speaking(deed.language):
                orders = view.read_words(asked, deed.of)
            asked.read(orders)
            return orders
        case "best":
            return _best(deed, sight)
        case "attacks":
            named = [
                one for one in sight.odds if not deed.of or any(_name(one.orders, (n,)) for n in deed.of)
            ]
            attacks = [one for one in named if one.hit >= deed.least]
            attacks.sort(key=lambda one: -one.hit)
            together = _together(sight, [one.orders for one in attacks])
            if not together:
                raise _NotNow(tr("no attack of {chance} or more", chance=f"{float(deed.least):.0%}"))
            return together
    return _march(deed.of, sight)


def _best(deed: Deed, sight: Sight) -> Orders:
    """The legal one of several with the best chance, the first of equal ones."""
    read = sight.rules.view.read_words
    legal: list[Orders] = []
    for typed in deed.of:
        try:
            with speaking(deed.language):
                orders = read(sight.asked, [typed])
            sight.asked.read(orders)
        except OrderError:
            continue
        legal.append(orders)
    if not legal:
        raise _NotNow(tr("none of the orders is legal"))
    return max(legal, key=lambda orders: chance(sight, orders))


def chance(sight: Sight, orders: Orders) -> Fraction:
    """The chance of the attack that legal orders make; 0 if they make none."""
    for one in sight.odds:
        if one.orders == orders:
            return one.hit
    if isinstance(sight.asked, Seal):
        return Fraction(0)
    fork = sight.run.fork()
    fork.answer(orders)
    return sight.rules.view.chance(fork.state) or Fraction(0)


def _together(sight: Sight, wanted: list[Orders]) -> Orders:
    """As many of the lists as make a legal one together, the first ones first."""
    orders: Orders = []
    for each in wanted:
        longer = [*orders, *(order for order in each if order not in orders)]
        if accepts(sight.asked.read, longer):
            orders = longer
    return orders


def _march(pairs: tuple[str, ...], sight: Sight) -> Orders:
    """A movement of each unit towards its hex, as many as may be made together, the first ones first."""
    rules, legend = sight.rules, sight.rules.view.legend(sight.state)
    places = {cell.number: legend.hex_of(cell) for cell in legend.cells}
    wanted = [
        orders
        for word, goal in zip(pairs[::2], pairs[1::2], strict=True)
        for unit, at in marching(rules, sight.state, sight.seat, word)
        if goal in places
        for orders in _nearer(sight, unit, places.get(at), places[goal], places)
    ]
    found = _together_of_each(sight, wanted)
    if not found:
        raise _NotNow(tr("nobody can come nearer to his hex"))
    return found


def _together_of_each(sight: Sight, wanted: list[Orders]) -> Orders:
    """Movements of those wanted, one of each unit at most: the first that goes together with the others."""
    orders: Orders = []
    moved: set[Any] = set()
    for each in wanted:
        unit = next(texts(list(each[0].values())), "")
        if unit not in moved and accepts(sight.asked.read, [*orders, *each]):
            orders = [*orders, *each]
            moved.add(unit)
    return orders


def _nearer(
    sight: Sight, unit: str, at: Hex | None, goal: Hex, places: Mapping[str, Hex]
) -> Iterator[Orders]:
    """The movements that bring a unit nearer to a hex than it is, the nearest first."""
    routes = sight.rules.view.routes
    try:
        found = routes(sight.asked, unit) if routes else {}
    except IllegalOrder:
        return
    ways = sorted((distance(places[to], goal), to) for to in found if to in places)
    yield from (found[to] for far, to in ways if at is None or far < distance(at, goal))
