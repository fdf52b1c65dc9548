"""What a plan sees, and whether its conditions hold, now or at any moment since the plan was armed.

The context is the pending decision and the events since then, in a game or in one of its possible
continuations. All of it is public, or the player's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from msgspec import Struct

from pbem.base.limits import check
from pbem.core.hexes import distance
from pbem.core.legend import Piece
from pbem.core.requests import Ask, Orders, Plain, Question, Tell, texts
from pbem.core.rules import Odds, Rules
from pbem.core.run import Run
from pbem.core.sentences import joined
from pbem.core.traces import Shot
from pbem.player.plans.grammar import (
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


class Moment(Struct, frozen=True):
    """The effect of an entry: its events, the state after it, and whether the opponent said something in it.

    If the player or the plan decided it, `noted_stops` are the stops (`grammar.STOPS`) that this noted.
    """

    state: Any
    events: tuple[Tell, ...] = ()
    has_message: bool = False
    noted_stops: tuple[str, ...] = ()


class PlanContext(Struct, frozen=True, dict=True):
    """The pending decision of a seat in `run`.

    `moments` are those since the plan was armed; the first is the state then, the last the present one.
    `done` is how often each step has been carried out.
    """

    run: Run
    seat: str
    moments: tuple[Moment, ...]
    done: Mapping[int, int]

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.run.rules

    @property
    def state(self) -> Any:
        """The state of the rules."""
        return self.run.state

    @property
    def question(self) -> Question:
        """The pending question."""
        asked = self.run.pending
        assert isinstance(asked, Ask)
        return asked

    @cached_property
    def facts(self) -> dict[str, Plain]:
        """The facts of the position, each a word or a number."""
        return facts(self.rules, self.state, self.question)

    @cached_property
    def odds(self) -> list[Odds]:
        """The possible attacks with their chances; computed once, since many conditions may need them."""
        return self.rules.view.odds(self.question)

    def stop_reason(self, despite: tuple[str, ...]) -> str:
        """Why the plan has to stop: an event the player would want to know about. Empty if it need not."""
        if "words" not in despite and any(moment.has_message for moment in self._moments_since("words")):
            return tr("your opponent has sent a message")
        before = self._moments_since("hits")[0].state
        if "hits" not in despite and (hurt := _units_hit(self.rules, before, self.state, self.seat)):
            return tr.plural("{units} was hit", "{units} were hit", len(hurt), units=joined(hurt))
        if "range" not in despite and (near := self._new_threat(self._moments_since("range")[0].state)):
            return tr("{enemy} came into range of {unit}", enemy=near[0], unit=near[1])
        return ""

    def _moments_since(self, stop: str) -> tuple[Moment, ...]:
        """The moments since a stop was last noted, including that one."""
        seen = (number for number, moment in enumerate(self.moments) if stop in moment.noted_stops)
        return self.moments[max(seen, default=0) :]

    def _new_threat(self, before: Any) -> tuple[str, str] | None:
        """An enemy that can attack now and could not before, and its target, if either has moved since."""
        then, now = (
            {piece.name: at for piece, at in pieces(self.rules, state)} for state in (before, self.state)
        )
        known = set(threats_in_range(self.rules, before, self.seat))
        for pair in threats_in_range(self.rules, self.state, self.seat):
            if pair not in known and any(then.get(name) != now.get(name) for name in pair):
                return pair
        return None


def facts(rules: Rules, state: Any, asked: Question | None) -> dict[str, Plain]:
    """The words and numbers of the public state (FORMAT 7), and the game's facts on a question."""
    public = {
        name: value for name, value in rules.public(state).items() if not isinstance(value, (dict, list))
    }
    view = rules.view
    if view.turn:
        public["turn"] = view.turn(state)
    if asked is not None and view.allows:
        public |= view.allows(asked)
    return public


def pieces(rules: Rules, state: Any) -> Iterator[tuple[Piece, str]]:
    """Every counter with its hex, which is empty if the counter is off the map."""
    legend = rules.view.legend(state)
    yield from ((piece, cell.number) for cell in legend.cells for piece in cell.pieces)
    yield from ((piece, "") for margin in legend.margins for piece in margin.pieces)


