"""The words of a page's scripts: the messages in them, and the table from which `texts.js` says them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TypeAlias

from pbem.texts import ENGLISH, Texts, spoken

tr = Texts("pbem")

Message: TypeAlias = str | tuple[str, str]
"""A message in English; for one with a number, both forms."""

_PIECE = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_TEXT = rf"(?:{_PIECE})(?:\s*\+\s*(?:{_PIECE}))*"
_SAID = re.compile(rf"\btr\(\s*({_TEXT})|\bplural\(\s*({_TEXT}),\s*({_TEXT})")

_NUMBERS = range(200)
"""Whose forms are asked for: from 100 on each hundred is like the one before, in every language."""


def messages(code: str) -> Iterator[Message]:
    """The messages of a script."""
    for match in _SAID.finditer(code):
        yield _text(match[1]) if match[1] else (_text(match[2]), _text(match[3]))


def table(codes: Iterable[str]) -> dict[str, str | list[str]]:
    """The translations of these scripts' messages into the player's language; none in English."""
    if spoken() == ENGLISH:
        return {}
    found = dict.fromkeys(message for code in codes for message in messages(code))
    return {one if isinstance(one, str) else one[0]: _said(one) for one in found}


def _said(message: Message) -> str | list[str]:
    """A text; or the forms, after the figures of those that go with 0, 1, 2 and so on."""
    if isinstance(message, str):
        return tr(message)
    by_number = [tr.form(*message, number) for number in _NUMBERS]
    forms = list(dict.fromkeys(by_number))
    *runs, (last, _) = [(form, len(list(run))) for form, run in groupby(by_number)]
    figures = "".join(str(forms.index(form)) * times for form, times in runs)
    return [f"{figures}{forms.index(last)}", *forms]


def _text(literal: str) -> str:
    """The meaning of a string, or of several joined ones, in a script."""
    return "".join(map(_meant, re.findall(_PIECE, literal)))


def _meant(piece: str) -> str:
    """A string in double or single quotes: but for the quotes, what JSON would mean."""
    inside = piece[1:-1]
    if piece.startswith("'"):
        inside = inside.replace("\\'", "'").replace('"', '\\"')
    return str(json.loads(f'"{inside}"'))
