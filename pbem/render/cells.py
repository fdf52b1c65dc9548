"""Texts of strangers in tables for spreadsheets, of which none is calculated."""

from __future__ import annotations

import re
from unicodedata import normalize

from pbem.render.words import safe

_SEPARATORS = re.compile(r"([,;\t])")
"""Whatever a spreadsheet may part a line at, by the country that it is set to and what its user chooses."""

_SIGNS = ("=", "+", "-", "@")
"""The signs with which a formula begins, in whatever width they are written."""


def text_cell(text: str) -> str:
    """The text on one line, of which nothing is a formula wherever a spreadsheet begins a cell in it.

    There an apostrophe comes first, as whoever types such a text into a cell puts it.
    """
    pieces = _SEPARATORS.split(safe(text))
    return "".join(f"'{piece}" if _is_formula(piece) else piece for piece in pieces)


def _is_formula(piece: str) -> bool:
    """Whether a piece begins with such a sign, behind blanks and the quotes that a table puts there."""
    return normalize("NFKC", piece.lstrip(' "')[:1]) in _SIGNS