ALL = "all"
"""In a march: every ground unit."""


def marching_units(rules: Rules, state: Any, seat: str, word: str) -> Iterator[tuple[str, str]]:
    """The units of a seat that a word in a march means, each with its hex.

    The word is a unit's name, a kind, a group, or `all` for every unit except aircraft.
    """
    legend = rules.view.legend(state)
    ground, meant = legend.layers[:1], word.lower()
    for piece, at in pieces(rules, state):
        whose = (piece.name, piece.kind, piece.group, legend.groups.get(piece.group, ""))
        lies = meant == ALL and (not ground or piece.layer in ground)
        if piece.side == seat and (lies or meant in (name.lower() for name in whose if name)):
            yield piece.name, at


def threats_in_range(rules: Rules, state: Any, seat: str) -> Iterator[tuple[str, str]]:
    """Each enemy that can attack, with its possible target; off-map support does not count."""
    threats = rules.view.threats
    for threat in threats(state, seat) if threats else ():
        yield from ((enemy, threat.unit) for enemy in threat.by)


def units_shot_at(rules: Rules, moments: tuple[Moment, ...], seat: str) -> Iterator[str]:
    """Each unit of a seat that was in a hex when the other side shot at it."""
    traces = rules.view.traces
    if traces is None:
        return
    for before, moment in pairwise(moments):
        shot = {
            trace.at
            for tell in moment.events
            for trace in traces(tell)
            if isinstance(trace, Shot) and trace.side != seat
        }
        if shot:
            yield from (
                piece.name for piece, at in pieces(rules, before.state) if at in shot and piece.side == seat
            )


def _units_hit(rules: Rules, before: Any, now: Any, seat: str) -> list[str]:
    """The units of a seat that were hit or lost between two states."""
    faces = {piece.name: (piece.reduced, at) for piece, at in pieces(rules, now) if piece.side == seat}
    hurt = []
    for piece, at in pieces(rules, before):
        if piece.side == seat and at:
            reduced, there = faces.get(piece.name, (True, ""))
            if not there or (reduced and not piece.reduced):
                hurt.append(piece.name)
    return hurt


class StepNotApplicable(Exception):
    """A step does not apply now. The message is the reason."""


def has_held(condition: Condition, sight: PlanContext) -> bool:
    """Whether the condition of an `until` has held at any moment since the plan was armed."""
    moments = sight.moments
    if isinstance(condition, EventHappened | UnitAttacked):  # these already look back over all moments
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
                raise StepNotApplicable(tr("the game does not say what is in range"))
            near = next(threats_in_range(sight.rules, sight.state, sight.seat), None)
            return near is None and not sight.odds
    return _holds_at(condition, sight, sight.moments, sight.facts)


def _holds_at(
    condition: Condition, sight: PlanContext, moments: tuple[Moment, ...], known: dict[str, Plain] | None
) -> bool:
    """Whether a condition that needs no question holds at the last of these moments."""
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
    """Whether one of the units, or any of the side's, was shot at in these moments."""
    if sight.rules.view.traces is None:
        raise StepNotApplicable(tr("the game does not say who is attacked"))
    side = _side_named(sight, "enemy") if condition.names == (ENEMY,) else sight.seat
    every = condition.names in ((OWN,), (ENEMY,))
    return any(
        every or _is_among(unit, condition.names) for unit in units_shot_at(sight.rules, moments, side)
    )


def _counters_named(sight: PlanContext, state: Any, condition: UnitCondition) -> Iterator[tuple[Piece, str]]:
    """The counters a condition names, each with its hex; for `any`, all of a side's."""
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
    """Whether a hex is within `far` hexes of another hex, or of a unit."""
    legend = sight.rules.view.legend(state)
    places = {cell.number: legend.hex_of(cell) for cell in legend.cells}
    goals = [there for piece, there in pieces(sight.rules, state) if _is_among(goal, [piece.name])]
    wanted = (places[one] for one in [goal, *goals] if one in places)
    return at in places and any(distance(places[at], one) <= far for one in wanted)


def fact_text(found: Plain) -> str:
    """A fact as a condition writes it."""
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
