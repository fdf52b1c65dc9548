"""Results kept by position: playouts of one answer come to half of their positions again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.terms.setting import Setting

MOST_RESULTS = 4096
"""How many results are cached at a time."""

T = TypeVar("T")


class PositionCache(Generic[T]):
    """The results of a function of an outlook, by all that it depends on: units, seat, aims, and `beside`."""

    def __init__(self, make: Callable[[Outlook], Sequence[T]]) -> None:
        self._make = make
        self._found: dict[tuple[object, ...], tuple[Setting, Sequence[T]]] = {}

    def get(self, outlook: Outlook, *beside: object) -> Sequence[T]:
        """The function's result for an outlook, computed now or for an equal one before."""
        setting = outlook.state.setting
        key = id(setting), outlook.seat, outlook.aims, beside, *outlook.state.units.values()
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MOST_RESULTS:
                self._found.clear()
            # The setting is stored too, so that its `id` cannot be reused for another.
            found = self._found[key] = setting, self._make(outlook)
        return found[1]
