"""Bounces: delivery reports about the player's own mails, recognised by their message ids in his outbox."""

from __future__ import annotations

from pbem.correspondence.outbox import Outbox
from pbem.correspondence.thread import named_mail, runs
from pbem.mail.outgoing import recipient_of
from pbem.mail.reports import Report
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.texts import Texts
from pbem.umpire.game_facts import BRIEF

tr = Texts("pbem")


def note_report(desk: LocalPlayer, report: Report) -> str:
    """Save what a delivery report says of one of the player's own mails in the outbox; describe it.

    Empty where the report is about another mail. Raises `MailError`, `ShelfError` where the outbox cannot be
    read or written.
    """
    return next((words for message_id in report.ids if (words := _told(desk, report, message_id))), "")


def _told(desk: LocalPlayer, report: Report, message_id: str) -> str:
    """Save the report on the mail with this id, if it is one of ours, and describe it; else empty."""
    outbox, parsed = Outbox(desk.home), named_mail(message_id)
    mail = outbox.find(*parsed) if parsed else None
    if parsed is None or mail is None:
        return ""
    game, head, data = mail
    if not report.delayed:
        outbox.note(game, head, Fate.RETURNED, report.words, copy=parsed[2])
    return _words(report, _number(desk, game, head), recipient_of(data), game[:BRIEF])


def _words(report: Report, number: int, to: str, game: str) -> str:
    """What happened to a mail, with its number and recipient; `number` is 0 where it is not known."""
    which = tr("your mail {number} to {address}", number=number, address=to)
    mail = which if number else tr("your mail to {address}", address=to)
    if report.delayed and report.words:
        return tr("{mail} is delayed: {words} (game {game})", mail=mail, words=report.words, game=game)
    if report.delayed:
        return tr("{mail} is delayed (game {game})", mail=mail, game=game)
    if report.words:
        statement = tr("{mail} came back: {words} (game {game})", mail=mail, words=report.words, game=game)
    else:
        statement = tr("{mail} came back (game {game})", mail=mail, game=game)
    return tr("{what}; to mail it once more: pbem mail send {game}", what=statement, game=game)


def _number(desk: LocalPlayer, game: str, head: str) -> int:
    """The number, from 1, of the game's mail with this entry; 0 if the stored game has no such entry."""
    stored = desk.shelf.look_up(game)
    mails = runs(desk.open(stored.data)) if stored else []
    return next(
        (n for n, run in enumerate(mails, 1) if any(replayed.entry.id == head for replayed in run)), 0
    )
