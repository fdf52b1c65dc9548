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

_STRING = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
_STRINGS = rf"(?:{_STRING})(?:\s*\+\s*(?:{_STRING}))*"
_MESSAGE_CALL = re.compile(rf"\btr\(\s*({_STRINGS})|\bplural\(\s*({_STRINGS}),\s*({_STRINGS})")

_NUMBERS = range(200)
"""The numbers whose forms are listed: from 100 on, each hundred is like the one before in every language."""


def script_messages(code: str) -> Iterator[Message]:
    """The messages in a script."""
    for match in _MESSAGE_CALL.finditer(code):
        yield _parse_strings(match[1]) if match[1] else (_parse_strings(match[2]), _parse_strings(match[3]))


def script_translations(codes: Iterable[str]) -> dict[str, str | list[str]]:
    """The translations of these scripts' messages into the current language; empty for English."""
    if spoken() == ENGLISH:
        return {}
    found = dict.fromkeys(message for code in codes for message in script_messages(code))
    return {one if isinstance(one, str) else one[0]: _translate(one) for one in found}


def _translate(message: Message) -> str | list[str]:
    """A translation; or all its forms, after a digit for each number from 0 that selects one of them."""
    if isinstance(message, str):
        return tr(message)
    by_number = [tr.form(*message, number) for number in _NUMBERS]
    forms = list(dict.fromkeys(by_number))
    *runs, (last, _) = [(form, len(list(run))) for form, run in groupby(by_number)]
    figures = "".join(str(forms.index(form)) * times for form, times in runs)
    return [f"{figures}{forms.index(last)}", *forms]


def _parse_strings(literal: str) -> str:
    """The value of a string literal in a script, or of several joined by `+`."""
    return "".join(map(_parse_string, re.findall(_STRING, literal)))


def _parse_string(piece: str) -> str:
    """The value of a string in double or single quotes, with JSON's escapes."""
    inside = piece[1:-1]
    if piece.startswith("'"):
        inside = inside.replace("\\'", "'").replace('"', '\\"')
    return str(json.loads(f'"{inside}"'))
