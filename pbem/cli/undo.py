"""Undo what nobody has got: `undo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.arguments import File
from pbem.cli.lazy import commands
from pbem.cli.session import desk, file_to_write, open_file
from pbem.cli.terminal import be_sure, interactive, put
from pbem.correspondence.locate_game import unsent
from pbem.correspondence.undo_mail import came_of, finish
from pbem.correspondence.undo_mail import undo as take_back
from pbem.errors import NotYourMove, PbemError
from pbem.player.actions.preconditions import held_a_seat
from pbem.player.actions.undo import Undoable, at_stake, sure_of, what_can_be_undone
from pbem.player.local_player import LocalPlayer
from pbem.player.status.describe_status import what_next
from pbem.player.status.pending_question import waits_for
from pbem.player.store.relation import Relation
from pbem.render.words import quoted, safe
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
    mine = desk()
    opened = open_file(mine, file or unsent(mine))
    game, place = opened.game, file_to_write(mine, opened)
    held_a_seat(mine, game, opened.typed)
    if mine.relation(game, opened.data) is Relation.UNDONE:
        _tell_finished(finish(mine, game, place), mine, place)
        return
    mine.keep(game, opened.data, file=None if opened.found else place)
    found = what_can_be_undone(mine, game)
    if found.why_not:
        raise _refused(found, opened.typed)
    if not nobody_has_it:
        _ask(found, game, opened.typed, place)
    undone = take_back(mine, game, place, nobody_has_it=True)
    lines = [tr("Undone: {entry}", entry=line) for line in found.words]
    put("\n".join([*lines, *came_of(mine, undone, place)]))
    put(what_next(waits_for(undone.game, mine.key), undone.game, mine.key, place))


def _tell_finished(now: Game, mine: LocalPlayer, file: Path) -> None:
    """Print that a file which still had the undone entries now has the game without them."""
    put(tr("That is undone already; now {file} is without it too.", file=safe(str(file))))
    put(what_next(waits_for(now, mine.key), now, mine.key, file))


def _refused(found: Undoable, file: str) -> NotYourMove:
    """The error that says why nothing can be undone, and what to do instead."""
    propose = f"pbem propose {quoted(file)} last"
    hints = {
        "now": tr("a take-back does it: {command}", command=propose),
        "never": tr("to give the game up: {command}", command=f"pbem resign {quoted(file)}"),
        "later": tr("when it is your turn to write, ask for a take-back: {command}", command=propose),
    }
    return NotYourMove(found.why_not, hint=hints.get(found.take_back, ""))


def _ask(found: Undoable, game: Game, file: str, place: Path) -> None:
    """Have the player confirm that nobody has received the entries. Raises `PbemError` without a terminal."""
    if not interactive():
        raise PbemError(
            tr("only you know whether anybody has got {file} since entry {n}", file=place, n=found.first),
            hint=tr("if nobody has: {command}", command=f"pbem undo {quoted(file)} --nobody-has-it"),
        )
    for line in at_stake(found):
        put(line, indent=2)
    be_sure(sure_of(place))
