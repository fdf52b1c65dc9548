"""A plan as data and as text: steps of lines that say what to do, when, how long and how often.

    # a comment
    despite words              what does not stop the plan: hits, range, words
    when asked activate        all conditions of a step must hold
    when not unit DF reduced
    do fire DF at 117Inf       orders as typed; further lines belong to the same list
    do es: pasar               the same in Spanish
    until turn 4               ends the step permanently
    at most 3 times
    despite range              what does not stop this step, and still stops the next

A blank line ends a step, and so does a `when` after its orders. docs/PLANS.md explains every word. `words`
are the text as typed; a plan is stored as its text and parsed again. This module knows no game:
`ready_made.check_plan` checks that the names exist in the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import PLAN_BYTES, PLAN_LINES, PLAN_STEPS
from pbem.core.phrases import strip_comment
from pbem.core.sentences import joined
from pbem.errors import FileError
from pbem.format.yaml_text import SURROGATE
from pbem.messages import quoted
from pbem.render.safe_text import cut, safe_text
from pbem.texts import ENGLISH, LANGUAGES, Texts, spoken

tr = Texts("pbem")


OWN, ENEMY = "any", "any enemy"
"""In place of names: all units of the player, and all units of the other side."""


class Condition(Struct, frozen=True, kw_only=True):
    """A condition that must hold; if `negated`, that must not."""

    words: str
    negated: bool = False


class QuestionAsked(Condition, frozen=True):
    """One of these questions is pending."""

    questions: tuple[str, ...]


class UnitCondition(Condition, frozen=True):
    """A condition on one of these units; `OWN` or `ENEMY` alone means any unit of that side."""

    names: tuple[str, ...]


class UnitAt(UnitCondition, frozen=True):
    """A unit is in a hex."""

    at: str


class UnitNear(UnitCondition, frozen=True):
    """A unit is at most this many hexes from a hex or a unit."""

    far: int
    goal: str


class UnitAlive(UnitCondition, frozen=True):
    """A unit is on the map."""


class UnitReduced(UnitCondition, frozen=True):
    """A unit is on the map with its reduced side up."""


class UnitAttacked(UnitCondition, frozen=True):
    """A unit has been shot at since the plan was armed."""


class HexEmpty(Condition, frozen=True):
    """No unit is in a hex."""

    at: str


class HexHeld(Condition, frozen=True):
    """A side is in a hex: `own`, `enemy`, or its name."""

    at: str
    side: str


class AttackPossible(Condition, frozen=True):
    """An attack that names all of these, if any are given, has at least this chance."""

    least: Fraction
    names: tuple[str, ...] = ()


class NothingInRange(Condition, frozen=True):
    """No unit is in range of an enemy."""


class EventHappened(Condition, frozen=True):
    """An event that names all of these, if any are given, has happened since the plan was armed."""

    event: str
    names: tuple[str, ...] = ()


class FactIs(Condition, frozen=True):
    """A fact of the position has one of these values: `red`, `3`, `yes`."""

    name: str
    values: tuple[str, ...]


class FactAtLeast(Condition, frozen=True):
    """A fact of the position is this number or more."""

    name: str
    number: int


class FactAtMost(Condition, frozen=True):
    """A fact of the position is this number or less."""

    name: str
    number: int


class Instruction(Struct, frozen=True, kw_only=True):
    """What a step does. `words` is its text, one string per line."""

    words: tuple[str, ...]


class TypedOrders(Instruction, frozen=True):
    """Orders, one per line, in the language they were typed in."""

    lines: tuple[str, ...]
    language: str = ENGLISH


class BestOrders(Instruction, frozen=True):
    """The legal line of orders with the best chance."""

    choices: tuple[str, ...]
    language: str = ENGLISH


class AllAttacks(Instruction, frozen=True):
    """All attacks with at least this chance; if targets are named, only attacks on one of them."""

    least: Fraction
    targets: tuple[str, ...] = ()


class March(Instruction, frozen=True):
    """Units, each with the hex to move to. A kind, a group or `all` can stand for a unit."""

    goals: tuple[tuple[str, str], ...]


class PlanStep(Struct, frozen=True):
    """A step: what is done, when, until what, and at most how often (0: no limit).

    `despite`: what does not stop this step. It is not noted either, so it stops the next step.
    """

    when: tuple[Condition, ...]
    do: Instruction
    until: tuple[Condition, ...] = ()
    most: int = 0
    despite: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The step as text."""
        return (
            *(f"when {condition.words}" for condition in self.when),
            *(f"do {words}" for words in self.do.words),
            *(f"until {condition.words}" for condition in self.until),
            *(["at most once"] if self.most == 1 else [f"at most {self.most} times"] if self.most else []),
            *_despite_lines(self.despite),
        )


