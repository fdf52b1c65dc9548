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
"""The digits by which the message ids of letters with the same code differ: servers drop repeated ids."""

UNWRAPPED = 10**6
"""Columns of a text that its paragraph wraps later, so that it is not wrapped twice."""

MOST_CHOICES = 120
"""Lines of possible orders that a letter lists."""

MOST_SET_UPS, MANY_UNITS = 3, 4
"""How many of these lines may order many units at once, as set-ups do, and how many units are many."""

MOST_ORDERS, MOST_EVENTS = 3, 60
"""Lines of an entry's orders, which its events repeat, and lines of its events."""


class Sent(Struct, frozen=True):
    """A letter to the player: about which game, if any, and why it could not be sent, if it could not."""

    game: Game | None
    failure: MailError | None = None


def ask_by_mail(desk: LocalPlayer, mail: MailSettings, now: datetime, most: int) -> Iterator[Sent]:
    """Mail the player his pending questions and the results of his replies; at most `most` letters.

    Raises `ShelfError`; `VerificationError` where a game fails, `MailError` where a key has changed.
    """
    notebook, contacts = Notebook(desk.home), Contacts(desk)
    for stored in desk.shelf.games():
        game = desk.open(stored.data)
        contact = opponent(desk, contacts, game)
        pending, waits = notebook.at(game), _waits(desk, game)
        if (
            contact is None
            or desk.shelf.doubts.has(stored.game)
            or not (pending.notes or (waits and not pending.sent))
        ):
            continue
        if not contact.confirmed:
            yield Sent(game, unconfirmed(contact, Path(file_name(game))))
            continue
        if most < 1:
            return
        is_first = waits and not pending.sent and not pending.answered
        kind, an_hour = ("letters", LETTERS_AN_HOUR) if is_first else ("answers", ANSWERS_AN_HOUR)
        if not notebook.may_send(kind, an_hour, now):
            continue
        contacts.check(game)
        notebook.count(kind, now)
        failure = _mailed(
            mail, question(desk, mail, game, pending, now) if waits else _told(desk, mail, game, pending, now)
        )
        if failure is None:
            notebook.put(stored.game, replace(pending, sent=True, notes=()))
            most -= 1
        yield Sent(game, failure)
    if most > 0:
        yield from _warnings(notebook, mail, now)


def _warnings(notebook: Notebook, mail: MailSettings, now: datetime) -> Iterator[Sent]:
    """Mail the warnings about replies that belong to no game."""
    pending = notebook.of("")
    if not pending.notes or not notebook.may_send("warnings", WARNINGS_AN_HOUR, now):
        return
    failure = _mailed(
        mail, _outgoing(mail, f"{FIRST} {tr('Orders by reply')}", _marked(said(*pending.notes)), now)
    )
    if failure is None:
        notebook.count("warnings", now)
        notebook.put("", PendingLetter())
    yield Sent(None, failure)


def _waits(desk: LocalPlayer, game: Game) -> bool:
    """Whether the player has a decision to make."""
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
    desk: LocalPlayer, mail: MailSettings, game: Game, pending: PendingLetter, date: datetime
) -> Outgoing:
    """The letter that asks for a decision; one that only asks for a yes is short."""
    now = game_status(desk, game)
    unlocked = now.table
    secret = code(game, desk.key, len(game.entries) - 1, pending.letter)
    proposal = game.table.proposal
    how = "" if pending.shown else how_to_a_proposal() if proposal else how_to_order()
    which = tr("{title}, game {game}.", title=game.rules.title, game=game.ids[0][:BRIEF])
    parts = [
        *([_noted(f"{how_to_agree()}\n{pending.preview}")] if pending.shown else []),
        *map(_noted, pending.notes),
        *([] if pending.shown else [said(tr("Your move: {what}.", what=_due(proposal, unlocked)))]),
        *([said(how)] if how else []),
        said(which, tr("Code: {code}", code=secret)),
    ]
    if not pending.shown:
        side = [] if proposal else _staff(desk, game, unlocked)
        parts += [*_beside(now), *_news(now), *side]
        parts += [] if proposal else _choices(game, unlocked)
        parts += drawn(game, unlocked)
        parts += [] if proposal else [others(desk, game)]
    outgoing = _outgoing(mail, subject(game), _marked(*parts), date)
    place = thread(game)
    return replace(
        outgoing,
        message_id=outgoing.message_id.replace("<", f"<{secret}."),
        in_reply_to=place.message_id,
        references=(*place.references, place.message_id),
    )


