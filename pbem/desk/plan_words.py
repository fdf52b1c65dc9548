"""A plan as it is written: steps of lines, each what to do, when, how long and how often.

    # comments begin so
    despite range              what does not stop the plan: hits, range, words
    when asked activate        all conditions of a step must hold
    when not unit DF reduced
    do fire DF at 117Inf       orders as typed; further lines belong to the same list
    until turn 4               from then on the step is over for good
    at most 3 times

A blank line ends a step, and so does a `when` after its orders. What a word means stands in docs/PLANS.md.
Nothing here knows a game: `plan_ready` checks that the names are those of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.errors import FileError
from pbem.journal.plain import SURROGATE
from pbem.render.words import cut, safe

MOST_BYTES = 20_000
"""A plan has no more bytes than this."""

MOST_STEPS = 50
"""A plan has no more steps than this."""

STOPS = ("hits", "range", "words")
"""What stops a plan unless it says `despite`."""

VERBS = ("despite", "when", "do", "until", "at most")
"""With what a line begins."""


class Condition(Struct, frozen=True):
    """What must hold: its kind, what belongs to it, and whether it must not hold. `words`: as typed.

    Of an attack `least` is the chance that it has at least.
    """

    words: str
    kind: str
    of: tuple[str, ...] = ()
    negated: bool = False
    least: Fraction = Fraction(0)


class Deed(Struct, frozen=True):
    """What is to be done: `orders` as typed, the `best` of several, all `attacks`, or a `march`.

    `of` are lines of orders, alternatives, or units each followed by its hex.
    """

    words: tuple[str, ...]
    kind: str
    of: tuple[str, ...] = ()
    least: Fraction = Fraction(0)


class Step(Struct, frozen=True):
    """A step: what is done, when, until what, and at most how often (0: as often as may be)."""

    when: tuple[Condition, ...]
    do: Deed
    until: tuple[Condition, ...] = ()
    most: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """The step as it is written."""
        return (
            *(f"when {one.words}" for one in self.when),
            *(f"do {words}" for words in self.do.words),
            *(f"until {one.words}" for one in self.until),
            *(["at most once"] if self.most == 1 else [f"at most {self.most} times"] if self.most else []),
        )


class Plan(Struct, frozen=True):
    """A list of steps; the first that can be carried out is. `despite`: what does not stop it."""

    steps: tuple[Step, ...] = ()
    despite: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The plan as it is written."""
        head = [f"despite {', '.join(self.despite)}"] if self.despite else []
        return "\n\n".join(
            "\n".join(lines) for lines in [head, *(step.lines for step in self.steps)] if lines
        )


def read(text: str, where: str) -> Plan:
    """The plan that a text is. Raises `FileError` with the line that is wrong."""
    if SURROGATE.search(text):
        raise FileError("is not UTF-8 text", where=where)
    if len(text.encode()) > MOST_BYTES:
        raise FileError(f"found more than {MOST_BYTES} bytes, the most of a plan", where=where)
    steps: list[_Begun] = []
    despite: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _take(line, steps, despite)
        except ValueError as fault:
            raise FileError(str(fault), where=f"{where}: line {number}") from None
    if steps and not steps[-1].do:
        raise FileError("found no 'do' in the last step, expected one", where=where)
    if len(steps) > MOST_STEPS:
        raise FileError(f"found {len(steps)} steps, expected at most {MOST_STEPS}", where=where)
    return Plan(tuple(step.whole() for step in steps), tuple(dict.fromkeys(despite)))


class _Begun:
    """A step whose lines are being read."""

    def __init__(self) -> None:
        self.when: list[Condition] = []
        self.do: list[str] = []
        self.until: list[Condition] = []
        self.most = 0
        self.ended = False

    def whole(self) -> Step:
        """The step."""
        return Step(tuple(self.when), _deed(self.do), tuple(self.until), self.most)


def _take(line: str, steps: list[_Begun], despite: list[str]) -> None:
    """Read one line. Raises ValueError with what is wrong."""
    if not line.strip() and steps:
        steps[-1].ended = bool(steps[-1].do)
    verb, rest = _parted(line.partition("#")[0])
    if not verb:
        return
    if verb == "despite":
        despite += _stops(rest)
        return
    last = steps[-1] if steps else None
    begins = last is None or last.ended or last.until or last.most or (verb == "when" and last.do)
    if verb in ("when", "do") and begins:
        last = _Begun()
        steps.append(last)
    if last is None or (verb in ("until", "at most") and (not last.do or last.ended)):
        raise ValueError(f"found '{verb}', expected 'do' before it")
    match verb:
        case "when":
            last.when.append(condition(rest))
        case "do":
            last.do.append(rest)
            _deed(last.do)
        case "until":
            last.until.append(condition(rest, lasting=True))
        case _:
            last.most = _times(rest)


