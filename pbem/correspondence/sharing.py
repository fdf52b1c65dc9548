"""Mail within a side: the game from its lead to his commanders, and their drafts back (FORMAT 11).

These mails are no moves: nothing is lost with one, and it may be sent again. So they are in no outbox.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import each, enclosed, part_name, subject
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
from pbem.texts import Texts
from pbem.umpire import Game, seated
from pbem.umpire.drafts import Post, commander_at
from pbem.umpire.facts import file_name

tr = Texts("pbem")


def addressees(desk: Desk, game: Game, given: Sequence[str]) -> Iterator[tuple[Commander, Contact]]:
    """The commanders of the player's seats with their addresses, confirmed now (`GROUP=ADDRESS`) or before.

    Raises `MailError` for one without an address, or an address of nobody's.
    """
    contacts, told = Contacts(desk), dict(one.partition("=")[::2] for one in given)
    own = [one for seat in seated.held(game, desk.key) for one in game.table.commanders.get(seat, ())]
    if unknown := sorted(set(told) - {group for one in own for group in one.of}):
        raise MailError(tr("nobody of your side commands {group}", group=repr(unknown[0])))
    if not own:
        raise MailError(tr("you share your side with nobody in this game"))
    for one in own:
        contact = contacts.known(one.name, one.key)
        address = next((told[group] for group in one.of if group in told), "")
        if address:
            contact = contacts.confirm(contact, address)
        elif not contact.confirmed:
            hint = tr("confirm it once with --to {group}=ADDRESS", group=one.of[0])
            problem = tr("you have not confirmed the address of {player} yet", player=called(one))
            raise MailError(problem, hint=hint)
        yield one, contact


def share(
    desk: Desk, mail: MailSettings, game: Game, one: Commander, contact: Contact, now: datetime
) -> None:
    """Mail the whole game to a commander. Raises `MailError`."""
    languages = Contacts(desk).languages(contact)
    lead = named(mail.name or mail.address)
    parts = [part for told in each(languages, lambda: _to_a_commander(game, one, lead)) for part in told]
    data = enclosed(game, desk.shelf.find(game.ids[0]).data, languages)
    _send(mail, game, contact, now, languages, parts, part_name(game), data)


def _to_a_commander(game: Game, one: Commander, lead: str) -> list[str]:
    name, asked = file_name(game), safe(awaited(game.table))
    command = tr(
        "You command {groups} for {lead}. To see the game, and to order:", groups=", ".join(one.of), lead=lead
    )
    return [
        f"{asked[:1].upper()}{asked[1:]}.",
        f'{command}\n  pbem mail fetch\n  pbem moves {name}\n  pbem orders {name} "ORDER" ... --send',
        tr(
            "Without pbem mail fetch: save the attached {attached}, and type that in place of {file}.",
            attached=part_name(game),
            file=name,
        ),
    ]


def send_draft(
    desk: Desk, mail: MailSettings, game: Game, at: Post, data: bytes, to: str, now: datetime
) -> Contact:
    """Mail a draft to its lead, whose address is confirmed now (`to`) or before. Raises `MailError`."""
    contacts, lead = Contacts(desk), game.seats[at.seat]
    contact = contacts.known(lead.name, lead.key, lead.mail or "")
    if to:
        contact = contacts.confirm(contact, to)
    elif not contact.confirmed:
        raise MailError(_unconfirmed(contact), hint=tr("confirm it once: --send --to ADDRESS"))
    languages, file = contacts.languages(contact), file_name(game)
    name = f"{part_name(game).removesuffix('.txt')}-{at.by}.draft.txt"
    parts = [part for told in each(languages, lambda: _to_the_lead(game, at)) for part in told]
    told = each(
        languages, lambda: tr("A commander's draft: pbem move {game} --with {file}", game=file, file=name)
    )
    block = "\n".join([*told, "", armour.enclose(data)])
    _send(mail, game, contact, now, languages, parts, name, block)
    return contact


def _unconfirmed(contact: Contact) -> str:
    """That nothing is mailed to an address which only the game gives, or to none."""
    if not contact.address:
        return tr("you have not confirmed the address of {player} yet", player=contact.called)
    return tr(
        "you have not confirmed the address of {player} yet; the game says {address}",
        player=contact.called,
        address=contact.address,
    )


def _to_the_lead(game: Game, at: Post) -> list[str]:
    who = called(commander_at(game, at))
    return [
        tr("Orders of {commander} for entry {number}.", commander=who, number=len(game.entries)),
        tr("To give them with your own, type:"),
        f'  pbem mail fetch\n  pbem move {file_name(game)} --with DRAFT "ORDER" ...',
    ]


def _send(
    mail: MailSettings,
    game: Game,
    contact: Contact,
    now: datetime,
    languages: tuple[str, ...],
    parts: Sequence[str],
    name: str,
    text: str,
) -> None:
    if mail.smtp is None:
        raise MailError(tr("there is no server to send with"), hint=tr("set mail.smtp in config.yaml"))
    body = "\n\n".join("\n".join(wrap(line, COLUMNS, 4) for line in part.split("\n")) for part in parts)
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
        languages=languages,
        wanted=Texts.language,
    )
    deliver(mail.smtp, mail.address, contact.address, to_bytes(draft))
