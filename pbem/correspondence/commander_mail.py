"""Mail within a side: the game from its lead to his commanders, and their drafts back (FORMAT 11).

These mails are no moves: nothing is lost with one, and it may be sent again. `watch` mails the game to each
commander once, as soon as his orders are needed: the mail is saved in the outbox first, as a move is, so that
it goes out with the same bytes whenever the program was killed. A draft is saved beside the game, and is sent
by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from msgspec import Struct

from pbem.correspondence.commander_drafts import overdue
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import each, enclosed, part_name, subject
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.paragraphs import COLUMNS
from pbem.errors import MailError, RefusedMail, UndoneEntry
from pbem.format.shapes import Commander
from pbem.mail import armour
from pbem.mail.config import MailSettings
from pbem.mail.outgoing import Address, Outgoing, recipient_of, to_bytes
from pbem.mail.smtp import deliver
from pbem.player.commanders.received_drafts import draft_name
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.player.store.signed_entries import Way
from pbem.render.story import awaited, called
from pbem.render.words import named, safe, wrap
from pbem.texts import Texts, spoken
from pbem.umpire import permissions
from pbem.umpire.drafts import Post, commander_at
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF, file_name

tr = Texts("pbem")


class Shared(Struct, frozen=True):
    """A game that was mailed to a commander, or could not be: the `failure`."""

    game: Game
    contact: Contact
    failure: MailError | None = None


def addressees(desk: LocalPlayer, game: Game, given: Sequence[str]) -> Iterator[tuple[Commander, Contact]]:
    """The commanders of the player's seats as contacts; an address in `given` is confirmed and saved.

    Each is given as `GROUP=ADDRESS`. Raises `MailError` for a group that no commander has.
    """
    contacts, addresses = Contacts(desk), dict(word.partition("=")[::2] for word in given)
    commanders = [
        commander
        for seat in permissions.held_seats(game, desk.key)
        for commander in game.table.commanders.get(seat, ())
    ]
    if unknown := sorted(set(addresses) - {group for commander in commanders for group in commander.of}):
        raise MailError(tr("no commander of your side has {group}", group=repr(unknown[0])))
    if not commanders:
        raise MailError(tr("your side has no commanders in this game"))
    for commander in commanders:
        contact = contacts.known(commander.name, commander.key)
        address = next((addresses[group] for group in commander.of if group in addresses), "")
        yield commander, contacts.confirm(contact, address) if address else contact


def share(
    desk: LocalPlayer, mail: MailSettings, game: Game, commander: Commander, contact: Contact, now: datetime
) -> None:
    """Mail the whole game to a commander, again if he has it. Raises `MailError`, `UndoneEntry`."""
    outbox, names = Outbox(desk.home), _names(game, commander)
    saved, copy = outbox.read(*names), outbox.copies(*names)
    if saved is None or recipient_of(saved) != contact.address or outbox.fate(*names) is Fate.SENT:
        copy += 1
    data = outbox.keep(*names, _letter(desk, mail, game, commander, contact, now), copy)
    outbox.reopen(*names)
    try:
        leaving = partial(desk.let_go, game, Way.COMMANDER)
        deliver(mail.outgoing, mail.address, contact.address, data, leaving)
    except RefusedMail as refusal:
        outbox.note(*names, Fate.REFUSED, str(refusal))
        again = game.ids[0][:BRIEF]
        refusal.hint = tr("{hint}; to try it again: pbem mail share {game}", hint=refusal.hint, game=again)
        raise
    outbox.note(*names, Fate.SENT)


def mail_to_commanders(
    desk: LocalPlayer, mail: MailSettings, folder: Path, now: datetime, most: int
) -> Iterator[Shared]:
    """Mail each game to those commanders whose drafts are missing and who have not been mailed it yet.

    Only to confirmed addresses, and at most `most` mails. What a server refuses is not tried again.
    """
    contacts, outbox = Contacts(desk), Outbox(desk.home)
    for game, absent in overdue(desk, folder):
        for commander in absent:
            contact = contacts.known(commander.name, commander.key)
            if not contact.confirmed or outbox.fate(*_names(game, commander)) or most <= 0:
                continue
            try:
                share(desk, mail, game, commander, contact, now)
            except MailError as failure:
                yield Shared(game, contact, failure)
                continue
            except UndoneEntry:  # the player has undone it meanwhile
                continue
            most -= 1
            yield Shared(game, contact)


def _names(game: Game, commander: Commander) -> tuple[str, str]:
    """The names in the outbox of the mail to a commander about this state, beside those to the opponent."""
    return f"{commander.of[0]}-{game.ids[0]}", game.ids[-1]


def _letter(
    desk: LocalPlayer, mail: MailSettings, game: Game, commander: Commander, contact: Contact, now: datetime
) -> bytes:
    """The mail with the whole game for a commander."""
    languages = Contacts(desk).languages(contact)
    lead = named(mail.name or mail.address)
    parts = [
        part
        for paragraphs in each(languages, lambda: _to_a_commander(game, commander, lead))
        for part in paragraphs
    ]
    data = enclosed(game, desk.shelf.find(game.ids[0]).data, languages)
    return _mail(mail, game, contact, now, languages, parts, part_name(game), data)


def _to_a_commander(game: Game, commander: Commander, lead: str) -> list[str]:
    name, task = file_name(game), safe(awaited(game.table))
    command = tr(
        "You command {groups} for {lead}. To see the game, and to give orders:",
        groups=", ".join(commander.of),
        lead=lead,
    )
    return [
        f"{task[:1].upper()}{task[1:]}.",
        f"{command}\n  pbem mail fetch\n  pbem moves {name}\n  pbem orders {name} --send",
        tr(
            "Without pbem mail fetch: save the attached {attached}, and type that in place of {file}.",
            attached=part_name(game),
            file=name,
        ),
    ]


def send_draft(
    desk: LocalPlayer, mail: MailSettings, game: Game, at: Post, data: bytes, contact: Contact, now: datetime
) -> None:
    """Mail a draft to its lead. Raises `MailError`."""
    languages, file = Contacts(desk).languages(contact), file_name(game)
    name = f"{part_name(game).removesuffix('.txt')}-{at.by}.draft.txt"
    parts = [part for told in each(languages, lambda: _to_the_lead(game, at)) for part in told]
    told = each(
        languages, lambda: tr("A commander's draft: pbem move {game} --with {file}", game=file, file=name)
    )
    block = "\n".join([*told, "", armour.enclose(data)])
    letter = _mail(mail, game, contact, now, languages, parts, name, block)
    deliver(mail.outgoing, mail.address, contact.address, letter)


def _to_the_lead(game: Game, at: Post) -> list[str]:
    who, draft = called(commander_at(game, at)), draft_name(game, at, len(game.entries))
    return [
        tr("Orders of {commander} for entry {number}.", commander=who, number=len(game.entries)),
        tr("To give them with your own, type:"),
        f"  pbem mail fetch\n  pbem move {file_name(game)} --with {draft}",
    ]


def lead(desk: LocalPlayer, game: Game, at: Post) -> Contact:
    """The contact of the lead for whom a commander orders."""
    seat = game.seats[at.seat]
    return Contacts(desk).known(seat.name, seat.key, seat.mail or "")


def _mail(
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
    draft = Outgoing(
        sender=Address(mail.address, safe(mail.name)),
        recipient=Address(contact.address, safe(contact.name)),
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
