"""Changes to orders at the board: a unit gets other orders, and several units are placed at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist
from typing import Any

from msgspec import Struct

from pbem.core.legend import Legend
from pbem.errors import OrderError
from pbem.player.orders.order_sheet import OrderList, OrderSheet
from pbem.render.layout import hex_centre
from pbem.texts import Texts
from pbem.web.naming import MapNames, OrderOption

tr = Texts("pbem")


MAX_NEAR = 20
"""How many hexes are tried, nearest first, for each of several units that are placed at once."""


class DraftChange(Struct, frozen=True):
    """The draft without the orders of some units; a new order of theirs goes to the index `at` in `lines`.

    A line that includes orders of other units, such as a ready-made set-up, stays in `lines`, and later lines
    override it. In `rest`, against which the new order is judged, only its other orders remain.
    """

    lines: list[str]
    at: int
    rest: OrderList

    def as_data(self) -> dict[str, Any]:
        """The data of the field `instead` of the type `Meant` in `server.js`."""
        return {"lines": self.lines, "at": self.at}


def remove_orders_of(
    sheet: OrderSheet, names: MapNames, draft: OrderList, units: Iterable[str]
) -> DraftChange | None:
    """The draft without the orders of these units; None if they have none, or the rest would be illegal."""
    wanted, kept, rest, gone = set(units), list[str](), list[str](), list[int]()
    for index, line in enumerate(draft.lines):
        full = expand_line(sheet, names, line)
        others = [one for one, by in full.items() if not by or not wanted.issuperset(by)]
        if others:
            kept.append(line)
            rest += others
        if len(others) < len(full):
            gone.append(len(draft.lines) if others else index)
    if not gone:
        return None
    changed = OrderList(sheet, tuple(rest))
    return None if rest and changed.refusal else DraftChange(kept, min(*gone, len(kept)), changed)


def expand_line(sheet: OrderSheet, names: MapNames, line: str) -> dict[str, tuple[str, ...]]:
    """The single orders that a line includes, as typed, each with the player's units in it."""
    by = names.parse_option(line).units
    if len(by) == 1:
        return {line: by}
    view = sheet.game.rules.view
    try:
        full = view.write_words(view.read_words(sheet.asked, [line]))
    except OrderError:  # it is legal only after other orders
        return {line: by}
    return {order: names.parse_option(order).units for order in full} if len(full) > 1 else {line: by}


def place_together(
    sheet: OrderSheet, names: MapNames, draft: OrderList, units: Sequence[str], at: int
) -> list[str] | None:
    """The whole list of orders with these units placed around a hex, in their present arrangement.

    Units that are not yet on the map are placed as near to the hex as possible; one that finds no room keeps
    its place. None if one of them was on the map already when the question was asked. Raises
    `OrderError` if there is no room for any.
    """
    if counter_hexes(OrderList(sheet, ()).legend).keys() & set(units):
        return None
    change = remove_orders_of(sheet, names, draft, units)
    rest, lines = (change.rest, change.lines) if change else (draft, list(draft.lines))
    offered = list(map(names.parse_option, rest.possible_additions))
    now, middles = (
        counter_hexes(draft.legend),
        [hex_centre(draft.legend, cell) for cell in draft.legend.cells],
    )
    first = next((now[name] for name in units if name in now), at)
    placed: list[str] = []
    taken: set[int] = set()
    for name in units:
        (x, y), (from_x, from_y), (to_x, to_y) = (middles[one] for one in (now.get(name, first), first, at))
        target = x - from_x + to_x, y - from_y + to_y
        order = _nearest_legal(
            sheet, (*rest.lines, *placed), _moves_of(offered, name), target, middles, taken
        )
        if order:
            placed.append(order.words)
            taken.update(order.hexes)
    if not placed:
        raise OrderError(tr("there is no room for {units}", units=", ".join(units)))
    return [*lines, *placed]


def single_destinations(options: Iterable[OrderOption], units: Iterable[str]) -> list[int]:
    """The hexes to which any one of these units can be sent alone."""
    return sorted({option.hexes[0] for name in units for option in _moves_of(options, name)})


def counter_hexes(legend: Legend) -> dict[str, int]:
    """The index of the hex of each counter on the map."""
    return {piece.name: index for index, cell in enumerate(legend.cells) for piece in cell.pieces}


def _moves_of(offered: Iterable[OrderOption], name: str) -> list[OrderOption]:
    """The orders that send this unit alone to a single hex."""
    return [
        option
        for option in offered
        if option.units == (name,) and len(option.hexes) == 1 and not option.attack
    ]


def _nearest_legal(
    sheet: OrderSheet,
    lines: tuple[str, ...],
    offered: Sequence[OrderOption],
    target: tuple[int, int],
    middles: Sequence[tuple[int, int]],
    taken: set[int],
) -> OrderOption | None:
    """The order leading nearest to a point that is legal together with `lines`."""
    nearest = sorted(offered, key=lambda option: (dist(middles[option.hexes[0]], target), option.hexes))
    ahead = nearest[:1] + sorted(nearest[1:], key=lambda option: option.hexes[0] in taken)
    return next(
        (option for option in ahead[:MAX_NEAR] if not OrderList(sheet, (*lines, option.words)).refusal), None
    )
