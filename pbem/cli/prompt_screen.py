"""The screen at the prompt: map and question, drawn again before other output pushes them off it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from shutil import get_terminal_size

from msgspec.structs import replace

from pbem.cli.legal_moves import mark_placements
from pbem.cli.paging import paged
from pbem.cli.terminal import may_use_colour, printable_size, put_board, put_lines
from pbem.core.legend import Cell, Legend, Margin
from pbem.core.requests import Orders, Plain
from pbem.player.order_sheet import OrderList, OrderSheet
from pbem.render.safe_text import fit_lines, safe_text, wrap
from pbem.render.screen import MOST_FOCUS_HEXES, Screen, draw_screen, event_hexes, mentioned_hexes
from pbem.texts import Texts

tr = Texts("pbem")


TALK_LINES, LEAST_TALK_LINES = 7, 4
"""Lines kept free below map and question; and the least of them, if the map needs more."""

LOW = 30
"""A screen with fewer lines keeps none free for other output."""

LEAST_MAP_LINES = 16
"""The least lines of the map if the screen has them, however long the text above it."""


class Overview:
    """The screen while orders are typed.

    `happened` are the facts of the events before them, `harm` those of hits and losses. `last` are the newest
    orders, which the map always shows.
    """

    def __init__(self, sheet: OrderSheet, happened: Sequence[Plain], harm: Sequence[Plain] = ()) -> None:
        self.sheet = sheet
        self.happened = happened
        self.harm = harm
        self.last: Orders = []
        self._below = self._drawn = 0

    @property
    def _question(self) -> str:
        return self.sheet.game.rules.view.prompt(self.sheet.asked)

    def count_typed_line(self) -> None:
        """Count a line that the player has typed."""
        self._below += 1

    def mark_map_gone(self) -> None:
        """Note that the map is off the screen, so that it is drawn before the next text."""
        self._below = get_terminal_size().lines

    def begin(self, news: Sequence[str], after: Sequence[str]) -> None:
        """Print the news, the map, the question, and the lines `after` it.

        Also says how much of the news has scrolled off the screen.
        """
        lines, below = wrap_lines(news), len(wrap_lines(after))
        picture = self._picture(len(lines), below=below)
        left = len(lines) + len(picture) + below + 2 - get_terminal_size().lines  # 2: prompt and toolbar
        if left > 0:
            before = tr.plural(
                "({number} line before: {news})",
                "({number} lines before: {news})",
                left + 1,
                news=tr.own("news"),
            )
            lines.append(before)
        put_lines([*lines, *picture])
        self._below = self._drawn = len(picture)
        self.put(after)

    def put(self, lines: Sequence[str]) -> None:
        """Print lines and count them; more than a screenful goes through the pager."""
        if lines:
            shown = wrap_lines(lines)
            with paged():
                put_lines(shown)
            self._below += len(shown)

    def put_whole_map(self) -> None:
        """Print the whole map and all counters."""
        with paged():
            put_board(self.sheet.current.legend)
        self.mark_map_gone()

    def tell(self, lines: Sequence[str]) -> None:
        """Print lines below the map. If they would push it off the screen, draw it again first.

        Lines are printed even if there are more than fit below the map.
        """
        taken, rows = len(wrap_lines(lines)) + 2, get_terminal_size().lines  # 2: prompt and toolbar
        if self._below + taken > rows and self._drawn + taken <= rows:
            self.draw(below=taken - 2)
        self.put(lines)

    def draw(self, first: Sequence[str] = (), legend: Legend | None = None, below: int = 0) -> None:
        """Draw the map around its focus, and the question under it, leaving `below` lines free.

        `first` are the hexes that must be shown. `legend` is a map to draw instead of the one after the
        orders; in a set-up, it has the hexes marked where units can be placed.
        """
        picture = self._picture(0, first, legend, below)
        put_lines(picture)
        self._below = self._drawn = len(picture)

    def _picture(
        self, above: int, first: Sequence[str] = (), legend: Legend | None = None, below: int = 0
    ) -> list[str]:
        """The lines of `draw`, for the screen below the `above` lines already printed."""
        width, _ = printable_size()
        placing = self._placements()
        legend = self._sort_own_first(legend or mark_placements(self.sheet.current.legend, "", placing)[0])
        question = wrap(safe_text(self._question), width, indent=2).splitlines()
        lines = get_terminal_size().lines
        rows = lines - len(question)
        focus, first = self._focus(), first or self._required_hexes()

        def draw_above(talk: int) -> Screen:
            kept = max(talk, min(below + 2, rows - LEAST_MAP_LINES))  # 2: prompt and toolbar
            height = max(min(rows - kept, max(rows - above - 2, LEAST_MAP_LINES)), 1)
            return draw_screen(
                legend,
                width,
                height,
                focus,
                first,
                colour=may_use_colour(False),
                rest=f"{tr.own('map')} {tr.own('all')}",
                margins_first=bool(placing and not self.sheet.current.orders),
            )

        found = draw_above(TALK_LINES if lines >= LOW else LEAST_TALK_LINES)
        higher = found if found.whole_map else draw_above(LEAST_TALK_LINES)
        drawn = (higher if higher.whole_map else found).lines
        return [*drawn, *question]

    def _sort_own_first(self, legend: Legend) -> Legend:
        """The legend with the margins that hold the player's counters first."""
        seat = self.sheet.asked.seat
        margins = sorted(
            legend.margins, key=lambda margin: all(piece.side != seat for piece in margin.pieces)
        )
        return replace(legend, margins=tuple(margins))

    def _placements(self) -> list[str]:
        """The orders of a set-up: those for units off the map, if they name many hexes."""
        now, seat = self.sheet.current, self.sheet.asked.seat
        off = {piece.name for margin in now.legend.margins for piece in margin.pieces if piece.side == seat}
        phrases = [phrase for phrase in now.possible_additions if not off.isdisjoint(phrase.split())]
        words = {word for phrase in phrases for word in phrase.split()}
        return phrases if sum(cell.number in words for cell in now.legend.cells) > MOST_FOCUS_HEXES else []

    def _focus(self) -> list[str]:
        """The hexes to show: those of orders, of units that can act, of events, and of possible orders.

        A group of more than `MOST_FOCUS_HEXES` is left out. During set-up no unit can act yet, so these are
        all hexes that orders can name: the player's zone.
        """
        now, there = self.sheet.current, self._orderable_hexes()
        acting = mentioned_hexes(now.legend, [now.orders, self.actors()])
        if not acting and len(there) > MOST_FOCUS_HEXES:
            return there
        return [*acting, *self._happened_hexes(), *(there if len(there) <= MOST_FOCUS_HEXES else [])]

    def _happened_hexes(self) -> list[str]:
        """The hexes where something has happened."""
        return event_hexes(self.sheet.current.legend, list(self.happened), list(self.harm))

    def _orderable_hexes(self) -> list[str]:
        """The hexes named in possible orders."""
        now = self.sheet.current
        return mentioned_hexes(
            now.legend, [word for phrase in now.possible_additions for word in phrase.split()]
        )

    def _required_hexes(self) -> list[str]:
        """The hexes that must be shown: those of the newest orders.

        Without orders, those that must still be ordered, or of the events, or of the units that can act, if
        there are not too many.
        """
        now = self.sheet.current
        due = re.findall(r"[\w*-]+", f"{self._question} {now.missing_orders}")
        newest, obliged = (mentioned_hexes(now.legend, words) for words in (self.last, due))
        acting = mentioned_hexes(now.legend, self.actors())
        placing = not acting and len(self._orderable_hexes()) > MOST_FOCUS_HEXES
        happened = [] if placing or now.orders else self._happened_hexes()
        parts = (newest, obliged, happened, acting)
        return next((part for part in parts if 0 < len(part) <= MOST_FOCUS_HEXES), [])

    def actors(self) -> list[str]:
        """The units of the side to decide that have possible orders."""
        legend = self.sheet.current.legend
        words = {word for phrase in self.sheet.current.possible_additions for word in phrase.split()}
        places: list[Cell | Margin] = [*legend.cells, *legend.margins]
        pieces = (piece for place in places for piece in place.pieces)
        return [piece.name for piece in pieces if piece.side == self.sheet.asked.seat and piece.name in words]


def unit_places(draft: OrderList) -> tuple[object, ...]:
    """The places of all units in a position, for comparison."""
    return draft.legend.cells, draft.legend.margins


def wrap_lines(lines: Sequence[str]) -> list[str]:
    """Lines wrapped to the terminal."""
    return fit_lines("\n".join(lines), printable_size()[0]) if lines else []
