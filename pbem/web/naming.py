"""An order as typed, taken apart at the names on the map, so that no script has to parse it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from pbem.core.legend import Legend


class OrderOption(Struct, frozen=True):
    """An order as typed, the player's units in it, and the hexes that it names directly or by a counter.

    `attack` says whether it names counters that are not the player's.
    """

    words: str
    units: tuple[str, ...]
    hexes: tuple[int, ...]
    attack: bool

    def as_data(self, chances: Mapping[str, str]) -> list[Any]:
        """The data of the type `Option` in `server.js`, with its chance if that is known."""
        return [self.words, self.units, self.hexes, self.attack, chances.get(self.words, "")]


class MapNames:
    """The names on a map: each counter's side and hex, and the hexes by their numbers."""

    def __init__(self, legend: Legend, seat: str) -> None:
        self._places = {cell.number: index for index, cell in enumerate(legend.cells)}
        lying = [(piece, index) for index, cell in enumerate(legend.cells) for piece in cell.pieces]
        beside = [piece for margin in legend.margins for piece in margin.pieces]
        self._own = {piece.name for piece in [*(piece for piece, _ in lying), *beside] if piece.side == seat}
        self.own_in_hex = {
            index: [piece.name for piece in cell.pieces if piece.side == seat]
            for index, cell in enumerate(legend.cells)
        }
        self._others = {piece.name: index for piece, index in lying if piece.side != seat}

    def parse_option(self, phrase: str) -> OrderOption:
        """An order as typed, as data."""
        words = re.split(r"[\s;,:]+", phrase)
        by = dict.fromkeys(word for word in words if word in self._own)
        at = dict.fromkeys(self._hexes_named(words))
        return OrderOption(phrase, tuple(by), tuple(at), any(word in self._others for word in words))

    def order_over_path(self, option: OrderOption, numbers: Iterable[str]) -> str:
        """The order of one unit, as typed, along these hexes to the last."""
        (unit,) = option.units
        beginning = option.words[: option.words.index(unit) + len(unit)]
        return " ".join((beginning, *numbers))

    def _hexes_named(self, words: Iterable[str]) -> Iterator[int]:
        for word in words:
            if word in self._places:
                yield self._places[word]
            elif word in self._others:
                yield self._others[word]
