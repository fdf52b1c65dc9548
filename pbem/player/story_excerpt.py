"""Excerpts from a game's story: the entries of one turn, and the part of an entry about one unit."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Margin
from pbem.core.phrases import Word
from pbem.core.requests import Plain, Tell, texts
from pbem.format.entries import Accept, Play
from pbem.texts import Texts
from pbem.umpire.game_state import Game, ReplayedEntry

tr = Texts("pbem")


def entries_of_turn(game: Game, turn: int) -> list[ReplayedEntry]:
    """The entries of a turn, from the one that begins it to the one that ends it.

    Empty if the game has no turns.
    """
    turn_of = game.rules.view.turn
    if turn_of is None:
        return []
    before = [game.replayed_entries[0], *game.replayed_entries]
    return [
        chapter
        for last, chapter in zip(before, game.replayed_entries, strict=False)
        if turn in (turn_of(last.state), turn_of(chapter.state))
    ]


def find_unit(game: Game, typed: str) -> str:
    """The unit of either side whose name equals, or begins with, the typed text. Raises `OrderError`."""
    names = list(_unit_names(game.rules.view.legend(game.replayed_entries[0].state)))
    return Word(typed, typed, 0, len(typed)).choose(names, tr("a unit of the game"))


def excerpt_for_unit(game: Game, one: ReplayedEntry, unit: str) -> ReplayedEntry | None:
    """An entry reduced to the orders and events about a unit; None if there are none.

    An event that names no unit, such as a die roll, belongs to the one before it.
    """
    units = set(_unit_names(game.rules.view.legend(one.state)))
    told: list[Tell] = []
    meant = False
    for tell in one.events:
        named = units & set(texts(tell.facts))
        meant = unit in named if named else meant
        if meant:
            told.append(tell)
    body = one.entry.body
    orders = body.orders if isinstance(body, (Accept, Play)) else None
    kept = [_part_of_order(order, unit) for order in orders or [] if unit in texts(order)]
    if not (told or kept):
        return None
    if isinstance(body, (Accept, Play)):
        body = replace(body, orders=kept)
    return replace(one, entry=replace(one.entry, body=body), events=tuple(told))


def _part_of_order(order: Plain, unit: str) -> Plain:
    """An order reduced to the unit's hex, if it lists those of many units."""
    return {
        verb: {unit: value[unit]} if isinstance(value, dict) and unit in value else value
        for verb, value in order.items()
    }


def _unit_names(legend: Legend) -> Iterator[str]:
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    return (piece.name for place in places for piece in place.pieces)