def _parted(line: str) -> tuple[str, str]:
    """The verb of a line and the rest."""
    words = line.split()
    if not words:
        return "", ""
    verb = "at most" if [word.lower() for word in words[:2]] == ["at", "most"] else words[0].lower()
    if verb not in VERBS:
        raise ValueError(f"found {_shown(words[0])}, expected {_either(VERBS)}")
    rest = " ".join(words[len(verb.split()) :])
    if not rest:
        raise ValueError(f"found nothing after '{verb}'")
    return verb, rest


def _stops(rest: str) -> Iterator[str]:
    """What the plan goes on despite."""
    for word in re.split(r"[\s,]+|\band\b", rest.lower()):
        if word and word not in STOPS:
            raise ValueError(f"found {_shown(word)} after 'despite', expected {_either(STOPS)}")
        if word:
            yield word


def _times(rest: str) -> int:
    """How often."""
    found = re.fullmatch(r"([1-9][0-9]{0,3})( times?)?|(once)", rest.lower())
    if not found:
        raise ValueError(f"found {_shown(rest)} after 'at most', expected a number such as 3")
    return 1 if found[3] else int(found[1])


FORMS = {
    "asked": "asked QUESTION",
    "unit": "unit NAME at HEX, alive, reduced or attacked",
    "hex": "hex HEX empty, or held by own, enemy or a side",
    "attack": "attack 40%, with or without UNITS after it",
    "nothing": "nothing in range",
    "event": "event KIND, with or without NAMES after it",
}
"""The conditions, as a refusal tells them. Any other word is a fact of the position: `turn 3 or more`."""


def condition(typed: str, *, lasting: bool = False) -> Condition:
    """The condition that words are; `lasting`: one that an `until` may have. Raises ValueError."""
    words = typed.split()
    negated = words[0].lower() == "not"
    kind, *of = words[negated:] or [""]
    kind = kind.lower()
    whole = " ".join(words)
    if lasting and kind in ("asked", "attack", "nothing"):
        raise ValueError(f"found '{kind}' after 'until', expected a fact such as turn 4, unit, hex or event")
    lower = [word.lower() for word in of]
    match kind, lower:
        case "asked", [_, *_]:
            return Condition(whole, kind, tuple(word for word in lower if word != "or"), negated)
        case "unit", [_, "at", _] | [_, "alive" | "reduced" | "attacked"]:
            return Condition(whole, kind, (of[0], *lower[1:2], *of[2:]), negated)
        case "hex", [_, "empty"]:
            return Condition(whole, kind, (of[0], "empty"), negated)
        case "hex", [_, "held", "by", side]:
            return Condition(whole, kind, (of[0], "held", side), negated)
        case "attack", [percent, *_]:
            return Condition(whole, kind, tuple(of[1:]), negated, _percent(percent))
        case "nothing", ["in", "range"]:
            return Condition(whole, kind, (), negated)
        case "event", [_, *_]:
            return Condition(whole, kind, (lower[0], *of[1:]), negated)
        case "asked" | "unit" | "hex" | "attack" | "nothing" | "event", _:
            raise ValueError(f"found {_shown(whole)}, expected {FORMS[kind]}")
    if not of:
        raise ValueError(
            f"found {_shown(whole)}, expected a condition such as turn 3, or {_either(list(FORMS))} ..."
        )
    return Condition(whole, "fact", (kind, *lower), negated)


def _deed(lines: Sequence[str]) -> Deed:
    """What `do` lines mean together. Raises ValueError."""
    words = tuple(lines)
    first = words[0].split()
    if not any(line.split()[0].lower() in ("best", "attacks", "march") for line in words):
        return Deed(words, "orders", words)
    if len(words) > 1:
        raise ValueError(f"found another 'do' beside {_shown(words[0])}, expected it alone")
    match [word.lower() for word in first]:
        case ["best", "of", *_]:
            chosen = tuple(part.strip() for part in re.sub(r"(?i)^best\s+of\b", "", words[0]).split("|"))
            if all(chosen):
                return Deed(words, "best", chosen)
            raise ValueError("found an empty part of 'best of', expected orders parted by |")
        case ["attacks", "of", percent]:
            return Deed(words, "attacks", (), _percent(percent))
        case ["march", _, _, *_] if len(first) % 2:
            return Deed(words, "march", tuple(word.strip(",") for word in first[1:]))
    forms = "best of ORDERS | ORDERS, attacks of 40%, or march UNIT HEX ..."
    raise ValueError(f"found {_shown(words[0])}, expected {forms}")


def _percent(word: str) -> Fraction:
    """A chance as typed: `40%`."""
    found = re.fullmatch(r"([0-9]{1,3})%?", word)
    if not found or int(found[1]) > 100:
        raise ValueError(f"found {_shown(word)}, expected a chance from 0% to 100%")
    return Fraction(int(found[1]), 100)


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _shown(text: str) -> str:
    return f"'{cut(safe(text), 40)}'"
