"""The possible orders as data for the board: each with units and hexes, and why not another.

`orders.js` finds here all that a click can mean, and takes no text apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from pbem.core.legend import Legend
from pbem.desk.orders import Lines, OrderSheet, Refused, following
from pbem.errors import IllegalOrder, OrderError
from pbem.report import with_its_end
from pbem.texts import Texts
from pbem.umpire import Game
from pbem.umpire.table import Table
from pbem.web.rulings import refusal

tr = Texts("pbem")

MOST_TRIED = 60
"""The most orders that a click may mean which are judged, to say why it means none."""

MOST_COMPLETED = 40
"""The most ways to go on with the typed text that are shown."""


class Asking(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's question: what may these units do after the orders so far, or be done in this hex, or both.

    `hex` is its place in the list, `typed` the beginning of an order.
    """

    bound: str
    lines: list[str] = []
    units: list[str] = []
    hex: int = -1
    typed: str = ""


class Option(Struct, frozen=True):
    """An order as typed; the player's own units in it; the hexes that it names, or whose counters it names.

    `attack` says whether it names other counters than his.
    """

    words: str
    by: tuple[str, ...]
    at: tuple[int, ...]
    attack: bool

    def plain(self, chances: Mapping[str, str]) -> list[Any]:
        """The `Option` of `desk.js`, with its chance if that is known."""
        return [self.words, self.by, self.at, self.attack, chances.get(self.words, "")]


class Options:
    """The orders that may be added to a draft."""

    def __init__(self, draft: Lines, seat: str) -> None:
        self.draft = draft
        self._known = _Names(draft.legend, seat)

    @cached_property
    def all(self) -> tuple[Option, ...]:
        """Every order that is offered."""
        return tuple(map(self._known.option, self.draft.further))

    @cached_property
    def able(self) -> list[str]:
        """The units for which there is an order."""
        return sorted({name for one in self.all for name in one.by})

    @property
    def free(self) -> list[Option]:
        """The orders that name no unit of the player's."""
        return [one for one in self.all if not one.by]

    def of(self, units: Iterable[str], at: int) -> list[Option]:
        """The orders of all these units together, in the hex if one is given."""
        wanted = set(units)
        return [one for one in self.all if wanted <= set(one.by) and (at < 0 or at in one.at)]

    def own(self, at: int) -> list[str]:
        """The player's own units in a hex."""
        return self._known.in_hex.get(at, [])

    def option(self, words: str) -> Option:
        """Any order, as data."""
        return self._known.option(words)

    def ordered(self) -> list[list[str]]:
        """The own units of each order so far."""
        return [list(self._known.option(line).by) for line in self.draft.lines]

    def completed(self, typed: str) -> list[str]:
        """The words with which a begun order may go on, in the order in which they are offered."""
        begun, words = following(self.draft.further, typed)
        return [typed[: len(typed) - len(begun)] + word for word in words[:MOST_COMPLETED]]


class _Names:
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
        """An order as it is offered, taken apart at the names that the map has."""
        words = re.split(r"[\s;,:]+", phrase)
        by = dict.fromkeys(word for word in words if word in self._own)
        at = dict.fromkeys(self._at(words))
        return Option(phrase, tuple(by), tuple(at), any(word in self._others for word in words))

    def _at(self, words: Iterable[str]) -> Iterator[int]:
        for word in words:
            if word in self._places:
                yield self._places[word]
            elif word in self._others:
                yield self._others[word]


def told(options: Options, asking: Asking, sheet: OrderSheet) -> dict[str, Any]:
    """The units' possible orders in the hex, or why none: the answer to a click, which is never empty."""
    table, game = sheet.table, sheet.game
    found = options.of(asking.units, asking.hex)
    if found or (asking.hex < 0 and not asking.units):
        chances = _chances(options.draft, table, game) if any(one.attack for one in found) else {}
        return {"options": [one.plain(chances) for one in found]}
    cells = options.draft.legend.cells
    at = cells[asking.hex].number if 0 <= asking.hex < len(cells) else ""
    units = asking.units
    if not units and (units := options.own(asking.hex)):
        at = ""  # why nothing can be done with those who are there
    legal, refusals = _tried(sheet, _meant(game, table, units, at))
    if legal and (asking.units or not units):  # the rules allow more than is offered
        return {"options": [options.option(words).plain({}) for words in legal]}
    if refusals:
        error: OrderError = refusals[0] if at else _commonest(refusals)
    else:
        error = OrderError(_nothing(units, at, game.rules.view.prompt(sheet.asked)))
    return {"options": [], "refused": refusal(game.rules, with_its_end(game, table.run.told, error))}


def _chances(draft: Lines, table: Table, game: Game) -> dict[str, str]:
    """The chance of each attack by its words; after other orders they would be others."""
    odds = game.rules.view.odds(table.asked) if table.asked and not draft.lines else ()
    return {one.words: f"{float(one.hit):.0%}" for one in odds}


def _meant(game: Game, table: Table, units: Sequence[str], at: str) -> Iterable[str]:
    meant = game.rules.view.meant
    return meant(table.asked, units, at) if meant and table.asked else ()


def _tried(sheet: OrderSheet, meant: Iterable[str]) -> tuple[list[str], list[IllegalOrder]]:
    """The orders, of those that a click may mean, that the rules allow, and their refusals of the others."""
    legal, refusals = [], []
    for _, words in zip(range(MOST_TRIED), meant, strict=False):
        try:
            before = len(sheet.now.lines)
            sheet.add(words)
            legal.append(words)
            while len(sheet.now.lines) > before:
                sheet.undo()
        except Refused as refused:
            if isinstance(refused.error, IllegalOrder):
                refusals.append(refused.error)
        except OrderError:
            continue
    return legal, refusals


def _commonest(refusals: Sequence[IllegalOrder]) -> IllegalOrder:
    """The first refusal by the rule that forbids most of the orders anywhere near a unit."""
    (rule, _), *_ = Counter(error.rule for error in refusals).most_common(1)
    return next(error for error in refusals if error.rule == rule)


def _nothing(units: Sequence[str], at: str, prompt: str) -> str:
    """The words that a click means no order, and what is asked."""
    if units and at:
        return tr(
            "{units} can be ordered nothing at {hex} now: {asked}",
            units=", ".join(units),
            hex=at,
            asked=prompt,
        )
    if units:
        return tr("{units} can be ordered nothing now: {asked}", units=", ".join(units), asked=prompt)
    return tr("nothing can be ordered at {hex} now: {asked}", hex=at, asked=prompt)
