"""The overlays for the map of Rommel: zones of control or of the set-up, and supply."""

from __future__ import annotations

from collections.abc import Callable

from pbem.core.rules import Overlay
from pbem.core.sentences import listed
from pbem.games.rommel.rules import movement, setup
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, other_side
from pbem.games.rommel.view.facts import side_name as name_of
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")

SIGNS = {AXIS: "X", ALLIED: "a"}
"""The sign of each side's hexes, in the case of its counters on the map; those of both have a plus."""

BOTH = "+"


def zones(state: State) -> Overlay:
    """R5.5: the hexes in zones of control of land units; in the set-up, those in set-up zones (R2)."""
    if state.step in setup.RULE:
        figures = _hexes_by_side(state, lambda side, at: at in state.setting.zones[side])
        return Overlay(figures, tr("in a side's set-up zone: {signs}", signs=_explain_signs()))
    figures = _hexes_by_side(state, lambda side, at: bool(movement.entered_zone(state, other_side(side), at)))
    return Overlay(figures, tr("in a side's zone of control: {signs}", signs=_explain_signs()))


def supply(state: State) -> Overlay:
    """R5.4: the hexes in supply, and each side's units that are out of supply."""
    supplied = {side: movement.supply_reach(state, side) for side in SIGNS}
    figures = _hexes_by_side(state, lambda side, at: at in supplied[side])
    lines = tuple(_describe_cut_off(state, side) for side in SIGNS)
    return Overlay(figures, tr("where a side is in supply: {signs}", signs=_explain_signs()), lines)


def _describe_cut_off(state: State, side: str) -> str:
    """R5.4: list the units of a side that are out of supply."""
    cut = [name for name in state.army(side) if not movement.in_supply(state, name)]
    units = listed(tr("{unit} in {at}", unit=name, at=state.at(name)) for name in cut) or tr.sense(
        "of units", "none"
    )
    if side == ALLIED:
        return tr("Allied units out of supply (R5.4): {units}", units=units)
    return tr("Axis units out of supply (R5.4): {units}", units=units)


def _hexes_by_side(state: State, has: Callable[[str, str], bool]) -> dict[str, str]:
    """The land hexes of one side or both, by a predicate, each with its sign."""
    figures = {}
    for at in state.setting.grid.numbers:
        sides = [side for side in SIGNS if at in state.setting.land and has(side, at)]
        if sides:
            figures[at] = BOTH if len(sides) > 1 else SIGNS[sides[0]]
    return figures


def _explain_signs() -> str:
    """The meaning of the signs."""
    meanings = {**{sign: name_of(side) for side, sign in SIGNS.items()}, BOTH: tr("both")}
    return listed(f"{sign}: {meaning}" for sign, meaning in meanings.items())
