"""Sending a game: whether there is anything to send, the mail itself, and its way through the outbox.

A mail contains the whole game, or a part of its log with a letter that keeps it small. It goes to one
recipient, whom the player has confirmed. The bytes of the game come from the game store and have passed every
check, so no entry is sent that is not stored (FORMAT 6).
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from pbem.base.files import write_atomically
from pbem.correspondence.contacts import Contact, Contacts, PeerCapabilities
from pbem.correspondence.letter import (
    body,
    letter,
    letter_paragraphs,
    segment_attachment,
    segment_file_name,
    subject,
)
from pbem.correspondence.letter_layout import (
    as_html,
    as_plain_text,
    picture_of,
)
from pbem.correspondence.outbox import Outbox, last_known_entry, message_id, thread
from pbem.errors import MailError, RefusedMail
from pbem.mail.desktop import MailToOpen, has_desktop, open_mail
from pbem.mail.outgoing import (
    Address,
    OutgoingMail,
    attaches_a_game,
    check_address,
    is_unsent,
    recipient_of,
    to_bytes,
)
from pbem.mail.settings import MailSettings, read_config
from pbem.mail.smtp import deliver
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.player.store.signed_entries import SendChannel
from pbem.render.safe_text import safe_text
from pbem.texts import Texts, spoken
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS, file_name
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import segment_after

tr = Texts("pbem")


MAX_BYTES = 40 * 1024
"""The most bytes of a mail with a part of the log, unless its shortest letter is larger."""

_LINES = (None, 60, 30, 12)
"""Limits on the lines that describe an entry; the first with which a mail is small enough applies."""


def missing_segment(game: Game) -> bytes:
    """The part of the log that the opponent lacks, preceded by their own last entries."""
    known = last_known_entry(game)
    assert known is not None
    return segment_after(game, known)


def mail_without_words(
    player: LocalPlayer, sender: Address | None, game: Game, recipient: Contact, now: datetime, *, whole: bool
) -> OutgoingMail:
    """The mail without its text, with its attachment: the whole game, or the part the reader lacks."""
    place, languages = thread(game), Contacts(player).languages(recipient)
    if whole:
        name, data = file_name(game), player.store.find(game.ids[0]).data
    else:
        name, data = (
            segment_file_name(game),
            segment_attachment(game, missing_segment(game), languages).encode(),
        )
    return OutgoingMail(
        sender=sender,
        recipient=Address(recipient.address, safe_text(recipient.name)),
        subject=subject(game),
        body="",
        attachment_name=name,
        attachment=data,
        message_id=place.message_id,
        in_reply_to=place.in_reply_to,
        references=place.references,
        date=now,
        languages=languages,
        wanted=spoken(),
    )


def add_words(game: Game, outgoing: OutgoingMail, get_it: str = "", *, twice: bool = True) -> OutgoingMail:
    """The mail with its text; for a part of the log, as much as fits into `MAX_BYTES`.

    With `twice`, a whole game is also in the text, as an armoured block, for readers whose attachments get
    lost. `get_it` is the web page an invitation names.
    """
    whole = outgoing.attachment_name == file_name(game)
    mail = outgoing
    for most in _LINES:
        mail = _add_words_within(game, outgoing, most, whole=whole, twice=twice, get_it=get_it)
        if whole or len(to_bytes(mail)) <= MAX_BYTES:
            break
    return mail


def _add_words_within(
    game: Game, outgoing: OutgoingMail, most: int | None, *, whole: bool, twice: bool, get_it: str
) -> OutgoingMail:
    """The mail with its text, with at most `most` lines per entry."""
    again, languages = bool(outgoing.wants), outgoing.languages
    parts = letter_paragraphs(
        game, languages=languages, part=not whole, most=most, again=again, get_it=get_it
    )
    text = (
        body(game, outgoing.attachment, languages=languages, again=again, get_it=get_it)
        if whole and twice
        else as_plain_text(parts)
    )
    return replace(outgoing, body=text, html=as_html(parts), picture=picture_of(parts))


def author_of_newest(player: LocalPlayer, game: Game) -> str:
    """The player's seat that wrote the newest entries. Raises `MailError` if the opponent wrote them."""
    newest = game.replayed_entries[-1].entry.body
    if newest.by not in permissions.held_seats(game, player.key):
        raise MailError(
            tr("there is nothing new to send: entry {number}, the last, is your opponent's", number=newest.n),
            hint=tr("to see what to do next: pbem show {game}", game=game.ids[0][:SHORT_ID_DIGITS]),
        )
    return newest.by


def send_by_server(
    player: LocalPlayer,
    mail: MailSettings,
    game: Game,
    recipient: Contact,
    now: datetime,
    *,
    automatic: bool = False,
    whole: bool = False,
    repeated: bool = False,
) -> MailError | None:
    """Mail the game's newest entries through the player's server, and save that they were sent.

    Returns what went wrong with the player's sent copy; the mail itself was sent. A mail that no server has
    accepted yet goes out again with the same bytes. Raises `MailError` if there is nothing to send, or if the
    server did not accept it; `RefusedMail`, which is saved, if it never will; `UndoneEntry` if the player has
    undone the entries meanwhile.
    """
    server = mail.sending_account
    data = save_to_outbox(
        player, mail, game, recipient, now, automatic=automatic, whole=whole, repeated=repeated
    )
    outbox, names = Outbox(player.home), (game.ids[0], game.ids[-1])
    try:
        deliver(
            server,
            mail.address,
            recipient.address,
            data,
            partial(player.note_departure, game, SendChannel.SERVER),
        )
    except RefusedMail as refusal:
        outbox.save_fate(*names, Fate.REFUSED, str(refusal))
        again = game.ids[0][:SHORT_ID_DIGITS]
        refusal.hint = tr("{hint}; to try again: pbem mail send {game}", hint=refusal.hint, game=again)
        raise
    outbox.save_fate(*names, Fate.SENT, now.astimezone(UTC).isoformat(timespec="seconds"))
    return _save_sent_copy(mail, data)


