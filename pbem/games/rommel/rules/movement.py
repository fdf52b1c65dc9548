"""R5, ground movement: paths, allowances, supply, zones of control (R5.1 to R5.5), and mines (R5.6, R5.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.core.forms import repeated
from pbem.core.hexes import Grid
from pbem.core.paths import Path, cheapest
from pbem.core.requests import Orders, Plain, Tell
from pbem.core.sentences import joined, listed
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import flak
from pbem.games.rommel.rules.events import Clears, Moves, Obliged
from pbem.games.rommel.rules.orders import Answer, Move, Refusal, check_units, read_orders
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.rules.weather import march_range
from pbem.games.rommel.terms.setting import AXIS, FOOT, Weather
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")


MOST_MINED_AT_ONCE = 2
"""R5.6: how many mined hexes an Allied unit may enter if they are its whole move."""


def may_enter_mines(state: State, name: str) -> bool:
    """R5.6: whether a unit is of a type that may enter mined hexes."""
    kind = state.kind(name)
    return kind in FOOT or (kind == "mechanised" and state.setting.options.mechanised_in_mines)


def mines_refusal(state: State, name: str, mined: Sequence[str], length: int) -> Refusal | None:
    """R5.6: why a path of this length may not enter these mined hexes; None if it may."""
    if state.side(name) == AXIS or len(mined) <= 1 or len(mined) == length == MOST_MINED_AT_ONCE:
        return None
    return lambda: IllegalOrder(
        "R5.6", tr("{unit} may enter one mined hex, or two if they are its whole move", unit=name)
    )


def mined_hexes_on(state: State, path: Sequence[str]) -> tuple[str, ...]:
    """The mined hexes of a path, each once, in order."""
    return tuple([at for at in dict.fromkeys(path) if state.is_mined(at)])


def check_clearing(state: State, order: Move) -> None:
    """R5.6: check that an Axis unit clears one more hex for each mined hex it enters.

    The hex must be next to the one entered, and off the unit's path.

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
    """Whether each wanted hex can be matched with its own adjacent hex of the path."""
    takers: dict[str, str] = {}

    def find_hex(at: str, tried: set[str]) -> bool:
        """Match `at` with a hex of the path, if necessary by giving its present partner another one."""
        for beside in path:
            if beside in grid.adjacent(at) and beside not in tried:
                tried.add(beside)
                if beside not in takers or find_hex(takers[beside], tried):
                    takers[beside] = at
                    return True
        return False

    return all(find_hex(at, set()) for at in wanted)


def hexes_cleared(state: State, order: Move) -> tuple[str, ...]:
    """R5.6: the hexes cleared by a legal move: those it enters, then those it names."""
    return (*mined_hexes_on(state, order.path), *order.clear)


def clear_mines(state: State, hexes: Sequence[str]) -> State:
    """R5.7: the state with mined hexes cleared permanently."""
    return state.with_changes(cleared=tuple(sorted((*state.cleared, *hexes)))) if hexes else state


ROAD_BONUS = 2
"""R5.3: how many more hexes a unit may go on a path that is all road."""


class Leg(NamedTuple):
    """A path so far, as needed to judge its next step: the hex, whether all was road, mined hexes entered."""

    at: str
    by_road: bool
    mined: tuple[str, ...]


def read(state: State, orders: Plain) -> Answer:
    """Parse the orders of `ground_move`, each judged on the board after the earlier ones (R5.1).

    Raises `IllegalOrder`.
    """
    answer = read_orders(state, orders)
    flak.check_standing_orders(state, state.active, answer)
    moved: set[str] = set()
    for order in answer:
        if isinstance(order, Move):
            _check_unit(state, order.unit)
            if order.unit in moved:
                raise IllegalOrder("R5.2", tr("{unit} may move only once a turn", unit=order.unit))
            _check_path(state, order)
            check_clearing(state, order)
            moved.add(order.unit)
            state = state_after(state, order)
    return answer


def _check_unit(state: State, name: str) -> None:
    """R10.2, R5.2: check that the unit is a land unit of the active side."""
    check_units(state, state.active, (name,))
    if state.counter(name).flies:
        raise IllegalOrder("R5.2", tr("{unit} is an aircraft; aircraft do not move on the ground", unit=name))


