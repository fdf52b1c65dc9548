"""Undo at the board: the player's last entry, while nobody else has received it (FORMAT 6, decision 27)."""

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
    """A page's request to undo: the player says that nobody has it; `bound` is the question it shows."""

    bound: str
    faces: int = 0


def due(player: LocalPlayer, game: Game, file: Path) -> list[str]:
    """The entries to undo, the consequences, and what the player must be sure of; empty if he cannot undo."""
    try:
        undoable = what_can_be_undone(player, game)
    except PbemError:
        return []
    return [] if undoable.why_not else [*map(safe, at_stake(undoable)), safe(sure_of(file))]


def undone(player: LocalPlayer, game: Game, file: Path) -> tuple[Game, list[str]]:
    """Undo the last entry: the game without it, and notes on its consequences. Raises `PbemError`."""
    done = undo_mail.undo(player, game, file, nobody_has_it=True)
    return done.game, list(map(safe, undo_mail.came_of(player, done, file)))
