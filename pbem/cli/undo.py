"""Undo what nobody has got: `undo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.arguments import File
from pbem.cli.lazy import commands
from pbem.cli.session import file_to_write, local_player, open_file
from pbem.cli.terminal import confirm_or_exit, is_interactive, put
from pbem.correspondence.locate_game import unmailed_game
from pbem.correspondence.undo_mail import describe_undone, write_undone_state
from pbem.correspondence.undo_mail import undo_with_mail as take_back
from pbem.errors import NotYourMove, PbemError
from pbem.player.actions.preconditions import check_holds_seat
from pbem.player.actions.undo import UndoableEntries, describe_undo, undo_question, undoable_entries
from pbem.player.local_player import LocalPlayer
from pbem.player.status.describe_status import describe_next_step
from pbem.player.status.pending_question import pending_question
from pbem.player.store.relation import Relation
from pbem.render.words import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.game import Game

tr = Texts("pbem")

app = commands()


@app.command()
def undo(
    file: File = "",
    nobody_has_it: Annotated[
        bool, typer.Option("--nobody-has-it", help="Do not ask whether anybody has got the file since.")
    ] = False,
) -> None:
    """Undo your newest decision, or give back a seat you have just taken, while nobody else has it.

    What pbem has mailed, made a mail of, or written into a page stays. Ask for a take-back then.

    Example: pbem undo mortain.yaml
    """
    mine = local_player()
    opened = open_file(mine, file or unmailed_game(mine))
    game, place = opened.game, file_to_write(mine, opened)
    check_holds_seat(mine, game, opened.typed)
    if mine.relation(game, opened.data) is Relation.UNDONE:
        _tell_already_undone(write_undone_state(mine, game, place), mine, place)
        return
    mine.record(game, opened.data, file=None if opened.source else place)
    found = undoable_entries(mine, game)
    if found.why_not:
        raise _undo_refusal(found, opened.typed)
    if not nobody_has_it:
        _confirm_undo(found, game, opened.typed, place)
    undone = take_back(mine, game, place, nobody_has_it=True)
    lines = [tr("Undone: {entry}", entry=line) for line in found.words]
    put("\n".join([*lines, *describe_undone(mine, undone, place)]))
    put(describe_next_step(pending_question(undone.game, mine.key), undone.game, mine.key, place))


def _tell_already_undone(now: Game, mine: LocalPlayer, file: Path) -> None:
    """Print that a file which still had the undone entries now has the game without them."""
    put(tr("That is undone already; now {file} is without it too.", file=safe_text(str(file))))
    put(describe_next_step(pending_question(now, mine.key), now, mine.key, file))


def _undo_refusal(found: UndoableEntries, file: str) -> NotYourMove:
    """The error that says why nothing can be undone, and what to do instead."""
    propose = f"pbem propose {quote_path(file)} last"
    hints = {
        "now": tr("a take-back does it: {command}", command=propose),
        "never": tr("to give the game up: {command}", command=f"pbem resign {quote_path(file)}"),
        "later": tr("when it is your turn to write, ask for a take-back: {command}", command=propose),
    }
    return NotYourMove(found.why_not, hint=hints.get(found.take_back, ""))


def _confirm_undo(found: UndoableEntries, game: Game, file: str, place: Path) -> None:
    """Have the player confirm that nobody has received the entries. Raises `PbemError` without a terminal."""
    if not is_interactive():
        raise PbemError(
            tr("only you know whether anybody has got {file} since entry {n}", file=place, n=found.first),
            hint=tr("if nobody has: {command}", command=f"pbem undo {quote_path(file)} --nobody-has-it"),
        )
    for line in describe_undo(found):
        put(line, indent=2)
    confirm_or_exit(undo_question(place))
