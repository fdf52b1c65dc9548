"""Text that others wrote, in tables for spreadsheets: none of it is evaluated as a formula."""

from __future__ import annotations

import re
from unicodedata import normalize

from pbem.render.words import safe_text

_CELL_SEPARATORS = re.compile(r"([,;\t])")
"""Characters at which a spreadsheet may split a line, depending on its locale and its user's settings."""

_FORMULA_SIGNS = ("=", "+", "-", "@")
"""The characters with which a formula begins; their full-width forms count as well."""


def spreadsheet_cell(text: str) -> str:
    """The text on one line, with no part that is a formula, wherever a spreadsheet may split it into cells.

    A part that would be one gets an apostrophe before it, as one types such a text into a cell.
    """
    pieces = _CELL_SEPARATORS.split(safe_text(text))
    return "".join(f"'{piece}" if _is_formula(piece) else piece for piece in pieces)


def _is_formula(piece: str) -> bool:
    """Whether a piece begins with such a character, after blanks and the quotes that a table adds."""
    return normalize("NFKC", piece.lstrip(' "')[:1]) in _FORMULA_SIGNS
