"""Mail that did not arrive: the player's own that bounced, and opponents' that arrived cut or damaged.

    home/mail/lost.json    by game: its last entry when such a mail arrived, the mail's copy in quarantine,
                           and when the opponent was last asked for the whole game

A bounce is a delivery report, recognised by the message id of a mail in the outbox. An opponent's damaged
mail stays on record until the game continues or arrives whole; so the opponent is asked again if the request
is lost as well, or if pbem was stopped before it sent one. A mail that merely arrived early is read once the
missing entries have arrived.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import JsonStore, make_folder
from pbem.correspondence.outbox import Outbox, entries_by_mail, parse_message_id
from pbem.correspondence.quarantine import quarantine_folder
from pbem.errors import VerificationError
from pbem.mail.delivery_reports import DeliveryReport
from pbem.mail.outgoing import recipient_of
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.texts import Texts, date_in_words
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.verify import parse_log

tr = Texts("pbem")


def save_delivery_report(player: LocalPlayer, report: DeliveryReport) -> str:
    """Save what a delivery report says about one of the player's own mails. Returns a description.

    Empty if the report is about another mail. Raises `MailError`, `StorageError` if the outbox cannot be read
    or written.
    """
    return next(
        (words for message_id in report.ids if (words := _save_and_describe(player, report, message_id))), ""
    )


def _save_and_describe(player: LocalPlayer, report: DeliveryReport, message_id: str) -> str:
    """Save and describe the report on the mail with this id, if it is the player's; else empty."""
    outbox, parsed = Outbox(player.home), parse_message_id(message_id)
    mail = outbox.find(*parsed) if parsed else None
    if parsed is None or mail is None:
        return ""
    game, head, data = mail
    if not report.delayed:
        outbox.save_fate(game, head, Fate.RETURNED, report.words, copy=parsed[2])
    return _describe_bounce(
        report, _number_of_mail(player, game, head), recipient_of(data), game[:SHORT_ID_DIGITS]
    )


def _describe_bounce(report: DeliveryReport, number: int, to: str, game: str) -> str:
    """What happened to a mail, with its number and recipient; `number` is 0 if it is unknown."""
    which = tr("your mail {number} to {address}", number=number, address=to)
    mail = which if number else tr("your mail to {address}", address=to)
    if report.delayed and report.words:
        return tr("{mail} is delayed: {words} (game {game})", mail=mail, words=report.words, game=game)
    if report.delayed:
        return tr("{mail} is delayed (game {game})", mail=mail, game=game)
    if report.words:
        statement = tr("{mail} bounced: {words} (game {game})", mail=mail, words=report.words, game=game)
    else:
        statement = tr("{mail} bounced (game {game})", mail=mail, game=game)
    return tr("{what}; to resend it: pbem mail send {game}", what=statement, game=game)


def _number_of_mail(player: LocalPlayer, game: str, head: str) -> int:
    """The number, from 1, of the game's mail with this entry; 0 if the stored game has no such entry."""
    stored = player.store.look_up(game)
    mails = entries_by_mail(player.open(stored.data)) if stored else []
    return next(
        (n for n, run in enumerate(mails, 1) if any(replayed.entry.id == head for replayed in run)), 0
    )


class _BrokenMail(Struct, frozen=True, forbid_unknown_fields=True):
    """A mail that arrived damaged: the last entry of its game then, and its copy; empty if there is none.

    `asked` is when the opponent was last asked for the whole game (Unix time); 0: not yet.
    """

    head: str = ""
    copy: str = ""
    asked: float = 0


class MissingMail:
    """The losses a home knows of. `wanted` are the games this fetch was asked to resend.

    `is_new`: a damaged mail arrived in this fetch.
    """

    def __init__(self, player: LocalPlayer) -> None:
        self._player = player
        hint = tr("delete it; pbem then resends the mails that might have been lost")
        self._store = JsonStore(player.home / "mail" / "lost.json", dict[str, _BrokenMail], hint)
        self.wanted: set[str] = set()
        self.is_new = False

    def save_broken(self, game: str, copy: Path) -> None:
        """Save that a mail of a game arrived damaged, with the mail's copy. Raises `StorageError`."""
        make_folder(self._store.path.parent)
        newest = parse_log(self._player.store.find(game).data)[-1].id
        before = self._store.read().get(game, _BrokenMail())
        asked = before.asked if before.head == newest else 0
        self._store.save(game, _BrokenMail(newest, copy.name, asked))
        self.is_new = True

    def save_request(self, game: str, now: datetime) -> None:
        """Save that the opponent was asked for a whole game. Raises `StorageError`."""
        if (noted := self._store.read().get(game)) and noted.head:
            self._store.save(game, replace(noted, asked=now.timestamp()))

    def requested_at(self, game: str) -> datetime | None:
        """When the opponent was asked to replace the last damaged mail; None if not yet."""
        noted = self._store.read().get(game, _BrokenMail())
        return datetime.fromtimestamp(noted.asked, UTC) if noted.asked else None

    def clear_broken(self, game: str) -> None:
        """Save that a game has arrived whole. Raises `StorageError`."""
        if game in self._store.read():
            self._store.save(game, _BrokenMail())

    def broken_copy(self, game: str, head: str) -> Path | None:
        """The copy of the game's damaged mail, if the game still ends with the same entry."""
        noted = self._store.read().get(game, _BrokenMail())
        return quarantine_folder(self._player) / noted.copy if noted.head == head else None

    def incomplete_games(self) -> Iterator[tuple[str, Path]]:
        """Each game whose newest mail arrived damaged, with the copy of that mail.

        A stored game that is damaged itself is skipped: it is reported when opened.
        """
        for game, noted in self._store.read().items():
            if not noted.copy or (stored := self._player.store.look_up(game)) is None:
                continue
            try:
                head = parse_log(stored.data)[-1].id
            except VerificationError:
                continue
            if (copy := self.broken_copy(game, head)) and copy.exists():
                yield game, copy


def describe_request(asked: datetime) -> str:
    """The statement that the opponent was asked for the whole game, and when."""
    return tr("You asked for the whole game on {day}.", day=date_in_words(asked))
