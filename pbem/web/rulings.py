"""A refusal with the rule's own text."""

from __future__ import annotations

from functools import cache

from pbem.core import rulebook
from pbem.core.rules import Rules
from pbem.errors import IllegalOrder, PbemError
from pbem.render.markdown import plain
from pbem.render.words import safe

_WIDTH = 1000
"""The width of lines that the browser breaks."""


def refusal(rules: Rules, error: PbemError, rule: str = "") -> dict[str, str]:
    """Why orders are refused, a hint, and the rule with its text, if the rulebook has it.

    `rule` is the number to use for an error without a rule.
    """
    number = error.rule if isinstance(error, IllegalOrder) else rule
    text = _text(rules, number)
    return {
        "error": safe(str(error)),
        "hint": safe(error.hint),
        "number": number if text else "",
        "rule": text,
    }


def _text(rules: Rules, number: str) -> str:
    """The text of the rule or chapter with this number; empty if there is none."""
    book = _book(rules)
    if rule := book.rule(number):
        return plain(rule.text, _WIDTH)
    chapter = book.chapter(number)
    return plain(chapter.text, _WIDTH) if chapter else ""


@cache
def _book(rules: Rules) -> rulebook.Rulebook:
    return rulebook.of(rules)
