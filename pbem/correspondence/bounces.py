"""Bounces: delivery reports about the player's own mails, recognised by their message ids in his outbox."""

from __future__ import annotations

from pbem.correspondence.outbox import Outbox
from pbem.correspondence.thread import entries_by_mail, parse_message_id
from pbem.mail.outgoing import recipient_of
from pbem.mail.reports import DeliveryReport
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")


def save_delivery_report(desk: LocalPlayer, report: DeliveryReport) -> str:
    """Save what a delivery report says of one of the player's own mails in the outbox; describe it.

    Empty where the report is about another mail. Raises `MailError`, `ShelfError` where the outbox cannot be
    read or written.
    """
    return next(
        (words for message_id in report.ids if (words := _save_and_describe(desk, report, message_id))), ""
    )


def _save_and_describe(desk: LocalPlayer, report: DeliveryReport, message_id: str) -> str:
    """Save the report on the mail with this id, if it is one of ours, and describe it; else empty."""
    outbox, parsed = Outbox(desk.home), parse_message_id(message_id)
    mail = outbox.find(*parsed) if parsed else None
    if parsed is None or mail is None:
        return ""
    game, head, data = mail
    if not report.delayed:
        outbox.save_fate(game, head, Fate.RETURNED, report.words, copy=parsed[2])
    return _describe_bounce(
        report, _number_of_mail(desk, game, head), recipient_of(data), game[:SHORT_ID_DIGITS]
    )


def _describe_bounce(report: DeliveryReport, number: int, to: str, game: str) -> str:
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


def _number_of_mail(desk: LocalPlayer, game: str, head: str) -> int:
    """The number, from 1, of the game's mail with this entry; 0 if the stored game has no such entry."""
    stored = desk.store.look_up(game)
    mails = entries_by_mail(desk.open(stored.data)) if stored else []
    return next(
        (n for n, run in enumerate(mails, 1) if any(replayed.entry.id == head for replayed in run)), 0
    )
