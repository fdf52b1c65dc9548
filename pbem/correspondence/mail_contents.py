"""The content and words of a mail: the whole game, or a part of its log with words that keep it small."""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime

from msgspec.structs import replace

from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import body, enclosed, has_a_map, paragraphs, part_name, subject
from pbem.correspondence.map_excerpt import windows
from pbem.correspondence.paragraphs import as_html, picture, plain
from pbem.correspondence.size_budget import PLENTY, Room, rooms
from pbem.correspondence.thread import last_known, thread
from pbem.mail.outgoing import Address, Outgoing, to_bytes
from pbem.player.local_player import LocalPlayer
from pbem.render.words import safe
from pbem.texts import spoken
from pbem.umpire.game import Game
from pbem.umpire.game_facts import file_name
from pbem.umpire.log_segment import part

MOST_BYTES = 8192
"""The most bytes of a mail with a part of the log, unless its shortest letter is larger."""


def newest_part(game: Game) -> bytes:
    """The part of the log that the opponent lacks, with his own last entries before it."""
    known = last_known(game)
    assert known is not None
    return part(game, known)


def blank(
    desk: LocalPlayer, sender: Address | None, game: Game, recipient: Contact, now: datetime, *, whole: bool
) -> Outgoing:
    """The mail without its words, with its attachment: the whole game, or the part that the reader lacks."""
    place, languages = thread(game), Contacts(desk).languages(recipient)
    if whole:
        name, data = file_name(game), desk.shelf.find(game.ids[0]).data
    else:
        name, data = part_name(game), enclosed(game, newest_part(game), languages).encode()
    return Outgoing(
        sender=sender,
        recipient=Address(recipient.address, safe(recipient.name)),
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


def worded(game: Game, outgoing: Outgoing) -> Outgoing:
    """The mail with its words; with a part of the log, as many as fit into `MAX_BYTES`."""
    whole = outgoing.attachment_name == file_name(game)
    return _said(game, outgoing, PLENTY, whole=True) if whole else _fitted(game, outgoing)


def _fitted(game: Game, outgoing: Outgoing) -> Outgoing:
    """A mail with a part of the log, and as many words and as much map as fit, at least the shortest letter.

    A large map goes without its picture where not even a part of that fits.
    """

    def fits(room: Room) -> bool:
        return len(to_bytes(_said(game, outgoing, room))) <= MOST_BYTES

    if fits(PLENTY):
        return _said(game, outgoing, PLENTY)
    parts = list(windows(game)) if has_a_map(game) else []
    for pictured in (True, False) if parts else (True,):
        budgets = rooms(parts, picture=pictured)
        index = bisect_left(budgets, True, key=fits)
        if index < len(budgets):
            break
    return _said(game, outgoing, budgets[min(index, len(budgets) - 1)])


def _said(game: Game, outgoing: Outgoing, room: Room, *, whole: bool = False) -> Outgoing:
    """The mail with the words that the size budget `room` allows.

    A `whole` game is in the text as well, as an armoured block, for readers whose attachments get lost.
    """
    again = bool(outgoing.wants)
    parts = paragraphs(game, languages=outgoing.languages, part=not whole, room=room, again=again)
    text = (
        body(game, outgoing.attachment, languages=outgoing.languages, again=again) if whole else plain(parts)
    )
    return replace(outgoing, body=text, html=as_html(parts), picture=picture(parts))
