"""Mail that goes: `mail send`, `mail trust`, `mail address`, `mail check`.

The modules for mail are imported where they are used, so that other commands start sooner.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pbem.base.files import write_atomically
from pbem.base.interrupts import catch
from pbem.base.language import OPTION, known
from pbem.base.limits import MAIL_BYTES
from pbem.cli.arguments import File, Newest
from pbem.cli.lazy import commands
from pbem.cli.session import confirmed, desk, open_file, take_up
from pbem.cli.terminal import agreed, be_sure, complain, interactive, put, say, typed_in, warn
from pbem.errors import MailError, PlaceTaken, judging
from pbem.format.keys import PublicKey
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.player.store.signed_entries import Way
from pbem.render.words import quoted, safe
from pbem.texts import LANGUAGES, Texts
from pbem.umpire.game_facts import BRIEF

if TYPE_CHECKING:
    from pbem.correspondence.contacts import Contact
    from pbem.correspondence.problem_reply import Problem
    from pbem.mail.config import MailSettings
    from pbem.mail.outgoing import Address
    from pbem.umpire.game import Game

tr = Texts("pbem")

app = commands()


@app.command()
def send(
    file: File = "",
    to: Annotated[
        str, typer.Option("--to", metavar="ADDRESS", help="Your opponent's address; once is enough.")
    ] = "",
    eml: Annotated[
        Path | None, typer.Option("--eml", metavar="OUT", help="Write the mail to this file; send nothing.")
    ] = None,
    open_program: Annotated[
        bool, typer.Option("--open", help="Open your mail program with it; send nothing by a server.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--whole", help="Mail the whole game, not only what your opponent lacks.")
    ] = False,
    reply_problem: Annotated[
        bool, typer.Option("--reply-problem", help="The file cannot be played on: draft an answer.")
    ] = False,
    newest: Newest = False,
) -> None:
    """Mail a game to your opponent: by your server, or where you have set up none, by your own mail program.

    At a terminal of a desktop that program opens with letter and game. Elsewhere you get what to paste, and a
    file that it can open. For a server of your own: pbem mail setup.

    Example: pbem mail send mortain.yaml --to bruno@example.org
    """
    mine = desk()
    if reply_problem:
        if not file:
            raise typer.BadParameter(tr("name the mail that fails"), param_hint=tr("file"))
        _reply(mine, Path(file), to, eml)
        return
    from pbem.correspondence.contacts import Contacts
    from pbem.correspondence.locate_game import unsent
    from pbem.correspondence.send import author, send_by_server
    from pbem.correspondence.settings import read_config

    game, written = take_up(mine, file or unsent(mine), newest)
    seat = author(mine, game)
    contacts = Contacts(mine)
    typed = file or game.ids[0][:BRIEF]
    command = f"pbem mail send {quoted(typed)}"
    recipient = confirmed(contacts, contacts.check(game, typed), to, command, typed)
    settings = read_config(mine.home).mail
    if game.table.writer == seat:
        warn(tr("it is still your move: what you write next will be another mail"))
    if not settings or not settings.smtp or eml or open_program:
        _hand_over(mine, settings, game, recipient, written, eml, insisting=open_program, whole=whole)
        return
    unkept = send_by_server(mine, settings, game, recipient, now(), whole=whole)
    put(tr("Sent to {mailbox}.", mailbox=recipient.mailbox))
    if unkept:
        warn(unkept)


def _hand_over(
    mine: LocalPlayer,
    settings: MailSettings | None,
    game: Game,
    recipient: Contact,
    written: Path,
    eml: Path | None,
    *,
    insisting: bool,
    whole: bool,
) -> None:
    """Hand the mail to the player to send himself: in his mail program, or as a file and a text to paste."""
    from pbem.correspondence.send import hand_over, mail_name, pasted, prepared

    at_desktop = not eml and (insisting or interactive())
    out = eml or _own_place(written.with_name(mail_name(game)), written)
    if at_desktop and hand_over(mine, settings, game, recipient, now(), written, out):
        put(tr("Your mail program opens with a mail to {mailbox}.", mailbox=recipient.mailbox))
        put(tr("See that {file} is attached, and send it.", file=safe(str(written))))
        put(tr("If no window comes: {file} is the same mail.", file=safe(str(out))))
        return
    write_atomically(out, prepared(mine, settings, game, recipient, now(), unsent=True, whole=whole))
    if insisting and not eml:
        problem = tr("there is no mail program to open; the mail is in {file}", file=out)
        raise MailError(problem, hint=tr("leave {option} out", option="--open"))
    put(pasted(mine, game, recipient, whole=whole))
    say(
        tr(
            "note: wrote {file}, which a mail program can send; or paste this to {address}",
            file=out,
            address=recipient.address,
        )
    )


def _sender(mine: LocalPlayer, problem: Problem, to: str, file: Path) -> Address:
    """The person to answer: by `to`, by a confirmed address, or by asking for one now. Raises `MailError`."""
    from pbem.correspondence.problem_reply import addressee
    from pbem.mail.outgoing import Address, checked_address

    if known := addressee(mine, problem, to):
        return known
    who = tr("no confirmed address is known for whoever sent this")
    if not interactive():
        command = f"pbem mail send {quoted(file)} --reply-problem"
        raise MailError(who, hint=tr("at a terminal you are asked for it: {command}", command=command))
    return Address(checked_address(typed_in(tr("Mail address of whoever sent this"))))


def _own_place(out: Path, game: Path) -> Path:
    """The default file for a mail. Raises `PlaceTaken` if it is a symbolic link."""
    if out.is_symlink():
        other = out.with_stem(f"{out.stem}-2")
        raise PlaceTaken(
            tr("{file} is a link: nothing was written", file=out),
            hint=tr(
                "name another file: {command}",
                command=f"pbem mail send {quoted(game)} --eml {quoted(other)}",
            ),
        )
    return out


def _reply(mine: LocalPlayer, file: Path, to: str, eml: Path | None) -> None:
    """Draft a reply to a mail that cannot be played on, print it, and mail it if the player agrees."""
    from msgspec.structs import replace

    from pbem.correspondence.judge_mail import Examiner
    from pbem.correspondence.problem_reply import problem_reply, sender_of_reply, the_problem
    from pbem.correspondence.settings import read_config
    from pbem.mail.outgoing import to_bytes
    from pbem.mail.smtp import deliver

    pasted = str(file) == "-"
    with catch():
        stdin = sys.stdin.buffer.read(MAIL_BYTES + 1) if pasted else b""
    with judging(str(file)), Examiner(mine.home) as examiner:
        found = examiner.file(None if pasted else file, stdin)
    problem = the_problem(mine, found, str(file))
    settings = read_config(mine.home).mail
    if problem.automatic:
        warn(tr("a program sent this mail by itself: nobody may be there to read an answer"))
    outgoing = problem_reply(
        mine, problem, sender_of_reply(settings), _sender(mine, problem, to, file), now()
    )
    if problem.mine and problem.resend:
        mine.let_go(problem.mine, Way.PROGRAM)
    put(outgoing.body)
    address = outgoing.recipient.address
    sends = settings and settings.smtp and not eml and interactive()
    if settings and sends and agreed(tr("Mail this to {address}?", address=address)):
        deliver(settings.outgoing, settings.address, address, to_bytes(replace(outgoing, unsent=False)))
        put(tr("Sent to {mailbox}.", mailbox=address))
        return
    out = eml or Path("problem.eml" if pasted else f"{file.name}-problem.eml")
    write_atomically(out, to_bytes(outgoing))
    say(
        tr(
            "note: wrote {file}, to {address}; nothing was sent: read it, change it, send it",
            file=out,
            address=address,
        )
    )


@app.command()
def trust(
    file: File = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether you mean it.")] = False,
    lang: Annotated[
        str,
        typer.Option("--lang", help="Say only in which language letters to him are to be: en, es, it, de."),
    ] = "",
) -> None:
    """Trust your opponent's key in a game, although his name or address is known with another.

    Ask him for its fingerprint first, and not by mail.

    Example: pbem mail trust mortain.yaml
    """
    from pbem.correspondence.contacts import Contacts

    mine = desk()
    contacts = Contacts(mine)
    contact = contacts.opponent(open_file(mine, file).game)
    if lang:
        contacts.writes_to(contact, (lang := known(lang, OPTION)))
        put(
            tr(
                "Letters to {player} are written in {language}.",
                player=contact.called,
                language=LANGUAGES[lang],
            )
        )
        return
    if not contact.name:
        raise MailError(tr("the other seat of this game is free: there is no key to trust yet"))
    fingerprint = PublicKey.parse(contact.key).fingerprint
    for key in contacts.other_keys(contact):
        put(tr("known:         {fingerprint}", fingerprint=PublicKey.parse(key).fingerprint))
    put(tr("in this game:  {fingerprint}", fingerprint=fingerprint))
    if not yes:
        be_sure(tr("Is this the key of {player}?", player=contact.called))
    contacts.trust(contact)
    put(tr("trusted: {player} with {fingerprint}", player=contact.called, fingerprint=fingerprint))


@app.command()
def address(
    new: Annotated[str, typer.Argument(metavar="address", help="Your new address.")],
) -> None:
    """Tell your opponents your new address: it goes, signed, with your next decision in each game.

    Your settings stay as they are: pbem mail setup ADDRESS changes those.

    Example: pbem mail address anna@example.net
    """
    from pbem.mail.outgoing import checked_address
    from pbem.player.pending.new_address import keep, untold

    mine = desk()
    _ = mine.key
    keep(mine.home, checked_address(new))
    games = [
        game for kept in mine.shelf.games() if untold(mine.home, (game := mine.open(kept.data)), mine.key)
    ]
    if not games:
        put(tr("No game of yours needs to be told."))
        return
    put(tr("It goes with your next decision in these games:"))
    for game in games:
        put(f"  {game.ids[0][:BRIEF]} {game.rules.title}")


@app.command()
def check() -> None:
    """Try the settings in config.yaml: log in where you send and where you fetch. Nothing is sent or changed.

    Example: pbem mail check
    """
    from pbem.correspondence.mail_folders import Tidying, mail_folder
    from pbem.correspondence.settings import read_config
    from pbem.mail.smtp import try_account

    mine = desk()
    settings = read_config(mine.home).mail
    trials: list[_Trial] = []
    if settings and (smtp := settings.smtp):
        account = safe(smtp.keyring_user)
        can, cannot = (
            tr("can send by {account}", account=account),
            tr("cannot send by {account}", account=account),
        )
        trials.append(_Trial(can, cannot, lambda: try_account(smtp)))
    if settings and (settings.imap or settings.maildir):
        box = mail_folder(settings, None, Tidying())
        place = safe(settings.maildir or (settings.imap.keyring_user if settings.imap else ""))
        can, cannot = tr("can fetch from {place}", place=place), tr("cannot fetch from {place}", place=place)
        trials.append(_Trial(can, cannot, lambda: _look_into(box)))
    if not trials:
        raise MailError(
            tr("there is neither a server nor a Maildir in config.yaml"),
            hint=tr("let pbem find out: {command}", command="pbem mail setup"),
        )
    failed = [trial for trial in trials if not _succeeds(trial)]
    if failed:
        raise typer.Exit(1)


class _Trial(NamedTuple):
    """A trial of the settings, with the messages for its success and for its failure."""

    can: str
    cannot: str
    run: Callable[[], None]


def _look_into(box: AbstractContextManager[object]) -> None:
    with box:
        pass


def _succeeds(trial: _Trial) -> bool:
    """Run a trial of the settings, and print the result. Whether it succeeded."""
    try:
        trial.run()
    except MailError as problem:
        complain(problem, trial.cannot)
        return False
    put(trial.can)
    return True
