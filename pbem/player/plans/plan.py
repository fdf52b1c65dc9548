"""A plan as data: steps, each with its conditions, what is done then, and until when.

`words` are those that were typed; a plan is stored as them, and parsed from them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.texts import ENGLISH

OWN, ENEMY = "any", "any enemy"
"""All units of the player's, and of the other side's, in the place of names."""


class Condition(Struct, frozen=True, kw_only=True):
    """A condition that must hold, or must not if `negated`."""

    words: str
    negated: bool = False


class QuestionAsked(Condition, frozen=True):
    """The condition that one of these questions is pending."""

    questions: tuple[str, ...]


class UnitCondition(Condition, frozen=True):
    """A condition on one of these units, or, with `OWN` or `ENEMY` alone, on any of a side's."""

    names: tuple[str, ...]


class UnitAt(UnitCondition, frozen=True):
    """The condition that a unit is in a hex."""

    at: str


class UnitNear(UnitCondition, frozen=True):
    """The condition that a unit is at most so many hexes from a hex, or from a unit."""

    far: int
    goal: str


class UnitAlive(UnitCondition, frozen=True):
    """The condition that a unit is on the map."""


class UnitReduced(UnitCondition, frozen=True):
    """The condition that a unit is on the map with its reduced side up."""


class UnitAttacked(UnitCondition, frozen=True):
    """The condition that a unit has been shot at since the plan was armed."""


class HexEmpty(Condition, frozen=True):
    """The condition that nobody is in a hex."""

    at: str


class HexHeld(Condition, frozen=True):
    """The condition that a side is in a hex: `own`, `enemy`, or its name."""

    at: str
    side: str


class AttackPossible(Condition, frozen=True):
    """The condition that an attack, which names all of these, if any, has at least that chance."""

    least: Fraction
    names: tuple[str, ...] = ()


class NothingInRange(Condition, frozen=True):
    """The condition that no unit is in range of an enemy."""


class EventHappened(Condition, frozen=True):
    """The condition that an event, which names all of these, if any, happened since the plan was armed."""

    event: str
    names: tuple[str, ...] = ()


class FactIs(Condition, frozen=True):
    """The condition that a fact of the position has one of these values: `red`, `3`, `yes`."""

    name: str
    values: tuple[str, ...]


class FactAtLeast(Condition, frozen=True):
    """The condition that a fact is that number or more."""

    name: str
    number: int


class FactAtMost(Condition, frozen=True):
    """The condition that a fact is that number or less."""

    name: str
    number: int


class Instruction(Struct, frozen=True, kw_only=True):
    """What a step does. `words`: a line each."""

    words: tuple[str, ...]


class TypedOrders(Instruction, frozen=True):
    """Orders, a line each, in the language in which they were typed."""

    lines: tuple[str, ...]
    language: str = ENGLISH


class BestOrders(Instruction, frozen=True):
    """The legal one of several lines of orders with the best chance."""

    choices: tuple[str, ...]
    language: str = ENGLISH


class AllAttacks(Instruction, frozen=True):
    """All attacks with at least that chance, where targets are named on one of them."""

    least: Fraction
    targets: tuple[str, ...] = ()


class March(Instruction, frozen=True):
    """Units, each with its goal hex; instead of a unit a kind, a group, or all."""

    goals: tuple[tuple[str, str], ...]


class PlanStep(Struct, frozen=True):
    """A step: what is done, when, until what, and at most how often (0: no limit).

    `despite`: what does not stop this step. It is not noted either, so it stops the next one.
    """

    when: tuple[Condition, ...]
    do: Instruction
    until: tuple[Condition, ...] = ()
    most: int = 0
    despite: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The step as it is written."""
        return (
            *(f"when {condition.words}" for condition in self.when),
            *(f"do {words}" for words in self.do.words),
            *(f"until {condition.words}" for condition in self.until),
            *(["at most once"] if self.most == 1 else [f"at most {self.most} times"] if self.most else []),
            *_despite_lines(self.despite),
        )


class Plan(Struct, frozen=True):
    """A list of steps, of which the first that applies is carried out. `despite`: what does not stop it."""

    steps: tuple[PlanStep, ...] = ()
    despite: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The plan as it is written."""
        parts = [_despite_lines(self.despite), *(step.lines for step in self.steps)]
        return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _despite_lines(stops: Sequence[str]) -> Sequence[str]:
    """The line that lists what does not stop a plan or a step; none if everything stops it."""
    return [f"despite {', '.join(stops)}"] if stops else []
