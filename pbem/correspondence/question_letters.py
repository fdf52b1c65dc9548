"""Letters to oneself: what the player is asked, with all he needs to decide, to be answered by mail.

Each has a code that serves once (`reply_codes`), in its text and as its message id, so that an answer brings
it along even where it quotes nothing. It goes to the player's own address, and to no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import ANSWERS_AN_HOUR, LETTERS_AN_HOUR, WARNINGS_AN_HOUR
from pbem.correspondence.auto_answer import opponent, unconfirmed
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.letter import doing, outcome, prompted, subject, words_of
from pbem.correspondence.letter_record import Notebook, PendingLetter
from pbem.correspondence.map_excerpt import drawn
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.paragraphs import Line, Paragraph, as_html, picture, plain, said
from pbem.correspondence.reply_codes import code
from pbem.correspondence.reply_instructions import (
    how_to_a_proposal,
    how_to_agree,
    how_to_order,
    others,
    typed,
)
from pbem.correspondence.thread import thread
from pbem.errors import MailError
from pbem.mail.answer import FIRST
from pbem.mail.config import MailSettings
from pbem.mail.outgoing import Address, Outgoing, to_bytes
from pbem.mail.smtp import deliver
from pbem.player.commanders.lead import staff
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.possible_orders import choices
from pbem.player.status.describe_status import beside
from pbem.player.status.game_status import GameStatus, game_status
from pbem.player.store.delivery import Fate
from pbem.render.story import awaited
from pbem.texts import Texts, spoken
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF, file_name
from pbem.umpire.game_state import GameState, Proposal
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

_DIGITS = 12
"""The digits of a message id that tell a letter from others with its code: servers drop repeated ids."""

UNWRAPPED = 10**6
"""Columns of what a paragraph wraps: no text is wrapped twice."""

MOST_CHOICES = 120
"""Lines of what may be ordered that a letter lists."""

MOST_SET_UPS, MANY_UNITS = 3, 4
"""Lines of these that order many units at once, such as set-ups, and how many units are many."""

MOST_ORDERS, MOST_EVENTS = 3, 60
"""Lines of an entry's orders, of which the events tell as well, and of its events."""


class Sent(Struct, frozen=True):
    """A letter to the player: about which game (None: none), and why it has not gone, if it has not."""

    game: Game | None
    failure: MailError | None = None


def ask_by_mail(desk: LocalPlayer, mail: MailSettings, now: datetime, most: int) -> Iterator[Sent]:
    """Mail the player what is asked of him, and what his answers have come to; at most so many letters.

    Raises `ShelfError`; `VerificationError` where a game fails, `MailError` where a key has changed.
    """
    notebook, contacts = Notebook(desk.home), Contacts(desk)
    for kept in desk.shelf.games():
        game = desk.open(kept.data)
        contact = opponent(desk, contacts, game)
        asked, waits = notebook.at(game), _waits(desk, game)
        if (
            contact is None
            or desk.shelf.doubts.has(kept.game)
            or not (asked.notes or (waits and not asked.sent))
        ):
            continue
        if not contact.confirmed:
            yield Sent(game, unconfirmed(contact, Path(file_name(game))))
            continue
        if most < 1:
            return
        is_first = waits and not asked.sent and not asked.answered
        kind, an_hour = ("letters", LETTERS_AN_HOUR) if is_first else ("answers", ANSWERS_AN_HOUR)
        if not notebook.may_send(kind, an_hour, now):
            continue
        contacts.check(game)
        notebook.count(kind, now)
        failure = _mailed(
            mail, question(desk, mail, game, asked, now) if waits else _told(desk, mail, game, asked, now)
        )
        if failure is None:
            notebook.put(kept.game, replace(asked, sent=True, notes=()))
            most -= 1
        yield Sent(game, failure)
    if most > 0:
        yield from _warnings(notebook, mail, now)


def _warnings(notebook: Notebook, mail: MailSettings, now: datetime) -> Iterator[Sent]:
    """The warnings of worthless answers, whichever game they were about."""
    asked = notebook.of("")
    if not asked.notes or not notebook.may_send("warnings", WARNINGS_AN_HOUR, now):
        return
    failure = _mailed(
        mail, _outgoing(mail, f"{FIRST} {tr('Orders by reply')}", _marked(said(*asked.notes)), now)
    )
    if failure is None:
        notebook.count("warnings", now)
        notebook.put("", PendingLetter())
    yield Sent(None, failure)


def _waits(desk: LocalPlayer, game: Game) -> bool:
    """Whether the player is to decide something."""
    writes = (
        game.table.writer in permissions.held_seats(game, desk.key) and next_duty(game.table).what != "accept"
    )
    return writes and not permissions.owes_no_decision(game, desk.key)


def _mailed(mail: MailSettings, outgoing: Outgoing) -> MailError | None:
    try:
        deliver(mail.outgoing, mail.address, mail.address, to_bytes(outgoing))
    except MailError as failure:
        return failure
    return None


