"""Incoming mail: `mail fetch` and `mail watch`.

Mail modules are imported where they are used, so that other commands start sooner.
"""

from __future__ import annotations

import re
import time
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.command_groups import commands
from pbem.cli.progress import MailProgress
from pbem.cli.session import local_player, two_computers_warning
from pbem.cli.terminal import (
    ask_yes_no,
    is_interactive,
    printable_size,
    put,
    put_stderr,
    report_problem,
    warn,
)
from pbem.core.sentences import capitalized
from pbem.correspondence.autoplay_by_mail import sign_and_mail_automatic_moves
from pbem.correspondence.commander_drafts import games_missing_drafts
from pbem.correspondence.commander_mail import mail_to_waiting_commanders
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.missing_mail import MissingMail
from pbem.correspondence.orders_by_reply import OrdersByReply
from pbem.correspondence.outbox import entries_by_mail
from pbem.correspondence.question_letters import mail_questions
from pbem.correspondence.question_record import QuestionRecord
from pbem.correspondence.resend import request_whole_games, resend_newest, will_request_whole_game
from pbem.correspondence.verdict import describe_game, is_own_game
from pbem.errors import (
    KeyFileError,
    MailError,
    PbemError,
    RefusedLogin,
    StorageError,
    describe_unforeseen_error,
)
from pbem.mail.imap import Imap
from pbem.mail.mailbox import Bookmarks, Tidying, choose_mailbox, other_folders
from pbem.mail.settings import read_config, settings_to_send
from pbem.mail.watch_record import WatchRecord
from pbem.player import status
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import DeferredActions
from pbem.player.plans.plan_store import consult_armed_plan
from pbem.player.status import describe_next_step, game_status, pending_question
from pbem.render.safe_text import quote_path, safe_text, wrap
from pbem.render.story import describe_commander, quote_player
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS, changed_address
from pbem.umpire.game_state import Game

if TYPE_CHECKING:
    from pbem.correspondence.mail_stages import Arrival
    from pbem.correspondence.missing_mail import MissingMail
    from pbem.correspondence.resend import ResendResult
    from pbem.mail.mailbox import Tidying
    from pbem.mail.settings import MailSettings


tr = Texts("pbem")


def resend_mail(
    player: LocalPlayer, settings: MailSettings, lost: MissingMail, most: int, *, silent: bool = False
) -> tuple[int, bool]:
    """Resend mail that might be lost, and ask for mail that is missing.

    With `silent`, also resend to opponents who have long been silent. Returns how many mails were sent, and
    whether any failed.
    """

    mailed, failed = 0, False
    for again in resend_newest(player, settings, now(), most, lost.wanted) if silent else ():
        told = tr(
            "Mailed game {game} to {mailbox} again, because the last mail may be lost.",
            **_message_values(again),
        )
        mailed, failed = mailed + _put_resent(again, told), failed or again.failure is not None
    for again in request_whole_games(player, settings, now(), most - mailed, lost):
        told = tr("Asked {mailbox} for the whole game {game}.", **_message_values(again))
        mailed, failed = mailed + _put_resent(again, told), failed or again.failure is not None
    return mailed, failed


def _message_values(again: ResendResult) -> dict[str, str]:
    return {"game": again.game.ids[0][:SHORT_ID_DIGITS], "mailbox": safe_text(again.contact.mailbox)}


def _warn_not_sent(failure: PbemError) -> None:
    """Print why a mail was not sent. Raises `RefusedLogin`, since every other mail would fail as well."""
    if isinstance(failure, RefusedLogin):
        raise failure
    warn(failure)


def _put_resent(again: ResendResult, told: str) -> bool:
    """Print that a mail was sent, or why not. Returns whether it was."""
    if again.failure:
        _warn_not_sent(again.failure)
        return False
    put(wrap(told, indent=2))
    return True


app = commands()

_SETTLE_SECONDS = 10
"""Seconds to wait after a mail arrives: others might follow, and servers count logins."""

_MOST = 20
"""The default of `--most`, and the most mails that `fetch` sends."""


