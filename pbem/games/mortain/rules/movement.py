"""M4, movement: which moves, entries and exits are legal, and how they are carried out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbem.core.requests import Tell
from pbem.core.sentences import listed, numeral
from pbem.errors import IllegalOrder, Unfinished
from pbem.games.mortain.rules import events
from pbem.games.mortain.rules.allowance import card_allows
from pbem.games.mortain.rules.orders import Activation, Enter, Exit, Move, Movement
from pbem.games.mortain.rules.state import EXITED, OFF_MAP, WAITING, State
from pbem.games.mortain.terms.setting import GERMAN, US, Setting, enemy
from pbem.messages import Messages, Said

tr = Messages("pbem.games.mortain")

MOST_IN_A_HEX = 2


def check_step(state: State, activation: Activation) -> None:
    """M4.1: check that a move goes to an adjacent hex; the easternmost column can be closed to the US."""
    setting, shut = state.setting, closed_hexes(state, state.side(activation.movers[0]))
    for order in activation.movements:
        if type(order) is not Move:
            continue
        at = state.units[order.unit].at
        if at in OFF_MAP:
            facts = tr("{unit} is off the map: order it to enter, not to move", unit=order.unit)
            raise IllegalOrder("M4.1", facts)
        if order.to not in setting.grid.adjacent(at):
            facts = tr(
                "{hex} is not adjacent to {here}, where {unit} is", hex=order.to, here=at, unit=order.unit
            )
            raise IllegalOrder("M4.1", facts)
        if order.to in shut:
            facts = tr(
                "{unit} may not enter {hex} in the easternmost column while a German unit is "
                "waiting off the map",
                unit=order.unit,
                hex=order.to,
            )
            raise IllegalOrder("M4.1", facts)


def closed_hexes(state: State, side: str) -> tuple[str, ...]:
    """M4.1, ruling: the hexes closed to a side: for the US the German edge, while a German unit waits."""
    setting = state.setting
    if side != US or setting.options.east_column != "german_only":
        return ()
    return setting.columns[setting.east] if WAITING in state.places(GERMAN) else ()


def check_enemy(state: State, activation: Activation) -> None:
    """M4.3: check that no unit enters a hex with an enemy unit."""
    held = state.places(enemy(state.side(activation.movers[0])))
    for order in activation.movements:
        if order.to in held and order.to != EXITED:
            facts = tr(
                "{unit} may not enter {hex}, which holds {enemies}",
                unit=order.unit,
                hex=order.to,
                enemies=listed(state.stack(order.to)),
            )
            raise IllegalOrder("M4.3", facts)


def check_entry(state: State, activation: Activation) -> None:
    """M4.4: check that a waiting unit enters on its own edge, not before its turn of arrival."""
    for order in activation.movements:
        if type(order) is not Enter:
            continue
        counter, setting = state.counter(order.unit), state.setting
        column = entry_column(setting, order.unit)
        if state.on_map(order.unit):
            facts = tr("{unit} is already on the map, in {hex}", unit=order.unit, hex=state.at(order.unit))
            raise IllegalOrder("M4.4", facts)
        if state.turn < counter.arrives:
            facts = tr(
                "{unit} may not enter before turn {turn}; this is turn {now}",
                unit=order.unit,
                turn=counter.arrives,
                now=state.turn,
            )
            raise IllegalOrder("M4.4", facts)
        if setting.grid.column(order.to) != column:
            facts = tr(
                "{unit} must enter in column {column}, not in {hex}",
                unit=order.unit,
                column=column,
                hex=order.to,
            )
            raise IllegalOrder("M4.4", facts)


def entry_column(setting: Setting, name: str) -> int:
    """M4.4: the column where a unit enters."""
    return setting.east if setting.counters[name].starts == "east" else setting.west


def check_exit(state: State, activation: Activation) -> None:
    """M4.5: check that only German units leave the map, and only from the westernmost column."""
    for order in activation.movements:
        if type(order) is not Exit:
            continue
        at, west = state.at(order.unit), state.setting.west
        if state.side(order.unit) != GERMAN:
            facts = tr("only German units may exit, and {unit} is not one", unit=order.unit)
            raise IllegalOrder("M4.5", facts)
        if not state.on_map(order.unit):
            facts = tr("{unit} is off the map; units exit from column {column}", unit=order.unit, column=west)
            raise IllegalOrder("M4.5", facts)
        if state.setting.grid.column(at) != west:
            facts = tr(
                "{unit} is in {hex}; units exit from column {column}",
                unit=order.unit,
                hex=at,
                column=west,
            )
            raise IllegalOrder("M4.5", facts)


def check_stacking(state: State, activation: Activation) -> None:
    """M4.2: check that at most two units, not counting Tiger 102, are in a hex after all movement.

    If one of them may still be ordered away, the list is `Unfinished`: two stacks may exchange places.
    """
    side = state.side(activation.movers[0])
    places = stacking_places(state, side, activation.goals)
    for to in activation.goals.values():
        if to != EXITED and places.count(to) > MOST_IN_A_HEX:
            units = zip(state.setting.stacking[side], places, strict=True)
            stack = [name for name, at in units if at == to]
            kind = Unfinished if _may_leave(state, activation, to) else IllegalOrder
            raise kind("M4.2", describe_overstacking(side, to, stack))


def _may_leave(state: State, activation: Activation, at: str) -> bool:
    """M4.2: whether a unit in a hex may still be ordered away by one more order."""
    if activation.attacks:
        return False
    side, going = state.side(activation.movers[0]), activation.goals
    staying = [name for name in state.setting.stacking[side] if state.at(name) == at and name not in going]
    acting = activation.acting
    return any(card_allows(state, (*acting, name), going, support=False) for name in staying)


def describe_overstacking(side: str, at: str, stack: Sequence[str]) -> Said:
    """M4.2: describe a stack of more than two units of a side."""
    number, names = numeral(len(stack)), listed(stack)
    if side == US:
        return tr(
            "{hex} would hold {number} units ({names}); it may hold two", number=number, hex=at, names=names
        )
    return tr(
        "{hex} would hold {number} units ({names}); it may hold two besides Tiger 102",
        number=number,
        hex=at,
        names=names,
    )


def stacking_places(state: State, side: str, goals: Mapping[str, str]) -> list[str]:
    """M4.2: the places of a side's units that count for stacking, after some have moved to their goals."""
    units = state.units
    return [goals[name] if name in goals else units[name].at for name in state.setting.stacking[side]]


