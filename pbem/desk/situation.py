"""How a game stands for a player, as data: what has happened that he may not know, and what he alone sees.

Every surface tells it: `show`, the prompt, the board and the letter to oneself. `report` has the words.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.core.requests import Tell
from pbem.desk.desk import Desk
from pbem.desk.looked import Looked
from pbem.umpire import Chapter, Game, seated
from pbem.umpire.facts import decides_nothing
from pbem.umpire.table import Table


class Situation(Struct, frozen=True):
    """A game for whoever's desk it is. `table` has what his share unlocks, which `news` have not."""

    game: Game
    table: Table
    news: tuple[Chapter, ...]

    @property
    def unlocked(self) -> tuple[Tell, ...]:
        """What only his share tells; his next entry writes it into the file."""
        return tuple(self.table.run.told)


def situation(desk: Desk, game: Game) -> Situation:
    """How the game stands. Raises `KeyFileError`, `ShelfError`."""
    table = seated.unlock(game, desk.key) if desk.has_key else game.table
    return Situation(game, table, news(desk, game))


def news(desk: Desk, game: Game) -> tuple[Chapter, ...]:
    """The entries since the player last looked, and at most since his last decision, which comes with them.

    A share that was written for him is no decision, so it hides nothing. In solitaire, and for a spectator,
    there are those since he looked. The last entry is always told. Raises `ShelfError`.
    """
    last, seats = len(game.chapters) - 1, desk.seats(game)
    looked = Looked(desk.home).first_told(game)
    if len(seats) != 1:
        return game.chapters[min(looked or last, last) :]
    own = [one.entry.body for one in game.chapters if one.entry.body.by in seats]
    decided = max((body.n for body in own if not decides_nothing(body)), default=0)
    return game.chapters[min(max(looked, decided), last) :]


def is_over_unseen(desk: Desk, game: str, head: str) -> bool:
    """Whether the player has not looked at a game since its last entry `head`; for one that is over, news.

    Both are ids. Raises `ShelfError`.
    """
    return Looked(desk.home).mark(game).at != head
