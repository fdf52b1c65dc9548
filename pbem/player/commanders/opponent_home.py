"""The practice opponent: its home inside the player's, and which practice player it is in each game.

How well it plays, and how long it thinks, is stored beside its key; the game file does not say.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.base.files import JsonStore
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")

SENSIBLE = "sensible"
THINK_SECONDS = 2.0
"""The default seconds for an answer of a practice player that searches."""


class Opponent(Struct, frozen=True):
    """The practice player of a game by name, and the seconds that it may think about an answer."""

    player: str = SENSIBLE
    think: float = THINK_SECONDS


def practice_player(desk: LocalPlayer) -> LocalPlayer:
    """The practice opponent, whose home is inside the player's; its key is made on first use."""
    opponent = LocalPlayer(desk.home / "practice")
    if not opponent.has_key:
        opponent.make_key()
    return opponent


def save_opponent(desk: LocalPlayer, game: str, opponent: Opponent) -> None:
    """Save who plays in a game from now on; `desk` is the practice opponent. Raises `ShelfError`."""
    opponent_store(desk).save(game, opponent)


def opponent_store(desk: LocalPlayer) -> JsonStore[Opponent]:
    """The opponents in all games for which one was chosen."""
    hint = tr("remove it: all are sensible then")
    return JsonStore(desk.home / "opponents.json", dict[str, Opponent], hint=hint)


def is_practice(game: Game, player: LocalPlayer) -> bool:
    """Whether the program plays a side of the game on this computer."""
    return (player.home / "practice").exists() and bool(
        permissions.held_seats(game, practice_player(player).key)
    )