def barred_hexes(state: State, side: str) -> set[str]:
    """M4.1, M4.3: the hexes that no unit of a side may enter: held by the enemy, or closed to the side."""
    return {*state.places(enemy(side)), *closed_hexes(state, side)}


def goals(state: State, name: str, barred: Collection[str]) -> list[str]:
    """M4.1, M4.3 to M4.5: where a unit still in the game may go, apart from stacking (M4.2).

    `EXITED` comes last.
    """
    setting, at, side = state.setting, state.at(name), state.side(name)
    if at != WAITING:
        near = setting.grid.adjacent(at)
    elif state.turn >= setting.counters[name].arrives:
        near = setting.columns[entry_column(setting, name)]
    else:
        near = ()
    goals = [to for to in near if to not in barred]
    if side == GERMAN and at in setting.columns[setting.west]:
        goals.append(EXITED)
    return goals


async def move(state: State, order: Movement) -> State:
    """M4.1, M4.4, M4.5: carry out one movement, and report it."""
    unit, to, start = order.unit, order.to, state.at(order.unit)
    seat = state.side(unit)
    state = state.with_unit_at(unit, to)
    if type(order) is Move:
        await Tell(state, "M4.1", events.Moves(seat, unit, start, to))
    elif type(order) is Enter:
        await Tell(state, "M4.4", events.Enters(seat, unit, to))
    else:
        needed = state.setting.options.exits_to_win
        await Tell(state, "M4.5", events.Exits(seat, unit, start, state.exits, needed))
    return state
