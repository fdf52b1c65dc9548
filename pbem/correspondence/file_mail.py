"""The stage "file": store what a verdict allows and write the files; note what is lost.

A game that passes every check goes into the game store and the player's file; an offer is kept until the
player accepts it; a commander's draft gets its own file; a delivery report is noted with its mail.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from pbem.base.limits import MAIL_FAULTS
from pbem.correspondence.commander_drafts import save_draft
from pbem.correspondence.contacts import Contacts, PeerCapabilities
from pbem.correspondence.mail_stages import (
    Arrival,
    Examination,
    IncomingMail,
    MailContext,
    quarantined_arrival,
)
from pbem.correspondence.missing_mail import MissingMail, save_delivery_report
from pbem.correspondence.quarantine import quarantine_mail
from pbem.correspondence.verdict import DAMAGED_UP_TO, Verdict, store_game, write_newest_state
from pbem.errors import ChangedKey, CompetingAccept, FileNameTaken, ForkedFile, MailError, NotYourMove
from pbem.format.document import Draft
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game, GameState
from pbem.umpire.permissions import held_seats

tr = Texts("pbem")

DraftCheck = Callable[[Game, GameState, Draft], None]
"""Checks a commander's draft against a game. Raises `DraftRefused`."""


def file_mail(
    player: LocalPlayer,
    mail: IncomingMail,
    examined: Examination,
    folder: Path,
    check_draft: DraftCheck,
) -> list[Arrival]:
    """File the games and drafts in a mail. Returns the arrivals, if the mail is about pbem at all.

    Game files are written to `folder`. Raises `StorageError` if nothing can be saved.
    """
    if not examined.mails:
        return []
    [context] = examined.mails
    if context.report:
        report = save_delivery_report(player, context.report)
        return [Arrival(mail.label, Verdict("", "", damage=report))] if report else []
    # Drafts first: a game in the same mail might continue, and leave them without a question.
    drafts = [_file_draft(player, context, draft, folder, check_draft) for draft in context.drafts]
    arrivals = [
        _with_context(player, arrival, context)
        for arrival in _file_verdicts(player, mail, context, examined, folder)
    ]
    wants = context.wants
    if wants and not any(arrival.verdict.game for arrival in arrivals) and player.store.look_up(wants):
        asks = tr("your opponent's program asks for the whole game {game}", game=wants[:SHORT_ID_DIGITS])
        verdict = Verdict(context.label, "", damage=asks, first=wants)
        arrivals = [Arrival(context.label, verdict, wants=wants, sender=context.sender)]
    return arrivals + drafts


def save_losses(player: LocalPlayer, lost: MissingMail, mail: IncomingMail, arrivals: list[Arrival]) -> None:
    """Save the losses a mail shows; a game that arrived whole lacks nothing any more.

    Raises `StorageError`.
    """
    for arrival in arrivals:
        lost.wanted |= {arrival.wants} - {""}
        if arrival.lacks:
            lost.save_broken(arrival.lacks, quarantine_mail(player, mail.data, mail.key))
        elif arrival.verdict.game and arrival.file:
            lost.clear_broken(arrival.verdict.game.ids[0])


def _file_verdicts(
    player: LocalPlayer, mail: IncomingMail, context: MailContext, examined: Examination, folder: Path
) -> list[Arrival]:
    """The arrivals of a mail's games, filed; then of those that fail, if they are reported."""
    verdicts = examined.verdicts
    games = [verdict for verdict in verdicts if verdict.game]
    parts = [verdict for verdict in verdicts if verdict.refusal]
    failing = [
        verdict
        for verdict in verdicts
        if verdict.failure or (context.speaks and verdict.damage and not verdict.ended)
    ]
    arrivals = [_file_game(player, verdict, mail, folder) for verdict in games]
    arrivals += [_arrival_of_failure(verdict, mail) for verdict in failing[:MAIL_FAULTS]]
    arrivals += [Arrival(verdict.label, verdict, refusal=verdict.refusal) for verdict in parts[:MAIL_FAULTS]]
    if len(failing) > MAIL_FAULTS:
        more = tr("and {number} more that fail", number=len(failing) - MAIL_FAULTS)
        arrivals.append(Arrival(context.label, Verdict(context.label, "", damage=more)))
    if ended := [verdict.damage for verdict in verdicts if verdict.ended]:
        why = tr("could not be checked to the end: {why}", why=ended[0])
        arrivals.append(quarantined_arrival(mail.label, why))
    return arrivals


