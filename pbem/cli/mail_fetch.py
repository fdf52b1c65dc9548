"""Mail that comes: `mail fetch` and `mail watch`.

The modules for mail are imported where they are used, so that other commands start sooner.
"""

from __future__ import annotations

import re
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.base.interrupts import catch
from pbem.cli.lazy import commands
from pbem.cli.progress import Progress
from pbem.cli.resend import mail_again
from pbem.cli.session import desk, two_computers
from pbem.cli.terminal import agreed, complain, interactive, put, say, warn
from pbem.errors import KeyFileError, MailError, ShelfError, unforeseen
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.player.pending.deferred_actions import DeferredActions
from pbem.player.status import describe_status
from pbem.player.status.describe_status import what_next
from pbem.player.status.game_status import game_status
from pbem.player.status.pending_question import waits_for
from pbem.render.story import called
from pbem.render.words import named, quoted, safe, wrap
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.addresses import moved_to
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF

if TYPE_CHECKING:
    from pbem.correspondence.fetch import Arrival, Reply
    from pbem.correspondence.mail_folders import Tidying
    from pbem.correspondence.missing_mail import MissingMail
    from pbem.mail.config import MailSettings

tr = Texts("pbem")


app = commands()

_MOST = 20
"""The default of `--most`, and the most mails that `fetch` sends."""


@app.command()
def fetch(
    source: Annotated[
        Path | None, typer.Option("--from", metavar="PATH", help="A Maildir, instead of the one set up.")
    ] = None,
    mark: Annotated[bool, typer.Option("--mark", help="Mark the mails that hold a game as read.")] = False,
    move: Annotated[
        str, typer.Option("--move", metavar="FOLDER", help="Move the mails that hold a game there.")
    ] = "",
    newest: Annotated[
        bool,
        typer.Option(
            "--newest", help="Go on in your games that are new on this computer: you know no newer state."
        ),
    ] = False,
) -> None:
    """Fetch your mail: check each game in it, write it into a file here, tell whose move it is.

    Deletes nothing, and leaves mails as they are unless you ask for more.

    Example: pbem mail fetch
    """
    from pbem.correspondence.mail_folders import Tidying
    from pbem.correspondence.missing_mail import MissingMail
    from pbem.correspondence.settings import read_config

    mine = desk()
    if not mine.has_key:
        mine.make_key()
        put(tr("made a new key: {fingerprint}", fingerprint=mine.key.public.fingerprint))
    settings, lost = read_config(mine.home).mail, MissingMail(mine)
    alarm = _fetch(mine, settings, source, Tidying(mark, move), lost=lost)
    _take_up_doubted(mine, newest)
    may_ask = settings and settings.smtp and lost.is_new and interactive()
    if settings and may_ask and agreed(tr("Mail your opponent, and ask for the whole game?")):
        mail_again(mine, settings, lost, _MOST)
    if alarm:
        raise typer.Exit(1)


def _take_up_doubted(mine: LocalPlayer, newest: bool) -> None:
    """Ask in which unconfirmed games the player goes on here."""
    for game in filter(mine.shelf.doubts.has, mine.shelf.ids()):
        brief = game[:BRIEF]
        if newest:
            mine.shelf.doubts.confirm(game)
            put(tr("You go on in game {game} on this computer.", game=brief))
            continue
        put(wrap(tr("What you have of game {game} may not be its newest state.", game=brief)))
        put(wrap(two_computers()))
        if not interactive():
            put(tr("To take it up here: {command}", command="pbem mail fetch --newest"))
        elif agreed(tr("Take up game {game} on this computer?", game=brief)):
            mine.shelf.doubts.confirm(game)


@app.command()
def watch(
    once: Annotated[bool, typer.Option("--once", help="Look once, not again and again.")] = False,
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="How often to look: 10m, or 1h.")
    ] = "10m",
    most: Annotated[int, typer.Option("--most", min=1, help="Stop after so many mails.")] = _MOST,
    by_reply: Annotated[
        bool,
        typer.Option(
            "--orders-by-reply", help="Mail you what you are asked, and take your orders from your answers."
        ),
    ] = False,
) -> None:
    """Fetch your mail, and answer it automatically where you have no choice.

    Answers only opponents whose address you have confirmed, in games that are on this computer; mails your
    commanders what they are asked. Stops if one of these fails a check. You may interrupt it at any time.

    With --orders-by-reply, on one computer only, you play from a telephone: see docs/MAIL.md.

    Example: pbem mail watch --every 30m
    """
    from pbem.correspondence.settings import settings_to_send

    pause = _pause(every)
    mine = desk()
    settings = settings_to_send(mine.home)
    if by_reply:
        say(tr("note: take orders by reply on one computer only: two would sign two different moves"))
    with catch():
        _watch(mine, settings, pause, most, once=once, by_reply=by_reply)


