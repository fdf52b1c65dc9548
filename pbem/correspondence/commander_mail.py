"""Mail within a side: the game from the lead to the commanders, and their drafts back (FORMAT 11).

These mails are not moves: nothing is lost with one, and it can be sent again. `watch` mails the game to each
commander once, as soon as it is time to draft orders. As for a move, the mail is saved in the outbox first,
so that the same bytes are sent even if pbem was killed. A draft is saved beside the game, and is only sent
when the player says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec import Struct

from pbem.core.sentences import capitalized
from pbem.correspondence.commander_drafts import games_missing_drafts
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import in_each_language, segment_attachment, segment_file_name, subject
from pbem.correspondence.letter_layout import COLUMNS
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.verdict import write_newest_state
from pbem.errors import FileNameTaken, MailError, RefusedMail, UndoneEntry
from pbem.format.entries import Commander
from pbem.mail import armour
from pbem.mail.outgoing import Address, OutgoingMail, recipient_of, to_bytes
from pbem.mail.settings import MailSettings
from pbem.mail.smtp import deliver
from pbem.player.commanders import draft_file_name
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.player.store.signed_entries import SendChannel
from pbem.render.safe_text import quote_name, safe_text, wrap
from pbem.render.story import describe_commander, describe_next_duty
from pbem.texts import Texts, spoken
from pbem.umpire import permissions
from pbem.umpire.drafts import CommanderSeat, commander_at
from pbem.umpire.game_facts import SHORT_ID_DIGITS, file_name
from pbem.umpire.game_state import Game

tr = Texts("pbem")


class CommanderMailing(Struct, frozen=True):
    """A game mailed to a commander, or the `failure` to mail it."""

    game: Game
    contact: Contact
    failure: MailError | FileNameTaken | None = None


def addressees(player: LocalPlayer, game: Game, given: Sequence[str]) -> Iterator[tuple[Commander, Contact]]:
    """The commanders of the player's seats as contacts; an address in `given` is confirmed and saved.

    Each is given as `GROUP=ADDRESS`. Raises `MailError` for a group that no commander has.
    """
    contacts, addresses = Contacts(player), dict(word.partition("=")[::2] for word in given)
    commanders = [
        commander
        for seat in permissions.held_seats(game, player.key)
        for commander in game.state.commanders.get(seat, ())
    ]
    if unknown := sorted(set(addresses) - {group for commander in commanders for group in commander.of}):
        raise MailError(tr("no commander on your side has {group}", group=repr(unknown[0])))
    if not commanders:
        raise MailError(tr("your side has no commanders in this game"))
    for commander in commanders:
        contact = contacts.contact_of_key(commander.name, commander.key)
        address = next((addresses[group] for group in commander.of if group in addresses), "")
        yield commander, contacts.confirm(contact, address) if address else contact


def mail_to_commander(
    player: LocalPlayer, mail: MailSettings, game: Game, commander: Commander, contact: Contact, now: datetime
) -> None:
    """Mail the whole game to a commander, even if they have it. Raises `MailError`, `UndoneEntry`."""
    outbox, names = Outbox(player.home), _outbox_names(game, commander)
    saved, copy = outbox.read(*names), outbox.count_copies(*names)
    if saved is None or recipient_of(saved) != contact.address or outbox.fate(*names) is Fate.SENT:
        copy += 1
    data = outbox.save(*names, _letter_to_commander(player, mail, game, commander, contact, now), copy)
    outbox.clear_refusal(*names)
    try:
        leaving = partial(player.note_departure, game, SendChannel.COMMANDER)
        deliver(mail.sending_account, mail.address, contact.address, data, leaving)
    except RefusedMail as refusal:
        outbox.save_fate(*names, Fate.REFUSED, str(refusal))
        again = game.ids[0][:SHORT_ID_DIGITS]
        refusal.hint = tr("{hint}; to try again: pbem mail share {game}", hint=refusal.hint, game=again)
        raise
    outbox.save_fate(*names, Fate.SENT)


def mail_to_waiting_commanders(
    player: LocalPlayer, mail: MailSettings, folder: Path, now: datetime, most: int
) -> Iterator[CommanderMailing]:
    """Mail each game to the commanders whose drafts are missing and who have not received it yet.

    Only to confirmed addresses, and at most `most` mails. A mail that a server refuses is not tried again.
    """
    contacts, outbox = Contacts(player), Outbox(player.home)
    for game, absent in games_missing_drafts(player, folder):
        for commander in absent:
            contact = contacts.contact_of_key(commander.name, commander.key)
            if not contact.confirmed or outbox.fate(*_outbox_names(game, commander)) or most <= 0:
                continue
            try:
                write_newest_state(player, game, folder)  # a run that was cut short might not have
                mail_to_commander(player, mail, game, commander, contact, now)
            except (MailError, FileNameTaken) as failure:
                yield CommanderMailing(game, contact, failure)
                continue
            except UndoneEntry:  # the player has undone it meanwhile
                continue
            most -= 1
            yield CommanderMailing(game, contact)


def _outbox_names(game: Game, commander: Commander) -> tuple[str, str]:
    """The names in the outbox of a mail to a commander about this state, distinct from the opponent's."""
    return f"{commander.of[0]}-{game.ids[0]}", game.ids[-1]