def question(
    desk: LocalPlayer, mail: MailSettings, game: Game, asked: PendingLetter, date: datetime
) -> Outgoing:
    """The letter that asks for an answer; one that only asks for a yes is short."""
    now = game_status(desk, game)
    seen = now.table
    secret = code(game, desk.key, len(game.entries) - 1, asked.letter)
    proposal = game.table.proposal
    how = "" if asked.shown else how_to_a_proposal() if proposal else how_to_order()
    which = tr("{title}, game {game}.", title=game.rules.title, game=game.ids[0][:BRIEF])
    parts = [
        *([_noted(f"{how_to_agree()}\n{asked.preview}")] if asked.shown else []),
        *map(_noted, asked.notes),
        *([] if asked.shown else [said(tr("Your move: {what}.", what=_due(proposal, seen)))]),
        *([said(how)] if how else []),
        said(which, tr("Code: {code}", code=secret)),
    ]
    if not asked.shown:
        side = [] if proposal else _staff(desk, game, seen)
        parts += [*_beside(now), *_news(now), *side]
        parts += [] if proposal else _choices(game, seen)
        parts += drawn(game, seen)
        parts += [] if proposal else [others(desk, game)]
    outgoing = _outgoing(mail, subject(game), _marked(*parts), date)
    place = thread(game)
    return replace(
        outgoing,
        message_id=outgoing.message_id.replace("<", f"<{secret}."),
        in_reply_to=place.message_id,
        references=(*place.references, place.message_id),
    )


def _due(proposal: Proposal | None, seen: GameState) -> str:
    """The player's next decision."""
    return str(proposal.words(seen.rules)) if proposal else prompted(seen)


def _told(desk: LocalPlayer, mail: MailSettings, game: Game, asked: PendingLetter, now: datetime) -> Outgoing:
    """The letter that asks for nothing."""
    gone = Outbox(desk.home).fate(game.ids[0], game.ids[-1]) is Fate.SENT
    lines = [tr("Your opponent has been mailed.")] if gone else []
    lines += [tr("Next: {what}. To look: pbem show {file}", what=awaited(game.table), file=file_name(game))]
    outgoing = _outgoing(mail, subject(game), _marked(*map(_noted, asked.notes), said(*lines)), now)
    place = thread(game)
    return replace(outgoing, in_reply_to=place.message_id, references=(*place.references, place.message_id))


def _beside(now: GameStatus) -> list[Paragraph]:
    """Remarks, since when the game waits, and what else waits; of commanders another paragraph tells."""
    lines = [f"{line[:1].upper()}{line[1:]}" for line in beside(now, now.game.ids[0][:BRIEF])]
    return [_lines(*lines)] if lines else []


def _news(now: GameStatus) -> Iterator[Paragraph]:
    """The players' words and the events since this one last wrote, and what only he has unlocked yet."""
    for seat in now.game.seats:
        yield from words_of(now.game, now.news, seat)
    found = [Line(tr("What has happened:"))]
    for one in now.news:
        found.append(doing(now.game, one, MOST_ORDERS if one.told else None))
        found += outcome(now.game, one, MOST_EVENTS)
    found += [Line(f"- {now.game.rules.view.story(tell)}", 6, 8) for tell in now.unlocked]
    yield Paragraph(tuple(found))


def _staff(desk: LocalPlayer, game: Game, seen: GameState) -> list[Paragraph]:
    """A shared side's drafts: whose have come, whose have not, and how they are given (FORMAT 11)."""
    if not (side := staff(desk, game, seen)):
        return []
    how = tr(
        "With a line that says {drafts}, the orders of the drafts that have come are given too.",
        **typed("drafts"),
    )
    return [_lines(tr("Your commanders:"), *side.told(), how)]


def _choices(game: Game, seen: GameState) -> list[Paragraph]:
    """The possible orders, with their chances."""
    assert seen.asked is not None
    lines = [line for text in choices(game, seen.asked, width=UNWRAPPED) for line in text.split("\n")]
    legend = game.rules.view.legend(seen.run.state)
    stacks = [*(cell.pieces for cell in legend.cells), *(margin.pieces for margin in legend.margins)]
    names = {piece.name for stack in stacks for piece in stack}
    set_ups = [line for line in lines if len(names.intersection(line.split())) >= MANY_UNITS]
    found = [line for line in lines if line not in set_ups[MOST_SET_UPS:]][:MOST_CHOICES]
    if more := len(lines) - len(found):
        rest = tr("and {number} lines more: pbem moves {file}", number=more, file=file_name(game))
        found.append(f"  {rest}")
    return [_lines(tr("What you may order:"), *found)]


def _noted(note: str) -> Paragraph:
    return _lines(*note.split("\n"))


def _lines(*lines: str) -> Paragraph:
    """Lines that are laid out already: those that go on stand further in."""
    indents = ((len(line) - len(line.lstrip(" ")), line.strip()) for line in lines)
    return Paragraph(tuple(Line(text, before, before + 2) for before, text in indents))


def _marked(first: Paragraph, *others: Paragraph) -> list[Paragraph]:
    """Paragraphs whose first line begins as no answer does, so that what is quoted is known."""
    begun, *more = first.lines
    return [Paragraph((replace(begun, text=f"{FIRST} {begun.text}"), *more)), *others]


def _outgoing(mail: MailSettings, about: str, parts: list[Paragraph], now: datetime) -> Outgoing:
    """A letter from the player's computer to himself, which no program is to answer (RFC 3834)."""
    body = plain(parts)
    identity = sha256(f"{now.isoformat()}\n{body}".encode()).hexdigest()[:_DIGITS]
    return Outgoing(
        sender=Address(mail.address, "pbem"),
        recipient=Address(mail.address, ""),
        subject=about,
        body=body,
        html=as_html(parts),
        picture=picture(parts),
        attachment_name="",
        attachment=b"",
        message_id=f"<{identity}@pbem.invalid>",
        in_reply_to="",
        references=(),
        date=now,
        automatic=True,
        languages=(spoken(),),
    )
