"""How refusals and outcomes put numbers and lists into words."""

from __future__ import annotations

from collections.abc import Iterable

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def counted(number: int, noun: str) -> str:
    """A number and its noun: `one unit`, `three units`, `12 units`."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def listed(names: Iterable[str]) -> str:
    """Names with commas between them."""
    return ", ".join(names)
