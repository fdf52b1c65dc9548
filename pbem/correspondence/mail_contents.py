"""The content and words of a mail: the whole game, or a part of its log with words that keep it small."""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime

from msgspec.structs import replace

from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import (
    body,
    letter_paragraphs,
    needs_map,
    segment_attachment,
    segment_file_name,
    subject,
)
from pbem.correspondence.map_excerpt import shrinking_windows
from pbem.correspondence.paragraphs import as_html, as_plain_text, picture_of
from pbem.correspondence.size_budget import UNLIMITED, SizeBudget, shrinking_budgets
from pbem.correspondence.thread import last_known_entry, thread
from pbem.mail.outgoing import Address, OutgoingMail, to_bytes
from pbem.player.local_player import LocalPlayer
from pbem.render.words import safe_text
from pbem.texts import spoken
from pbem.umpire.game import Game
from pbem.umpire.game_facts import file_name
from pbem.umpire.log_segment import segment_after

MAX_BYTES = 8192
"""The most bytes of a mail with a part of the log, unless its shortest letter is larger."""


def missing_segment(game: Game) -> bytes:
    """The part of the log that the opponent lacks, with his own last entries before it."""
    known = last_known_entry(game)
    assert known is not None
    return segment_after(game, known)


def mail_without_words(
    desk: LocalPlayer, sender: Address | None, game: Game, recipient: Contact, now: datetime, *, whole: bool
) -> OutgoingMail:
    """The mail without its words, with its attachment: the whole game, or the part that the reader lacks."""
    place, languages = thread(game), Contacts(desk).languages(recipient)
    if whole:
        name, data = file_name(game), desk.store.find(game.ids[0]).data
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


def add_words(game: Game, outgoing: OutgoingMail) -> OutgoingMail:
    """The mail with its words; with a part of the log, as many as fit into `MAX_BYTES`."""
    whole = outgoing.attachment_name == file_name(game)
    return (
        _add_words_within(game, outgoing, UNLIMITED, whole=True)
        if whole
        else _add_fitting_words(game, outgoing)
    )


def _add_fitting_words(game: Game, outgoing: OutgoingMail) -> OutgoingMail:
    """A mail with a part of the log, and as many words and as much map as fit, at least the shortest letter.

    A large map goes without its picture where not even a part of that fits.
    """

    def fits(room: SizeBudget) -> bool:
        return len(to_bytes(_add_words_within(game, outgoing, room))) <= MAX_BYTES

    if fits(UNLIMITED):
        return _add_words_within(game, outgoing, UNLIMITED)
    parts = list(shrinking_windows(game)) if needs_map(game) else []
    for pictured in (True, False) if parts else (True,):
        budgets = shrinking_budgets(parts, picture=pictured)
        index = bisect_left(budgets, True, key=fits)
        if index < len(budgets):
            break
    return _add_words_within(game, outgoing, budgets[min(index, len(budgets) - 1)])


def _add_words_within(
    game: Game, outgoing: OutgoingMail, room: SizeBudget, *, whole: bool = False
) -> OutgoingMail:
    """The mail with the words that the size budget `room` allows.

    A `whole` game is in the text as well, as an armoured block, for readers whose attachments get lost.
    """
    again = bool(outgoing.wants)
    parts = letter_paragraphs(game, languages=outgoing.languages, part=not whole, room=room, again=again)
    text = (
        body(game, outgoing.attachment, languages=outgoing.languages, again=again)
        if whole
        else as_plain_text(parts)
    )
    return replace(outgoing, body=text, html=as_html(parts), picture=picture_of(parts))
