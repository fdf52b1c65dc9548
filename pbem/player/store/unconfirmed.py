"""Games of which the player has yet to confirm that he knows no newer state (FORMAT 6).

    home/games/<id of entry 0>/doubted    there until he does

Such a game came out of a backup, or by mail to a new computer: he may have signed more than the store knows.
It is read, and extended by what arrives; nothing is signed in it, shares included, and nothing of it leaves.
"""

from __future__ import annotations

from pathlib import Path

from pbem.base.files import make_folder, write_atomically
from pbem.errors import UnknownGame
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")

UNCONFIRMED_FILE = "doubted"


class UnconfirmedGames:
    """The unconfirmed games in the folder `home`. Whoever writes holds the lock of the store."""

    def __init__(self, home: Path) -> None:
        self._games = home / "games"

    def has(self, game: str) -> bool:
        """Whether a game is unconfirmed."""
        return self._path(game).exists()

    def check(self, game: str) -> None:
        """Raise `UnknownGame` for an unconfirmed game."""
        if self.has(game):
            raise UnknownGame(describe_unconfirmed(game), hint=newest_only_hint())

    def note(self, game: str) -> None:
        """Note that a game is unconfirmed from now on. Raises `ShelfError`."""
        make_folder(self._path(game).parent)
        write_atomically(self._path(game), b"", private=True)

    def confirm(self, game: str) -> None:
        """Note that the player knows no newer state."""
        self._path(game).unlink(missing_ok=True)

    def _path(self, game: str) -> Path:
        return self._games / game / UNCONFIRMED_FILE


def describe_unconfirmed(game: str) -> str:
    """The statement that a game may have been continued elsewhere."""
    return tr(
        "game {game} came out of a backup or by mail, and may not be the newest that you have signed",
        game=game[:SHORT_ID_DIGITS],
    )


def newest_only_hint() -> str:
    """The reason why the player is asked whether he knows a newer state."""
    return tr("go on only if you know none newer: an answer to an old file gives coming draws away")
