"""Resending: recover lost mail by mailing the newest entries again, or asking for the whole game.

    home/mail/again.json    by game and kind: for which last entry, how often, and when last

A mail is resent if the opponent is to write and has been silent, or if a mail asks for it. The whole game is
requested if a mail of it arrived damaged, or continues entries that are not here. Whatever the reason, both
go only to the confirmed address, and no more often than `RESEND_SECONDS` and `RESEND_TIMES` allow: neither a
stranger nor two programs that misunderstand each other can cause a flood of mail.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import JsonStore, make_folder, read_regular
from pbem.base.limits import RESEND_SECONDS, RESEND_TIMES
from pbem.correspondence.autoplay_by_mail import opponent_by_mail
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.examiner import Examiner
from pbem.correspondence.mail_stages import IncomingMail
from pbem.correspondence.missing_mail import MissingMail, describe_request
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.problem_reply import find_problem, problem_reply, sender_of_reply
from pbem.correspondence.send import send_by_server
from pbem.errors import MailError, PbemError
from pbem.mail.outgoing import Address, date_of, is_unsent, to_bytes
from pbem.mail.settings import MailSettings
from pbem.mail.smtp import deliver
from pbem.player.game_list import ListedGame
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate, describe_refusal
from pbem.render.safe_text import quote_path
from pbem.texts import Texts, date_in_words
from pbem.umpire import permissions
from pbem.umpire.game_state import Game

tr = Texts("pbem")

WHOLE, REQUEST = "whole", "request"


class ResendResult(Struct, frozen=True):
    """A mail that was resent, or a request: its game, its recipient, and why it failed, if it did."""

    game: Game
    contact: Contact
    failure: PbemError | None = None


class _Attempts(Struct, frozen=True, forbid_unknown_fields=True):
    """The last entry of the game at the latest attempt, the attempts for it, and when (Unix time)."""

    head: str = ""
    times: int = 0
    last: float = 0


class _ResendRecord:
    """The record of attempts in the home folder `home`."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "mail"
        hint = tr("delete it; pbem then resends the mails that might have been lost")
        self._store = JsonStore(self._folder / "again.json", dict[str, _Attempts], hint)

    def may_send(self, what: str, game: Game, now: datetime) -> bool:
        """Whether a mail of the kind `what` may be sent now. Raises `StorageError`."""
        attempts = self._store.read().get(f"{game.ids[0]} {what}", _Attempts())
        has_rested = now.timestamp() - attempts.last >= RESEND_SECONDS
        return has_rested and (attempts.head != game.ids[-1] or attempts.times < RESEND_TIMES)

    def save_attempt(self, what: str, game: Game, now: datetime) -> None:
        """Save that a mail of the kind `what` is being sent. Raises `StorageError`."""
        make_folder(self._folder)
        name = f"{game.ids[0]} {what}"
        before = self._store.read().get(name, _Attempts())
        times = before.times + 1 if before.head == game.ids[-1] else 1
        self._store.save(name, _Attempts(game.ids[-1], times, now.timestamp()))


def resend_newest(
    player: LocalPlayer, mail: MailSettings, now: datetime, most: int, wanted: Collection[str]
) -> Iterator[ResendResult]:
    """Mail the newest entries again if the opponent might lack them; at most `most` mails.

    `wanted` are the ids of games that opponents' mails ask to be resent. Raises `StorageError`,
    `VerificationError`, and `MailError` for an opponent with another key.
    """
    record, contacts = _ResendRecord(player.home), Contacts(player)
    for stored in player.store.games():
        if player.store.unconfirmed.has(stored.game) or not Outbox(player.home).has_mails(stored.game):
            continue
        game = player.open(stored.data)
        contact = opponent_by_mail(player, contacts, game)
        sent = newest_mail_sent_at(player, game)
        if contact is None or not contact.confirmed or sent is None or _is_to_write(player, game):
            continue
        silent = game.state.writer and mail.silence and now - sent >= mail.silence
        if not (silent or stored.game in wanted):
            continue
        if most < 1 or not record.may_send(WHOLE, game, now):
            continue
        contacts.check_and_remember(game)
        record.save_attempt(WHOLE, game, now)
        once_more = partial(
            send_by_server, player, mail, game, contact, now, automatic=True, whole=True, repeated=True
        )
        yield (result := _try_to_mail(game, contact, once_more))
        most -= result.failure is None