def _due(proposal: Proposal | None, unlocked: GameState) -> str:
    """The player's next decision."""
    return str(proposal.words(unlocked.rules)) if proposal else prompted(unlocked)


def _told(
    desk: LocalPlayer, mail: MailSettings, game: Game, pending: PendingLetter, now: datetime
) -> Outgoing:
    """The letter that asks for nothing and reports the result of a reply."""
    was_sent = Outbox(desk.home).fate(game.ids[0], game.ids[-1]) is Fate.SENT
    lines = [tr("Your opponent has been mailed.")] if was_sent else []
    lines += [tr("Next: {what}. To look: pbem show {file}", what=awaited(game.table), file=file_name(game))]
    outgoing = _outgoing(mail, subject(game), _marked(*map(_noted, pending.notes), said(*lines)), now)
    place = thread(game)
    return replace(outgoing, in_reply_to=place.message_id, references=(*place.references, place.message_id))


def _beside(now: GameStatus) -> list[Paragraph]:
    """Remarks on the status, since when the game waits, and what else waits; without the commanders."""
    lines = [f"{line[:1].upper()}{line[1:]}" for line in beside(now, now.game.ids[0][:BRIEF])]
    return [_lines(*lines)] if lines else []


def _news(now: GameStatus) -> Iterator[Paragraph]:
    """Messages and events since the player last wrote, and what only he can see unsealed so far."""
    for seat in now.game.seats:
        yield from words_of(now.game, now.news, seat)
    lines = [Line(tr("What has happened:"))]
    for replayed in now.news:
        lines.append(doing(now.game, replayed, MOST_ORDERS if replayed.told else None))
        lines += outcome(now.game, replayed, MOST_EVENTS)
    lines += [Line(f"- {now.game.rules.view.story(tell)}", 6, 8) for tell in now.unlocked]
    yield Paragraph(tuple(lines))


def _staff(desk: LocalPlayer, game: Game, unlocked: GameState) -> list[Paragraph]:
    """A shared side's drafts: which have arrived, which are missing, and how to give them (FORMAT 11)."""
    if not (side := staff(desk, game, unlocked)):
        return []
    how = tr(
        "With a line that says {drafts}, the orders of the drafts that have come are given too.",
        **typed("drafts"),
    )
    return [_lines(tr("Your commanders:"), *side.told(), how)]


def _choices(game: Game, unlocked: GameState) -> list[Paragraph]:
    """The possible orders, with their chances."""
    assert unlocked.asked is not None
    lines = [line for text in choices(game, unlocked.asked, width=UNWRAPPED) for line in text.split("\n")]
    legend = game.rules.view.legend(unlocked.run.state)
    stacks = [*(cell.pieces for cell in legend.cells), *(margin.pieces for margin in legend.margins)]
    names = {piece.name for stack in stacks for piece in stack}
    set_ups = [line for line in lines if len(names.intersection(line.split())) >= MANY_UNITS]
    listed = [line for line in lines if line not in set_ups[MOST_SET_UPS:]][:MOST_CHOICES]
    if more := len(lines) - len(listed):
        rest = tr("and {number} lines more: pbem moves {file}", number=more, file=file_name(game))
        listed.append(f"  {rest}")
    return [_lines(tr("What you may order:"), *listed)]


def _noted(note: str) -> Paragraph:
    return _lines(*note.split("\n"))


def _lines(*lines: str) -> Paragraph:
    """Lines that are laid out already; what continues a line is indented."""
    indents = ((len(line) - len(line.lstrip(" ")), line.strip()) for line in lines)
    return Paragraph(tuple(Line(text, indent, indent + 2) for indent, text in indents))


def _marked(first: Paragraph, *others: Paragraph) -> list[Paragraph]:
    """The paragraphs with a tag before their first line, so that a quote of them is recognised in a reply."""
    begun, *more = first.lines
    return [Paragraph((replace(begun, text=f"{FIRST} {begun.text}"), *more)), *others]


def _outgoing(mail: MailSettings, about: str, parts: list[Paragraph], now: datetime) -> Outgoing:
    """A letter from the player's computer to himself, marked so that no program answers it (RFC 3834)."""
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
