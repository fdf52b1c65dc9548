"""The names of a side in a game that is known by its name alone."""

from __future__ import annotations

from pbem.core.sides import Side, unnamed
from pbem.errors import FileError
from pbem.games import load


def side(rules: str, seat: str) -> Side:
    """The names of a seat's side, by `mortain` or `mortain/1`; its key where that is not here."""
    try:
        return load(rules).side(seat)
    except FileError:
        return unnamed(seat)