def _check_path(state: State, order: Move) -> None:
    """R5.2 to R5.6, R6.6: check that the unit may go along the path and stop at its end."""
    name, path = order.unit, order.path
    for before, to in zip((state.at(name), *path), path, strict=False):
        if to not in state.setting.grid.adjacent(before):
            facts = tr(
                "{hex} is not adjacent to {before}, on the path of {unit}", hex=to, before=before, unit=name
            )
            raise IllegalOrder("R5.2", facts)
    leg = first_leg(state, name)
    for to in path:
        _raise_refusal(obstacle(state, name, to))
        leg = _extend_path(state, leg, to)
    _check_length(state, name, leg, len(path))
    check_supply(state, name)
    _check_zones(state, name, path)
    _raise_refusal(mines_refusal(state, name, leg.mined, len(path)))
    _raise_refusal(halt_refusal(state, name, leg.at))


def _raise_refusal(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise refusal()


def _check_length(state: State, name: str, leg: Leg, length: int) -> None:
    """R5.2: check that the path is not too long.

    Cites the weather (R3.2, R3.3) if clear weather would allow the path, mines (R5.6) if they shorten it.
    """
    most = path_limit(state, name, leg, state.weather)
    if length <= most:
        return
    if length <= path_limit(state, name, leg, "clear"):
        rule = "R3.2" if state.weather == "dust" else "R3.3"
    else:
        rule = "R5.6" if length <= path_limit(state, name, leg._replace(mined=()), "clear") else "R5.2"
    facts = tr.plural(
        "{unit} may move {number} hex on this path, which is {length} long",
        "{unit} may move {number} hexes on this path, which is {length} long",
        most,
        unit=name,
        length=length,
    )
    raise IllegalOrder(rule, facts)


def check_supply(state: State, name: str) -> None:
    """R5.4: check that the unit is in supply when its move begins."""
    if not in_supply(state, name):
        facts = tr.plural(
            "{unit} in {hex} has no friendly supply unit within {number} hex",
            "{unit} in {hex} has no friendly supply unit within {number} hexes",
            state.setting.supply_radius,
            unit=name,
            hex=state.at(name),
        )
        raise IllegalOrder("R5.4", facts)


def _check_zones(state: State, name: str, path: Path) -> None:
    """R5.5: check that the unit stops where it enters a zone of control."""
    for at in path[:-1]:
        if zone := entered_zone(state, state.side(name), at):
            facts = tr(
                "{unit} must stop in {hex}, in the zone of {enemies}", unit=name, hex=at, enemies=joined(zone)
            )
            raise IllegalOrder("R5.5", facts)


def obstacle(state: State, name: str, at: str) -> Refusal | None:
    """R5.2, R5.6: why a unit may not enter a hex; None if it may."""
    if at not in state.setting.land:
        return lambda: IllegalOrder(
            "R5.2", tr("{unit} may not enter {hex}, which is sea or depression", unit=name, hex=at)
        )
    if state.ground.get(at, name) != name:
        return lambda: IllegalOrder(
            "R5.2",
            tr("{unit} may not enter {hex}, which holds {other}", unit=name, hex=at, other=state.ground[at]),
        )
    if state.is_mined(at) and not may_enter_mines(state, name):
        return lambda: IllegalOrder(
            "R5.6", tr("{unit} may not enter {hex}, which is mined", unit=name, hex=at)
        )
    return None


def halt_refusal(state: State, name: str, at: str) -> Refusal | None:
    """R6.6: why a unit may not stop in a hex that it may enter; None if it may."""
    if at in state.forts and not state.may_stand_on_a_fort(name):
        return lambda: IllegalOrder(
            "R6.6", tr("{unit} may not stop in {hex}, on a fortification", unit=name, hex=at)
        )
    return None


def path_limit(state: State, name: str, leg: Leg, weather: Weather | None) -> int:
    """R5.2, R5.3, R5.6: how many hexes a path of this kind may have in that weather."""
    most = march_range(state, name, weather)
    if state.side(name) == AXIS and leg.mined:
        most -= 1
    if leg.by_road and (weather != "storm" or state.kind(name) in FOOT):
        most += ROAD_BONUS
    return max(most, 0)


def in_supply(state: State, name: str) -> bool:
    """R5.4: whether a unit is supply, or within eight hexes (`supply_radius`) of friendly supply."""
    setting, at = state.setting, state.at(name)
    return state.kind(name) == "supply" or any(
        at in setting.grid.within(state.at(supply), setting.supply_radius)
        for supply in _supplies(state, state.side(name))
    )


def supply_reach(state: State, side: str) -> frozenset[str]:
    """R5.4: every hex on the map within eight (`supply_radius`) of a supply unit of a side."""
    within, radius = state.setting.grid.within, state.setting.supply_radius
    return frozenset().union(*[within(state.at(name), radius) for name in _supplies(state, side)])


def _supplies(state: State, side: str) -> list[str]:
    return [name for name in state.setting.supplies[side] if state.on_map(name)]


def zone_of_control(state: State, side: str) -> frozenset[str]:
    """R5.5: every hex on the map in the zone of control of a side's land unit."""
    return frozenset().union(*map(state.setting.grid.adjacent, state.held_hexes[side]))


def entered_zone(state: State, side: str, at: str) -> tuple[str, ...]:
    """R5.5: the enemies of a side in whose zone of control a hex is, in the scenario's order."""
    return state.foes(side, state.setting.grid.adjacent(at))


def targets_to_attack(state: State, name: str, at: str) -> tuple[str, ...]:
    """R5.5: the enemies, one of which a unit that moves to a hex must attack; none if it may not (R7.2)."""
    return () if flak.forgoes_attack(state, name) else entered_zone(state, state.side(name), at)


def reach(state: State, name: str) -> dict[str, Path]:
    """Every hex where a land unit may stop if it moves now, with the shortest legal path there.

    Of equal paths, the one with the lowest hex numbers.
    """
    found: dict[str, Path] = {}
    if not in_supply(state, name):
        return found
    start = first_leg(state, name)

    def onward(leg: Leg, path: Path) -> Iterator[tuple[str, Leg, int]]:
        return ((beyond.at, beyond, 1) for beyond in steps(state, name, leg, len(path)))

    for leg, path in cheapest(start, onward):
        if leg.at != start.at and halt_refusal(state, name, leg.at) is None:
            found.setdefault(leg.at, path)
    return found


def steps(state: State, name: str, leg: Leg, length: int) -> Iterator[Leg]:
    """R5.2 to R5.6: the legal next steps after a path of this length, for a unit in supply.

    The limit never grows with a step, so a path at its limit ends there.
    """
    if length >= path_limit(state, name, leg, state.weather):
        return
    if length and entered_zone(state, state.side(name), leg.at):
        return
    for to in state.setting.grid.adjacent(leg.at):
        if obstacle(state, name, to) is None:
            beyond = _extend_path(state, leg, to)
            short = length < path_limit(state, name, beyond, state.weather)
            if short and mines_refusal(state, name, beyond.mined, length + 1) is None:
                yield beyond


def first_leg(state: State, name: str) -> Leg:
    """A path before its first step."""
    return Leg(state.at(name), True, ())


def _extend_path(state: State, leg: Leg, to: str) -> Leg:
    """A path after one more step."""
    by_road = leg.by_road and (leg.at, to) in state.setting.roads
    new = state.is_mined(to) and to not in leg.mined
    return Leg(to, by_road, (*leg.mined, to) if new else leg.mined)


def state_after(state: State, order: Move) -> State:
    """The board after a legal move: the unit at the end of its path, mines cleared (R5.6)."""
    return clear_mines(state.with_unit_at(order.unit, order.path[-1]), hexes_cleared(state, order))


async def carry_out(state: State, orders: Answer) -> State:
    """R5.1: carry out moves in the order written, and report each."""
    for order in orders:
        if isinstance(order, Move):
            state = await _move(state, order)
    return state


async def _move(state: State, order: Move) -> State:
    """R5.2, R5.5, R5.6: carry out one move: the unit clears mines, and may now have to attack."""
    name, start, to = order.unit, state.at(order.unit), order.path[-1]
    hexes = hexes_cleared(state, order)
    state = state_after(state, order)
    await Tell(state, "R5.2", Moves(name, start, to, list(order.path)))
    if hexes:
        await Tell(state, "R5.6", Clears(name, list(hexes)))
    if targets := targets_to_attack(state, name, to):
        state = state.with_changes(obliged={**state.obliged, name: targets})
        await Tell(state, "R5.5", Obliged(name, list(targets)))
    return state


def answers(state: State) -> Iterator[Orders]:
    """Every move of one step, and longer ones by units that may enter a fortification but not stop on it."""
    passing: list[str] = []
    for name in state.army(state.active):
        if not in_supply(state, name):
            continue
        ahead = [leg.at for leg in steps(state, name, first_leg(state, name), 0)]
        halts = [to for to in ahead if halt_refusal(state, name, to) is None]
        yield from ([{"move": name, "path": [to]}] for to in halts)
        if len(halts) < len(ahead):
            passing.append(name)
    for name in passing:
        paths = (path for path in reach(state, name).values() if len(path) > 1)
        yield from ([{"move": name, "path": list(path)}] for path in paths)