@app.command()
def fetch(
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="PATH", help="A Maildir or other folder to read, such as your downloads."
        ),
    ] = None,
    mark: Annotated[bool, typer.Option("--mark", help="Mark mails that contain a game as read.")] = False,
    move: Annotated[
        str, typer.Option("--move", metavar="FOLDER", help="Move mails that contain a game to this folder.")
    ] = "",
    everywhere: Annotated[
        bool,
        typer.Option("--everywhere", help="Also look in the spam and archive folders."),
    ] = False,
    newest: Annotated[
        bool,
        typer.Option(
            "--newest",
            help="Continue games that are new on this computer, if you know no newer state of them.",
        ),
    ] = False,
) -> None:
    """Fetch your mail: check each game in it, write it to a file here, and say whose move it is.

    It never deletes mail, and changes nothing in your mailbox unless you ask for it.

    Example: pbem mail fetch
    """

    player = local_player()
    if not player.has_key:
        player.make_key()
        put(tr("made a new key: {fingerprint}", fingerprint=player.key.public.fingerprint))
    settings, lost = read_config(player.home).mail, MissingMail(player)
    alarm = _fetch(player, settings, source, Tidying(mark, move), lost=lost)
    for folder in other_folders(settings, source) if everywhere else ():
        put(tr("In {folder}:", folder=safe_text(folder)))
        alarm |= _fetch(player, settings, None, Tidying(mark, move), lost=lost, folder=folder)
    _confirm_doubted_games(player, newest)
    may_ask = settings and settings.smtp and lost.is_new and is_interactive() and _lacks_a_game(player, lost)
    if settings and may_ask and ask_yes_no(tr("Mail your opponent to ask for the whole game?")):
        resend_mail(player, settings, lost, _MOST)
    if alarm:
        raise typer.Exit(1)


def _lacks_a_game(player: LocalPlayer, lost: MissingMail) -> bool:
    """Whether a mail with a game arrived damaged, and the opponent can be asked for it now."""
    return any(will_request_whole_game(player, game, now()) for game, _ in lost.incomplete_games())


def _confirm_doubted_games(player: LocalPlayer, newest: bool) -> None:
    """Ask which unconfirmed games the player continues here."""
    for game in filter(player.store.unconfirmed.has, player.store.ids()):
        brief = game[:SHORT_ID_DIGITS]
        if newest:
            player.store.unconfirmed.confirm(game)
            put(tr("You are continuing game {game} on this computer.", game=brief))
            continue
        put(wrap(tr("You might not have the newest state of game {game}.", game=brief)))
        put(wrap(two_computers_warning()))
        if not is_interactive():
            put(tr("To continue it here: {command}", command="pbem mail fetch --newest"))
        elif ask_yes_no(tr("Continue game {game} on this computer?", game=brief)):
            player.store.unconfirmed.confirm(game)


@app.command()
def watch(
    once: Annotated[bool, typer.Option("--once", help="Check once, then stop.")] = False,
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="How often to check, such as 10m or 1h.")
    ] = "10m",
    most: Annotated[int, typer.Option("--most", min=1, help="Stop after sending this many mails.")] = _MOST,
    by_reply: Annotated[
        bool,
        typer.Option("--orders-by-reply", help="Mail you each decision, and accept your orders by reply."),
    ] = False,
) -> None:
    """Fetch your mail, and answer it automatically when you have no choice to make.

    Answers only opponents whose address you have confirmed, in games on this computer, and mails your
    commanders each decision of theirs. Stops if a game fails a check. You can interrupt it at any time.

    With --orders-by-reply, on one computer only, you can play from a telephone: see docs/ORDERS-BY-REPLY.md.

    Example: pbem mail watch --every 30m
    """

    pause = _parse_pause(every)
    player = local_player()
    settings = settings_to_send(player.home)
    if by_reply:
        put_stderr(
            tr(
                "note: accept orders by reply on one computer only, because two would sign two different "
                "moves"
            )
        )
    with raise_on_interrupt():
        _watch(player, settings, pause, most, once=once, by_reply=by_reply)


