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
Nothing here knows a game: `plan_ready` checks that the names are those of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from pbem.budgets import PLAN_BYTES, PLAN_LINES, PLAN_STEPS
from pbem.core.sentences import joined
from pbem.errors import FileError
from pbem.journal.plain import SURROGATE
from pbem.render.words import cut, safe
from pbem.texts import ENGLISH, LANGUAGES, Texts, spoken

tr = Texts("pbem")

STOPS = ("hits", "range", "words")
"""What stops a plan unless it, or the step, says `despite`."""

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

    `of` are lines of orders, alternatives, or units each followed by its hex. `language`: that of the orders.
    """

    words: tuple[str, ...]
    kind: str
    of: tuple[str, ...] = ()
    least: Fraction = Fraction(0)
    language: str = ENGLISH


class Step(Struct, frozen=True):
    """A step: what is done, when, until what, and at most how often (0: as often as may be).

    `despite`: what does not stop this step. It is not taken note of either, so it stops the next one.
    """

    when: tuple[Condition, ...]
    do: Deed
    until: tuple[Condition, ...] = ()
    most: int = 0
    despite: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The step as it is written."""
        return (
            *(f"when {one.words}" for one in self.when),
            *(f"do {words}" for words in self.do.words),
            *(f"until {one.words}" for one in self.until),
            *(["at most once"] if self.most == 1 else [f"at most {self.most} times"] if self.most else []),
            *_despite(self.despite),
        )


