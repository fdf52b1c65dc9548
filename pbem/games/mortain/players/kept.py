"""Results kept by position: playouts of one answer come to half of their positions again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.terms.setting import Setting

MOST = 4096
"""The results that are held at a time."""

T = TypeVar("T")


class Kept(Generic[T]):
    """What a function makes of an outlook, by all that it depends on: units, seat, aims, and `beside`."""

    def __init__(self, make: Callable[[Outlook], Sequence[T]]) -> None:
        self._make = make
        self._found: dict[tuple[object, ...], tuple[Setting, Sequence[T]]] = {}

    def of(self, outlook: Outlook, *beside: object) -> Sequence[T]:
        """What the function makes of it, or has made of its like."""
        setting = outlook.state.setting
        key = id(setting), outlook.seat, outlook.aims, beside, *outlook.state.units.values()
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MOST:
                self._found.clear()
            # The setting is held beside it, so that no other can come to have its `id`.
            found = self._found[key] = setting, self._make(outlook)
        return found[1]
