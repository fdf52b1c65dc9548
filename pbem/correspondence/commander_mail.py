"""Mail within a side: the game from its lead to his commanders, and their drafts back (FORMAT 11).

These mails are no moves: nothing is lost with one, and it may be sent again. `watch` mails the game to each
commander once, as soon as he is asked: the mail lies in the outbox first, as a move does, so that it goes out
with the same bytes whenever the program was killed. A draft lies beside the game, and is sent by hand.
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
    """The commanders of the player's seats as they are known; an address that is `given` is confirmed now.

    It is given as `GROUP=ADDRESS`. Raises `MailError` for an address of nobody's.
    """
    contacts, told = Contacts(desk), dict(one.partition("=")[::2] for one in given)
    own = [
        one for seat in permissions.held_seats(game, desk.key) for one in game.table.commanders.get(seat, ())
    ]
    if unknown := sorted(set(told) - {group for one in own for group in one.of}):
        raise MailError(tr("no commander of your side has {group}", group=repr(unknown[0])))
    if not own:
        raise MailError(tr("your side has no commanders in this game"))
    for one in own:
        contact = contacts.known(one.name, one.key)
        address = next((told[group] for group in one.of if group in told), "")
        yield one, contacts.confirm(contact, address) if address else contact


def share(
    desk: LocalPlayer, mail: MailSettings, game: Game, one: Commander, contact: Contact, now: datetime
) -> None:
    """Mail the whole game to a commander, once more if he has it. Raises `MailError`, `UndoneEntry`."""
    outbox, names = Outbox(desk.home), _names(game, one)
    kept, copy = outbox.read(*names), outbox.copies(*names)
    if kept is None or recipient_of(kept) != contact.address or outbox.fate(*names) is Fate.SENT:
        copy += 1
    data = outbox.keep(*names, _letter(desk, mail, game, one, contact, now), copy)
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
    """Mail each game to the commanders who are asked, have sent no draft, and have not been mailed it yet.

    Those alone whose address is confirmed, and at most so many. What a server refuses is not tried again.
    """
    contacts, outbox = Contacts(desk), Outbox(desk.home)
    for game, absent in overdue(desk, folder):
        for one in absent:
            contact = contacts.known(one.name, one.key)
            if not contact.confirmed or outbox.fate(*_names(game, one)) or most <= 0:
                continue
            try:
                share(desk, mail, game, one, contact, now)
            except MailError as failure:
                yield Shared(game, contact, failure)
                continue
            except UndoneEntry:  # the player has undone it meanwhile
                continue
            most -= 1
            yield Shared(game, contact)


def _names(game: Game, one: Commander) -> tuple[str, str]:
    """The outbox's names for the mail of this moment to a commander, beside those to the opponent."""
    return f"{one.of[0]}-{game.ids[0]}", game.ids[-1]


def _letter(
    desk: LocalPlayer, mail: MailSettings, game: Game, one: Commander, contact: Contact, now: datetime
) -> bytes:
    """The mail with the whole game for a commander."""
    languages = Contacts(desk).languages(contact)
    lead = named(mail.name or mail.address)
    parts = [part for told in each(languages, lambda: _to_a_commander(game, one, lead)) for part in told]
    data = enclosed(game, desk.shelf.find(game.ids[0]).data, languages)
    return _mail(mail, game, contact, now, languages, parts, part_name(game), data)


def _to_a_commander(game: Game, one: Commander, lead: str) -> list[str]:
    name, asked = file_name(game), safe(awaited(game.table))
    command = tr(
        "You command {groups} for {lead}. To see the game, and to give orders:",
        groups=", ".join(one.of),
        lead=lead,
    )
    return [
        f"{asked[:1].upper()}{asked[1:]}.",
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
    """The lead for whom a commander orders, as he is known."""
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
