"""The names of a side when only the name of the rules is known."""

from __future__ import annotations

from pbem.core.sides import Side, unnamed
from pbem.errors import FileError
from pbem.games import load


def load_side(rules: str, seat: str) -> Side:
    """The names of a seat's side in the rules `mortain` or `mortain/1`; else its key."""
    try:
        return load(rules).side(seat)
    except FileError:
        return unnamed(seat)
