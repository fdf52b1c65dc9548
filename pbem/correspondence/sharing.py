"""Mail within a side: the game from its lead to his commanders, and their drafts back (FORMAT 11).

These mails are no moves: nothing is lost with one, and it may be sent again. So they are in no outbox.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import enclosed, part_name, subject
from pbem.correspondence.paragraphs import COLUMNS
from pbem.desk import Desk
from pbem.errors import MailError
from pbem.journal.shapes import Commander
from pbem.mail import armour
from pbem.mail.config import MailSettings
from pbem.mail.draft import Address, Draft, to_bytes
from pbem.mail.smtp import deliver
from pbem.render.words import named, safe, wrap
from pbem.report import awaited, called
from pbem.umpire import Game, seated
from pbem.umpire.drafts import Post, commander_at
from pbem.umpire.facts import file_name


def addressees(desk: Desk, game: Game, given: Sequence[str]) -> Iterator[tuple[Commander, Contact]]:
    """The commanders of the player's seats with their addresses, confirmed now (`GROUP=ADDRESS`) or before.

    Raises `MailError` for one without an address, or an address of nobody's.
    """
    contacts, told = Contacts(desk), dict(one.partition("=")[::2] for one in given)
    own = [one for seat in seated.held(game, desk.key) for one in game.table.commanders.get(seat, ())]
    if unknown := sorted(set(told) - {group for one in own for group in one.of}):
        raise MailError(f"nobody of your side commands {unknown[0]!r}")
    if not own:
        raise MailError("you share your side with nobody in this game")
    for one in own:
        contact = contacts.known(one.name, one.key)
        address = next((told[group] for group in one.of if group in told), "")
        if address:
            contact = contacts.confirm(contact, address)
        elif not contact.confirmed:
            hint = f"confirm it once with --to {one.of[0]}=ADDRESS"
            raise MailError(f"you have not confirmed the address of {called(one)} yet", hint=hint)
        yield one, contact


def share(
    desk: Desk, mail: MailSettings, game: Game, one: Commander, contact: Contact, now: datetime
) -> None:
    """Mail the whole game to a commander. Raises `MailError`."""
    name, asked = file_name(game), safe(awaited(game.table))
    lead = named(mail.name or mail.address)
    lines = [
        f"{asked[:1].upper()}{asked[1:]}.",
        f"You command {', '.join(one.of)} for {lead}. To see the game, and to order:",
        f'  pbem mail fetch\n  pbem moves {name}\n  pbem orders {name} "ORDER" ... --send',
        f"Without pbem mail fetch: save the attached {part_name(game)}, and type that in place of {name}.",
    ]
    data = enclosed(game, desk.shelf.find(game.ids[0]).data)
    _send(mail, game, contact, now, lines, part_name(game), data)


def send_draft(
    desk: Desk, mail: MailSettings, game: Game, at: Post, data: bytes, to: str, now: datetime
) -> Contact:
    """Mail a draft to its lead, whose address is confirmed now (`to`) or before. Raises `MailError`."""
    contacts, lead = Contacts(desk), game.seats[at.seat]
    contact = contacts.known(lead.name, lead.key, lead.mail or "")
    if to:
        contact = contacts.confirm(contact, to)
    elif not contact.confirmed:
        claimed = f"; the game says {contact.address}" if contact.address else ""
        raise MailError(
            f"you have not confirmed the address of {contact.called} yet{claimed}",
            hint="confirm it once: --send --to ADDRESS",
        )
    who = called(commander_at(game, at))
    game_file = file_name(game)
    lines = [
        f"Orders of {who} for entry {len(game.entries)}.",
        "To give them with your own, type:",
        f'  pbem mail fetch\n  pbem move {game_file} --with DRAFT "ORDER" ...',
    ]
    name = f"{part_name(game).removesuffix('.txt')}-{at.by}.draft.txt"
    block = f"A commander's draft: pbem move {game_file} --with {name}\n\n{armour.enclose(data)}"
    _send(mail, game, contact, now, lines, name, block)
    return contact


def _send(
    mail: MailSettings,
    game: Game,
    contact: Contact,
    now: datetime,
    lines: Sequence[str],
    name: str,
    text: str,
) -> None:
    if mail.smtp is None:
        raise MailError("there is no server to send with", hint="set mail.smtp in config.yaml")
    body = "\n\n".join("\n".join(wrap(line, COLUMNS, 4) for line in each.split("\n")) for each in lines)
    draft = Draft(
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
    )
    deliver(mail.smtp, mail.address, contact.address, to_bytes(draft))
