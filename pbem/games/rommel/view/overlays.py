"""What is laid over the map of Rommel: zones of control or of the set-up, and supply."""

from __future__ import annotations

from collections.abc import Callable

from pbem.core.rules import Overlay
from pbem.games.rommel.rules import movement, setup
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, other
from pbem.games.rommel.view.facts import SIDES

SIGNS = {AXIS: "X", ALLIED: "a"}
"""A hex of one side, as the map writes its counters; one of both has a plus."""

BOTH = "+"


def zones(state: State) -> Overlay:
    """R5.5: the hexes in the zones of control of land units; in the set-up those where a side places (R2)."""
    if state.step in setup.RULE:
        return _of_sides(state, "in the set-up zone of", lambda side, at: at in state.setting.zones[side])
    return _of_sides(
        state, "in the zone of", lambda side, at: bool(movement.entered_zone(state, other(side), at))
    )


def supply(state: State) -> Overlay:
    """R5.4: the hexes in supply; each side's units that stand in none."""
    supplied = {side: movement.supply_reach(state, side) for side in SIGNS}
    overlay = _of_sides(state, "in supply for", lambda side, at: at in supplied[side])
    lines = []
    for side in SIGNS:
        cut = [
            f"{name} in {state.at(name)}" for name in state.army(side) if not movement.in_supply(state, name)
        ]
        lines.append(f"{SIDES[side]} units out of supply (R5.4): {', '.join(cut) or 'none'}")
    return Overlay(overlay.figures, overlay.meaning, tuple(lines))


def _of_sides(state: State, what: str, has: Callable[[str, str], bool]) -> Overlay:
    """The land hexes that one side has, or both."""
    figures = {}
    for at in state.setting.grid.numbers:
        sides = [side for side in SIGNS if at in state.setting.land and has(side, at)]
        if sides:
            figures[at] = BOTH if len(sides) > 1 else SIGNS[sides[0]]
    signs = ", ".join(f"{sign}: {SIDES[side]}" for side, sign in SIGNS.items())
    return Overlay(figures, f"{what} a side: {signs}, {BOTH}: both")
