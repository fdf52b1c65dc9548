"""Changes to orders at the board: a unit gets other orders, and several units are placed at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist
from typing import Any

from msgspec import Struct

from pbem.core.legend import Legend
from pbem.errors import OrderError
from pbem.player.orders.order_sheet import Lines, OrderSheet
from pbem.render.layout import middle
from pbem.texts import Texts
from pbem.web.naming import Naming, Option

tr = Texts("pbem")


MOST_NEAR = 20
"""How many hexes are tried, nearest first, for each of several units that are placed at once."""


class Change(Struct, frozen=True):
    """The draft without the orders of some units; a new order of theirs goes to the index `at` in `lines`.

    A line that includes orders of other units, such as a ready-made set-up, stays in `lines`, and later lines
    override it. In `rest`, against which the new order is judged, only its other orders remain.
    """

    lines: list[str]
    at: int
    rest: Lines

    def plain(self) -> dict[str, Any]:
        """The data of the field `instead` of the type `Meant` in `server.js`."""
        return {"lines": self.lines, "at": self.at}


def without(sheet: OrderSheet, names: Naming, draft: Lines, units: Iterable[str]) -> Change | None:
    """The draft without the orders of these units; None if they have none, or the rest would be illegal."""
    wanted, kept, rest, gone = set(units), list[str](), list[str](), list[int]()
    for index, line in enumerate(draft.lines):
        full = in_full(sheet, names, line)
        others = [one for one, by in full.items() if not by or not wanted.issuperset(by)]
        if others:
            kept.append(line)
            rest += others
        if len(others) < len(full):
            gone.append(len(draft.lines) if others else index)
    if not gone:
        return None
    changed = Lines(sheet, tuple(rest))
    return None if rest and changed.refusal else Change(kept, min(*gone, len(kept)), changed)


def in_full(sheet: OrderSheet, names: Naming, line: str) -> dict[str, tuple[str, ...]]:
    """The single orders that a line includes, as typed, each with the player's units in it."""
    by = names.option(line).by
    if len(by) == 1:
        return {line: by}
    view = sheet.game.rules.view
    try:
        full = view.write_words(view.read_words(sheet.asked, [line]))
    except OrderError:  # it is legal only after other orders
        return {line: by}
    return {order: names.option(order).by for order in full} if len(full) > 1 else {line: by}


def together(
    sheet: OrderSheet, names: Naming, draft: Lines, units: Sequence[str], at: int
) -> list[str] | None:
    """The whole list of orders with these units placed around a hex, in their present arrangement.

    Units that are not yet on the map are placed as near to the hex as possible; one that finds no room keeps
    its place. None if one of them was on the map already when the question was asked. Raises
    `OrderError` if there is no room for any.
    """
    if lying(Lines(sheet, ()).legend).keys() & set(units):
        return None
    change = without(sheet, names, draft, units)
    rest, lines = (change.rest, change.lines) if change else (draft, list(draft.lines))
    offered = list(map(names.option, rest.further))
    now, middles = lying(draft.legend), [middle(draft.legend, cell) for cell in draft.legend.cells]
    first = next((now[name] for name in units if name in now), at)
    placed: list[str] = []
    taken: set[int] = set()
    for name in units:
        (x, y), (from_x, from_y), (to_x, to_y) = (middles[one] for one in (now.get(name, first), first, at))
        target = x - from_x + to_x, y - from_y + to_y
        order = _nearest(sheet, (*rest.lines, *placed), _own(offered, name), target, middles, taken)
        if order:
            placed.append(order.words)
            taken.update(order.at)
    if not placed:
        raise OrderError(tr("there is no room for {units}", units=", ".join(units)))
    return [*lines, *placed]


def each_alone(options: Iterable[Option], units: Iterable[str]) -> list[int]:
    """The hexes to which any one of these units can be sent alone."""
    return sorted({option.at[0] for name in units for option in _own(options, name)})


def lying(legend: Legend) -> dict[str, int]:
    """The index of the hex of each counter on the map."""
    return {piece.name: index for index, cell in enumerate(legend.cells) for piece in cell.pieces}


def _own(offered: Iterable[Option], name: str) -> list[Option]:
    """The orders that send this unit alone to a single hex."""
    return [
        option for option in offered if option.by == (name,) and len(option.at) == 1 and not option.attack
    ]


def _nearest(
    sheet: OrderSheet,
    lines: tuple[str, ...],
    offered: Sequence[Option],
    target: tuple[int, int],
    middles: Sequence[tuple[int, int]],
    taken: set[int],
) -> Option | None:
    """The order leading nearest to a point that is legal together with `lines`."""
    nearest = sorted(offered, key=lambda option: (dist(middles[option.at[0]], target), option.at))
    ahead = nearest[:1] + sorted(nearest[1:], key=lambda option: option.at[0] in taken)
    return next(
        (option for option in ahead[:MOST_NEAR] if not Lines(sheet, (*lines, option.words)).refusal), None
    )
