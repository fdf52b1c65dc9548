"""What several commands share: the player's desk, the clock, colour, and the options' types."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

import typer

from pbem.core.legend import Legend
from pbem.desk import Desk
from pbem.errors import NotUnderstood, PbemError, ShelfError, UnknownGame
from pbem.render import WIDTH, board, safe
from pbem.shelf import home
from pbem.umpire import Game
from pbem.umpire.write import Claim

File = Annotated[Path, typer.Argument(help="The game file.", show_default=False)]
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
Mail = Annotated[str, typer.Option("--mail", help="Your mail address, for the file.")]


def desk() -> Desk:
    """The player's desk, in PBEM_HOME or ~/.pbem."""
    return Desk(home(), _ask_passphrase)


def claim(say: str = "") -> Claim:
    """The writer's clock and words; SOURCE_DATE_EPOCH stops the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    return Claim(at=now.strftime("%Y-%m-%dT%H:%M:%SZ"), say=say)


def interactive() -> bool:
    """Whether a person sits at both ends: questions may be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def colour(no_color: bool) -> bool:
    """Whether to print in colour: on a terminal, unless told otherwise (NO_COLOR)."""
    return sys.stdout.isatty() and not no_color and not os.environ.get("NO_COLOR")


def put(text: str = "") -> None:
    """Print text of our own, which holds no control characters but line ends and colour."""
    typer.echo(text)


def put_board(legend: Legend, no_color: bool = False) -> None:
    """Print the map, in colour on a terminal; leave it out where a terminal is too narrow for it."""
    columns = get_terminal_size().columns
    if sys.stdout.isatty() and columns < WIDTH:
        put(f"(The map needs {WIDTH} columns, and this terminal has {columns}: widen it, or turn the phone.)")
    else:
        put(board(legend, colour=colour(no_color)))


def put_json(value: Any) -> None:
    """Print data for a program: ASCII, so that no character of it can act on a terminal."""
    typer.echo(json.dumps(value, indent=2))


def say(line: str) -> None:
    """Print a line to standard error, harmless whatever is in it."""
    typer.echo(safe(line), err=True)


def complain(problem: PbemError, label: str = "error") -> None:
    """Say what is wrong: the line, what was not understood with carets under it, and the hint."""
    say(f"{label}: {problem}")
    if isinstance(problem, NotUnderstood):
        for line in problem.caret().splitlines():
            say(f"  {line}")
    if problem.hint:
        say(f"hint: {problem.hint}")


def warn(problem: PbemError | str) -> None:
    """Print a warning, and its hint, to standard error."""
    if isinstance(problem, PbemError):
        complain(problem, "warning")
    else:
        say(f"warning: {problem}")


def take_up(desk: Desk, file: Path, newest: bool) -> Game:
    """Open a game file to write in it: checked, and put on the shelf (FORMAT 6).

    A game that is new on this computer needs the player's word that the file is the newest he knows.
    Raises `VerificationError`, `ShelfError`.
    """
    data = desk.read(file)
    game = desk.open(data)
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
    return game


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
            warn(f"{seat.name} has come with another key before: is this the same person?")


def _ask_passphrase() -> str:
    if not interactive():
        return os.environ.get("PBEM_PASSPHRASE", "")
    passphrase: str = typer.prompt("Passphrase of your key", hide_input=True, err=True)
    return passphrase
