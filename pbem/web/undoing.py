"""Undo at the board: what the player has signed last, while nobody has got it (FORMAT 6, decision 27)."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.correspondence import undo_mail
from pbem.errors import PbemError
from pbem.player.actions.undo import at_stake, sure_of, what_can_be_undone
from pbem.player.local_player import LocalPlayer
from pbem.render.words import safe
from pbem.umpire.game import Game


class Undoing(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's word that nobody has got what `due` has told of; `bound` is the question that he sees."""

    bound: str
    faces: int = 0


def due(player: LocalPlayer, game: Game, file: Path) -> list[str]:
    """The entries to undo, the consequences, and what only the player knows; empty where he cannot."""
    try:
        undoable = what_can_be_undone(player, game)
    except PbemError:
        return []
    return [] if undoable.why_not else [*map(safe, at_stake(undoable)), safe(sure_of(file))]


def undone(player: LocalPlayer, game: Game, file: Path) -> tuple[Game, list[str]]:
    """The game without it, and what became of all else that it had taken along. Raises `PbemError`."""
    done = undo_mail.undo(player, game, file, nobody_has_it=True)
    return done.game, list(map(safe, undo_mail.came_of(player, done, file)))
