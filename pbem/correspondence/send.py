"""Sending a game: whether there is anything to send, the mail itself, and its way out through the outbox.

A mail goes to one recipient, whom the player has confirmed. The bytes of the game are the shelf's, which have
passed every check, so no entry leaves that is not on the shelf (FORMAT 6).
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from pbem.base.files import write_atomically
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import body, letter, subject
from pbem.correspondence.mail_contents import add_words, mail_without_words, missing_segment
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.peer_capabilities import PeerCapabilities
from pbem.correspondence.thread import last_known_entry, message_id, thread
from pbem.errors import MailError, RefusedMail
from pbem.mail.config import MailSettings
from pbem.mail.desktop import MailToOpen, has_desktop, open_mail
from pbem.mail.outgoing import Address, attaches_a_game, check_address, is_unsent, recipient_of, to_bytes
from pbem.mail.smtp import deliver
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.player.store.signed_entries import SendChannel
from pbem.render.words import safe_text
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")


def author_of_newest(desk: LocalPlayer, game: Game) -> str:
    """The player's seat that wrote the newest entries. Raises `MailError` if his opponent wrote them."""
    newest = game.replayed_entries[-1].entry.body
    if newest.by not in permissions.held_seats(game, desk.key):
        raise MailError(
            tr("there is nothing new to tell: entry {number}, the last, is your opponent's", number=newest.n),
            hint=tr("what is asked of you: pbem show {game}", game=game.ids[0][:SHORT_ID_DIGITS]),
        )
    return newest.by


def send_by_server(
    desk: LocalPlayer,
    mail: MailSettings,
    game: Game,
    recipient: Contact,
    now: datetime,
    *,
    automatic: bool = False,
    whole: bool = False,
    repeated: bool = False,
) -> MailError | None:
    """Mail the game's newest entries through the player's server, and save that they have gone.

    Returns what went wrong with the player's sent copy: the mail is sent all the same. What no server has
    taken yet goes out with the same bytes again. Raises `MailError` where nothing can be sent, or the server
    did not take it; `RefusedMail`, which is saved, where it never will; `UndoneEntry` where the player has
    undone the entries meanwhile.
    """
    server = mail.sending_account
    data = save_to_outbox(
        desk, mail, game, recipient, now, automatic=automatic, whole=whole, repeated=repeated
    )
    outbox, names = Outbox(desk.home), (game.ids[0], game.ids[-1])
    try:
        deliver(
            server,
            mail.address,
            recipient.address,
            data,
            partial(desk.note_departure, game, SendChannel.SERVER),
        )
    except RefusedMail as refusal:
        outbox.save_fate(*names, Fate.REFUSED, str(refusal))
        again = game.ids[0][:SHORT_ID_DIGITS]
        refusal.hint = tr("{hint}; to try it again: pbem mail send {game}", hint=refusal.hint, game=again)
        raise
    outbox.save_fate(*names, Fate.SENT, now.astimezone(UTC).isoformat(timespec="seconds"))
    return _save_sent_copy(mail, data)


def _save_sent_copy(mail: MailSettings, data: bytes) -> MailError | None:
    """Save a copy of a sent mail on the server, if the player wants one; what went wrong with that."""
    if not mail.sent_copy or mail.imap is None:
        return None
    from pbem.mail.imap import Imap  # here, because most who send by a server have the copy made there

    try:
        with Imap(mail.imap, mail.folder) as box:
            box.save_sent(data)
    except MailError as error:
        hint = tr("the mail was sent; remove sent_copy from config.yaml to stop trying for a copy")
        return MailError(tr("no copy was kept: {why}", why=error), hint=hint)
    return None


def open_in_mail_program(
    desk: LocalPlayer,
    mail: MailSettings | None,
    game: Game,
    recipient: Contact,
    now: datetime,
    file: Path,
    out: Path,
) -> bool:
    """Open the desktop's mail program with the letter and the player's file of the game, to be sent there.

    The mail, with the whole game, is written to `out` as well. Whether a program was found. Raises as
    `save_to_outbox`.
    """
    if not has_desktop():
        return False
    write_atomically(out, save_to_outbox(desk, mail, game, recipient, now, unsent=True, whole=True))
    text = letter(game, languages=Contacts(desk).languages(recipient))
    return open_mail(MailToOpen(recipient.address, subject(game), text, file, out))


