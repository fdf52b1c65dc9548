"""Messages to the opponent: `say`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import FileBeforeOrders
from pbem.cli.lazy import commands
from pbem.cli.session import desk, open_file, parted
from pbem.cli.terminal import put
from pbem.player.pending.pending_message import Words
from pbem.player.status.describe_status import came_back
from pbem.render.words import said
from pbem.texts import Texts

app = commands()
tr = Texts("pbem")


@app.command()
def say(
    file: FileBeforeOrders = "",
    words: Annotated[
        str, typer.Argument(metavar="words", help="What you say; without it, what waits is shown.")
    ] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take back the words that wait.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Let the words go that came back when you undid their entry.")
    ] = False,
) -> None:
    """Say something to your opponent, also when it is not your move: it goes with your next orders.

    The words wait on this computer alone, and stand in no file until then.

    Example: pbem say mortain.yaml "I am away until Sunday."
    """
    mine = desk()
    file, given = parted(mine, file, *([words] if words else []))
    words = " ".join(given)
    opened = open_file(mine, file)
    game = opened.game
    kept = Words(mine.home)
    if remove:
        kept.remove(game)
    keeping = words or (again and kept.suspended(game))
    waiting = kept.keep(game, mine.key, words) if keeping else kept.waiting(game, mine.key)
    if waiting:
        put(tr("These words wait for your next orders, proposal or answer:"))
        put("\n".join(said(waiting)))
        return
    put("\n".join(came_back(kept.suspended(game), opened.typed)) or tr("No words wait."))
