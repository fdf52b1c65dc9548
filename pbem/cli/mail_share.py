"""Mail to the commanders of a side: `mail share`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import File, Newest
from pbem.cli.lazy import commands
from pbem.cli.session import confirm_address, local_player, open_to_play
from pbem.cli.terminal import put
from pbem.player.actions.action import ActionContext
from pbem.player.actions.orders import GiveShare
from pbem.player.clock import now
from pbem.render.story import describe_entry
from pbem.render.words import quote_path
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS

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

    mine = local_player()
    game, written = open_to_play(mine, file, newest)
    settings = settings_to_send(mine.home)
    command = f"pbem mail share {quote_path(file or game.ids[0][:SHORT_ID_DIGITS])}"
    contacts = Contacts(mine)
    found = [
        (commander, confirm_address(contacts, contact, "", command))
        for commander, contact in commander_mail.addressees(mine, game, to or [])
    ]
    if permissions.has_forced_entry(game, mine.key):
        game = GiveShare(ActionContext(mine, game, written)).write()
        mine.save(game, written)
        put(describe_entry(game, game.replayed_entries[-1]))
    for commander, contact in found:
        commander_mail.mail_to_commander(mine, settings, game, commander, contact, now())
        put(tr("Sent to {mailbox}.", mailbox=contact.mailbox))