def _letter_to_commander(
    player: LocalPlayer, mail: MailSettings, game: Game, commander: Commander, contact: Contact, now: datetime
) -> bytes:
    """The mail to a commander with the whole game."""
    languages = Contacts(player).languages(contact)
    lead = quote_name(mail.name or mail.address)
    parts = [
        part
        for paragraphs in in_each_language(languages, lambda: _words_to_commander(game, commander, lead))
        for part in paragraphs
    ]
    data = segment_attachment(game, player.store.find(game.ids[0]).data, languages)
    return _compose_mail(mail, game, contact, now, languages, parts, segment_file_name(game), data)


def _words_to_commander(game: Game, commander: Commander, lead: str) -> list[str]:
    name, task = file_name(game), safe_text(describe_next_duty(game.state))
    command = tr(
        "You command {groups} for {lead}. To see the game and give orders:",
        groups=", ".join(commander.of),
        lead=lead,
    )
    return [
        f"{capitalized(task)}.",
        f"{command}\n  pbem mail fetch\n  pbem moves {name}\n  pbem orders {name} --send",
        tr(
            "If you do not use pbem mail fetch, save the attached {attached} and type its name "
            "instead of {file}.",
            attached=segment_file_name(game),
            file=name,
        ),
    ]


def send_draft(
    player: LocalPlayer,
    mail: MailSettings,
    game: Game,
    at: CommanderSeat,
    data: bytes,
    contact: Contact,
    now: datetime,
) -> None:
    """Mail a draft to its lead. Raises `MailError`."""
    languages, file = Contacts(player).languages(contact), file_name(game)
    name = f"{segment_file_name(game).removesuffix('.txt')}-{at.by}.draft.txt"
    parts = [part for told in in_each_language(languages, lambda: _words_to_lead(game, at)) for part in told]
    told = in_each_language(
        languages, lambda: tr("A commander's draft: pbem move {game} --with {file}", game=file, file=name)
    )
    block = "\n".join([*told, "", armour.enclose(data)])
    letter = _compose_mail(mail, game, contact, now, languages, parts, name, block)
    deliver(mail.sending_account, mail.address, contact.address, letter)


def _words_to_lead(game: Game, at: CommanderSeat) -> list[str]:
    who, draft = describe_commander(commander_at(game, at)), draft_file_name(game, at, len(game.entries))
    return [
        tr("Orders of {commander} for entry {number}.", commander=who, number=len(game.entries)),
        tr("To give them together with your own, type:"),
        f"  pbem mail fetch\n  pbem move {file_name(game)} --with {draft}",
    ]


def lead_contact(player: LocalPlayer, game: Game, at: CommanderSeat) -> Contact:
    """The contact of a commander's lead."""
    seat = game.seats[at.seat]
    return Contacts(player).contact_of_key(seat.name, seat.key, seat.mail or "")


def _compose_mail(
    mail: MailSettings,
    game: Game,
    contact: Contact,
    now: datetime,
    languages: tuple[str, ...],
    parts: Sequence[str],
    name: str,
    text: str,
) -> bytes:
    body = "\n\n".join("\n".join(wrap(line, COLUMNS, 4) for line in part.split("\n")) for part in parts)
    draft = OutgoingMail(
        sender=Address(mail.address, safe_text(mail.name)),
        recipient=Address(contact.address, safe_text(contact.name)),
        subject=subject(game),
        body=f"{body}\n",
        attachment_name=name,
        attachment=text.encode(),
        message_id=f"<share.{game.ids[-1][:16]}.{int(now.timestamp() * 1000000)}@pbem.invalid>",
        in_reply_to="",
        references=(),
        date=now,
        languages=languages,
        wanted=spoken(),
    )
    return to_bytes(draft)