def _watch(
    player: LocalPlayer, settings: MailSettings, pause: timedelta, most: int, *, once: bool, by_reply: bool
) -> None:
    """Fetch and answer mail repeatedly, until `most` mails have been sent."""

    record = WatchRecord(player.home)
    while True:
        looked = False
        try:
            _check_not_refused(record, settings)
            most, failed = _look_and_answer(player, settings, most, record, by_reply=by_reply)
            looked = True
            if once and failed:
                raise typer.Exit(1)
        except RefusedLogin as refusal:
            record.save_refusal(settings, str(refusal))
            if once:
                raise
            warn(refusal)
        except _FailedLook as look:
            if once:
                raise look.why from None
            warn(look.why)
        if once:
            return
        if most <= 0:
            put(tr("Stopped: that was the last mail of {option}.", option="--most"))
            return
        _wait(settings, pause, Bookmarks(player.home) if looked else None)


class _FailedLook(Exception):
    """The mail could not be read, for the reason `why`; it is tried again."""

    def __init__(self, why: MailError) -> None:
        self.why = why


def _look_and_answer(
    player: LocalPlayer, settings: MailSettings, most: int, record: WatchRecord, *, by_reply: bool
) -> tuple[int, bool]:
    """Fetch and answer mail once. Returns how many mails can still be sent, and whether any failed.

    Raises `_FailedLook`; `RefusedLogin` if a server refuses the login for reading and for sending, so that
    nothing more is tried; `MailError` for an alarm.
    """
    lost = MissingMail(player)
    try:
        alarm = _fetch(player, settings, None, Tidying(), stop=True, by_reply=by_reply, lost=lost)
    except RefusedLogin:
        raise
    except MailError as error:
        raise _FailedLook(error) from None
    record.save_look(now())
    if alarm:
        raise MailError(
            tr("stopped without answering, because of a mail that has arrived"), hint=_alarm_hint()
        )
    mailed, failed = _send_answers(player, settings, most)
    shared, unshared = _send_to_commanders(player, settings, most - mailed)
    _put_overdue_drafts(player)
    most, failed = most - mailed - shared, failed or unshared
    mailed, unheard = resend_mail(player, settings, lost, most, silent=True)
    most, failed = most - mailed, failed or unheard
    if by_reply:
        mailed, unasked = _send_questions(player, settings, most)
        most, failed = most - mailed, failed or unasked
    return most, failed


def _wait(settings: MailSettings, pause: timedelta, read: Bookmarks | None) -> None:
    """Wait until the next look: until mail arrives if the server reports it, otherwise for `pause`.

    `read` is how far the last look has read; mail that arrived since then ends the wait too. None after a
    look that failed: the mail it did not read would otherwise be tried again at once, and again.
    """
    end = time.monotonic() + pause.total_seconds()
    if settings.imap and not settings.maildir:
        with suppress(MailError), Imap(settings.imap, settings.folder) as box:
            if box.wait_for_mail(pause.total_seconds(), read.bookmark_of(box.name) if read else ()):
                end = min(end, time.monotonic() + _SETTLE_SECONDS)
    time.sleep(max(0, end - time.monotonic()))


def _check_not_refused(record: WatchRecord, settings: MailSettings) -> None:
    """Raise `MailError` if the server has refused these settings: it is not asked again until they change."""
    if why := record.refusal_of(settings):
        raise MailError(
            tr("pbem is not checking your mail: {why}", why=why),
            hint=tr(
                "to test it: {check}. To set a new password: {setup}",
                check="pbem mail check",
                setup="pbem mail setup",
            ),
        )


def _alarm_hint() -> str:
    return tr("look at the mail: pbem mail fetch skips it, and pbem mail send --reply-problem drafts a reply")