def _file_draft(
    player: LocalPlayer, context: MailContext, draft: Draft, folder: Path, check_draft: DraftCheck
) -> Arrival:
    """Check and save a commander's draft (FORMAT 11)."""
    received = save_draft(player, draft, folder, check_draft)
    verdict = Verdict("", "", damage=received.description, first=received.draft.after.game)
    return Arrival(context.label, verdict, received.file, received.refusal, sender=context.sender)


def _file_game(player: LocalPlayer, verdict: Verdict, mail: IncomingMail, folder: Path) -> Arrival:
    """Store a game from a mail and write its file, unless a check forbids it."""
    game = verdict.game
    assert game is not None
    contacts, relation = Contacts(player), verdict.relation
    if relation is not Relation.FORKED:  # a fork is reported whoever it is from
        try:
            contacts.check_and_remember(game)
        except (MailError, NotYourMove) as refusal:
            alarm = isinstance(refusal, ChangedKey) and relation is not Relation.NEW
            return Arrival(verdict.label, verdict, refusal=refusal, alarm=alarm)
    if relation is Relation.NEW and not held_seats(game, player.key):
        return Arrival(verdict.label, verdict, offer=True)
    try:
        if not verdict.behind:
            waits = player.offers.look_up(game.ids[0]) is not None
            begins = len(game.entries) == 1 or waits
            store_game(player, verdict, new=begins, doubted=not begins)
    except ForkedFile as refusal:
        return Arrival(
            verdict.label, verdict, refusal=refusal, alarm=not isinstance(refusal, CompetingAccept)
        )
    PeerCapabilities(player.home).save_observed(verdict)
    contacts.save_reader_language(verdict)
    try:
        return Arrival(verdict.label, verdict, write_newest_state(player, game, folder))
    except FileNameTaken as taken:
        return Arrival(verdict.label, verdict, refusal=taken)


def _arrival_of_failure(verdict: Verdict, mail: IncomingMail) -> Arrival:
    """The arrival of a game that fails, or of what is left of one."""
    if verdict.failure and verdict.failure.newer:
        return quarantined_arrival(mail.label, f"{verdict.description}; {verdict.failure.hint}")
    return Arrival(verdict.label, verdict, alarm=verdict.signed)


def _with_context(player: LocalPlayer, arrival: Arrival, context: MailContext) -> Arrival:
    """The arrival with its sender and the loss its mail shows.

    That is a mail of the player's, which the sender asks to be resent, or one of the sender's own.
    """
    verdict, wants, lacks = arrival.verdict, "", ""
    if verdict.game:
        behind = verdict.relation is Relation.OLDER and context.wants == verdict.game.ids[0]
        wants = context.wants if behind else ""
    else:
        lacks = _game_lacking_entries(player, arrival, context)
    return replace(arrival, sender=context.sender, wants=wants, lacks=lacks)


def _game_lacking_entries(player: LocalPlayer, arrival: Arrival, context: MailContext) -> str:
    """The id of the only stored game that this shows to lack entries here; else empty."""
    verdict = arrival.verdict
    step = verdict.failure.step if verdict.failure else 0
    broken = arrival.refusal is None and step <= DAMAGED_UP_TO and not (verdict.signed or arrival.quarantined)
    if not (verdict.may_fit_later or broken):
        return ""
    named = [verdict.first] if verdict.first else context.named
    games = {game for beginning in named for game in player.store.ids(beginning)}
    return games.pop() if len(games) == 1 else ""
