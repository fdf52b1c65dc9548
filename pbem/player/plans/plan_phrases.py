"""The rest of a plan's line after its first word: a condition, or an instruction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from pbem.core.sentences import joined
from pbem.player.plans.plan import (
    ENEMY,
    OWN,
    AllAttacks,
    AttackPossible,
    BestOrders,
    Condition,
    EventHappened,
    FactAtLeast,
    FactAtMost,
    FactIs,
    HexEmpty,
    HexHeld,
    Instruction,
    March,
    NothingInRange,
    QuestionAsked,
    TypedOrders,
    UnitAlive,
    UnitAt,
    UnitAttacked,
    UnitNear,
    UnitReduced,
)
from pbem.render.words import cut, safe_text
from pbem.texts import ENGLISH, LANGUAGES, Texts

tr = Texts("pbem")

CONDITION_KINDS = ("asked", "unit", "any", "hex", "attack", "nothing", "event")
"""The first words of conditions. Any other word is a fact of the position: `turn 3 or more`."""


def _condition_form(kind: str) -> str:
    """The form of a condition, for an error message."""
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
    """Parse a condition; `lasting`: one that an `until` may have. Raises `ValueError`."""
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
    """The number in some digits; no number in a game has more than nine."""
    return int(digits[:9])


def _parse_unit_condition(whole: str, words: Sequence[str], negated: bool) -> Condition:
    """Parse a condition on a unit, on one of several (names with commas), or on any."""
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
"""The words that may follow a unit."""


def parse_instruction(lines: Sequence[str], language: str) -> Instruction:
    """Parse the `do` lines of a step, in `language` if they name none. Raises `ValueError`."""
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
            raise ValueError(tr("a part of 'best of' is empty: orders are parted by |"))
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
    """Parse a chance: `40%`."""
    match = re.fullmatch(r"([0-9]{1,3})%?", word)
    if not match or int(match[1]) > 100:
        raise ValueError(mismatch(word, tr("a chance from 0% to 100%")))
    return Fraction(int(match[1]), 100)


def mismatch(found: str, expected: str) -> str:
    """The error message for a text in place of the expected one."""
    return tr("must be {expected}, not {found}", found=quote_safely(found), expected=expected)


def quote_safely(text: str) -> str:
    """Typed words for an error message: cut, without control characters, in quotes."""
    return f"'{cut(safe_text(text), 40)}'"
