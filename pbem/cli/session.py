"""Opening a game for a command: the questions to the player, and the warnings and notes about the game."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.base.files import is_writable_by_others
from pbem.base.home import home
from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.progress import SearchProgress
from pbem.cli.terminal import ask_text, ask_yes_no, is_interactive, printable_size, put, put_stderr, warn
from pbem.core.rules import Rules
from pbem.correspondence.open_file import OpenedGame
from pbem.correspondence.open_file import open_file as open_game_file
from pbem.errors import MailError, PbemError, StorageError, UnknownGame
from pbem.player import clock
from pbem.player.local_player import LocalPlayer
from pbem.player.locate import GameArgument, parse_game_argument
from pbem.render.safe_text import quote_name, quote_path, wrap
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game

tr = Texts("pbem")

if TYPE_CHECKING:
    from pbem.correspondence.contacts import Contact, Contacts
    from pbem.player.status import GameStatus
    from pbem.player.store.game_file import Head


def local_player() -> LocalPlayer:
    """The player of this computer, whose home is PBEM_HOME or ~/.pbem; warns if other users can write there.

    From then on, a long search shows its progress.
    """
    folder = home()
    if is_writable_by_others(folder):
        close = f"chmod go-w {quote_path(folder)}"
        warn(
            tr(
                "other users can write in {folder}, where your key and your games are: {command}",
                folder=folder,
                command=close,
            )
        )
    clock.search_display.set(SearchProgress())
    return LocalPlayer(folder, _ask_passphrase)


def open_file(player: LocalPlayer, file: str | Path | GameArgument = "") -> OpenedGame:
    """Open a game by its file or mail, by its id, or the default game; says which, unless a file was typed.

    Raises as `open_named_game`.
    """
    argument = file if isinstance(file, GameArgument) else parse_game_argument(player, str(file))
    if argument.word == "-" and sys.stdin.isatty():
        if os.name == "nt":
            put_stderr(tr("note: paste the text you received, then press Ctrl-Z and Enter"))
        else:
            put_stderr(tr("note: paste the text you received, then press Ctrl-D"))
    if argument.file:
        opened = open_game_file(player, argument.file)
    else:
        from pbem.correspondence.open_named_game import (
            open_named_game,
        )  # 7 ms, and a file needs no list of games

        opened = open_named_game(player, argument)
    if opened.source:
        put_stderr(tr("note: {what}", what=opened.source))
    elif opened.typed != str(Path(argument.word)):
        put_stderr(
            tr("note: {file}, game {game}", file=opened.typed, game=opened.game.ids[0][:SHORT_ID_DIGITS])
        )
    return opened


def open_to_read(player: LocalPlayer, file: str | Path | GameArgument = "") -> OpenedGame:
    """Open a game to read it, without storing it; warns if it is a fork, or older than the player's own copy.

    Raises as `open_named_game`.
    """
    opened = open_file(player, file)
    if refusal := find_refusal(player, opened):
        warn(refusal)
    return opened


def find_refusal(player: LocalPlayer, opened: OpenedGame) -> StorageError | None:
    """Why a game must not be continued: it is older than the player's own copy, or another history."""
    try:
        return player.refusal(opened.game, opened.data)
    except StorageError as damaged:
        return damaged


def head_of(opened: OpenedGame) -> Head:
    """The comparison of the status and map at the head of a file with its game."""
    from pbem.player.store.game_file import compare_head  # 5 ms: most commands draw no map

    return compare_head(opened.game, opened.data)


def confirm_address(contacts: Contacts, contact: Contact, to: str, command: str, file: str = "") -> Contact:
    """A contact with a confirmed address: confirmed before, by `to`, or by asking now; saves what is new.

    The address stated in a game is proposed, and never used without asking. Raises `MailError` without a
    terminal, with a hint to `command`; and if the address belongs to another key than that of the game in
    `file`.
    """
    if to:
        return contacts.confirm(contact, to, file)
    if contact.confirmed:
        return contact
    if not is_interactive():
        problem = tr("you have not confirmed the address of {player} yet", player=contact.display_name)
        if contact.address:
            problem = tr("{problem}; the game says {address}", problem=problem, address=contact.address)
        raise MailError(problem, hint=tr("pbem asks for it at a terminal: {command}", command=command))
    question = tr("Mail address of {player}", player=contact.display_name)
    address = ask_text(question, default=contact.address or None)
    return contacts.confirm(contact, address, file)


def split_off_game(player: LocalPlayer, file: str, *words: str) -> tuple[GameArgument, list[str]]:
    """What the first word names, or the default game if it begins the other words; and those words."""
    argument = parse_game_argument(player, file)
    if file and not argument.names_game:
        return GameArgument(), [file, *words]
    return argument, list(words)


