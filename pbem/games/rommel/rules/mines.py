"""Mines: who may enter mined hexes, and how they are cleared (R5.6, R5.7)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.forms import repeated
from pbem.core.hexes import Grid
from pbem.core.sentences import listed
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules.orders import Move, Refusal
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import AXIS, FOOT
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

MOST_MINED_AT_ONCE = 2
"""R5.6: how many mined hexes an Allied unit enters if they are its whole move."""


def may_enter_mines(state: State, name: str) -> bool:
    """R5.6: whether a unit is of a type that enters mined hexes."""
    kind = state.kind(name)
    return kind in FOOT or (kind == "mechanised" and state.setting.options.mechanised_in_mines)


def mines_refusal(state: State, name: str, mined: Sequence[str], length: int) -> Refusal | None:
    """R5.6: why a path of that length may not enter these mined hexes; None if it may."""
    if state.side(name) == AXIS or len(mined) <= 1 or len(mined) == length == MOST_MINED_AT_ONCE:
        return None
    return lambda: IllegalOrder(
        "R5.6", tr("{unit} may enter one mined hex, or two if they are its whole move", unit=name)
    )


def mined_hexes_on(state: State, path: Sequence[str]) -> tuple[str, ...]:
    """The mined hexes of a path, each once, in order."""
    return tuple([at for at in dict.fromkeys(path) if state.is_mined(at)])


def check_clearing(state: State, order: Move) -> None:
    """R5.6: an Axis unit clears one more hex for each mined hex it enters, next to it and off its path.

    Raises `IllegalOrder`.
    """
    if not order.clear:
        return
    if state.side(order.unit) != AXIS:
        facts = tr("{unit} is Allied: it clears only the hexes it enters", unit=order.unit)
        raise IllegalOrder("R5.6", facts)
    if (twice := repeated(order.clear)) is not None:
        facts = tr("{hex} is named twice among the hexes that {unit} clears", hex=twice, unit=order.unit)
        raise IllegalOrder("R5.6", facts)
    for at in order.clear:
        if not state.is_mined(at):
            facts = tr("{unit} cannot clear {hex}, which is not mined", unit=order.unit, hex=at)
            raise IllegalOrder("R5.6", facts)
        if at in order.path:
            facts = tr("{hex} is on the path of {unit}, which clears it anyway", hex=at, unit=order.unit)
            raise IllegalOrder("R5.6", facts)
    path = mined_hexes_on(state, order.path)
    if not can_match(state.setting.grid, order.clear, path):
        facts = tr(
            "{unit} enters {number} mined hexes; for each it may clear one hex next to it, not {hexes}",
            unit=order.unit,
            number=len(path),
            hexes=listed(order.clear),
        )
        raise IllegalOrder("R5.6", facts)


def can_match(grid: Grid, wanted: Sequence[str], path: Sequence[str]) -> bool:
    """Whether each wanted hex can be matched with an adjacent hex of the path of its own."""
    takers: dict[str, str] = {}

    def find_hex(at: str, tried: set[str]) -> bool:
        """Match `at` with a hex of the path, if need be by matching the hex that has it with another."""
        for beside in path:
            if beside in grid.adjacent(at) and beside not in tried:
                tried.add(beside)
                if beside not in takers or find_hex(takers[beside], tried):
                    takers[beside] = at
                    return True
        return False

    return all(find_hex(at, set()) for at in wanted)


def hexes_cleared(state: State, order: Move) -> tuple[str, ...]:
    """R5.6: the hexes that a legal move clears: those it enters, then those it names."""
    return (*mined_hexes_on(state, order.path), *order.clear)


def clear_mines(state: State, hexes: Sequence[str]) -> State:
    """R5.7: the state with mined hexes cleared, for good."""
    return state.with_changes(cleared=tuple(sorted((*state.cleared, *hexes)))) if hexes else state
