"""A plan as it is written: steps of lines, each what to do, when, how long and how often.

    # comments begin so
    despite words              what does not stop the plan: hits, range, words
    when asked activate        all conditions of a step must hold
    when not unit DF reduced
    do fire DF at 117Inf       orders as typed; further lines belong to the same list
    do es: pasar               the same, in Spanish
    until turn 4               from then on the step is over for good
    at most 3 times
    despite range              what does not stop this step, and still stops the next

A blank line ends a step, and so does a `when` after its orders. What a word means stands in docs/PLANS.md.
Nothing here knows a game: `ready_made.check_plan` checks that the names are those of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.base.limits import PLAN_BYTES, PLAN_LINES, PLAN_STEPS
from pbem.core.sentences import joined
from pbem.errors import FileError
from pbem.format.plain import SURROGATE
from pbem.player.plans.plan import Condition, Plan, PlanStep
from pbem.player.plans.plan_phrases import mismatch, parse_condition, parse_instruction, quote_safely
from pbem.texts import ENGLISH, Texts, spoken

tr = Texts("pbem")

STOPS = ("hits", "range", "words")
"""The events that stop a plan unless it, or the step, says `despite`."""

LINE_VERBS = ("despite", "when", "do", "until", "at most")
"""The words with which a line may begin."""


def parse_typed_plan(text: str, where: str) -> Plan:
    """The plan that a player types: its orders may be in his language. Raises `FileError`."""
    return parse_plan(text, where, spoken())


def parse_plan(text: str, where: str, language: str = ENGLISH) -> Plan:
    """The plan in a text. Raises `FileError` with the line that is wrong.

    Orders are in `language` unless they name one: `do es: pasar`. So a stored plan means the same whatever
    the player's language is when it is carried out.
    """
    if SURROGATE.search(text):
        raise FileError(tr("is not UTF-8 text"), where=where)
    if len(text.encode()) > PLAN_BYTES:
        problem = tr("a plan may have {most} bytes, and this has more", most=PLAN_BYTES)
        raise FileError(problem, where=where)
    steps: list[_StepBuilder] = []
    despite: list[str] = []
    lines = text.splitlines()
    if len(lines) > PLAN_LINES:
        problem = tr("a plan may have {most} lines, not {found}", found=len(lines), most=PLAN_LINES)
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
        problem = tr("a plan may have {most} steps, not {found}", found=len(steps), most=PLAN_STEPS)
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
        """The step, whose orders are in `language` if they name none."""
        despite = tuple(dict.fromkeys(self.despite))
        return PlanStep(
            tuple(self.when), parse_instruction(self.do, language), tuple(self.until), self.most, despite
        )


def _parse_line(line: str, steps: list[_StepBuilder], despite: list[str]) -> None:
    """Parse one line into the steps, or into `despite`. Raises `ValueError` with what is wrong."""
    if not line.strip() and steps:
        steps[-1].ended = bool(steps[-1].do)
    verb, rest = _split_verb(line.partition("#")[0])
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
    """The events despite which the plan goes on."""
    for word in re.split(r"[\s,]+|\band\b", rest.lower()):
        if word and word not in STOPS:
            found, expected = quote_safely(word), joined(STOPS, "or")
            raise ValueError(
                tr("after 'despite' comes {expected}, not {found}", found=found, expected=expected)
            )
        if word:
            yield word


def _parse_times(rest: str) -> int:
    """The number of times."""
    match = re.fullmatch(r"([1-9][0-9]{0,3})( times?)?|(once)", rest.lower())
    if not match:
        raise ValueError(
            tr("after 'at most' comes a number such as 3, not {found}", found=quote_safely(rest))
        )
    return 1 if match[3] else int(match[1])
