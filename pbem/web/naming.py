"""An order as it is typed, taken apart at the names that the map has, so that no script need do it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from pbem.core.legend import Legend


class Option(Struct, frozen=True):
    """An order as typed; the player's own units in it; the hexes that it names, or whose counters it names.

    `attack` says whether it names other counters than his.
    """

    words: str
    by: tuple[str, ...]
    at: tuple[int, ...]
    attack: bool

    def plain(self, chances: Mapping[str, str]) -> list[Any]:
        """The data that `server.js` calls `Option`, with its chance if that is known."""
        return [self.words, self.by, self.at, self.attack, chances.get(self.words, "")]


class Naming:
    """Whose counter a name is, and where it lies; and the hexes by their numbers."""

    def __init__(self, legend: Legend, seat: str) -> None:
        self._places = {cell.number: index for index, cell in enumerate(legend.cells)}
        lying = [(piece, index) for index, cell in enumerate(legend.cells) for piece in cell.pieces]
        beside = [piece for margin in legend.margins for piece in margin.pieces]
        self._own = {piece.name for piece in [*(piece for piece, _ in lying), *beside] if piece.side == seat}
        self.in_hex = {
            index: [piece.name for piece in cell.pieces if piece.side == seat]
            for index, cell in enumerate(legend.cells)
        }
        self._others = {piece.name: index for piece, index in lying if piece.side != seat}

    def option(self, phrase: str) -> Option:
        """An order as it is offered, as data."""
        words = re.split(r"[\s;,:]+", phrase)
        by = dict.fromkeys(word for word in words if word in self._own)
        at = dict.fromkeys(self._at(words))
        return Option(phrase, tuple(by), tuple(at), any(word in self._others for word in words))

    def by_way(self, option: Option, numbers: Iterable[str]) -> str:
        """The order of one unit, as typed, over these hexes to the last of them."""
        (unit,) = option.by
        beginning = option.words[: option.words.index(unit) + len(unit)]
        return " ".join((beginning, *numbers))

    def _at(self, words: Iterable[str]) -> Iterator[int]:
        for word in words:
            if word in self._places:
                yield self._places[word]
            elif word in self._others:
                yield self._others[word]
