"""Autoplay by mail: sign and mail the entries that need no decision, or for which one was made in advance.

The next duty follows from the game store, not from the mail that has just arrived. So pbem can be killed at
any point: a move is stored before it is mailed, and a stored move that is not yet mailed goes first. The
outbox sends the same bytes however often it tries. A mail that a server refuses permanently, or that bounces,
needs the player.

Fetch first: the player may have moved on another computer, and a move from an old state is a fork.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.question_record import was_ordered_by_reply
from pbem.correspondence.send import send_by_server
from pbem.correspondence.verdict import write_newest_state
from pbem.errors import FileNameTaken, MailError, NotYourMove, PbemError, UndoneEntry, UnknownGame
from pbem.mail.outgoing import is_unsent
from pbem.mail.settings import MailSettings
from pbem.player.actions.autoplay import has_automatic_share, is_decision_automatic, save_automatic_entries
from pbem.player.local_player import LocalPlayer, is_practice
from pbem.player.pending import DeferredActions
from pbem.player.plans.plan_store import entries_by_plan as by_plan
from pbem.render.safe_text import quote_path
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import decides_nothing
from pbem.umpire.game_state import Game

tr = Texts("pbem")


class AutoplayResult(Struct, frozen=True):
    """The result in one game: whether an entry was written to `file`, and mailed, or the `failure`.

    Nothing is mailed if it is still the player's turn: their next mail includes it. `plan_orders` are the
    orders a plan gave, `copy_failure` says why the player has no copy of the sent mail.
    """

    game: Game
    file: Path
    contact: Contact
    has_new_entry: bool
    mailed: bool
    plan_orders: tuple[str, ...] = ()
    failure: PbemError | None = None
    copy_failure: MailError | None = None


def sign_and_mail_automatic_moves(
    player: LocalPlayer, mail: MailSettings, folder: Path, now: datetime, most: int
) -> Iterator[AutoplayResult]:
    """Sign and mail the next entry of each stored game that needs no decision, or has one already.

    Deferred actions and plans are such decisions, if this home may sign them automatically. Sends at most
    `most` mails.

    Raises `MailError` for an opponent with another key, `VerificationError` for a game that fails.
    """
    contacts = Contacts(player)
    for stored in player.store.games():
        game = player.open(stored.data)
        contact = opponent_by_mail(player, contacts, game)
        is_due = has_automatic_share(player, game) or is_decision_automatic(player, game)
        if contact is None or not (is_due or _is_unsent(player, game)):
            continue
        contacts.check_and_remember(game)
        if doubt := unconfirmed_state_error(player, game):
            yield AutoplayResult(game, player.game_path(game, folder), contact, False, False, failure=doubt)
            continue
        if contact.confirmed and most > 0:
            try:
                answer = _sign_and_mail(player, mail, folder, game, contact, now)
            except UndoneEntry:  # the player has undone it meanwhile: the next fetch sees the new state
                continue
            most -= answer.mailed
            yield answer
        elif is_due and not contact.confirmed:
            yield _unconfirmed_result(player, game, contact, folder)


def unconfirmed_state_error(player: LocalPlayer, game: Game) -> UnknownGame | None:
    """The reason to leave a game alone: the player has not confirmed that they know no newer state."""
    try:
        player.store.unconfirmed.check(game.ids[0])
    except UnknownGame as unknown:
        command = "pbem mail fetch --newest"
        unknown.hint = tr("{hint}; if you know of none: {command}", hint=unknown.hint, command=command)
        return unknown
    return None


def opponent_by_mail(player: LocalPlayer, contacts: Contacts, game: Game) -> Contact | None:
    """The opponent; None if the player has no seat or both, or plays against the computer."""
    if is_practice(game, player):
        return None
    try:
        return contacts.opponent(game)
    except (MailError, NotYourMove):
        return None


def _is_unsent(player: LocalPlayer, game: Game) -> bool:
    """Whether a mail still has to be sent: for an entry that pbem made, or one in the outbox."""
    newest, outbox, names = game.entries[-1].body, Outbox(player.home), (game.ids[0], game.ids[-1])
    mine = permissions.held_seats(game, player.key)
    if newest.by not in mine or game.state.writer in mine or outbox.is_settled(*names):
        return False
    mail = outbox.read(*names)
    was_decided = (
        _was_planned(player, game)
        or _was_deferred(player, game)
        or was_ordered_by_reply(player.home, game, player.key)
    )
    by_itself = decides_nothing(game, newest) or was_decided
    return by_itself if mail is None else not is_unsent(mail)


def _was_planned(player: LocalPlayer, game: Game) -> bool:
    """Whether a plan wrote the newest entry."""
    return game.ids[-1] in by_plan(player.home, game)


def _was_deferred(player: LocalPlayer, game: Game) -> bool:
    """Whether the newest entry, signed here, carried out a deferred action of the player's."""
    newest = game.entries[-1]
    return (
        DeferredActions(player.home).is_fulfilled_by(game, newest.body)
        and newest.id in player.store.signed_entries(game.ids[0]).signed_here
    )


def _unconfirmed_result(player: LocalPlayer, game: Game, contact: Contact, folder: Path) -> AutoplayResult:
    """The result for an opponent the player has never written to: nothing is done."""
    file = player.game_path(game, folder)
    return AutoplayResult(game, file, contact, False, False, failure=unconfirmed_address_error(contact, file))


def unconfirmed_address_error(contact: Contact, file: Path) -> MailError:
    """The reason to send nothing to an opponent the player has never written to, and the remedy."""
    return MailError(
        tr("you have not confirmed the address of {player} yet", player=contact.display_name),
        hint=tr(
            "give this answer yourself: pbem move {file}. Then mail it: pbem mail send {file}",
            file=quote_path(file),
        ),
    )


def _sign_and_mail(
    player: LocalPlayer, mail: MailSettings, folder: Path, game: Game, contact: Contact, now: datetime
) -> AutoplayResult:
    """Sign the next entry, unless that is already done, write it to the file, and mail it."""
    before, file = game, player.game_path(game, folder)
    try:
        player.check_path_is_free(game, file)
    except FileNameTaken as taken:
        return AutoplayResult(game, file, contact, False, False, failure=taken)
    game, planned = save_automatic_entries(player, game, file)
    wrote = game is not before
    write_newest_state(player, game, folder)
    if game.state.writer in permissions.held_seats(game, player.key):
        return AutoplayResult(game, file, contact, wrote, False, planned)
    try:
        # nobody needs to know about a plan
        automatic = not planned and decides_nothing(game, game.entries[-1].body)
        unkept = send_by_server(player, mail, game, contact, now, automatic=automatic)
    except MailError as failure:
        return AutoplayResult(game, file, contact, wrote, False, planned, failure)
    return AutoplayResult(game, file, contact, wrote, True, planned, copy_failure=unkept)
