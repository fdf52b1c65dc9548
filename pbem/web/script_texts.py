"""The messages in a page's scripts, and the table of translations from which `texts.js` shows them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TypeAlias

from pbem.texts import ENGLISH, Texts, spoken

tr = Texts("pbem")

Message: TypeAlias = str | tuple[str, str]
"""A message in English; of one with a number, singular and plural."""

_PIECE = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_TEXT = rf"(?:{_PIECE})(?:\s*\+\s*(?:{_PIECE}))*"
_SAID = re.compile(rf"\btr\(\s*({_TEXT})|\bplural\(\s*({_TEXT}),\s*({_TEXT})")

_NUMBERS = range(200)
"""The numbers whose forms are listed: from 100 on, each hundred is like the one before in every language."""


def messages(code: str) -> Iterator[Message]:
    """The messages in a script."""
    for match in _SAID.finditer(code):
        yield _text(match[1]) if match[1] else (_text(match[2]), _text(match[3]))


def table(codes: Iterable[str]) -> dict[str, str | list[str]]:
    """The translations of these scripts' messages into the current language; empty for English."""
    if spoken() == ENGLISH:
        return {}
    found = dict.fromkeys(message for code in codes for message in messages(code))
    return {one if isinstance(one, str) else one[0]: _said(one) for one in found}


def _said(message: Message) -> str | list[str]:
    """A translation; or all its forms, after a digit for each number from 0 that selects one of them."""
    if isinstance(message, str):
        return tr(message)
    by_number = [tr.form(*message, number) for number in _NUMBERS]
    forms = list(dict.fromkeys(by_number))
    *runs, (last, _) = [(form, len(list(run))) for form, run in groupby(by_number)]
    figures = "".join(str(forms.index(form)) * times for form, times in runs)
    return [f"{figures}{forms.index(last)}", *forms]


def _text(literal: str) -> str:
    """The value of a string literal in a script, or of several joined by `+`."""
    return "".join(map(_meant, re.findall(_PIECE, literal)))


def _meant(piece: str) -> str:
    """The value of a string in double or single quotes, with JSON's escapes."""
    inside = piece[1:-1]
    if piece.startswith("'"):
        inside = inside.replace("\\'", "'").replace('"', '\\"')
    return str(json.loads(f'"{inside}"'))
