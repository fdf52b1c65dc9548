"""A checked game once more from the start, entry by entry, for pictures of what it looked like then."""

from __future__ import annotations

from collections.abc import Iterator

from pbem import budgets
from pbem.umpire.game import Chapter, Game
from pbem.umpire.scenario import agreed_data
from pbem.umpire.table import Table
from pbem.umpire.verify import play_on


def replay(game: Game) -> Iterator[tuple[Chapter, Table]]:
    """Each entry with the table as it left it. It is one table that goes on: look at it before the next.

    Raises `OverBudget` within `budgets.limited`.
    """
    offer = game.offer
    start = game.rules.begin(offer.options, agreed_data(offer, game.rules))
    table = Table(game.rules, offer.game, start, offer.beats)
    for entry in game.entries:
        budgets.check()
        yield play_on(table, entry), table


def at_entry(game: Game, number: int) -> Table:
    """The table as an entry left it. Raises ValueError for a number that the log does not have."""
    for index, (_, table) in enumerate(replay(game)):
        if index == number:
            return table
    raise ValueError(f"found entry {number}, expected one from 0 to {len(game.entries) - 1}")
