"""Markdown as plain text: what our pages use of it, in 78 columns, harmless."""

from __future__ import annotations

import pytest

from pbem.core.rulebook import RULES, shipped
from pbem.games import load
from pbem.render.markdown import markdown_to_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A title\n\nA line\nand its rest.", "A title\n\nA line and its rest."),
        ("**Aim.** To *win*, 2 * 3 * 4 ways.", "Aim. To win, 2 * 3 * 4 ways."),
        ("Type `pass`, or `move A 1803`.", 'Type "pass", or "move A 1803".'),
        ('`{place: {A: "1503"}}` and `**`', '{place: {A: "1503"}} and **'),
        ("See [the rules](RULES.md#x).", "See the rules."),
        ("* one\n* two\n  and more\n  * three", "* one\n* two and more\n  * three"),
        ("* M4.2 At most two.", "M4.2 At most two."),
        ("```\n8S   enter **DF**\n\n9H   pass\n```", "8S   enter **DF**\n\n    9H   pass"),
        ("| a | b | c |\n|---|---|---|\n| `X` | 1 | **2** |\n| y |  | 3 |", "* X: b: 1; c: 2\n* y: c: 3"),
        ("a \x1b[31m b \u202e c", "a ?[31m b ? c"),
        ("```\n\x1b[2J\n```", "?[2J"),
        ("", ""),
    ],
)
def test_plain(markdown: str, text: str) -> None:
    assert markdown_to_text(markdown).strip() == text


def test_width() -> None:
    """A bullet goes on two columns further in."""
    assert markdown_to_text("* one two three", 9) == "* one two\n  three"
    assert markdown_to_text("  * one two three", 11) == "  * one two\n    three"


@pytest.mark.parametrize("game", ["mortain", "rommel"])
def test_the_rules_of_our_games_fit(game: str) -> None:
    lines = markdown_to_text(shipped(load(game).package, RULES)).splitlines()
    assert max(map(len, lines)) <= 78
    assert not any(mark in line for line in lines for mark in ("**", "](", "|--"))