def _fetch(
    player: LocalPlayer,
    settings: MailSettings | None,
    source: Path | None,
    tidying: Tidying,
    *,
    stop: bool = False,
    by_reply: bool = False,
    lost: MissingMail | None = None,
    folder: str = "",
) -> bool:
    """Fetch mail and print each game in it. Returns whether any raises an alarm.

    With `stop`, only an alarm about a game the player plays counts, and later mails are left for next time.
    """

    found = alarm = False
    progress = MailProgress()
    replies = OrdersByReply(player, settings, Path()) if by_reply and settings else None
    with (
        choose_mailbox(settings, source, tidying, folder) as box,
        closing(fetch_mails(player, box, Path(), tidying, progress, replies, lost)) as arrivals,
    ):
        try:
            for arrival in arrivals:
                progress.clear()
                if stop and arrival.lacks and arrival.refusal:
                    _drop_hint_to_ask(player, arrival.lacks, arrival.refusal)
                _put_arrival(player, arrival)
                if by_reply and arrival.file and arrival.verdict.game is None:
                    _note_draft(player, arrival)
                found = True
                if arrival.alarm and (not stop or is_own_game(player, arrival.verdict)):
                    alarm = True
                    if stop:
                        break
        finally:
            progress.clear()
    if not found:
        put(tr("No new games in your mail."))
    return alarm


def _drop_hint_to_ask(player: LocalPlayer, game: str, refusal: PbemError) -> None:
    """Drop the hint to ask for a damaged game if `watch` asks for it itself."""
    if will_request_whole_game(player, game, now()):
        refusal.hint = ""


def _note_draft(player: LocalPlayer, arrival: Arrival) -> None:
    """Note for the next letter to the player that a commander's draft has arrived."""

    words = arrival.verdict.description
    QuestionRecord(player.home).save_note(arrival.verdict.first, f"{capitalized(words)}.")


def _put_arrival(player: LocalPlayer, arrival: Arrival) -> None:
    """Print what has arrived, and in which mail. A failure to describe one does not stop the next."""
    if arrival.reply_result:
        put(wrap(f"{safe_text(arrival.label)}: {safe_text(arrival.reply_result)}", indent=2))
        return
    if arrival.quarantined:
        warn(f"{arrival.label}: {arrival.verdict.description}")
        return
    if not arrival.label:
        put(wrap(safe_text(arrival.verdict.description), indent=2))
        return
    try:
        _put_game(player, arrival)
    except (StorageError, KeyFileError, OSError):
        raise
    except Exception as error:
        warn(f"{arrival.label}: {describe_unforeseen_error(error)}")


def _put_game(player: LocalPlayer, arrival: Arrival) -> None:
    """Print a game that has arrived: in which mail, what it is, and what to do about it."""
    put(wrap(safe_text(arrival.label), indent=2))
    put(wrap(f"  {safe_text(arrival.verdict.description)}", indent=2))
    if arrival.refusal:
        report_problem(arrival.refusal, "" if arrival.alarm else tr("note"))
    place = tr("now in {file}", file=safe_text(str(arrival.file)))
    if arrival.file and arrival.verdict.game is None:
        put(wrap(f"  {place}", indent=2))
        command = f"pbem move {arrival.verdict.first[:SHORT_ID_DIGITS]} --with {quote_path(arrival.file)}"
        put(tr("Type: {command}", command=command))
    elif arrival.offer and (game := arrival.verdict.game):
        named = game.ids[0][:SHORT_ID_DIGITS]
        put(describe_next_step(pending_question(game, None), game, player.key, named, printable_size()[0]))
    elif arrival.file:
        verdict = arrival.verdict
        game = player.open(player.read(arrival.file)) if verdict.behind or not verdict.game else verdict.game
        put(wrap(f"  {place}", indent=2))
        at_home = game_status(player, game)
        put(describe_next_step(at_home.question, game, player.key, arrival.file, printable_size()[0]))
        for line in status.describe_pending(at_home, arrival.file):
            put(wrap(line, indent=2))
        _put_new_address(player, game)
        _put_plan_stop(player, game)


def _put_new_address(player: LocalPlayer, game: Game) -> None:
    """Print the new address in the opponent's newest mail, if it has one."""

    newest = [replayed.entry.body for replayed in entries_by_mail(game)[-1]]
    by = newest[-1].by
    if (
        any(body.x for body in newest)
        and by not in permissions.held_seats(game, player.key)
        and (moved := changed_address(game, by))
    ):
        who = quote_player(game.seats[by].name)
        told = tr("From now on, pbem mails {player} at {address}.", player=who, address=safe_text(moved))
        put(wrap(told, indent=2))


