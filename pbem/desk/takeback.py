"""Which of his moves a player may propose to take back (FORMAT 6.6)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.journal.shapes import Answer, Play, Propose
from pbem.keys import PrivateKey
from pbem.report import typed
from pbem.umpire import Game, seated


def in_force(game: Game) -> Iterator[Play]:
    """The entries with orders that no take-back has undone, oldest first."""
    line: tuple[Play, ...] = ()
    after: list[tuple[Play, ...]] = []
    for entry in game.entries:
        body = entry.body
        if isinstance(body, Play) and body.orders is not None:
            line = (*line, body)
        elif isinstance(body, Answer) and body.accept:
            proposed = game.entries[body.n - 1].body
            if isinstance(proposed, Propose) and proposed.what.takeback is not None:
                line = after[proposed.what.takeback]
        after.append(line)
    yield from line


def before(game: Game, n: int) -> int:
    """The last entry before `n` to which a take-back may go."""
    return max((one for one in range(1, n) if game.table.may_be_named(one)), default=n - 1)


def may_be_taken_back(game: Game, key: PrivateKey) -> list[tuple[int, str]]:
    """The player's moves in force, the newest first: the entry to go back to, and the orders as typed."""
    own = seated.held(game, key)
    moves = [one for one in in_force(game) if one.by in own]
    return [(before(game, one.n), typed(game, one.orders or [])) for one in reversed(moves)]