def file_to_write(player: LocalPlayer, opened: OpenedGame) -> Path:
    """The file to write entries to; says which if pbem has chosen it. Raises `FileNameTaken`."""
    if opened.source:
        player.check_path_is_free(opened.game, opened.file)
        put_stderr(tr("note: pbem writes your game to {file}", file=opened.file))
    return opened.file


def open_to_play(
    player: LocalPlayer, file: str | Path | GameArgument, newest: bool, *, commanders: bool = False
) -> tuple[Game, Path]:
    """Open a game to continue it, verified and stored (FORMAT 6). Returns the game and the file to write.

    With `commanders`, a commander of a side can open it too; an old file cannot make them reveal anything
    (FORMAT 11).

    For a game that is new on this computer, the player has to confirm that they know no newer state of it.
    Raises `VerificationError`, `StorageError`, `NotYourMove` if the player holds no seat.
    """
    from pbem.player.actions.preconditions import check_holds_seat, is_commander  # 12 ms

    opened = open_file(player, file)
    game, data, written = opened.game, opened.data, file_to_write(player, opened)
    commands = commanders and is_commander(player, game)
    if not commands:
        check_holds_seat(player, game, opened.typed)
    place = None if opened.source else written
    try:
        player.record(game, data, new=newest or commands, file=place)
    except UnknownGame as unknown:
        if not is_interactive():
            raise
        warn(unknown)
        if not ask_yes_no(tr("Is this the newest state of the game that you know?")):
            raise
        player.record(game, data, new=True, file=place)
    if not commands:
        confirm_newest(player, game, newest)
    note_peer_program(player, opened)
    remember_players(player, game)
    return game, written


def confirm_newest(player: LocalPlayer, game: Game, newest: bool) -> None:
    """Ask the player to confirm that they know no newer state of a game. Raises `UnknownGame`."""
    try:
        if not newest:
            player.store.unconfirmed.check(game.ids[0])
    except UnknownGame as unknown:
        unknown.hint = tr("{hint}; if you know none, add {option}", hint=unknown.hint, option="--newest")
        if not is_interactive():
            raise
        warn(unknown)
        put(wrap(two_computers_warning()))
        if not ask_yes_no(tr("Is this the newest state of the game that you know?")):
            raise
    player.store.unconfirmed.confirm(game.ids[0])


def two_computers_warning() -> str:
    """The warning about playing one game on two computers."""
    return tr(
        "If you still play this game on another computer, continue only there: if two computers "
        "answer the same mail, they sign two different histories, and your opponent's program "
        "refuses the second."
    )


def note_peer_program(player: LocalPlayer, opened: OpenedGame) -> None:
    """Save what the mail with the game shows about the opponent's program and language."""
    if opened.verdict:
        # 16 ms
        from pbem.correspondence.contacts import (
            Contacts,  # imported here: a game file needs no mail code
            PeerCapabilities,
        )

        PeerCapabilities(player.home).save_observed(opened.verdict)
        Contacts(player).save_reader_language(opened.verdict)


def status_if_pending(player: LocalPlayer, game: str) -> GameStatus | None:
    """The status of a stored game; None if it never had a pending message or deferred action.

    Raises `StorageError`.
    """
    from pbem.player.pending import DeferredActions, PendingMessages  # 2 ms, and `verify` needs neither
    from pbem.player.status import game_status

    if DeferredActions(player.home).is_empty(game) and PendingMessages(player.home).is_empty(game):
        return None
    kept = player.store.look_up(game)
    return game_status(player, player.open(kept.data)) if kept else None


def put_unread_news(player: LocalPlayer, game: Game) -> None:
    """At a terminal, print what happened since the player last looked, before asking anything.

    Raises `StorageError`.
    """
    if not is_interactive():
        return
    from pbem.player.status import unread_news  # 9 ms, and `verify` needs no status
    from pbem.player.store.record_store import ReadMarker
    from pbem.render.story import recent_events

    if lines := recent_events(game, unread_news(player, game), (), printable_size()[0]):
        put("\n".join(lines))
        ReadMarker(player.home).save_mark(game)


def remember_players(player: LocalPlayer, game: Game) -> None:
    """Save the players' names with their keys; warn of a known name with a new key (FORMAT 4)."""
    try:
        for name in player.note_players(game):
            warn(
                tr(
                    "{name} had a different key before: is this the same person?",
                    name=quote_name(name),
                )
            )
    except StorageError as error:
        warn(error)


def _ask_passphrase() -> str:
    if not is_interactive():
        return os.environ.get("PBEM_PASSPHRASE", "")
    import typer  # 18 ms, and few keys have a passphrase

    with raise_on_interrupt():
        passphrase: str = typer.prompt(tr("Passphrase of your key"), hide_input=True, err=True)
    return passphrase


def require_computer_players(rules: Rules) -> None:
    """Raise `PbemError` for a game without computer players."""
    if not rules.players:
        raise PbemError(tr("{title} has no computer players: play it with a friend", title=rules.title))