def save_to_outbox(
    desk: LocalPlayer,
    mail: MailSettings | None,
    game: Game,
    recipient: Contact,
    now: datetime,
    *,
    automatic: bool = False,
    unsent: bool = False,
    whole: bool = False,
    repeated: bool = False,
) -> bytes:
    """Save the mail with the game's newest entries in the outbox, unless one waits there to go; the mail.

    After a first mail, or if it is `unsent`, which is for a mail program, this is another copy, with a
    message id of its own: servers drop a mail whose id they know. It brings the whole game where the player
    says so, where the opponent may need it, and with every copy after the first. A `repeated` one says that
    it is, and asks for a resend in turn. Raises `MailError`, `ShelfError`.
    """
    if not recipient.confirmed:
        raise MailError(tr("the address {address} is not confirmed", address=recipient.address))
    seat = author_of_newest(desk, game)
    if unsent:
        desk.note_departure(game, SendChannel.PROGRAM)
    outbox, names = Outbox(desk.home), (game.ids[0], game.ids[-1])
    copy = outbox.count_copies(*names)
    if _is_waiting_to_go(outbox, game, recipient, whole=whole) and not unsent:
        outbox.clear_refusal(*names)
    else:
        copy += 1
    whole = whole or copy > 1 or not _may_send_segment(desk, game, recipient)
    draft = mail_without_words(desk, _sender(mail, game, seat), game, recipient, now, whole=whole)
    wants = game.ids[0] if repeated else ""
    draft = add_words(game, replace(draft, automatic=automatic, unsent=unsent, wants=wants))
    if copy > 1:  # so that it is threaded below the first
        first, again = draft.message_id, message_id(*names, copy)
        draft = replace(draft, message_id=again, references=(*draft.references, first))
    return outbox.save(*names, to_bytes(draft), copy)


def mail_file_name(game: Game) -> str:
    """The name of the file for the game's newest mail, where no server takes it."""
    return f"{game.rules.name}-{game.ids[0][:SHORT_ID_DIGITS]}-{thread(game).number}.eml"


def export_for_pasting(desk: LocalPlayer, game: Game, recipient: Contact, *, whole: bool = False) -> str:
    """The letter with the game as an armoured block below, to be pasted into a mail. Raises `ShelfError`."""
    desk.note_departure(game, SendChannel.CLIPBOARD)
    all_of_it = whole or not _may_send_segment(desk, game, recipient)
    data = desk.store.find(game.ids[0]).data if all_of_it else missing_segment(game)
    return body(game, data, languages=Contacts(desk).languages(recipient))


def _may_send_segment(desk: LocalPlayer, game: Game, recipient: Contact) -> bool:
    """Whether the newest entries alone are enough for the opponent (FORMAT 10).

    His program must be able to read them, and this must not be the first mail to that address.
    """
    known = last_known_entry(game)
    if known is None or not PeerCapabilities(desk.home).reads_parts(game.ids[0]):
        return False
    earlier = Outbox(desk.home).read(game.ids[0], game.ids[known])
    return earlier is not None and recipient_of(earlier) == recipient.address


def _is_waiting_to_go(outbox: Outbox, game: Game, recipient: Contact, *, whole: bool) -> bool:
    """Whether the newest saved mail is for this address, and neither a server nor a mail program has it.

    Where the `whole` game is to go, one with a part of it does not count.
    """
    names = game.ids[0], game.ids[-1]
    saved = outbox.read(*names)
    if saved is None or is_unsent(saved) or outbox.fate(*names) in (Fate.SENT, Fate.RETURNED):
        return False
    return recipient_of(saved) == recipient.address and (attaches_a_game(saved) or not whole)


def _sender(mail: MailSettings | None, game: Game, seat: str) -> Address | None:
    """The sender according to the settings, else to the game, if that gives a plain address."""
    taken = game.seats[seat]
    if mail:
        return Address(mail.address, safe_text(mail.name or taken.name))
    try:
        return Address(check_address(taken.mail or ""), safe_text(taken.name))
    except MailError:
        return None