def _put_plan_stop(player: LocalPlayer, game: Game) -> None:
    """Print why an armed plan leaves the pending decision to the player, if it does."""
    choice = consult_armed_plan(player, game)
    if choice and not choice.orders:
        put(wrap(tr("Your plan leaves this to you: {why}.", why=safe_text(choice.why)), indent=2))


def _send_answers(player: LocalPlayer, settings: MailSettings, most: int) -> tuple[int, bool]:
    """Answer where there is nothing to decide. Returns how many mails were sent, and whether any failed."""

    mailed, failed = 0, False
    for answer in sign_and_mail_automatic_moves(player, settings, Path(), now(), most):
        game, file = safe_text(describe_game(answer.game)), answer.file
        for orders in answer.plan_orders:
            put(wrap(tr("{game}: your plan orders {orders}", game=game, orders=safe_text(orders)), indent=2))
        if answer.has_new_entry and DeferredActions(player.home).is_fulfilled_by(
            answer.game, answer.game.entries[-1].body
        ):
            put(wrap(tr("{game}: wrote the move you asked for to {file}", game=game, file=file), indent=2))
        elif answer.has_new_entry:
            put(
                wrap(
                    tr("{game}: wrote the step that needed no decision to {file}", game=game, file=file),
                    indent=2,
                )
            )
        if answer.mailed:
            mailbox = answer.contact.mailbox
            put(wrap(tr("Mailed {file} to {mailbox}.", file=file, mailbox=mailbox), indent=2))
        if answer.failure:
            _warn_not_sent(answer.failure)
        if answer.copy_failure:
            warn(answer.copy_failure)
        mailed, failed = mailed + answer.mailed, failed or answer.failure is not None
    return mailed, failed


def _send_to_commanders(player: LocalPlayer, settings: MailSettings, most: int) -> tuple[int, bool]:
    """Mail games to commanders who have to draft orders.

    Returns how many mails were sent, and whether any failed.
    """

    mailed, failed = 0, False
    for shared in mail_to_waiting_commanders(player, settings, Path(), now(), most):
        if shared.failure:
            _warn_not_sent(shared.failure)
        else:
            brief = shared.game.ids[0][:SHORT_ID_DIGITS]
            told = tr(
                "Mailed game {game} to {mailbox}.", game=brief, mailbox=safe_text(shared.contact.mailbox)
            )
            put(wrap(told, indent=2))
        mailed, failed = mailed + (shared.failure is None), failed or shared.failure is not None
    return mailed, failed


def _put_overdue_drafts(player: LocalPlayer) -> None:
    """Print for the lead which commanders' drafts are overdue."""

    contacts = Contacts(player)
    for game, absent in games_missing_drafts(player, Path()):
        brief, who = game.ids[0][:SHORT_ID_DIGITS], ", ".join(map(describe_commander, absent))
        put(wrap(tr("Game {game} is still waiting for orders from {who}.", game=brief, who=who), indent=2))
        if not all(contacts.contact_of_key(commander.name, commander.key).confirmed for commander in absent):
            put(tr("To mail it to your commanders: {command}", command=f"pbem mail share {brief}"))


def _send_questions(player: LocalPlayer, settings: MailSettings, most: int) -> tuple[int, bool]:
    """Mail the player their pending questions. Returns how many letters were sent, and whether any failed."""

    mailed, failed = 0, False
    for letter in mail_questions(player, settings, now(), most):
        if letter.failure:
            _warn_not_sent(letter.failure)
        else:
            about = (
                safe_text(describe_game(letter.game))
                if letter.game
                else tr("replies that pbem could not use")
            )
            put(wrap(tr("Mailed you a letter: {about}.", about=about), indent=2))
        mailed, failed = mailed + (letter.failure is None), failed or letter.failure is not None
    return mailed, failed


def _parse_pause(every: str) -> timedelta:
    """Parse `--every`, the time between two fetches."""
    match = re.fullmatch(r"([1-9][0-9]{0,2})([mh])", every)
    if match is None:
        problem = tr("'{found}' is not a time such as 10m (minutes) or 1h (hours)", found=every)
        raise typer.BadParameter(problem, param_hint="--every")
    return timedelta(minutes=int(match[1])) if match[2] == "m" else timedelta(hours=int(match[1]))