def _watch(
    mine: LocalPlayer, settings: MailSettings, pause: timedelta, most: int, *, once: bool, by_reply: bool
) -> None:
    """Fetch and answer mail, again and again, until `most` mails have been sent."""
    from pbem.correspondence.mail_folders import Tidying
    from pbem.correspondence.missing_mail import MissingMail

    while True:
        lost = MissingMail(mine)
        try:
            alarm = _fetch(mine, settings, None, Tidying(), stop=True, by_reply=by_reply, lost=lost)
        except MailError as error:
            if once:
                raise
            warn(error)
        else:
            if alarm:
                raise MailError(tr("stopped, and answered nothing, because of what has come"), hint=_alarm())
            mailed, failed = _answer(mine, settings, most)
            shared, unshared = _share(mine, settings, most - mailed)
            _remind(mine)
            most, failed = most - mailed - shared, failed or unshared
            mailed, unheard = mail_again(mine, settings, lost, most, silent=True)
            most, failed = most - mailed, failed or unheard
            if by_reply:
                mailed, unasked = _ask(mine, settings, most)
                most, failed = most - mailed, failed or unasked
            if once and failed:
                raise typer.Exit(1)
        if once:
            return
        if most <= 0:
            put(tr("Stopped: that was the last mail of {option}.", option="--most"))
            return
        time.sleep(pause.total_seconds())


def _alarm() -> str:
    return tr("look at it: pbem mail fetch skips it, and pbem mail send --reply-problem answers it")


def _fetch(
    mine: LocalPlayer,
    settings: MailSettings | None,
    source: Path | None,
    tidying: Tidying,
    *,
    stop: bool = False,
    by_reply: bool = False,
    lost: MissingMail | None = None,
) -> bool:
    """Fetch, and print each game that has come. Whether any gives an alarm.

    With `stop`, only an alarm about a game that the player plays counts, and later mails are left for next
    time.
    """
    from pbem.correspondence.fetch import fetch_mails
    from pbem.correspondence.mail_folders import mail_folder
    from pbem.correspondence.verdict import plays

    found = alarm = False
    progress = Progress()
    reply: Reply | None = None
    if by_reply and settings:
        from pbem.correspondence.orders_by_reply import OrdersByReply

        reply = OrdersByReply(mine, settings, Path()).take
    with (
        mail_folder(settings, source, tidying) as box,
        closing(fetch_mails(mine, box, Path(), tidying, progress, reply, lost)) as arrivals,
    ):
        try:
            for arrival in arrivals:
                progress.clear()
                _tell(mine, arrival)
                if by_reply and arrival.file and arrival.verdict.game is None:
                    _note_draft(mine, arrival)
                found = True
                if arrival.alarm and (not stop or plays(mine, arrival.verdict)):
                    alarm = True
                    if stop:
                        break
        finally:
            progress.clear()
    if not found:
        put(tr("No new games in your mail."))
    return alarm


def _note_draft(mine: LocalPlayer, arrival: Arrival) -> None:
    """Save a note for the next letter to the player: a commander's draft has come."""
    from pbem.correspondence.letter_record import Notebook

    words = arrival.verdict.words
    Notebook(mine.home).note(arrival.verdict.first, f"{words[:1].upper()}{words[1:]}.")


def _tell(mine: LocalPlayer, arrival: Arrival) -> None:
    """Print what has come, in which mail. A failure to describe one does not stop the next."""
    if arrival.answered:
        put(wrap(f"{safe(arrival.label)}: {safe(arrival.answered)}", indent=2))
        return
    if arrival.aside:
        warn(f"{arrival.label}: {arrival.verdict.words}")
        return
    if not arrival.label:
        put(wrap(safe(arrival.verdict.words), indent=2))
        return
    try:
        _tell_of_game(mine, arrival)
    except (ShelfError, KeyFileError, OSError):
        raise
    except Exception as error:
        warn(f"{arrival.label}: {unforeseen(error)}")


def _tell_of_game(mine: LocalPlayer, arrival: Arrival) -> None:
    """Print a game that has come: in which mail, what it is, and what to do about it."""
    put(wrap(safe(arrival.label), indent=2))
    put(wrap(f"  {safe(arrival.verdict.words)}", indent=2))
    if arrival.refusal:
        complain(arrival.refusal, "" if arrival.alarm else tr("note"))
    place = tr("now in {file}", file=safe(str(arrival.file)))
    if arrival.file and arrival.verdict.game is None:
        put(wrap(f"  {place}", indent=2))
        command = f"pbem move {arrival.verdict.first[:BRIEF]} --with {quoted(arrival.file)}"
        put(tr("Type: {command}", command=command))
    elif arrival.offer and (game := arrival.verdict.game):
        put(what_next(waits_for(game, None), game, mine.key, game.ids[0][:BRIEF]))
    elif arrival.file:
        verdict = arrival.verdict
        game = mine.open(mine.read(arrival.file)) if verdict.behind or not verdict.game else verdict.game
        put(wrap(f"  {place}", indent=2))
        at_home = game_status(mine, game)
        put(what_next(at_home.asked, game, mine.key, arrival.file))
        for line in describe_status.waiting(at_home, arrival.file):
            put(wrap(line, indent=2))
        _tell_of_address(mine, game)
        _tell_of_plan(mine, game)


