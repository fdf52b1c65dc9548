"""A first game by hints alone: each command of the transcript is one that the program has printed before."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pbem.texts import LANGUAGES
from support.transcripts import Step, language_of, read_steps

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("first_game*.txt"))
"""The same turn in each language."""
FIRST = ["pbem"]
"""What everybody knows, having installed the program."""

_PRINTED = re.compile(r"(?:: |^ +)(pbem(?: \S+)*)")
"""A command where the program names one: after a colon, or at the beginning of a line; blanks end it."""


def printed_commands(lines: list[str]) -> list[list[str]]:
    """The commands that stand in what was printed, in words."""
    return [shlex.split(found) for line in lines for found in _PRINTED.findall(line)]


def is_printed_order(order: str, lines: list[str]) -> bool:
    """Whether the words of an order stand in one line of what was printed, its verb before all others."""
    words = order.split()
    return any(
        set(words) <= set(found) and all(found.index(words[0]) <= found.index(word) for word in words)
        for found in (re.split(r"[\s,;]+", line) for line in lines)
    )


EDITION = ["--edition", "it"]
"""Typed beside what is printed, so that the turn is the same in each language, and not its own edition's."""


ORDERS = ("ORDER", "ORDEN", "ORDINE", "BEFEHL")
"""What stands for an order in each language."""


def follows(typed: list[str], printed: list[str], lines: list[str]) -> bool:
    """Whether a command is the one printed, with orders in the place of one of `ORDERS`."""
    if typed[3:5] == EDITION:
        typed = typed[:3] + typed[5:]
    place = next((at for at, word in enumerate(printed) if word in ORDERS), None)
    if place is None:
        return typed == printed
    orders = typed[place:]
    return typed[:place] == printed[:place] and all(is_printed_order(one, lines) for one in orders)


def unheard_of(steps: list[Step]) -> list[str]:
    """The commands that no step before them has named."""
    lines: list[str] = []
    found = []
    for step in steps:
        typed = shlex.split(step.command)
        if typed != FIRST and not any(follows(typed, one, lines) for one in printed_commands(lines)):
            found.append(step.command)
        lines += step.expected
    return found


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_each_command_was_printed_before(file: Path) -> None:
    steps = read_steps(file)
    assert unheard_of(steps) == []
    assert not any(line.startswith("[") for step in steps for line in step.expected), "all succeed"
    assert any(re.search(r"\b2 (of|de|di|von) 6\b", line) for step in steps for line in step.expected)


def test_every_language_has_it() -> None:
    assert sorted(map(language_of, TRANSCRIPTS)) == sorted(LANGUAGES)


@pytest.mark.parametrize("command", ["pbem log mortain.yaml", 'pbem move mortain.yaml "move SPTD 1905"'])
def test_what_was_not_printed_is_found(command: str) -> None:
    """The check can fail: a command and an order that nothing has named."""
    assert unheard_of([*read_steps(TRANSCRIPTS[-1])[:7], Step("anna", command, 0)]) == [command]
