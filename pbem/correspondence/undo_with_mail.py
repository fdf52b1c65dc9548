"""Undo for a player by mail: it also deletes the mails with the undone entries."""

from __future__ import annotations

from pathlib import Path

from pbem.base.files import write_atomically
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.question_record import QuestionRecord
from pbem.player.actions import undo as act
from pbem.player.actions.undo import UndoResult
from pbem.player.local_player import LocalPlayer
from pbem.player.status import describe_pending, game_status
from pbem.render.safe_text import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.game_state import Game

tr = Texts("pbem")


def undo_with_mail(player: LocalPlayer, game: Game, file: Path, *, nobody_has_it: bool) -> UndoResult:
    """Undo the player's newest decision, and delete the mails with it from the outbox.

    Raises as `player.actions.undo.undo`.
    """
    if nobody_has_it and not act.undoable_entries(player, game).why_not:
        QuestionRecord(player.home).clear_done(
            game.ids[0]
        )  # first: whatever is signed next was not ordered by reply
    undone = act.undo(player, game, file, nobody_has_it=nobody_has_it)
    Outbox(player.home).delete(game.ids[0], game.ids[len(undone.game.ids) :])
    return undone


def describe_undone(player: LocalPlayer, undone: UndoResult, file: Path) -> list[str]:
    """Where the undone entries are saved, whether a plan was disarmed, and whose turn it is now."""
    lines = [tr("What you signed is kept in {file}; never share it.", file=safe_text(str(undone.evidence)))]
    if undone.disarmed:
        arm = f"pbem plan {quote_path(file)} arm"
        lines.append(tr("Your plan has been disarmed; to arm it again: {command}", command=arm))
    return [*lines, *describe_pending(game_status(player, undone.game), file)]


def write_undone_state(player: LocalPlayer, game: Game, file: Path) -> Game:
    """Write the stored game, without the undone entries, to `file`, and return it. Raises `StorageError`."""
    stored = player.store.find(game.ids[0])
    now = player.open(stored.data)
    Outbox(player.home).delete(game.ids[0], game.ids[len(now.ids) :])
    write_atomically(file, stored.data)
    return now
