"""Outgoing mail: `send`, which is also `mail send`, and `mail share`, `trust`, `address` and `check`.

Mail modules are imported where they are used, so that other commands start sooner.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from msgspec.structs import replace
from typer.core import TyperCommand

from pbem.base.files import write_atomically
from pbem.base.interrupts import raise_on_interrupt
from pbem.base.language import OPTION, parse_language
from pbem.base.limits import MAIL_BYTES
from pbem.cli.arguments import File, Newest
from pbem.cli.command_groups import commands
from pbem.cli.session import confirm_address, local_player, open_file, open_to_play
from pbem.cli.terminal import (
    ask_text,
    ask_yes_no,
    confirm_or_exit,
    is_interactive,
    put,
    put_stderr,
    report_problem,
    warn,
)
from pbem.correspondence import commander_mail
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.examiner import Examiner
from pbem.correspondence.letter import subject
from pbem.correspondence.missing_mail import MissingMail
from pbem.correspondence.open_named_game import unmailed_game
from pbem.correspondence.problem_reply import (
    addressee,
    asks_for_whole_game,
    find_problem,
    problem_reply,
    sender_of_reply,
)
from pbem.correspondence.send import (
    author_of_newest,
    export_for_pasting,
    mail_file_name,
    open_in_mail_program,
    save_to_outbox,
    send_by_server,
)
from pbem.errors import FileNameTaken, MailError, unforeseen_as_file_error
from pbem.format.keys import PublicKey
from pbem.mail.desktop import copy_to_clipboard
from pbem.mail.mailbox import Tidying, choose_mailbox
from pbem.mail.outgoing import Address, check_address, to_bytes
from pbem.mail.settings import read_config, settings_to_send
from pbem.mail.smtp import deliver, try_account
from pbem.mail.watch_record import WatchRecord
from pbem.player.actions.action import ActionContext
from pbem.player.actions.orders import GiveShare
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import address_to_announce, save_address
from pbem.player.store.signed_entries import SendChannel
from pbem.render.safe_text import quote_path, safe_text
from pbem.render.story import describe_entry
from pbem.texts import LANGUAGES, Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHORT_ID_DIGITS, file_name

if TYPE_CHECKING:
    from pbem.correspondence.contacts import Contact
    from pbem.correspondence.problem_reply import MailProblem
    from pbem.mail.outgoing import Address
    from pbem.mail.settings import MailSettings
    from pbem.umpire.game_state import Game


tr = Texts("pbem")
app = commands()


@app.command()
def share(
    file: File = "",
    to: Annotated[
        list[str] | None,
        typer.Option("--to", metavar="GROUP=ADDRESS", help="A commander's address; pbem remembers it."),
    ] = None,
    newest: Newest = False,
) -> None:
    """Mail a game to the commanders of your side, after adding entries that need no decision.

    Example: pbem mail share rommel.yaml --to italian=graziani@example.org
    """

    player = local_player()
    game, written = open_to_play(player, file, newest)
    settings = settings_to_send(player.home)
    command = f"pbem mail share {quote_path(file or game.ids[0][:SHORT_ID_DIGITS])}"
    contacts = Contacts(player)
    found = [
        (commander, confirm_address(contacts, contact, "", command))
        for commander, contact in commander_mail.addressees(player, game, to or [])
    ]
    if permissions.has_forced_entry(game, player.key):
        game = GiveShare(ActionContext(player, game, written)).write()
        player.save(game, written)
        put(describe_entry(game, game.replayed_entries[-1]))
    for commander, contact in found:
        commander_mail.mail_to_commander(player, settings, game, commander, contact, now())
        put(tr("Sent to {mailbox}.", mailbox=contact.mailbox))


class _Send(TyperCommand):
    """The command `mail send`, whose help gives its short form, in every language."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the description of the command."""
        self.help = (self.help or "").replace("pbem mail send", ctx.command_path)
        super().format_help_text(ctx, formatter)


