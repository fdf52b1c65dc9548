"""Undo at the board: the player's last entry, while nobody else has received it (FORMAT 6, decision 27)."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.correspondence import undo_mail
from pbem.errors import PbemError
from pbem.player.actions.undo import describe_undo, undo_question, undoable_entries
from pbem.player.local_player import LocalPlayer
from pbem.render.words import safe_text
from pbem.umpire.game import Game


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to undo: the player says that nobody has it; `bound` is the question it shows."""

    bound: str
    faces: int = 0


def undo_notes(player: LocalPlayer, game: Game, file: Path) -> list[str]:
    """The entries to undo, the consequences, and what the player must be sure of; empty if he cannot undo."""
    try:
        undoable = undoable_entries(player, game)
    except PbemError:
        return []
    return (
        [] if undoable.why_not else [*map(safe_text, describe_undo(undoable)), safe_text(undo_question(file))]
    )


def undo_last(player: LocalPlayer, game: Game, file: Path) -> tuple[Game, list[str]]:
    """Undo the last entry: the game without it, and notes on its consequences. Raises `PbemError`."""
    done = undo_mail.undo_with_mail(player, game, file, nobody_has_it=True)
    return done.game, list(map(safe_text, undo_mail.describe_undone(player, done, file)))
