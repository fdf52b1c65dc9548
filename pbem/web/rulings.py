"""A refusal with the rule's own text."""

from __future__ import annotations

from functools import cache

from pbem.core import rulebook
from pbem.core.rules import Rules
from pbem.errors import IllegalOrder, PbemError
from pbem.render.markdown import markdown_to_text
from pbem.render.words import safe_text

_UNWRAPPED_WIDTH = 1000
"""The width of lines that the browser breaks."""


def refusal_with_rule(rules: Rules, error: PbemError, rule: str = "") -> dict[str, str]:
    """Why orders are refused, a hint, and the rule with its text, if the rulebook has it.

    `rule` is the number to use for an error without a rule.
    """
    number = error.rule if isinstance(error, IllegalOrder) else rule
    text = _rule_text(rules, number)
    return {
        "error": safe_text(str(error)),
        "hint": safe_text(error.hint),
        "number": number if text else "",
        "rule": text,
    }


def _rule_text(rules: Rules, number: str) -> str:
    """The text of the rule or chapter with this number; empty if there is none."""
    book = _rulebook(rules)
    if rule := book.rule(number):
        return markdown_to_text(rule.text, _UNWRAPPED_WIDTH)
    chapter = book.chapter(number)
    return markdown_to_text(chapter.text, _UNWRAPPED_WIDTH) if chapter else ""


@cache
def _rulebook(rules: Rules) -> rulebook.Rulebook:
    return rulebook.of(rules)
