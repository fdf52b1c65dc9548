"""Map and question at the prompt, kept in view above what is typed and told.

When the map would go off the top of the screen, it is drawn anew, with the orders so far carried out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from shutil import get_terminal_size

from msgspec.structs import replace

from pbem.cli.ordering import placing
from pbem.cli.terminal import colour, put_lines, room
from pbem.core.legend import Cell, Legend, Margin
from pbem.core.requests import Orders, Plain
from pbem.player.orders.order_sheet import Lines, OrderSheet
from pbem.render.screen import Drawn, mentioned, screen
from pbem.render.words import fitted, safe, wrap

TALK, LITTLE = 7, 4
"""Lines of the screen that are left below map and question for what is typed and told; where the whole map
needs more of them, the least."""

LEAST = 16
"""Lines that the map has at least where there is room for them, however much there is to tell above it."""

FEW = 30
"""The most hexes, told of or open to orders, that mark where things happen; more are everywhere."""


class Overview:
    """The screen while orders are gathered; `happened` are facts of the events told before them.

    `last` is what was ordered last: it is not missing from the map.
    """

    def __init__(self, sheet: OrderSheet, happened: Sequence[Plain]) -> None:
        self.sheet = sheet
        self.happened = happened
        self.last: Orders = []
        self._below = self._drawn = 0

    @property
    def _question(self) -> str:
        return self.sheet.game.rules.view.prompt(self.sheet.asked)

    def typed(self) -> None:
        """Count a line that the player has typed."""
        self._below += 1

    def leave(self) -> None:
        """The map is off the screen, and comes with what is told next."""
        self._below = get_terminal_size().lines

    def put(self, lines: Sequence[str]) -> None:
        """Print lines, and count those that they take."""
        if lines:
            shown = broken(lines)
            put_lines(shown)
            self._below += len(shown)

    def tell(self, lines: Sequence[str]) -> None:
        """Print lines below the map. Where they would push it off the screen, it is drawn anew before them.

        More lines than there is room for below it are printed all the same.
        """
        taken, rows = len(broken(lines)) + 2, get_terminal_size().lines  # 2: prompt and toolbar
        if self._below + taken > rows and self._drawn + taken <= rows:
            self.draw(0, below=taken - 2)
        self.put(lines)

    def draw(
        self, above: int, first: Sequence[str] = (), legend: Legend | None = None, below: int = 0
    ) -> None:
        """Draw the map where things happen, and the question under it, between so many lines.

        `first` are hexes that are wanted before all others, `legend` another map than that of the orders, on
        which a set-up has the hexes where units may be placed.
        """
        width, _ = room()
        legend = self._own_first(legend or placing(self.sheet.now.legend, "", self._placements())[0])
        question = wrap(safe(self._question), width, indent=2).splitlines()
        rows = get_terminal_size().lines - len(question)
        focus, first = self._focus(), first or self._foremost()

        def drawn_above(talk: int) -> Drawn:
            kept = max(talk, min(below + 2, rows - LEAST))  # 2: prompt and toolbar
            height = max(min(rows - kept, max(rows - above - 2, LEAST)), 1)
            return screen(legend, width, height, focus, first, colour=colour(False))

        found = drawn_above(TALK)
        higher = found if found.whole_map else drawn_above(LITTLE)
        drawn = (higher if higher.whole_map else found).lines
        put_lines([*drawn, *question])
        self._below = self._drawn = len(drawn) + len(question)

    def _own_first(self, legend: Legend) -> Legend:
        """The map with the player's own counters before the others of those that are off it."""
        seat = self.sheet.asked.seat
        margins = sorted(legend.margins, key=lambda one: all(piece.side != seat for piece in one.pieces))
        return replace(legend, margins=tuple(margins))

    def _placements(self) -> list[str]:
        """The orders of a set-up: those of units off the map that have much of it to choose from."""
        now, seat = self.sheet.now, self.sheet.asked.seat
        off = {one.name for margin in now.legend.margins for one in margin.pieces if one.side == seat}
        phrases = [phrase for phrase in now.further if not off.isdisjoint(phrase.split())]
        words = {word for phrase in phrases for word in phrase.split()}
        return phrases if sum(cell.number in words for cell in now.legend.cells) > FEW else []

    def _focus(self) -> list[str]:
        """The hexes where things happen: of orders, of units that may act, and of what was or may be told.

        What names too many says nothing of where. Before any unit of one's own can act, at the set-up, it is
        wherever one may order: one's own zone.
        """
        now, there = self.sheet.now, self._ordered()
        acting = mentioned(now.legend, [now.orders, self.actors()])
        if not acting and len(there) > FEW:
            return there
        parts = (mentioned(now.legend, self.happened), there)
        return [*acting, *(at for part in parts if len(part) <= FEW for at in part)]

    def _ordered(self) -> list[str]:
        """The hexes that orders may name now."""
        now = self.sheet.now
        return mentioned(now.legend, [word for phrase in now.further for word in phrase.split()])

    def _foremost(self) -> list[str]:
        """The hexes that must not be missing: of the last orders, and of what must be ordered besides.

        Without any those of the units that may act, or of what has happened, whichever says where.
        """
        now = self.sheet.now
        due = re.findall(r"[\w*-]+", f"{self._question} {now.missing}")
        obliged = mentioned(now.legend, [self.last, due])
        acting = mentioned(now.legend, self.actors())
        placing = not acting and len(self._ordered()) > FEW
        parts = [obliged, acting, [] if placing or obliged else mentioned(now.legend, self.happened)]
        return next((part for part in parts if 0 < len(part) <= FEW), [])

    def actors(self) -> list[str]:
        """The units of the asked side that may be ordered to do something."""
        legend = self.sheet.now.legend
        words = {word for phrase in self.sheet.now.further for word in phrase.split()}
        places: list[Cell | Margin] = [*legend.cells, *legend.margins]
        pieces = (piece for place in places for piece in place.pieces)
        return [one.name for one in pieces if one.side == self.sheet.asked.seat and one.name in words]


def standing(draft: Lines) -> tuple[object, ...]:
    """The units and their places."""
    return draft.legend.cells, draft.legend.margins


def broken(lines: Sequence[str]) -> list[str]:
    """Lines, broken where the terminal ends."""
    return fitted("\n".join(lines), room()[0]) if lines else []
