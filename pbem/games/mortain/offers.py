"""What a player may be offered: legal answers, the simple ones (M3.9). Only `read` judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

from pbem.core.requests import Ask, Orders, Plain
from pbem.errors import IllegalOrder
from pbem.games.mortain import activation, cards
from pbem.games.mortain.movement import entry_column
from pbem.games.mortain.placing import placements
from pbem.games.mortain.setting import GERMAN, US
from pbem.games.mortain.state import WAITING, State
from pbem.games.mortain.support import way_of


def offers(ask: Ask[Any]) -> Iterator[Orders]:
    """Legal answers: some placements; a pass, every one-unit list and every support order; both choices."""
    state: State = ask.state
    match ask.question:
        case "place":
            lists = placements(state)
        case "activate":
            lists = iter([[{"pass": True}], *([order] for order in candidates(state))])
        case _:
            lists = iter([[{"faces": "redraw"}], [{"faces": "miss"}]])
    for orders in lists:
        if accepts(ask.read, orders):
            yield orders


def can_act(state: State) -> bool:
    """M3.9: whether some one-unit list or some support order is legal."""
    read = partial(activation.read, state)
    return any(accepts(read, [order]) for order in candidates(state))


def accepts(read: Callable[[Orders], Any], orders: Orders) -> bool:
    """Whether orders are legal for a question's reader."""
    try:
        read(orders)
    except IllegalOrder:
        return False
    return True


def candidates(state: State) -> Iterator[Plain]:
    """Every order that could be legal by itself: of each unit, then of support."""
    assert state.card is not None
    seat = cards.seat(state.card)
    for name in state.army(seat):
        yield from unit_candidates(state, name)
    if seat == US and state.support == "available":
        yield from support_candidates(state)


def unit_candidates(state: State, name: str) -> Iterator[Plain]:
    """Every order of one unit that could be legal: exit, moves, fire; or entering, if it waits."""
    grid, side, at = state.setting.grid, state.side(name), state.at(name)
    if at == WAITING:
        column = entry_column(state.setting, name)
        yield from ({"enter": name, "at": to} for to in grid.numbers if grid.column(to) == column)
    elif state.on_map(name):
        yield from ({"move": name, "to": to} for to in grid.adjacent(at))
        yield {"exit": name}
        enemies = state.field(US if side == GERMAN else GERMAN)
        yield from ({"fire": [name], "at": target} for target in enemies)


def support_candidates(state: State) -> Iterator[Plain]:
    """Every support order that could be legal on this card: attacks on parts of each stack, suppression."""
    assert state.card is not None
    way = way_of(state.card)
    germans = state.field(GERMAN)
    for at in dict.fromkeys(state.at(name) for name in germans):
        stack = [name for name in germans if state.at(name) == at]
        for number in range(1, len(stack) + 1):
            for targets in combinations(stack, number):
                yield {way: list(targets)}
    if way == "air":
        yield from ({"suppress": at} for at in state.setting.grid.numbers)
