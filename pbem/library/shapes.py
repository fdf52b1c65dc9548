"""The facts of a position, as plain data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct


class Question(Struct, frozen=True):
    """A question of the rules: `seat` is asked, `question` names it, `rule` is the number of the rule.

    `prompt` is one line for a person.
    """

    seat: str
    question: str
    rule: str
    prompt: str


class Answer(Struct, frozen=True):
    """A legal answer to a question: `orders` as they are signed, `words` as they are typed, a line each."""

    orders: list[Any]
    words: tuple[str, ...]


class Attack(Struct, frozen=True):
    """An attack that may be ordered: `hit` is its exact chance, from 0 to 1, `why` the sum in short."""

    orders: list[Any]
    words: tuple[str, ...]
    hit: Fraction
    why: str


class Result(Struct, frozen=True):
    """A game's result: `winner` is a seat, None for a draw; `way` is `rules`, `resignation` or `agreement`.

    `reason` is a line for a person.
    """

    winner: str | None
    way: str
    reason: str
