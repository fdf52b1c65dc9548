"""Returned mails: delivery reports about the player's own, known by their ids in his outbox."""

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
    """Note what a delivery report says of a mail of the player's own; in words.

    Empty where the report is about another mail. Raises `MailError`, `ShelfError` where the outbox cannot be
    read or written.
    """
    return next((words for one in report.ids if (words := _told(desk, report, one))), "")


def _told(desk: LocalPlayer, found: Report, message_id: str) -> str:
    """The words of the report on the mail with this id, if it is one of ours."""
    outbox, named = Outbox(desk.home), named_mail(message_id)
    mail = outbox.find(*named) if named else None
    if named is None or mail is None:
        return ""
    game, head, data = mail
    if not found.delayed:
        outbox.note(game, head, Fate.RETURNED, found.words, copy=named[2])
    return _words(found, _number(desk, game, head), recipient_of(data), game[:BRIEF])


def _words(found: Report, number: int, to: str, game: str) -> str:
    """The fate of a mail, with its number and recipient; `number` is 0 where it is not known."""
    which = tr("your mail {number} to {address}", number=number, address=to)
    mail = which if number else tr("your mail to {address}", address=to)
    if found.delayed and found.words:
        return tr("{mail} is delayed: {words} (game {game})", mail=mail, words=found.words, game=game)
    if found.delayed:
        return tr("{mail} is delayed (game {game})", mail=mail, game=game)
    if found.words:
        said = tr("{mail} came back: {words} (game {game})", mail=mail, words=found.words, game=game)
    else:
        said = tr("{mail} came back (game {game})", mail=mail, game=game)
    return tr("{what}; to mail it once more: pbem mail send {game}", what=said, game=game)


def _number(desk: LocalPlayer, game: str, head: str) -> int:
    """The number, from 1, of a game's mail that ended with this entry; 0 if the shelf has no such entry."""
    kept = desk.shelf.look_up(game)
    mails = runs(desk.open(kept.data)) if kept else []
    return next((n for n, run in enumerate(mails, 1) if any(one.entry.id == head for one in run)), 0)
