"""What several commands share: the player's desk, the clock, colour, and the options' types."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated

import typer

from pbem.budgets import MAIL_BYTES
from pbem.cli.terminal import colour, interactive, put, say, warn
from pbem.core.legend import Legend
from pbem.desk import Desk
from pbem.desk.shelf import home
from pbem.errors import FileError, PbemError, ShelfError, UnknownGame, VerificationError, unforeseen
from pbem.files import open_to_others
from pbem.render.picture import board
from pbem.render.words import WIDTH, cut, named
from pbem.umpire import Game
from pbem.umpire.write import Claim

File = Annotated[
    Path,
    typer.Argument(
        help="The game file; or a mail, mailbox, Maildir folder or text that holds it (FILE#ID: which game), "
        "or - for what you paste.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print data for a program instead of text.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colour, also on a terminal.")]
Say = Annotated[str, typer.Option("--say", help="Words to your opponent, kept in the file.")]
Newest = Annotated[
    bool,
    typer.Option(
        "--newest", help="This file is the newest state I know of a game that is new on this computer."
    ),
]
Name = Annotated[str, typer.Option("--name", help="Your name as your opponent sees it.", envvar="PBEM_NAME")]
Mail = Annotated[str, typer.Option("--mail", help="Your mail address; or else config.yaml's.")]

LAST_SECOND = 253_402_300_799
"""The end of the year 9999, the last that an entry can name (FORMAT 4), in seconds since 1970."""


def desk() -> Desk:
    """The player's desk, in PBEM_HOME or ~/.pbem; warns if others than the player may write there."""
    folder = home()
    if open_to_others(folder):
        warn(f"others than you may write in {folder}, where your key and your games lie: chmod go-w {folder}")
    return Desk(folder, _ask_passphrase)


def now() -> datetime:
    """The time; SOURCE_DATE_EPOCH stops the clock. Raises `PbemError` if that is no time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC)
    if not re.fullmatch("[0-9]{1,12}", epoch) or int(epoch) > LAST_SECOND:
        expected = f"seconds since 1970, at most {LAST_SECOND}"
        raise PbemError(f"SOURCE_DATE_EPOCH: found '{cut(epoch, 40)}', expected {expected}")
    return datetime.fromtimestamp(int(epoch), UTC)


def claim(say: str = "") -> Claim:
    """The writer's clock and words."""
    return Claim(at=now().strftime("%Y-%m-%dT%H:%M:%SZ"), say=say)


def put_board(legend: Legend, no_color: bool = False) -> None:
    """Print the map, in colour on a terminal; leave it out where a terminal is too narrow for it."""
    columns = get_terminal_size().columns
    if sys.stdout.isatty() and columns < WIDTH:
        put(f"(The map needs {WIDTH} columns, and this terminal has {columns}: widen it, or turn the phone.)")
    else:
        put(board(legend, colour=colour(no_color)))


@dataclass(frozen=True)
class Opened:
    """A game that was opened: its bytes, and the file that entries of one's own go to."""

    game: Game
    data: bytes
    file: Path


def open_file(desk: Desk, file: Path) -> Opened:
    """The game in a game file; or in a mail, mailbox, Maildir folder or text, or `-`, standard input.

    Raises `FileError`, `VerificationError`; `ShelfError` where the shelf cannot be read.
    """
    try:
        data = desk.read(file)
        return Opened(desk.open(data), data, file)
    except (FileError, VerificationError) as error:
        no_game_file = isinstance(error, FileError) or error.step <= 2
        error.__traceback__ = None  # which would hold on to all that was read of the file
        opened = _open_mail(desk, file) if no_game_file else None
        if opened is None:
            raise
        return opened


def _open_mail(desk: Desk, file: Path) -> Opened | None:
    """The game in a mail or the like; None where nothing of that kind is there."""
    from pbem.correspondence.inbox import the_game  # here, because a game file is read sooner without it

    named, _, wanted = (str(file), "", "") if file.exists() else str(file).partition("#")
    source = None if named == "-" else Path(named)
    if source and not source.exists():
        return None
    stdin = b"" if source else sys.stdin.buffer.read(MAIL_BYTES + 1)
    try:
        found = the_game(desk, source, stdin, wanted)
    except (PbemError, OSError):
        raise
    except Exception as error:  # whatever a stranger's mail may cause that nobody has thought of
        raise FileError(unforeseen(error), where=named) from error
    if found is None or found.game is None:
        return None
    mended = ", the damage done by mail undone" if found.repaired else ""
    say(f"note: read from {found.place} in {found.label}{mended}")
    written = Path(f"{found.game.rules.name}-{found.game.ids[0][:8]}.yaml")
    return Opened(found.game, found.data, written)


def file_to_write(desk: Desk, opened: Opened, file: Path) -> Path:
    """The file that entries go to; said, if it is not the one that was given. Raises `PlaceTaken`."""
    if opened.file != file:
        desk.check_place(opened.game, opened.file)
        say(f"note: what you write goes to {opened.file}")
    return opened.file


def take_up(desk: Desk, file: Path, newest: bool) -> tuple[Game, Path]:
    """Open a file to play on: checked, and put on the shelf (FORMAT 6). The game, and the file to write.

    A game that is new on this computer needs the player's word that the file is the newest he knows.
    Raises `VerificationError`, `ShelfError`.
    """
    opened = open_file(desk, file)
    game, data, written = opened.game, opened.data, file_to_write(desk, opened, file)
    try:
        desk.keep(game, data, new=newest)
    except UnknownGame as unknown:
        if not interactive():
            raise
        warn(unknown)
        if not typer.confirm("Is this the newest state of the game that you know?"):
            raise
        desk.keep(game, data, new=True)
    remember_players(desk, game)
    return game, written


def remember_players(desk: Desk, game: Game) -> None:
    """Remember each player's key, and warn of a known name that comes with another (FORMAT 4)."""
    for seat in game.seats.values():
        try:
            known = desk.shelf.keys_of(seat.name)
            desk.shelf.remember(seat.name, seat.key)
        except ShelfError as error:
            warn(error)
            return
        if known and seat.key not in known:
            warn(f"{named(seat.name)} has come with another key before: is this the same person?")


def _ask_passphrase() -> str:
    if not interactive():
        return os.environ.get("PBEM_PASSPHRASE", "")
    passphrase: str = typer.prompt("Passphrase of your key", hide_input=True, err=True)
    return passphrase
