"""The practice opponent: its desk inside the player's home, and which player it is in which game.

How well it plays, and how long it thinks, is kept beside its key; the file does not say.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.base.files import Store
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")

SENSIBLE = "sensible"
THINK = 2.0
"""Seconds that a player which searches thinks over an answer, if nobody says how long."""


class Opponent(Struct, frozen=True):
    """The practice player of a game that plays, and the seconds that it may think over an answer."""

    player: str = SENSIBLE
    think: float = THINK


def practice_desk(desk: LocalPlayer) -> LocalPlayer:
    """The practice opponent's own desk, inside the player's home; its key is made when first wanted."""
    opponent = LocalPlayer(desk.home / "practice")
    if not opponent.has_key:
        opponent.make_key()
    return opponent


def appoint(desk: LocalPlayer, game: str, opponent: Opponent) -> None:
    """Say who plays in a game from now on; `desk` is the practice opponent's own. Raises `ShelfError`."""
    opponents(desk).put(game, opponent)


def opponents(desk: LocalPlayer) -> Store[Opponent]:
    """The opponents in all games where one was chosen."""
    hint = tr("remove it: all are sensible then")
    return Store(desk.home / "opponents.json", dict[str, Opponent], hint=hint)


def is_practice(game: Game, player: LocalPlayer) -> bool:
    """Whether the program plays a side of the game on this computer."""
    return (player.home / "practice").exists() and bool(
        permissions.held_seats(game, practice_desk(player).key)
    )