@app.command(cls=_Send)
def send(
    file: File = "",
    to: Annotated[
        str, typer.Option("--to", metavar="ADDRESS", help="Your opponent's address; pbem remembers it.")
    ] = "",
    eml: Annotated[
        Path | None, typer.Option("--eml", metavar="OUT", help="Write the mail to this file; do not send it.")
    ] = None,
    open_program: Annotated[
        bool, typer.Option("--open", help="Open your mail program with it; do not send it through a server.")
    ] = False,
    paste: Annotated[
        bool, typer.Option("--paste", help="Copy it to the clipboard, for mail in a browser; do not send it.")
    ] = False,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole", help="Mail the whole game, not only the entries your opponent does not have."
        ),
    ] = False,
    reply_problem: Annotated[
        bool,
        typer.Option(
            "--reply-problem", help="The file you received cannot be used: draft a reply that says why."
        ),
    ] = False,
    newest: Newest = False,
) -> None:
    """Mail a game to your opponent, through your mail server or, without one, with your own mail program.

    On a desktop, your mail program opens with the letter and the game. Elsewhere pbem prints the text to
    paste, and writes a file that a mail program can open. To use your own server: pbem mail setup.

    Example: pbem mail send mortain.yaml --to bruno@example.org
    """
    player = local_player()
    if reply_problem:
        if not file:
            raise typer.BadParameter(tr("name the file with the damaged game"), param_hint=tr("file"))
        _reply_to_problem(player, Path(file), to, eml)
        return

    game, written = open_to_play(player, file or unmailed_game(player), newest)
    seat = author_of_newest(player, game)
    contacts = Contacts(player)
    typed = file or game.ids[0][:SHORT_ID_DIGITS]
    command = f"pbem mail send {quote_path(typed)}"
    recipient = confirm_address(contacts, contacts.check_and_remember(game, typed), to, command, typed)
    settings = read_config(player.home).mail
    if game.state.writer == seat:
        warn(tr("it is still your move, and your next entry will need another mail"))
    if paste:
        _copy_for_browser(player, game, recipient, whole=whole)
        return
    if not settings or not settings.smtp or eml or open_program:
        _hand_over(player, settings, game, recipient, written, eml, insisting=open_program, whole=whole)
        return
    unkept = send_by_server(player, settings, game, recipient, now(), whole=whole)
    put(tr("Sent to {mailbox}.", mailbox=recipient.mailbox))
    if unkept:
        warn(unkept)


def _hand_over(
    player: LocalPlayer,
    settings: MailSettings | None,
    game: Game,
    recipient: Contact,
    written: Path,
    eml: Path | None,
    *,
    insisting: bool,
    whole: bool,
) -> None:
    """Give the mail to the player to send: in their mail program, or as a file and a text to paste."""

    at_desktop = not eml and (insisting or is_interactive())
    out = eml or _checked_mail_path(written.with_name(mail_file_name(game)), written)
    if at_desktop and open_in_mail_program(player, settings, game, recipient, now(), out):
        put(tr("Your mail program is opening with a mail to {mailbox}.", mailbox=recipient.mailbox))
        put(tr("Check that {file} is attached, then send it.", file=file_name(game)))
        put(tr("If no window opens, {file} is the same mail.", file=safe_text(str(out))))
        return
    write_atomically(out, save_to_outbox(player, settings, game, recipient, now(), unsent=True, whole=whole))
    if insisting and not eml:
        problem = tr(
            "pbem found no mail program here that accepts attachments; the mail is in {file}", file=out
        )
        raise MailError(problem, hint=tr("for mail in a browser: {command}", command="pbem send --paste"))
    put(export_for_pasting(player, game, recipient, whole=whole))
    put_stderr(
        tr(
            "note: wrote {file}, which a mail program can send. Or paste this into a mail to {address}",
            file=out,
            address=recipient.address,
        )
    )


def _copy_for_browser(player: LocalPlayer, game: Game, recipient: Contact, *, whole: bool) -> None:
    """Copy the letter with the game in it to the clipboard, or print it if there is no clipboard."""
    text = export_for_pasting(player, game, recipient, whole=whole)
    if is_interactive() and copy_to_clipboard(text):
        put(tr("Copied: a mail to {mailbox}, with the game in its text.", mailbox=recipient.mailbox))
        put(
            tr(
                "Answer your opponent's mail, or write a new one with this subject: {subject}",
                subject=subject(game),
            )
        )
        put(tr("Paste it as the text of the mail, and send it."))
        return
    put(text)
    put_stderr(
        tr(
            "note: paste this into a mail to {address}, with the subject {subject}",
            address=recipient.address,
            subject=subject(game),
        )
    )


def _addressee(player: LocalPlayer, problem: MailProblem, to: str, file: Path) -> Address:
    """The person to answer: from `to`, a confirmed address, or a question now. Raises `MailError`."""

    if known := addressee(player, problem, to):
        return known
    who = tr("you have not confirmed an address for the sender")
    if not is_interactive():
        command = f"pbem mail send {quote_path(file)} --reply-problem"
        raise MailError(who, hint=tr("pbem asks for it at a terminal: {command}", command=command))
    return Address(check_address(ask_text(tr("The sender's mail address"))))


def _checked_mail_path(out: Path, game: Path) -> Path:
    """The default file for a mail. Raises `FileNameTaken` if it is a symbolic link."""
    if out.is_symlink():
        other = out.with_stem(f"{out.stem}-2")
        raise FileNameTaken(
            tr("{file} is a link: nothing was written", file=out),
            hint=tr(
                "name another file: {command}",
                command=f"pbem mail send {quote_path(game)} --eml {quote_path(other)}",
            ),
        )
    return out


