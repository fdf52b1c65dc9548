"""Mail to the commanders of a side: `mail share`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import File, Newest
from pbem.cli.lazy import commands
from pbem.cli.session import confirmed, desk, take_up
from pbem.cli.terminal import put
from pbem.player.actions.action import ActionContext
from pbem.player.actions.orders import Share
from pbem.player.clock import now
from pbem.render.story import chapter
from pbem.render.words import quoted
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import BRIEF

tr = Texts("pbem")

app = commands()


@app.command()
def share(
    file: File = "",
    to: Annotated[
        list[str] | None,
        typer.Option("--to", metavar="GROUP=ADDRESS", help="A commander's address; once is enough."),
    ] = None,
    newest: Newest = False,
) -> None:
    """Mail a game to the commanders of your side, who answer with drafts; what is due is done first.

    Example: pbem mail share rommel.yaml --to italian=graziani@example.org
    """
    from pbem.correspondence import commander_mail
    from pbem.correspondence.contacts import Contacts
    from pbem.correspondence.settings import settings_to_send

    mine = desk()
    game, written = take_up(mine, file, newest)
    settings = settings_to_send(mine.home)
    command = f"pbem mail share {quoted(file or game.ids[0][:BRIEF])}"
    contacts = Contacts(mine)
    found = [
        (commander, confirmed(contacts, contact, "", command))
        for commander, contact in commander_mail.addressees(mine, game, to or [])
    ]
    if permissions.owes_no_decision(game, mine.key):
        game = Share(ActionContext(mine, game, written)).write()
        mine.save(game, written)
        put(chapter(game, game.chapters[-1]))
    for commander, contact in found:
        commander_mail.share(mine, settings, game, commander, contact, now())
        put(tr("Sent to {mailbox}.", mailbox=contact.mailbox))