def _save_sent_copy(mail: MailSettings, data: bytes) -> MailError | None:
    """Save a copy of a sent mail on the server, if the player wants one. Returns what went wrong."""
    if not mail.sent_copy or mail.imap is None:
        return None
    from pbem.mail.imap import Imap  # 40 ms for imapclient, which no browser has

    try:
        with Imap(mail.imap, mail.folder) as box:
            box.save_sent(data)
    except MailError as error:
        hint = tr("the mail was sent; if you want no copies, delete sent_copy from config.yaml")
        return MailError(tr("pbem could not save a copy of the mail: {why}", why=error), hint=hint)
    return None


def open_in_mail_program(
    player: LocalPlayer, mail: MailSettings | None, game: Game, recipient: Contact, now: datetime, out: Path
) -> bool:
    """Open the desktop's mail program with the letter and the game, to be sent there.

    Also writes the mail, with the whole game, to `out`. Returns whether a program was found that accepts an
    attachment. Raises as `save_to_outbox`.
    """
    if not has_desktop():
        return False
    write_atomically(out, save_to_outbox(player, mail, game, recipient, now, unsent=True, whole=True))
    attached = Outbox(player.home).save_attachment(
        game.ids[0], file_name(game), player.store.find(game.ids[0]).data
    )
    get_it = safe_text(read_config(player.home).get_it)
    text = letter(game, languages=Contacts(player).languages(recipient), get_it=get_it)
    return open_mail(MailToOpen(recipient.address, subject(game), text, attached, out))


def save_to_outbox(
    player: LocalPlayer,
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
    """Save the mail with the game's newest entries in the outbox, unless an unsent one is there.

    After a first mail, or if it is `unsent`, which is for a mail program, this makes another copy with its
    own message id: servers drop a mail whose id they have seen. It contains the whole game if the player says
    so, if the opponent might need it, and in every copy after the first; in the second copy once. A
    `repeated` mail says that it is one, and asks for a resend in turn. Returns the mail. Raises `MailError`,
    `StorageError`.
    """
    if not recipient.confirmed:
        raise MailError(tr("the address {address} is not confirmed", address=recipient.address))
    seat = author_of_newest(player, game)
    if unsent:
        player.note_departure(game, SendChannel.PROGRAM)
    outbox, names = Outbox(player.home), (game.ids[0], game.ids[-1])
    copy = outbox.count_copies(*names)
    if _is_waiting_to_go(outbox, game, recipient, whole=whole) and not unsent:
        outbox.clear_refusal(*names)
    else:
        copy += 1
    whole = whole or copy > 1 or not _may_send_segment(player, game, recipient)
    draft = mail_without_words(player, _sender(mail, game, seat), game, recipient, now, whole=whole)
    wants = game.ids[0] if repeated else ""
    draft = replace(draft, automatic=automatic, unsent=unsent, wants=wants)
    draft = add_words(game, draft, safe_text(read_config(player.home).get_it), twice=copy != 2)
    if copy > 1:  # so that it is threaded below the first
        first, again = draft.message_id, message_id(*names, copy)
        draft = replace(draft, message_id=again, references=(*draft.references, first))
    return outbox.save(*names, to_bytes(draft), copy)


def mail_file_name(game: Game) -> str:
    """The file name for the game's newest mail, if no server sends it."""
    return f"{game.rules.name}-{game.ids[0][:SHORT_ID_DIGITS]}-{thread(game).number}.eml"


def export_for_pasting(player: LocalPlayer, game: Game, recipient: Contact, *, whole: bool = False) -> str:
    """The letter followed by the game as an armoured block, to paste into a mail. Raises `StorageError`."""
    player.note_departure(game, SendChannel.CLIPBOARD)
    all_of_it = whole or not _may_send_segment(player, game, recipient)
    data = player.store.find(game.ids[0]).data if all_of_it else missing_segment(game)
    get_it = safe_text(read_config(player.home).get_it)
    return body(game, data, languages=Contacts(player).languages(recipient), get_it=get_it)


def _may_send_segment(player: LocalPlayer, game: Game, recipient: Contact) -> bool:
    """Whether the newest entries are enough for the opponent (FORMAT 10).

    Their program must be able to read them, and this must not be the first mail to that address.
    """
    known = last_known_entry(game)
    if known is None or not PeerCapabilities(player.home).reads_parts(game.ids[0]):
        return False
    earlier = Outbox(player.home).read(game.ids[0], game.ids[known])
    return earlier is not None and recipient_of(earlier) == recipient.address


def _is_waiting_to_go(outbox: Outbox, game: Game, recipient: Contact, *, whole: bool) -> bool:
    """Whether the newest saved mail is for this address, and neither a server nor a mail program has it.

    If the `whole` game is to be sent, a mail with a part of it does not count.
    """
    names = game.ids[0], game.ids[-1]
    saved = outbox.read(*names)
    if saved is None or is_unsent(saved) or outbox.fate(*names) in (Fate.SENT, Fate.RETURNED):
        return False
    return recipient_of(saved) == recipient.address and (attaches_a_game(saved) or not whole)


def _sender(mail: MailSettings | None, game: Game, seat: str) -> Address | None:
    """The sender from the settings, else from the game, if that states a plain address."""
    taken = game.seats[seat]
    if mail:
        return Address(mail.address, safe_text(mail.name or taken.name))
    try:
        return Address(check_address(taken.mail or ""), safe_text(taken.name))
    except MailError:
        return None
