"""Sending a game from a page: mailing the newest entries, the file and letter to send by hand, and undo.

Both the board and the lobby use it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from pbem.base.system import IN_BROWSER
from pbem.correspondence import send, undo_with_mail
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import letter, subject
from pbem.errors import MailError, PbemError
from pbem.mail.settings import read_config, settings_to_send
from pbem.player.actions.undo import describe_undo, undo_question, undoable_entries
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer, is_practice
from pbem.render.safe_text import safe_text
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import Game
from pbem.web.invitation import is_open_offer

tr = Texts("pbem")


class MailRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to mail the newest entries: how, and to whom; `bound` is the question the page shows."""

    bound: str
    how: Literal["server", "program"]
    to: str


def mailing_data(player: LocalPlayer, game: Game) -> dict[str, Any] | None:
    """What a page needs to mail the player's newest entries; None if there is nothing to mail.

    That is the opponent's address, if known, and whether a server sends mail; or a problem.
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
    # a home from a backup might have settings for a server, but a browser has no sockets
    server = not IN_BROWSER and settings is not None and settings.smtp is not None
    to = safe_text(contact.address or contact.claimed)
    return {"to": to, "server": server, "called": safe_text(contact.display_name), "problem": ""}


def mail_entries(player: LocalPlayer, game: Game, file: Path, request: MailRequest) -> dict[str, Any]:
    """Send the newest entries through the server, or open the mail program with the letter and the file.

    The player saw the opponent's address on the page, which confirms it. Raises `PbemError`.
    """
    contacts = Contacts(player)
    recipient: Contact = contacts.check_and_remember(game)
    if not recipient.confirmed or recipient.address != request.to:
        recipient = contacts.confirm(recipient, request.to)
    if IN_BROWSER:  # the surrounding page opens a mail program, with the text to paste
        text = send.export_for_pasting(player, game, recipient)
        mail = {"to": recipient.address, "subject": subject(game), "text": text}
        return {
            "sent": tr("Your mail program is opening: paste the letter into it, and send it."),
            "mail": mail,
        }
    if request.how == "program":
        settings, out = read_config(player.home).mail, file.with_name(send.mail_file_name(game))
        if not send.open_in_mail_program(player, settings, game, recipient, now(), out):
            raise MailError(
                tr(
                    "pbem cannot attach a file with any mail program here: attach {file} to a mail yourself",
                    file=file,
                )
            )
        name = file_name(game)
        return {
            "sent": tr(
                "Your mail program is opening: check that {file} is attached, then send the mail.", file=name
            )
        }
    send.send_by_server(player, settings_to_send(player.home), game, recipient, now())
    return {"sent": tr("Sent to {address}.", address=safe_text(recipient.mailbox))}


class Departure(Struct, frozen=True):
    """What a page needs to send the newest entries: the file, the letter with it, and the address.

    `post` is `mailing_data`; None: there is nothing to send.
    """

    game: str
    place: str
    subject: str
    letter: str
    post: dict[str, Any] | None
    is_offer: bool


def describe_departure(player: LocalPlayer, game: Game, file: Path) -> Departure:
    """What is needed to send the newest entries of a game that `file` holds."""
    post = mailing_data(player, game)
    words = ""
    if post:
        try:
            contact = Contacts(player).check_and_remember(game)
            config = read_config(player.home)
            words = letter(
                game, languages=Contacts(player).languages(contact), get_it=safe_text(config.get_it)
            )
        except MailError as problem:
            post["problem"] = safe_text(str(problem))
    return Departure(
        game.ids[0], safe_text(str(file.resolve())), subject(game), words, post, is_open_offer(game)
    )


class UndoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to undo: the player says that nobody has it; `bound` is the question the page shows."""

    bound: str
    faces: int = 0


def undo_notes(player: LocalPlayer, game: Game, file: Path) -> list[str]:
    """The entries to undo, the consequences, and what the player must be sure of; empty without any."""
    try:
        undoable = undoable_entries(player, game)
    except PbemError:
        return []
    return (
        [] if undoable.why_not else [*map(safe_text, describe_undo(undoable)), safe_text(undo_question(file))]
    )


def undo_last(player: LocalPlayer, game: Game, file: Path) -> tuple[Game, list[str]]:
    """Undo the last entry. Returns the game without it, and notes on the consequences. Raises `PbemError`."""
    done = undo_with_mail.undo_with_mail(player, game, file, nobody_has_it=True)
    return done.game, list(map(safe_text, undo_with_mail.describe_undone(player, done, file)))
