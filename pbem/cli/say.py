"""Messages to the opponent: `say`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import FileBeforeOrders
from pbem.cli.lazy import commands
from pbem.cli.session import local_player, open_file, split_off_game
from pbem.cli.terminal import put
from pbem.player.pending.pending_message import PendingMessages
from pbem.player.status.describe_status import describe_suspended_message
from pbem.render.words import quote_lines
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
    mine = local_player()
    file, given = split_off_game(mine, file, *([words] if words else []))
    words = " ".join(given)
    opened = open_file(mine, file)
    game = opened.game
    kept = PendingMessages(mine.home)
    if remove:
        kept.remove(game)
    keeping = words or (again and kept.suspended_message(game))
    waiting = kept.save(game, mine.key, words) if keeping else kept.pending_for(game, mine.key)
    if waiting:
        put(tr("These words wait for your next orders, proposal or answer:"))
        put("\n".join(quote_lines(waiting)))
        return
    put(
        "\n".join(describe_suspended_message(kept.suspended_message(game), opened.typed))
        or tr("No words wait.")
    )
