"""Mail: `mail send`, `mail fetch`, `mail watch`, `mail trust`, `mail check`.

What mails need is imported where it is used: the other commands start sooner without it.
"""

from __future__ import annotations

import re
import sys
import time
import webbrowser
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.common import (
    File,
    Newest,
    complain,
    desk,
    interactive,
    now,
    open_file,
    put,
    say,
    take_up,
    warn,
)
from pbem.desk import Desk
from pbem.durable import write_atomically
from pbem.errors import MailError
from pbem.render import safe, wrap
from pbem.seal import PublicKey
from pbem.telling import what_next
from pbem.umpire import write

if TYPE_CHECKING:
    from pbem.mail.config import Mail
    from pbem.post.contacts import Contact, Contacts
    from pbem.post.fetch import Arrival, Tidying

app = typer.Typer(help="Send the game by mail, and get it from there.")


@app.command()
def send(
    file: File,
    to: Annotated[
        str, typer.Option("--to", metavar="ADDRESS", help="Your opponent's address; once is enough.")
    ] = "",
    eml: Annotated[
        Path | None, typer.Option("--eml", metavar="OUT", help="Write the mail to this file; send nothing.")
    ] = None,
    open_program: Annotated[
        bool, typer.Option("--open", help="Open your mail program; you attach the file there.")
    ] = False,
    reply_problem: Annotated[
        bool, typer.Option("--reply-problem", help="FILE cannot be played on: draft an answer.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Mail a game to your opponent; without a server in config.yaml, write the mail as a file.

    Example: pbem mail send mortain.yaml --to bruno@example.org
    """
    mine = desk()
    if reply_problem:
        _reply(mine, file, to, eml)
        return
    from pbem.post.contacts import Contacts
    from pbem.post.letter import body
    from pbem.post.send import author, mail_name, mailto, prepared
    from pbem.post.send import send as send_by_server
    from pbem.post.settings import read_config

    game, file = take_up(mine, file, newest)
    seat = author(mine, game)
    contacts = Contacts(mine)
    recipient = _addressee(contacts, contacts.check(game), to)
    settings = read_config(mine.home).mail
    if game.table.writer == seat:
        warn("it is still for you to move: what you write next will be another mail")
    if open_program:
        if not webbrowser.open(mailto(game, recipient)):
            raise MailError("found no mail program to open", hint="leave --open out: the mail becomes a file")
        put(f"Your mail program opens: attach {safe(str(file))} before you send it.")
    elif settings and settings.smtp and not eml:
        send_by_server(mine, settings, game, recipient, now())
        put(f"Sent to {safe(recipient.name)} <{recipient.address}>.")
    else:
        out = eml or file.with_name(mail_name(game))
        write_atomically(out, prepared(mine, settings, game, recipient, now()))
        put(body(game, mine.shelf.find(game.ids[0]).data))
        say(f"note: wrote {out}, which a mail program can send; or paste this to {recipient.address}")


def _addressee(contacts: Contacts, contact: Contact, to: str) -> Contact:
    """The opponent with the address that the player has confirmed, now or before."""
    if to:
        return contacts.confirm(contact, to)
    if contact.confirmed:
        return contact
    name = safe(contact.name) or "your opponent"
    if not interactive():
        claimed = f"; the game says {contact.address}" if contact.address else ""
        raise MailError(
            f"you have not confirmed the address of {name} yet{claimed}",
            hint="confirm it once: pbem mail send FILE --to ADDRESS",
        )
    address = typer.prompt(f"Mail address of {name}", default=contact.address or None)
    return contacts.confirm(contact, address)


def _reply(mine: Desk, file: Path, to: str, eml: Path | None) -> None:
    """Draft the answer to a mail that cannot be played on, and print it."""
    from pbem.mail.draft import to_bytes
    from pbem.mail.message import MOST_BYTES
    from pbem.mail.sources import letters
    from pbem.post.problem import addressee, examine, reply, signed
    from pbem.post.settings import read_config

    pasted = str(file) == "-"
    stdin = sys.stdin.buffer.read(MOST_BYTES + 1) if pasted else b""
    problem = examine(mine, list(letters(None if pasted else file, stdin)))
    settings = read_config(mine.home).mail
    draft = reply(mine, problem, signed(settings), addressee(mine, problem, to), now())
    out = eml or Path("problem.eml" if pasted else f"{file}-problem.eml")
    write_atomically(out, to_bytes(draft))
    put(draft.body)
    say(f"note: wrote {out}, to {draft.recipient.address}; nothing was sent: read it, change it, send it")


@app.command()
def fetch(
    source: Annotated[
        Path | None, typer.Option("--from", metavar="PATH", help="A Maildir, instead of the one set up.")
    ] = None,
    mark: Annotated[bool, typer.Option("--mark", help="Mark the mails that hold a game as read.")] = False,
    move: Annotated[
        str, typer.Option("--move", metavar="FOLDER", help="Move the mails that hold a game there.")
    ] = "",
) -> None:
    """Fetch your mail: check each game in it, write it into a file here, tell whose move it is.

    Deletes nothing, and leaves mails as they are unless you ask for more.

    Example: pbem mail fetch
    """
    from pbem.post.fetch import Tidying
    from pbem.post.settings import read_config

    mine = desk()
    if _fetch(mine, read_config(mine.home).mail, source, Tidying(mark, move)):
        raise typer.Exit(1)


@app.command()
def watch(
    once: Annotated[bool, typer.Option("--once", help="Look once, not again and again.")] = False,
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="How often to look: 10m, or 1h.")
    ] = "10m",
    most: Annotated[int, typer.Option("--most", min=1, help="Stop after so many answers.")] = 20,
) -> None:
    """Fetch your mail, and answer the mails that leave you nothing to decide.

    Answers only opponents whose address you have confirmed, in games that are on this computer. Stops if
    anything fails a check. You may interrupt it at any time.

    Example: pbem mail watch --every 30m
    """
    from pbem.post.fetch import Tidying
    from pbem.post.settings import read_config

    pause = _pause(every)
    mine = desk()
    settings = read_config(mine.home).mail
    if settings is None or settings.smtp is None:
        raise MailError("there is no server to send with", hint="set mail.smtp in config.yaml")
    while True:
        try:
            alarm = _fetch(mine, settings, None, Tidying(), stop=True)
        except MailError as error:
            if once:
                raise
            warn(error)
        else:
            if alarm:
                raise MailError("stopped, and answered nothing, because of what has come", hint=_ALARM)
            tried, failed = _answer(mine, settings, most)
            most -= tried
            if once and failed:
                raise typer.Exit(1)
        if once:
            return
        if most == 0:
            put("Stopped: that was the last answer of --most.")
            return
        time.sleep(pause.total_seconds())


@app.command()
def trust(
    file: File,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")] = False,
) -> None:
    """Trust your opponent's key in a game, although his name or address is known with another.

    Ask him for its fingerprint first, and not by mail.

    Example: pbem mail trust mortain.yaml
    """
    from pbem.post.contacts import Contacts

    mine = desk()
    contacts = Contacts(mine)
    contact = contacts.opponent(open_file(mine, file).game)
    if not contact.name:
        raise MailError("the other seat of this game is free: there is no key to trust yet")
    name, fingerprint = safe(contact.name), PublicKey.parse(contact.key).fingerprint
    for key in contacts.other_keys(contact):
        put(f"known:         {PublicKey.parse(key).fingerprint}")
    put(f"in this game:  {fingerprint}")
    if not yes:
        typer.confirm(f"Is this the key of {name}?", abort=True)
    contacts.trust(contact)
    put(f"trusted: {name} with {fingerprint}")


@app.command()
def check() -> None:
    """Try the settings in config.yaml: log in where you send and where you fetch. Nothing is sent or changed.

    Example: pbem mail check
    """
    from pbem.mail.smtp import try_account
    from pbem.post.fetch import Tidying, mailbox
    from pbem.post.settings import read_config

    settings = read_config(desk().home).mail
    trials: list[tuple[str, Callable[[], None]]] = []
    if settings and (smtp := settings.smtp):
        trials.append((f"send by {smtp.keyring_user}", lambda: try_account(smtp)))
    if settings and (settings.imap or settings.maildir):
        box = mailbox(settings, None, Tidying())
        place = settings.maildir or (settings.imap and settings.imap.keyring_user)
        trials.append((f"fetch from {place}", lambda: _look_into(box)))
    if not trials:
        raise MailError(
            "there is neither a server nor a Maildir in config.yaml",
            hint="schemas/config.schema.json describes it",
        )
    failed = [purpose for purpose, trial in trials if not _succeeds(purpose, trial)]
    if failed:
        raise typer.Exit(1)


def _look_into(box: AbstractContextManager[object]) -> None:
    with box:
        pass


def _succeeds(purpose: str, trial: Callable[[], None]) -> bool:
    """Whether a trial of the settings succeeds; tells it, or what is wrong."""
    try:
        trial()
    except MailError as problem:
        complain(problem, f"cannot {purpose}")
        return False
    put(f"can {safe(purpose)}")
    return True


_ALARM = "look into it: pbem mail fetch goes past it, and pbem mail send --reply-problem answers it"


def _fetch(
    mine: Desk, settings: Mail | None, source: Path | None, tidying: Tidying, *, stop: bool = False
) -> bool:
    """Fetch, and tell of each game that has come. Whether any gives an alarm, after which `stop` stops."""
    from pbem.post.fetch import fetch as fetch_mails
    from pbem.post.fetch import mailbox

    found = alarm = False
    with (
        mailbox(settings, source, tidying) as box,
        closing(fetch_mails(mine, box, Path(), tidying)) as arrivals,
    ):
        for arrival in arrivals:
            _tell(mine, arrival)
            found, alarm = True, alarm or arrival.alarm
            if alarm and stop:
                break
    if not found:
        put("No new games in your mail.")
    return alarm


def _tell(mine: Desk, arrival: Arrival) -> None:
    """A game that has come: in which mail, what it is, and what to do about it."""
    put(wrap(safe(arrival.label)))
    put(wrap(f"  {safe(arrival.verdict.words)}", indent=2))
    if arrival.refusal:
        complain(arrival.refusal, "error" if arrival.alarm else "note")
    if arrival.file:
        game = mine.open(mine.read(arrival.file))
        put(wrap(f"  now in {safe(str(arrival.file))}", indent=2))
        put(what_next(game, write.unlock(game, mine.key), mine.key, str(arrival.file)))


def _answer(mine: Desk, settings: Mail, most: int) -> tuple[int, bool]:
    """Answer what leaves nothing to decide. How many answers were tried, and whether any did not go out."""
    from pbem.post.inbox import name
    from pbem.post.watch import answers

    tried, failed = 0, False
    for answer in answers(mine, settings, Path(), now(), most):
        if answer.wrote:
            put(wrap(f"{safe(name(answer.game))}: wrote what was owed into {answer.file}", indent=2))
        if answer.mailed:
            put(f"Mailed {answer.file} to {safe(answer.contact.name)} <{answer.contact.address}>.")
        if answer.failure:
            complain(answer.failure, "warning")
        tried, failed = tried + answer.contact.confirmed, failed or answer.failure is not None
    return tried, failed


def _pause(every: str) -> timedelta:
    """The time between two looks into the mail."""
    match = re.fullmatch(r"([1-9][0-9]{0,2})([mh])", every)
    if match is None:
        problem = f"found '{every}', expected minutes such as 10m, or hours such as 1h"
        raise typer.BadParameter(problem, param_hint="--every")
    return timedelta(minutes=int(match[1])) if match[2] == "m" else timedelta(hours=int(match[1]))