class Plan(Struct, frozen=True):
    """A list of steps; the first that applies is carried out. `despite`: what does not stop the plan."""

    steps: tuple[PlanStep, ...] = ()
    despite: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The plan as text."""
        parts = [_despite_lines(self.despite), *(step.lines for step in self.steps)]
        return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _despite_lines(stops: Sequence[str]) -> Sequence[str]:
    """The line that lists what does not stop a plan or a step; none if everything stops it."""
    return [f"despite {', '.join(stops)}"] if stops else []


CONDITION_KINDS = ("asked", "unit", "any", "hex", "attack", "nothing", "event")
"""The first words of conditions. Any other word is a fact of the position: `turn 3 or more`."""


def _condition_form(kind: str) -> str:
    """The syntax of a kind of condition, for an error message."""
    match kind:
        case "asked":
            return tr("asked QUESTION")
        case "unit":
            return tr("unit NAME at HEX, alive, reduced, attacked, or within 3 of HEX or another unit")
        case "any":
            return tr(
                "any unit, any enemy or any of A, B; then at HEX, alive, reduced, attacked or within 3 of HEX"
            )
        case "hex":
            return tr("hex HEX empty, or held by own, enemy or a side")
        case "attack":
            return tr("attack 40%, with or without UNITS after it")
        case "event":
            return tr("event KIND, with or without NAMES after it")
    return "nothing in range"


def parse_condition(typed: str, *, lasting: bool = False) -> Condition:
    """Parse a condition; `lasting`: one for an `until`. Raises `ValueError`."""
    words = typed.split()
    negated = words[0].lower() == "not"
    kind, *of = words[negated:] or [""]
    kind, lower = kind.lower(), [word.lower() for word in of]
    whole = " ".join(words)
    if lasting and kind in ("asked", "attack", "nothing"):
        problem = tr(
            "after 'until' comes a fact such as turn 4, unit, hex or event, not '{found}'", found=kind
        )
        raise ValueError(problem)
    if kind == OWN or lower[:1] == ["within"]:
        return _parse_unit_condition(whole, words[negated:], negated)
    match kind, lower:
        case "asked", [_, *_]:
            questions = tuple(word for word in lower if word != "or")
            return QuestionAsked(words=whole, negated=negated, questions=questions)
        case "unit", [_, *_]:
            return _parse_unit_condition(whole, of, negated)
        case "hex", [_, "empty"]:
            return HexEmpty(words=whole, negated=negated, at=of[0])
        case "hex", [_, "held", "by", side]:
            return HexHeld(words=whole, negated=negated, at=of[0], side=side)
        case "attack", [percent, *_]:
            return AttackPossible(
                words=whole, negated=negated, least=_parse_percent(percent), names=tuple(of[1:])
            )
        case "nothing", ["in", "range"]:
            return NothingInRange(words=whole, negated=negated)
        case "event", [event, *_]:
            return EventHappened(words=whole, negated=negated, event=event, names=tuple(of[1:]))
        case "asked" | "unit" | "hex" | "attack" | "nothing" | "event", _:
            raise ValueError(mismatch(whole, _condition_form(kind)))
    return _parse_fact_condition(whole, kind, lower, negated)


def _parse_fact_condition(whole: str, name: str, values: Sequence[str], negated: bool) -> Condition:
    """Parse a condition on a fact: `3`, `3 or more`, `3 or less`, `red or black`."""
    match values:
        case []:
            problem = tr(
                "{found} is not a condition such as turn 3, or {kinds} ...",
                found=quote_safely(whole),
                kinds=joined(CONDITION_KINDS, "or"),
            )
            raise ValueError(problem)
        case [number, "or", "more"] if number.isdecimal():
            return FactAtLeast(words=whole, negated=negated, name=name, number=_parse_number(number))
        case [number, "or", "less"] if number.isdecimal():
            return FactAtMost(words=whole, negated=negated, name=name, number=_parse_number(number))
    facts = tuple(value for value in values if value not in ("or", "is"))
    return FactIs(words=whole, negated=negated, name=name, values=facts)


def _parse_number(digits: str) -> int:
    """Parse a number; none in a game has more than nine digits."""
    return int(digits[:9])


def _parse_unit_condition(whole: str, words: Sequence[str], negated: bool) -> Condition:
    """Parse a condition on a unit, on one of several (names with commas), or on `any`."""
    lower = [word.lower() for word in words]
    names, said = [name for name in words[0].split(",") if name], 1
    if lower[:2] == [OWN, "unit"]:
        names, said = [OWN], 2
    elif lower[:2] == ENEMY.split():
        names, said = [ENEMY], 2
    elif lower[:2] == [OWN, "of"]:
        said = next((n for n, word in enumerate(lower) if word in _UNIT_PREDICATES), len(words))
        names = [name for word in words[2:said] for name in word.split(",") if name and name != "or"]
    units = tuple(names)
    match lower[said:]:
        case [("alive" | "reduced" | "attacked") as word] if units:
            return _ONE_WORD_PREDICATES[word](words=whole, negated=negated, names=units)
        case ["at", _] if units:
            return UnitAt(words=whole, negated=negated, names=units, at=words[-1])
        case ["within", far, "of", _] if units and re.fullmatch("[0-9]{1,2}", far):
            return UnitNear(words=whole, negated=negated, names=units, far=int(far), goal=words[-1])
    raise ValueError(mismatch(whole, _condition_form(OWN if lower[0] == OWN else "unit")))


_ONE_WORD_PREDICATES = {"alive": UnitAlive, "reduced": UnitReduced, "attacked": UnitAttacked}

_UNIT_PREDICATES = ("at", "within", *_ONE_WORD_PREDICATES)
"""The words that can follow a unit."""


def parse_instruction(lines: Sequence[str], language: str) -> Instruction:
    """Parse the `do` lines of a step, in `language` unless they name one. Raises `ValueError`."""
    named = re.match(r"([a-z]+):\s+", lines[0])
    if named and named[1] in LANGUAGES:
        language, lines = named[1], [lines[0][named.end() :], *lines[1:]]
    found = _parse_instruction_lines(lines)
    if language == ENGLISH or not isinstance(found, TypedOrders | BestOrders):
        return found
    first, *others = found.words
    return replace(found, words=(f"{language}: {first}", *others), language=language)


def _parse_instruction_lines(lines: Sequence[str]) -> Instruction:
    """Parse the `do` lines of a step, without a language."""
    words = tuple(lines)
    first = words[0].split()
    if not any(line.split()[0].lower() in ("best", "attacks", "march") for line in words):
        return TypedOrders(words=words, lines=words)
    if len(words) > 1:
        raise ValueError(tr("{found} must be the only 'do' of its step", found=quote_safely(words[0])))
    match [word.lower() for word in first]:
        case ["best", "of", *_]:
            choices = tuple(part.strip() for part in re.sub(r"(?i)^best\s+of\b", "", words[0]).split("|"))
            if all(choices):
                return BestOrders(words=words, choices=choices)
            raise ValueError(tr("a part of 'best of' is empty: separate orders with |"))
        case ["attacks", "of", percent]:
            return AllAttacks(words=words, least=_parse_percent(percent))
        case ["attacks", "of", percent, "on", _, *_]:
            names = tuple(name for word in first[4:] for name in word.split(",") if name and name != "or")
            return AllAttacks(words=words, least=_parse_percent(percent), targets=names)
        case ["march", _, _, *_] if len(first) % 2:
            named = [word.strip(",") for word in first[1:]]
            return March(words=words, goals=tuple(zip(named[::2], named[1::2], strict=True)))
    raise ValueError(
        mismatch(
            words[0],
            tr("best of ORDERS | ORDERS, attacks of 40%, with or without 'on UNIT', or march UNIT HEX ..."),
        )
    )


def _parse_percent(word: str) -> Fraction:
    """Parse a chance such as `40%`."""
    match = re.fullmatch(r"([0-9]{1,3})%?", word)
    if not match or int(match[1]) > 100:
        raise ValueError(mismatch(word, tr("a chance from 0% to 100%")))
    return Fraction(int(match[1]), 100)


def mismatch(found: str, expected: str) -> str:
    """The error message for one text where another was expected."""
    return tr("must be {expected}, not {found}", found=quote_safely(found), expected=expected)


def quote_safely(text: str) -> str:
    """Typed words for an error message: cut, quoted, and without control characters."""
    return str(quoted(cut(safe_text(text), 40)))


STOPS = ("hits", "range", "words")
"""The events that stop a plan unless it, or the step, says `despite`."""

LINE_VERBS = ("despite", "when", "do", "until", "at most")
"""The words that can begin a line."""


def parse_typed_plan(text: str, where: str) -> Plan:
    """Parse a plan that a player types, with orders in their language. Raises `FileError`."""
    return parse_plan(text, where, spoken())


def parse_plan(text: str, where: str, language: str = ENGLISH) -> Plan:
    """Parse a plan. Raises `FileError`, which names the wrong line.

    Orders are in `language` unless they name one: `do es: pasar`. So a stored plan keeps its meaning whatever
    the player's language is later.
    """
    if SURROGATE.search(text):
        raise FileError(tr("is not UTF-8 text"), where=where)
    if len(text.encode()) > PLAN_BYTES:
        problem = tr("this plan is too long: the limit is {most} bytes", most=PLAN_BYTES)
        raise FileError(problem, where=where)
    steps: list[_StepBuilder] = []
    despite: list[str] = []
    lines = text.splitlines()
    if len(lines) > PLAN_LINES:
        problem = tr("a plan can have at most {most} lines, not {found}", found=len(lines), most=PLAN_LINES)
        raise FileError(problem, where=where)
    for number, line in enumerate(lines, 1):
        try:
            _parse_line(line, steps, despite)
        except ValueError as fault:
            at = tr("{where}: line {number}", where=where, number=number)
            raise FileError(str(fault), where=at) from None
    if steps and not steps[-1].do:
        raise FileError(tr("the last step has no 'do'"), where=where)
    if len(steps) > PLAN_STEPS:
        problem = tr("a plan can have at most {most} steps, not {found}", found=len(steps), most=PLAN_STEPS)
        raise FileError(problem, where=where)
    return Plan(tuple(step.build(language) for step in steps), tuple(dict.fromkeys(despite)))


class _StepBuilder:
    """A step whose lines are being parsed."""

    def __init__(self) -> None:
        self.when: list[Condition] = []
        self.do: list[str] = []
        self.until: list[Condition] = []
        self.most = 0
        self.despite: list[str] = []
        self.ended = False

    def build(self, language: str) -> PlanStep:
        """The step, whose orders are in `language` unless they name one."""
        despite = tuple(dict.fromkeys(self.despite))
        return PlanStep(
            tuple(self.when), parse_instruction(self.do, language), tuple(self.until), self.most, despite
        )


def _parse_line(line: str, steps: list[_StepBuilder], despite: list[str]) -> None:
    """Parse one line into the steps, or into `despite`. Raises `ValueError`."""
    if not line.strip() and steps:
        steps[-1].ended = bool(steps[-1].do)
    verb, rest = _split_verb(strip_comment(line))
    if not verb:
        return
    last = steps[-1] if steps else None
    if verb == "despite":
        of_step = last is not None and last.do and not last.ended
        (last.despite if last and of_step else despite).extend(_parse_stops(rest))
        return
    over = last is None or last.ended or last.until or last.most or last.despite
    begins = over or (verb == "when" and last and last.do)
    if verb in ("when", "do") and begins:
        last = _StepBuilder()
        steps.append(last)
    if last is None or (verb in ("until", "at most") and (not last.do or last.ended)):
        raise ValueError(tr("'{found}' needs a 'do' before it", found=verb))
    match verb:
        case "when":
            last.when.append(parse_condition(rest))
        case "do":
            last.do.append(rest)
            parse_instruction(last.do, ENGLISH)
        case "until":
            last.until.append(parse_condition(rest, lasting=True))
        case _:
            last.most = _parse_times(rest)


def _split_verb(line: str) -> tuple[str, str]:
    """The verb of a line and the rest."""
    words = line.split()
    if not words:
        return "", ""
    verb = "at most" if [word.lower() for word in words[:2]] == ["at", "most"] else words[0].lower()
    if verb not in LINE_VERBS:
        raise ValueError(mismatch(words[0], str(joined(LINE_VERBS, "or"))))
    rest = " ".join(words[len(verb.split()) :])
    if not rest:
        raise ValueError(tr("nothing follows '{word}'", word=verb))
    return verb, rest


def _parse_stops(rest: str) -> Iterator[str]:
    """Parse the events that do not stop a plan."""
    for word in re.split(r"[\s,]+|\band\b", rest.lower()):
        if word and word not in STOPS:
            found, expected = quote_safely(word), joined(STOPS, "or")
            raise ValueError(
                tr("after 'despite' comes {expected}, not {found}", found=found, expected=expected)
            )
        if word:
            yield word


def _parse_times(rest: str) -> int:
    """Parse a number of times."""
    match = re.fullmatch(r"([1-9][0-9]{0,3})( times?)?|(once)", rest.lower())
    if not match:
        raise ValueError(
            tr("after 'at most' comes a number such as 3, not {found}", found=quote_safely(rest))
        )
    return 1 if match[3] else int(match[1])