def _tell_of_address(mine: LocalPlayer, game: Game) -> None:
    """Print the new address in the opponent's newest mail, if it has one."""
    from pbem.correspondence.thread import runs

    newest = [replayed.entry.body for replayed in runs(game)[-1]]
    by = newest[-1].by
    if (
        any(body.x for body in newest)
        and by not in permissions.held_seats(game, mine.key)
        and (moved := moved_to(game, by))
    ):
        who = named(game.seats[by].name)
        told = tr("{player} gets mail at {address} from now on.", player=who, address=safe(moved))
        put(wrap(told, indent=2))


def _tell_of_plan(mine: LocalPlayer, game: Game) -> None:
    """Print why an armed plan leaves the pending decision to the player, if it does."""
    if not (mine.home / "plans.json").exists():
        return
    from pbem.player.plans.plan_store import chosen

    choice = chosen(mine, game)
    if choice and not choice.orders:
        put(wrap(tr("Your plan asks you: {why}.", why=safe(choice.why)), indent=2))


def _answer(mine: LocalPlayer, settings: MailSettings, most: int) -> tuple[int, bool]:
    """Answer where there is nothing to decide. How many mails were sent, and whether any failed."""
    from pbem.correspondence.auto_answer import answers
    from pbem.correspondence.verdict import named_in_words

    mailed, failed = 0, False
    for answer in answers(mine, settings, Path(), now(), most):
        game, file = safe(named_in_words(answer.game)), answer.file
        for orders in answer.planned:
            put(wrap(tr("{game}: your plan orders {orders}", game=game, orders=safe(orders)), indent=2))
        if answer.wrote and DeferredActions(mine.home).granted(answer.game, answer.game.entries[-1].body):
            put(wrap(tr("{game}: wrote what you wanted into {file}", game=game, file=file), indent=2))
        elif answer.wrote:
            put(wrap(tr("{game}: wrote what was due into {file}", game=game, file=file), indent=2))
        if answer.mailed:
            mailbox = answer.contact.mailbox
            put(wrap(tr("Mailed {file} to {mailbox}.", file=file, mailbox=mailbox), indent=2))
        for problem in (answer.failure, answer.unkept):
            if problem:
                warn(problem)
        mailed, failed = mailed + answer.mailed, failed or answer.failure is not None
    return mailed, failed


def _share(mine: LocalPlayer, settings: MailSettings, most: int) -> tuple[int, bool]:
    """Mail games to commanders who must draft orders. How many mails were sent, and whether any failed."""
    from pbem.correspondence.commander_mail import mail_to_commanders

    mailed, failed = 0, False
    for shared in mail_to_commanders(mine, settings, Path(), now(), most):
        if shared.failure:
            warn(shared.failure)
        else:
            brief = shared.game.ids[0][:BRIEF]
            told = tr("Mailed game {game} to {mailbox}.", game=brief, mailbox=safe(shared.contact.mailbox))
            put(wrap(told, indent=2))
        mailed, failed = mailed + (shared.failure is None), failed or shared.failure is not None
    return mailed, failed


def _remind(mine: LocalPlayer) -> None:
    """Print for the lead from which commanders no draft has come in time."""
    from pbem.correspondence.commander_drafts import overdue
    from pbem.correspondence.contacts import Contacts

    contacts = Contacts(mine)
    for game, absent in overdue(mine, Path()):
        brief, who = game.ids[0][:BRIEF], ", ".join(map(called, absent))
        put(wrap(tr("Game {game} still waits for orders from {who}.", game=brief, who=who), indent=2))
        if not all(contacts.known(commander.name, commander.key).confirmed for commander in absent):
            put(tr("To mail it to your commanders: {command}", command=f"pbem mail share {brief}"))


def _ask(mine: LocalPlayer, settings: MailSettings, most: int) -> tuple[int, bool]:
    """Mail the player his pending questions. How many letters were sent, and whether any failed."""
    from pbem.correspondence.question_letters import ask_by_mail
    from pbem.correspondence.verdict import named_in_words

    mailed, failed = 0, False
    for letter in ask_by_mail(mine, settings, now(), most):
        if letter.failure:
            warn(letter.failure)
        else:
            about = safe(named_in_words(letter.game)) if letter.game else tr("answers that could not be used")
            put(wrap(tr("Mailed you a letter: {about}.", about=about), indent=2))
        mailed, failed = mailed + (letter.failure is None), failed or letter.failure is not None
    return mailed, failed


def _pause(every: str) -> timedelta:
    """Parse `--every`, the time between two fetches."""
    match = re.fullmatch(r"([1-9][0-9]{0,2})([mh])", every)
    if match is None:
        problem = tr("'{found}' is not a time such as 10m (minutes) or 1h (hours)", found=every)
        raise typer.BadParameter(problem, param_hint="--every")
    return timedelta(minutes=int(match[1])) if match[2] == "m" else timedelta(hours=int(match[1]))
