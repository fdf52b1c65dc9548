"""Movement: what M4 allows, and carrying it out."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.requests import Tell
from pbem.errors import IllegalOrder
from pbem.games.mortain.facts import counted, listed
from pbem.games.mortain.orders import Activation, Enter, Exit, Move, Movement
from pbem.games.mortain.setting import GERMAN, US, Setting
from pbem.games.mortain.state import EXITED, WAITING, State

MOST_IN_A_HEX = 2


def check_step(state: State, activation: Activation) -> None:
    """M4.1: a move goes to an adjacent hex; the easternmost column may be closed to the US."""
    for order in activation.movements:
        if not isinstance(order, Move):
            continue
        if not state.on_map(order.unit):
            raise IllegalOrder("M4.1", f"{order.unit} waits off the map; it does not move, it enters")
        at = state.at(order.unit)
        if order.to not in state.setting.grid.adjacent(at):
            raise IllegalOrder("M4.1", f"{order.to} is not adjacent to {at}, where {order.unit} stands")
        if _closed_to_us(state, order):
            facts = (
                f"{order.unit} may not enter {order.to} in the easternmost column while a German unit waits"
            )
            raise IllegalOrder("M4.1", facts)


def _closed_to_us(state: State, order: Move) -> bool:
    """M4.1, ruling: whether a move takes a US unit to the German edge too early."""
    setting = state.setting
    return (
        setting.options.east_column == "german_only"
        and state.side(order.unit) == US
        and setting.grid.column(order.to) == setting.east
        and any(state.at(name) == WAITING for name in state.army(GERMAN))
    )


def check_enemy(state: State, activation: Activation) -> None:
    """M4.3: a hex holding an enemy unit may never be entered."""
    for name, to in _arrivals(activation):
        enemies = [other for other in state.stack(to) if state.side(other) != state.side(name)]
        if enemies:
            raise IllegalOrder("M4.3", f"{name} may not enter {to}, which holds {listed(enemies)}")


def check_entry(state: State, activation: Activation) -> None:
    """M4.4: a waiting unit enters on its own edge, when its turn has come."""
    for order in activation.movements:
        if not isinstance(order, Enter):
            continue
        counter, setting = state.counter(order.unit), state.setting
        column = entry_column(setting, order.unit)
        if state.on_map(order.unit):
            raise IllegalOrder("M4.4", f"{order.unit} is on the map already, in {state.at(order.unit)}")
        if state.turn < counter.arrives:
            raise IllegalOrder(
                "M4.4", f"{order.unit} may enter from turn {counter.arrives} on; this is turn {state.turn}"
            )
        if setting.grid.column(order.at) != column:
            raise IllegalOrder("M4.4", f"{order.unit} enters in column {column}, not on {order.at}")


def entry_column(setting: Setting, name: str) -> int:
    """M4.4: the column in which a unit enters."""
    return setting.east if setting.counters[name].starts == "east" else setting.west


def check_exit(state: State, activation: Activation) -> None:
    """M4.5: only a German unit leaves the map, and only from the westernmost column."""
    for order in activation.movements:
        if not isinstance(order, Exit):
            continue
        at, west = state.at(order.unit), state.setting.west
        if state.side(order.unit) != GERMAN:
            raise IllegalOrder("M4.5", f"{order.unit} is no German unit; no other leaves the map")
        if not state.on_map(order.unit):
            raise IllegalOrder("M4.5", f"{order.unit} waits off the map; units exit from column {west}")
        if state.setting.grid.column(at) != west:
            raise IllegalOrder("M4.5", f"{order.unit} stands in {at}; units exit from column {west}")


def check_stacking(state: State, activation: Activation) -> None:
    """M4.2: at most two units in a hex, Tiger 102 apart, when all movement is done."""
    after = after_movement(state, activation)
    for _, to in _arrivals(activation):
        stack = [name for name, at in after.items() if at == to and not state.counter(name).tiger]
        if len(stack) > MOST_IN_A_HEX:
            besides = " besides Tiger 102" if state.side(stack[0]) == GERMAN else ""
            raise IllegalOrder(
                "M4.2", f"{counted(len(stack), 'unit')} in {to} ({listed(stack)}); at most two{besides}"
            )


def _arrivals(activation: Activation) -> Iterator[tuple[str, str]]:
    """The units that come to a hex, and that hex, in the order written."""
    for order in activation.movements:
        match order:
            case Move(unit, to) | Enter(unit, to):
                yield unit, to


def after_movement(state: State, activation: Activation) -> dict[str, str]:
    """Where every unit is when all movement of a list is done (M3.8)."""
    after = {name: unit.at for name, unit in state.units.items()}
    after.update({order.unit: goal(order) for order in activation.movements})
    return after


def goal(order: Movement) -> str:
    """Where a movement takes its unit."""
    match order:
        case Move(_, to) | Enter(_, to):
            return to
        case Exit():
            return EXITED


async def move(state: State, order: Movement) -> State:
    """M4.1, M4.4, M4.5: carry out one movement, and tell of it."""
    unit, start = order.unit, state.at(order.unit)
    seat = state.side(unit)
    state = state.moved(unit, goal(order))
    match order:
        case Move(_, to):
            await Tell(state, "M4.1", "moves", {"seat": seat, "unit": unit, "from": start, "to": to})
        case Enter(_, at):
            await Tell(state, "M4.4", "enters", {"seat": seat, "unit": unit, "at": at})
        case Exit():
            needed = state.setting.options.exits_to_win
            exits = {"seat": seat, "unit": unit, "from": start, "exits": state.exits, "needed": needed}
            await Tell(state, "M4.5", "exits", exits)
    return state
