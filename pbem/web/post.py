"""Mailing the entries signed at the board: by the player's mail server, or with his mail program."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from pbem.correspondence import send
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.settings import read_config, settings_to_send
from pbem.errors import MailError, PbemError
from pbem.player.clock import now
from pbem.player.commanders.opponent_home import is_practice
from pbem.player.local_player import LocalPlayer
from pbem.render.words import safe_text
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")


class MailRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to mail the newest entries: how, and to whom; `bound` is the question it shows."""

    bound: str
    how: Literal["server", "program"]
    to: str


def mailing_data(player: LocalPlayer, game: Game) -> dict[str, Any] | None:
    """What a page needs to mail the player's newest entries; None if there is nothing to mail.

    That is the opponent's address, if known, and whether a mail server is set up; or a problem.
    """
    own = permissions.held_seats(game, player.key)
    if len(own) != 1 or game.state.writer in own or is_practice(game, player):
        return None
    try:
        send.author_of_newest(player, game)
    except MailError:  # the newest entry is the opponent's
        return None
    try:
        contact = Contacts(player).check_and_remember(game)
        settings = read_config(player.home).mail
    except PbemError as error:
        return {"to": "", "server": False, "called": "", "problem": safe_text(str(error))}
    server = settings is not None and settings.smtp is not None
    to = safe_text(contact.address or contact.claimed)
    return {"to": to, "server": server, "called": safe_text(contact.display_name), "problem": ""}


def mail_entries(player: LocalPlayer, game: Game, file: Path, request: MailRequest) -> dict[str, str]:
    """Send the newest entries by the server, or open the mail program with the letter and the player's file.

    The player saw the opponent's address on the page, which confirms it. Raises `PbemError`.
    """
    contacts = Contacts(player)
    recipient: Contact = contacts.check_and_remember(game)
    if not recipient.confirmed or recipient.address != request.to:
        recipient = contacts.confirm(recipient, request.to)
    if request.how == "program":
        settings, out = read_config(player.home).mail, file.with_name(send.mail_file_name(game))
        if not send.open_in_mail_program(player, settings, game, recipient, now(), file, out):
            raise MailError(
                tr("there is no mail program to open: attach {file} to a mail yourself", file=file)
            )
        name = safe_text(file.name)
        return {"sent": tr("Your mail program opens: see that {file} is attached, and send it.", file=name)}
    send.send_by_server(player, settings_to_send(player.home), game, recipient, now())
    return {"sent": tr("Sent to {address}.", address=safe_text(recipient.mailbox))}
