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
"""The most bytes of a mail with a part of the log, unless the least that it can say is more."""


def newest_part(game: Game) -> bytes:
    """The part of the log that the opponent lacks, and his own last entries before it."""
    known = last_known(game)
    assert known is not None
    return part(game, known)


def blank(
    desk: LocalPlayer, sender: Address | None, game: Game, recipient: Contact, now: datetime, *, whole: bool
) -> Outgoing:
    """The mail, still without words, with what it brings: the whole game, or what the reader lacks of it."""
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
    """The mail with its words; one with a part of the log with as many as `MOST_BYTES` hold."""
    whole = outgoing.attachment_name == file_name(game)
    return _said(game, outgoing, PLENTY, whole=True) if whole else _fitted(game, outgoing)


def _fitted(game: Game, outgoing: Outgoing) -> Outgoing:
    """A mail with a part of the log, and with the most words and map that it holds, or the least of both.

    A large map does without its picture where no part of it has room for that.
    """

    def fits(room: Room) -> bool:
        return len(to_bytes(_said(game, outgoing, room))) <= MOST_BYTES

    if fits(PLENTY):
        return _said(game, outgoing, PLENTY)
    parts = list(windows(game)) if has_a_map(game) else []
    for pictured in (True, False) if parts else (True,):
        less = rooms(parts, picture=pictured)
        found = bisect_left(less, True, key=fits)
        if found < len(less):
            break
    return _said(game, outgoing, less[min(found, len(less) - 1)])


def _said(game: Game, outgoing: Outgoing, room: Room, *, whole: bool = False) -> Outgoing:
    """The mail with the words that there is room for.

    A `whole` game stands once more in the text, as a block, for who loses attachments.
    """
    again = bool(outgoing.wants)
    told = paragraphs(game, languages=outgoing.languages, part=not whole, room=room, again=again)
    text = (
        body(game, outgoing.attachment, languages=outgoing.languages, again=again) if whole else plain(told)
    )
    return replace(outgoing, body=text, html=as_html(told), picture=picture(told))