class Plan(Struct, frozen=True):
    """A list of steps; the first that can be carried out is. `despite`: what does not stop it."""

    steps: tuple[Step, ...] = ()
    despite: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The plan as it is written."""
        parts = [_despite(self.despite), *(step.lines for step in self.steps)]
        return "\n\n".join("\n".join(lines) for lines in parts if lines)


def _despite(stops: Sequence[str]) -> Sequence[str]:
    """The line that names what does not stop a plan or a step; none, if everything does."""
    return [f"despite {', '.join(stops)}"] if stops else []


def typed(text: str, where: str) -> Plan:
    """The plan that a player types: its orders may be in his language. Raises `FileError`."""
    return read(text, where, spoken())


def read(text: str, where: str, language: str = ENGLISH) -> Plan:
    """The plan that a text is. Raises `FileError` with the line that is wrong.

    Orders are in that language where it names none: `do es: pasar`. So a plan that is kept means the same
    whatever the player's language is when it is carried out.
    """
    if SURROGATE.search(text):
        raise FileError(tr("is not UTF-8 text"), where=where)
    if len(text.encode()) > PLAN_BYTES:
        problem = tr("found more than {most} bytes, the most of a plan", most=PLAN_BYTES)
        raise FileError(problem, where=where)
    steps: list[_Begun] = []
    despite: list[str] = []
    lines = text.splitlines()
    if len(lines) > PLAN_LINES:
        problem = tr(
            "found {found} lines, expected at most {most} in a plan", found=len(lines), most=PLAN_LINES
        )
        raise FileError(problem, where=where)
    for number, line in enumerate(lines, 1):
        try:
            _take(line, steps, despite)
        except ValueError as fault:
            at = tr("{where}: line {number}", where=where, number=number)
            raise FileError(str(fault), where=at) from None
    if steps and not steps[-1].do:
        raise FileError(tr("found no 'do' in the last step, expected one"), where=where)
    if len(steps) > PLAN_STEPS:
        problem = tr("found {found} steps, expected at most {most}", found=len(steps), most=PLAN_STEPS)
        raise FileError(problem, where=where)
    return Plan(tuple(step.whole(language) for step in steps), tuple(dict.fromkeys(despite)))


class _Begun:
    """A step whose lines are being read."""

    def __init__(self) -> None:
        self.when: list[Condition] = []
        self.do: list[str] = []
        self.until: list[Condition] = []
        self.most = 0
        self.despite: list[str] = []
        self.ended = False

    def whole(self, language: str) -> Step:
        """The step, whose orders are in that language if they name none."""
        despite = tuple(dict.fromkeys(self.despite))
        return Step(tuple(self.when), _deed(self.do, language), tuple(self.until), self.most, despite)


def _take(line: str, steps: list[_Begun], despite: list[str]) -> None:
    """Read one line. Raises ValueError with what is wrong."""
    if not line.strip() and steps:
        steps[-1].ended = bool(steps[-1].do)
    verb, rest = _parted(line.partition("#")[0])
    if not verb:
        return
    last = steps[-1] if steps else None
    if verb == "despite":
        of_step = last is not None and last.do and not last.ended
        (last.despite if last and of_step else despite).extend(_stops(rest))
        return
    over = last is None or last.ended or last.until or last.most or last.despite
    begins = over or (verb == "when" and last and last.do)
    if verb in ("when", "do") and begins:
        last = _Begun()
        steps.append(last)
    if last is None or (verb in ("until", "at most") and (not last.do or last.ended)):
        raise ValueError(tr("found '{found}', expected 'do' before it", found=verb))
    match verb:
        case "when":
            last.when.append(condition(rest))
        case "do":
            last.do.append(rest)
            _deed(last.do, ENGLISH)
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
        raise ValueError(_instead(words[0], str(joined(VERBS, "or"))))
    rest = " ".join(words[len(verb.split()) :])
    if not rest:
        raise ValueError(tr("found nothing after '{word}'", word=verb))
    return verb, rest


def _stops(rest: str) -> Iterator[str]:
    """What the plan goes on despite."""
    for word in re.split(r"[\s,]+|\band\b", rest.lower()):
        if word and word not in STOPS:
            found, expected = _shown(word), joined(STOPS, "or")
            raise ValueError(
                tr("found {found} after 'despite', expected {expected}", found=found, expected=expected)
            )
        if word:
            yield word


def _times(rest: str) -> int:
    """How often."""
    found = re.fullmatch(r"([1-9][0-9]{0,3})( times?)?|(once)", rest.lower())
    if not found:
        raise ValueError(tr("found {found} after 'at most', expected a number such as 3", found=_shown(rest)))
    return 1 if found[3] else int(found[1])


ANY, ANY_ENEMY = "any", "any enemy"
"""In a condition: every unit of the player's, and of the other side's."""

KINDS = ("asked", "unit", "any", "hex", "attack", "nothing", "event")
"""With what a condition begins. Any other word is a fact of the position: `turn 3 or more`."""


def _form(kind: str) -> str:
    """A condition, as a refusal tells it."""
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


def condition(typed: str, *, lasting: bool = False) -> Condition:
    """The condition that words are; `lasting`: one that an `until` may have. Raises ValueError."""
    words = typed.split()
    negated = words[0].lower() == "not"
    kind, *of = words[negated:] or [""]
    kind = kind.lower()
    whole = " ".join(words)
    if lasting and kind in ("asked", "attack", "nothing"):
        problem = tr(
            "found '{found}' after 'until', expected a fact such as turn 4, unit, hex or event", found=kind
        )
        raise ValueError(problem)
    if kind == "any" or [word.lower() for word in of[:1]] == ["within"]:
        return _of_units(whole, words[negated:], negated)
    lower = [word.lower() for word in of]
    match kind, lower:
        case "asked", [_, *_]:
            return Condition(whole, kind, tuple(word for word in lower if word != "or"), negated)
        case "unit", [_, *_]:
            return _of_units(whole, of, negated)
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
            raise ValueError(_instead(whole, _form(kind)))
    if not of:
        problem = tr(
            "found {found}, expected a condition such as turn 3, or {kinds} ...",
            found=_shown(whole),
            kinds=joined(KINDS, "or"),
        )
        raise ValueError(problem)
    return Condition(whole, "fact", (kind, *lower), negated)


def _of_units(whole: str, words: Sequence[str], negated: bool) -> Condition:
    """A condition on a unit, on any of several, or on any: its names, parted by commas, and what is said."""
    lower = [word.lower() for word in words]
    names, said = [words[0]], 1
    if lower[:2] == [ANY, "unit"]:
        names, said = [ANY], 2
    elif lower[:2] == ANY_ENEMY.split():
        names, said = [ANY_ENEMY], 2
    elif lower[:2] == [ANY, "of"]:
        said = next((n for n, word in enumerate(lower) if word in _SAID), len(words))
        names = [name for word in words[2:said] for name in word.split(",") if name and name != "or"]
    match lower[said:]:
        case ["alive" | "reduced" | "attacked"] | ["at", _] if names:
            return Condition(whole, "unit", (",".join(names), lower[said], *words[said + 1 :]), negated)
        case ["within", far, "of", _] if names and re.fullmatch("[0-9]{1,2}", far):
            return Condition(whole, "unit", (",".join(names), "within", far, words[-1]), negated)
    raise ValueError(_instead(whole, _form(ANY if lower[0] == ANY else "unit")))


_SAID = ("at", "alive", "reduced", "attacked", "within")
"""What may be said of a unit."""


def _deed(lines: Sequence[str], language: str) -> Deed:
    """What `do` lines mean together, in a language if they name none. Raises ValueError."""
    named = re.match(r"([a-z]+):\s+", lines[0])
    if named and named[1] in LANGUAGES:
        language, lines = named[1], [lines[0][named.end() :], *lines[1:]]
    deed = _of_words(lines)
    if language == ENGLISH or deed.kind not in ("orders", "best"):
        return deed
    first, *others = deed.words
    return replace(deed, words=(f"{language}: {first}", *others), language=language)


def _of_words(lines: Sequence[str]) -> Deed:
    """What a plan does by these lines, in no language yet."""
    words = tuple(lines)
    first = words[0].split()
    if not any(line.split()[0].lower() in ("best", "attacks", "march") for line in words):
        return Deed(words, "orders", words)
    if len(words) > 1:
        raise ValueError(tr("found another 'do' beside {found}, expected it alone", found=_shown(words[0])))
    match [word.lower() for word in first]:
        case ["best", "of", *_]:
            chosen = tuple(part.strip() for part in re.sub(r"(?i)^best\s+of\b", "", words[0]).split("|"))
            if all(chosen):
                return Deed(words, "best", chosen)
            raise ValueError(tr("found an empty part of 'best of', expected orders parted by |"))
        case ["attacks", "of", percent]:
            return Deed(words, "attacks", (), _percent(percent))
        case ["attacks", "of", percent, "on", _, *_]:
            names = tuple(name for word in first[4:] for name in word.split(",") if name and name != "or")
            return Deed(words, "attacks", names, _percent(percent))
        case ["march", _, _, *_] if len(first) % 2:
            return Deed(words, "march", tuple(word.strip(",") for word in first[1:]))
    raise ValueError(
        _instead(
            words[0],
            tr("best of ORDERS | ORDERS, attacks of 40%, with or without 'on UNIT', or march UNIT HEX ..."),
        )
    )


def _percent(word: str) -> Fraction:
    """A chance as typed: `40%`."""
    found = re.fullmatch(r"([0-9]{1,3})%?", word)
    if not found or int(found[1]) > 100:
        raise ValueError(_instead(word, tr("a chance from 0% to 100%")))
    return Fraction(int(found[1]), 100)


def _instead(found: str, expected: str) -> str:
    """What stands there, and what should."""
    return tr("found {found}, expected {expected}", found=_shown(found), expected=expected)


def _shown(text: str) -> str:
    return f"'{cut(safe(text), 40)}'"