def _reply_to_problem(player: LocalPlayer, file: Path, to: str, eml: Path | None) -> None:
    """Draft a reply to a mail that cannot be used, print it, and mail it if the player agrees."""

    pasted = str(file) == "-"
    with raise_on_interrupt():
        stdin = sys.stdin.buffer.read(MAIL_BYTES + 1) if pasted else b""
    with unforeseen_as_file_error(str(file)), Examiner(player.home) as examiner:
        found = examiner.examine_file(None if pasted else file, stdin)
    problem = find_problem(player, found, str(file))
    settings = read_config(player.home).mail
    if problem.automatic:
        warn(tr("a program sent this mail automatically, so perhaps nobody would read an answer"))
    outgoing = problem_reply(
        player, problem, sender_of_reply(settings), _addressee(player, problem, to, file), now()
    )
    if problem.mine and problem.resend:
        player.note_departure(problem.mine, SendChannel.PROGRAM)
    put(outgoing.body)
    address = outgoing.recipient.address
    sends = settings and settings.smtp and not eml and is_interactive()
    if settings and sends and ask_yes_no(tr("Mail this to {address}?", address=address)):
        deliver(
            settings.sending_account, settings.address, address, to_bytes(replace(outgoing, unsent=False))
        )
        if problem.mine and asks_for_whole_game(problem):
            MissingMail(player).save_request(problem.mine.ids[0], now())
        put(tr("Sent to {mailbox}.", mailbox=address))
        return
    out = eml or Path("problem.eml" if pasted else f"{file.name}-problem.eml")
    write_atomically(out, to_bytes(outgoing))
    put_stderr(
        tr(
            "note: wrote {file}, a mail to {address}. Nothing was sent: read it, change it, then send it",
            file=out,
            address=address,
        )
    )


@app.command()
def trust(
    file: File = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    lang: Annotated[
        str,
        typer.Option("--lang", help="Only set the language of letters to this player: en, es, it or de."),
    ] = "",
) -> None:
    """Trust your opponent's key in a game, even if its name or address had another key before.

    First ask your opponent for the fingerprint, but not by mail.

    Example: pbem mail trust mortain.yaml
    """

    player = local_player()
    contacts = Contacts(player)
    contact = contacts.opponent(open_file(player, file).game)
    if lang:
        contacts.save_language(contact, (lang := parse_language(lang, OPTION)))
        put(
            tr(
                "Letters to {player} are written in {language}.",
                player=contact.display_name,
                language=LANGUAGES[lang],
            )
        )
        return
    if not contact.name:
        raise MailError(tr("nobody has joined this game yet, so there is no key to trust"))
    fingerprint = PublicKey.parse(contact.key).fingerprint
    for key in contacts.other_keys(contact):
        put(tr("known:         {fingerprint}", fingerprint=PublicKey.parse(key).fingerprint))
    put(tr("in this game:  {fingerprint}", fingerprint=fingerprint))
    if not yes:
        confirm_or_exit(tr("Is this the key of {player}?", player=contact.display_name))
    contacts.trust(contact)
    put(tr("trusted: {player} with {fingerprint}", player=contact.display_name, fingerprint=fingerprint))


@app.command()
def address(
    new: Annotated[str, typer.Argument(metavar="address", help="Your new address.")],
) -> None:
    """Send your opponents your new address, signed, with your next decision in each game.

    This does not change your settings: pbem mail setup ADDRESS does.

    Example: pbem mail address anna@example.net
    """

    player = local_player()
    _ = player.key
    save_address(player.home, check_address(new))
    games = [
        game
        for kept in player.store.games()
        if address_to_announce(player.home, (game := player.open(kept.data)), player.key)
    ]
    if not games:
        put(tr("None of your games needs your new address."))
        return
    put(tr("It goes with your next decision in these games:"))
    for game in games:
        put(f"  {game.ids[0][:SHORT_ID_DIGITS]} {game.rules.title}")


@app.command()
def check() -> None:
    """Test the settings in config.yaml: log in to send and to fetch. Nothing is sent or changed.

    Example: pbem mail check
    """

    player = local_player()
    settings = read_config(player.home).mail
    trials: list[_Trial] = []
    if settings and (smtp := settings.smtp):
        account = safe_text(smtp.keyring_user)
        can, cannot = (
            tr("can send by {account}", account=account),
            tr("cannot send by {account}", account=account),
        )
        trials.append(_Trial(can, cannot, lambda: try_account(smtp)))
    if settings and (settings.imap or settings.maildir):
        box = choose_mailbox(settings, None, Tidying())
        place = safe_text(settings.maildir or (settings.imap.keyring_user if settings.imap else ""))
        can, cannot = tr("can fetch from {place}", place=place), tr("cannot fetch from {place}", place=place)
        trials.append(_Trial(can, cannot, lambda: _open_and_close(box)))
    if not trials:
        raise MailError(
            tr("there is neither a server nor a Maildir in config.yaml"),
            hint=tr("let pbem find it: {command}", command="pbem mail setup"),
        )
    failed = [trial for trial in trials if not _run_trial(trial)]
    if not failed:
        WatchRecord(player.home).clear_refusal()
    if failed:
        raise typer.Exit(1)


class _Trial(NamedTuple):
    """A trial of the settings, with its messages for success and failure."""

    can: str
    cannot: str
    run: Callable[[], None]


def _open_and_close(box: AbstractContextManager[object]) -> None:
    with box:
        pass


def _run_trial(trial: _Trial) -> bool:
    """Try the settings and print the result. Returns whether the trial succeeded."""
    try:
        trial.run()
    except MailError as problem:
        report_problem(problem, trial.cannot)
        return False
    put(trial.can)
    return True