def request_whole_games(
    player: LocalPlayer, mail: MailSettings, now: datetime, most: int, lost: MissingMail
) -> Iterator[ResendResult]:
    """Request each whole game whose newest mail arrived damaged. Raises as `resend_newest`."""
    record, contacts = _ResendRecord(player.home), Contacts(player)
    for name, copy in lost.incomplete_games():
        asked = _whom_to_ask(player, name, now) if most > 0 else None
        if asked is None:
            continue
        game, contact = asked
        contacts.check_and_remember(game)
        record.save_attempt(REQUEST, game, now)
        request = partial(_mail_request, player, mail, game, contact, now, read_regular(copy))
        result = _try_to_mail(game, contact, request)
        if result.failure is None:
            lost.save_request(name, now)
        yield result
        most -= result.failure is None


def will_request_whole_game(player: LocalPlayer, name: str, now: datetime) -> bool:
    """Whether `request_whole_games` will ask for this game, whose mail arrived damaged."""
    return _whom_to_ask(player, name, now) is not None


def _whom_to_ask(player: LocalPlayer, name: str, now: datetime) -> tuple[Game, Contact] | None:
    """The stored game and its opponent, if they may be asked for the whole game now."""
    if (stored := player.store.look_up(name)) is None:
        return None
    game = player.open(stored.data)
    contact = opponent_by_mail(player, Contacts(player), game)
    if (
        contact is None
        or not contact.confirmed
        or not _ResendRecord(player.home).may_send(REQUEST, game, now)
    ):
        return None
    return game, contact


def _try_to_mail(game: Game, contact: Contact, mailed: Callable[[], object]) -> ResendResult:
    """Call `mailed`, and return the result of that attempt."""
    try:
        mailed()
    except MailError as failure:
        return ResendResult(game, contact, failure)
    return ResendResult(game, contact)


def _mail_request(
    player: LocalPlayer, mail: MailSettings, game: Game, contact: Contact, now: datetime, data: bytes
) -> None:
    """Mail a request for the whole game: the polite reply to the unusable mail."""
    with Examiner(player.home) as examiner:
        examination = examiner.examine_mail(IncomingMail("", data))
    problem = replace(find_problem(player, examination, ""), resend=False, mine=game)
    draft = problem_reply(player, problem, sender_of_reply(mail), Address(contact.address, contact.name), now)
    asks = to_bytes(replace(draft, unsent=False, automatic=True, wants=game.ids[0]))
    deliver(mail.sending_account, mail.address, contact.address, asks)


def newest_mail_sent_at(player: LocalPlayer, game: Game) -> datetime | None:
    """When a server accepted the player's newest mail; None if none has, or the opponent wrote last."""
    if game.entries[-1].body.by not in permissions.held_seats(game, player.key):
        return None
    return Outbox(player.home).sent_at(game.ids[0], game.ids[-1])


def _is_to_write(player: LocalPlayer, game: Game) -> bool:
    """Whether the player writes next, so that their next mail brings everything."""
    return game.state.writer in permissions.held_seats(game, player.key)


def describe_mail_trouble(
    player: LocalPlayer, row: ListedGame, name: str, silence: timedelta | None, now: datetime
) -> tuple[str, str]:
    """What is wrong with the mails of a game, and the command that helps; both empty if nothing is.

    `name` is the game as one types it. Either the opponent's mail arrived damaged, or the player's own was
    refused, bounced, was not accepted by any server, or might be lost. There is no command if the opponent
    was asked for the whole game and has been silent for less than `silence`.
    """
    if row.problem:
        return "", ""
    if copy := (lost := MissingMail(player)).broken_copy(row.game, row.facts["head"]):
        words = tr("A mail from your opponent arrived damaged, or out of order.")
        command = f"pbem mail send {quote_path(copy)} --reply-problem"
        if (asked := lost.requested_at(row.game)) is None:
            return words, command
        words = f"{words} {describe_request(asked)}"
        return words, command if silence and now - asked >= silence else ""
    own = _describe_own_mail(player, row, silence, now)
    return own, own and f"pbem mail send {name}"


def _describe_own_mail(player: LocalPlayer, row: ListedGame, silence: timedelta | None, now: datetime) -> str:
    """What is wrong with the player's own newest mail; empty if nothing is.

    A mail passed to their mail program counts as sent at that time. A bounce report can be forged, so it
    changes nothing except these words.
    """
    if row.last != str(player.public_key):
        return ""
    outbox, names = Outbox(player.home), (row.game, row.facts["head"])
    fate = outbox.fate(*names)
    if fate is Fate.REFUSED:
        return describe_refusal()
    if fate is Fate.RETURNED:
        return tr("Your mail bounced.")
    saved = outbox.read(*names)
    if fate is None and saved and not is_unsent(saved):
        return tr("No server has taken your mail yet.")
    if row.is_over or silence is None or row.waits_for(str(player.public_key)):
        return ""
    sent = date_of(saved) if saved and is_unsent(saved) else outbox.sent_at(*names)
    if sent and now - sent >= silence:
        return tr("Your opponent might not have your mail of {day}.", day=date_in_words(sent.astimezone(UTC)))
    return ""
